/// A protocol rule that the simulation disables, to prove that the simulation detects the
/// consequences.
///
/// The sync host never sets one.
package enum Weakness: String, CaseIterable, Sendable {
    // Publishing
    case reusesBlobNames
    case storesBeforeUpload
    case acknowledgesBeforeExport
    case splitsTransactions
    case namesSegmentsWithoutHash
    case keepsIncarnationAfterRestore
    // Blobs
    case condemnsReferenced
    case condemnsBeforeFinal
    case reliesOnCondemned
    case deletesWithoutAcknowledgements
    case deletesNeeded
    case deletesWithoutReading
    case deletesBeforeFull
    case evictsWithoutPoll
    case evictsUnpublished
    case evictsBeforeFull
    case removesUnfinished
    case removesUncondemned
    // Members
    case joinsWithoutHandshake
    case joinsWithoutReading
    case namesNoMembers
    case dormancyByClock
    case retiresWithoutList
    case ignoresOwnRetirement
    // Merging
    case absoluteTombstones
    case finalWithoutAcknowledgements
    case purgesWithoutTrash
    case mergesColumns
    case stampsDefaults
    case ignoresSeenTimes
    case forgetsUnknown
    // Reading
    case missingIsUpToDate
    case skipsGaps
    case skipsDamage
    case compactsWithoutSnapshots
    case compactsWithoutAcknowledgements
    case ignoresRollback
}
