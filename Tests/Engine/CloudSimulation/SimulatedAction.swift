/// One step of a schedule.
///
/// Its numbers are read relative to the state in which it happens, so that any subset of a schedule
/// is a schedule: that is how failures are shrunk.
package struct SimulatedAction: Hashable, Sendable, CustomStringConvertible {
    package enum Kind: Int, CaseIterable, Sendable {
        // People
        case importFile, importTwin, trash, restore, purge, favorite, place, edit, keyword
        case album, member, moveFolder, futureOperation
        // Work
        case session, publish, pollAll, pollOne, pollHeads, evict, download, replenish, condemn
        case collect, finishPurges, twins, snapshot, compact, deliver
        // Faults
        case crash, crashSoon, offline, online, wakeHostile, clone, backUp, restoreImage
        case clockJump, advance, longWait, effects, join, retire, absent, rollBack, faultsOn
        // Targeted sequences
        case reAdd, joinAndImport, retireWhileUnread, wakeAndEvict, restoreOffline
        case lateReference, twoJoiners, partialExport, compactDuringPoll, restoreUnseen
    }

    package var kind: Kind
    package var computer: Int
    package var choice: Int
    package var nonce: UInt64

    package var description: String {
        "\(kind) computer \(computer) choice \(choice) nonce \(nonce)"
    }
}

/// The shares of the kinds of actions in a schedule.
package struct SimulationProfile: Sendable {
    package var name: String
    package var weights: [(SimulatedAction.Kind, Int)]
    package var computers = 3
    package var contents = 3
    /// The number of transactions in a segment.
    package var segmentLimit = 16
    /// The number of uploads that a computer has under way at once.
    package var uploadsAtOnce = 1
    /// Whether duties have various small limits, and not the limit 1, and computers remove blobs
    /// that no change names.
    package var variesLimits = false
    /// The share of requests that go wrong, in thousandths.
    package var faultRate = 150
    package var length = 300

    private static let people: [(SimulatedAction.Kind, Int)] = [
        (.importFile, 10), (.importTwin, 2), (.trash, 6), (.restore, 5), (.purge, 5),
        (.favorite, 6), (.place, 5), (.edit, 3), (.keyword, 3), (.album, 2), (.member, 4),
        (.moveFolder, 3), (.futureOperation, 1),
    ]
    private static let work: [(SimulatedAction.Kind, Int)] = [
        (.session, 40), (.publish, 14), (.pollAll, 8), (.pollOne, 8), (.pollHeads, 3),
        (.evict, 10), (.download, 3), (.replenish, 4), (.condemn, 8), (.collect, 10),
        (.finishPurges, 6), (.twins, 2), (.snapshot, 2), (.compact, 2), (.deliver, 10),
    ]
    private static let faults: [(SimulatedAction.Kind, Int)] = [
        (.crash, 5), (.crashSoon, 5), (.offline, 5), (.online, 7), (.clockJump, 2), (.advance, 8),
        (.effects, 5), (.faultsOn, 3),
    ]

    /// The profiles that seeds choose from.
    package static let all: [SimulationProfile] = [
        SimulationProfile(
            name: "calm",
            weights: people + work + [(.restoreUnseen, 2)],
            faultRate: 20
        ),
        SimulationProfile(
            name: "faults",
            weights: people + work + faults,
            computers: 5,
            faultRate: 300
        ),
        SimulationProfile(
            name: "members",
            weights: people + work + faults + [
                (.join, 4), (.retire, 3), (.wakeHostile, 5), (.longWait, 3), (.joinAndImport, 8),
                (.retireWhileUnread, 8), (.wakeAndEvict, 8),
            ],
            contents: 2,
            segmentLimit: 3,
            faultRate: 60
        ),
        SimulationProfile(
            name: "blobs",
            weights: people + work + faults + [
                (.reAdd, 14), (.wakeHostile, 6), (.longWait, 4), (.restoreOffline, 10),
                (.partialExport, 6),
            ],
            contents: 2,
            segmentLimit: 1,
            faultRate: 100
        ),
        SimulationProfile(
            name: "images",
            weights: people + work + faults + [
                (.clone, 3), (.backUp, 5), (.restoreImage, 4), (.reAdd, 6),
            ],
            faultRate: 60
        ),
        SimulationProfile(
            name: "snapshots",
            weights: people + work + faults + [
                (.snapshot, 12), (.compact, 12), (.join, 4), (.futureOperation, 4), (.longWait, 2),
                (.compactDuringPoll, 2),
            ],
            faultRate: 60
        ),
        SimulationProfile(
            name: "races",
            weights: people + work + [
                (.lateReference, 12), (.twoJoiners, 6), (.retireWhileUnread, 6), (.wakeAndEvict, 6),
                (.reAdd, 6), (.partialExport, 6), (.effects, 4), (.crash, 4), (.online, 6),
            ],
            contents: 2,
            faultRate: 20,
            length: 60
        ),
        SimulationProfile(
            name: "rollback",
            weights: people + work + [(.backUp, 4), (.rollBack, 1), (.absent, 2), (.evict, 20)],
            faultRate: 10
        ),
    ]

    /// Makes the schedule of a seed.
    package func schedule(seed: UInt64) -> [SimulatedAction] {
        var random = SimulationRandom(seed: seed ^ 0x5DEE_CE66)
        let total = weights.reduce(0) { $0 + $1.1 }
        return (0..<length).map { _ in
            var left = random.below(total)
            var kind = SimulatedAction.Kind.session
            for (candidate, weight) in weights {
                left -= weight
                if left < 0 {
                    kind = candidate
                    break
                }
            }
            return SimulatedAction(
                kind: kind,
                computer: random.below(1 << 20),
                choice: random.below(1 << 20),
                nonce: random.next()
            )
        }
    }
}
