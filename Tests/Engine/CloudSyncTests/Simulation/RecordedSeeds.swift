import CloudSync

/// Seeds that proved something once.
enum RecordedSeeds {
    /// The seeds that failed while the protocol was written, with the schedules of that time.
    static let failures: [UInt64] = [
        2, 3, 11, 24, 25, 31, 32, 39, 40, 42, 46, 53, 74, 81, 109, 123, 137, 160, 349, 408, 608,
        887, 1838, 3925, 6364, 1_000_086, 2_002_620, 2_006_786, 2_011_775, 2_013_078,
        2_013_815, 3_000_315, 7_007_292,
        12_005_022, 1_857_835_820,
    ]

    /// Removed rules that no schedule can tell, for the reasons in ADR 61.
    static let redundant: Set<Weakness> = [
        .deletesBeforeFull, .compactsWithoutAcknowledgements,
    ]

    /// For each removed rule, a seed that notices it.
    static let weaknesses: [(Weakness, UInt64)] = [
        (.reusesBlobNames, 715),
        (.storesBeforeUpload, 531),
        (.acknowledgesBeforeExport, 379),
        (.splitsTransactions, 791),
        (.namesSegmentsWithoutHash, 4),
        (.keepsIncarnationAfterRestore, 228),
        (.condemnsReferenced, 270),
        (.condemnsBeforeFinal, 804),
        (.reliesOnCondemned, 715),
        (.deletesWithoutAcknowledgements, 382),
        (.deletesNeeded, 318),
        (.deletesWithoutReading, 206),
        (.evictsWithoutPoll, 6),
        (.evictsUnpublished, 170),
        (.evictsBeforeFull, 230),
        (.joinsWithoutHandshake, 486),
        (.joinsWithoutReading, 278),
        (.namesNoMembers, 206),
        (.dormancyByClock, 826),
        (.retiresWithoutList, 358),
        (.ignoresOwnRetirement, 142),
        (.absoluteTombstones, 14),
        (.finalWithoutAcknowledgements, 465),
        (.purgesWithoutTrash, 384),
        (.mergesColumns, 7),
        (.stampsDefaults, 157),
        (.ignoresSeenTimes, 115),
        (.forgetsUnknown, 61),
        (.missingIsUpToDate, 565),
        (.skipsGaps, 38),
        (.skipsDamage, 29),
        (.compactsWithoutSnapshots, 78),
        (.ignoresRollback, 415),
    ]

    /// For each removed rule that only schedules with several uploads and various limits can tell,
    /// a seed that notices it.
    static let weaknessesWithLimits: [(Weakness, UInt64)] = [
        (.removesUnfinished, 2),
        (.removesUncondemned, 0),
    ]
}
