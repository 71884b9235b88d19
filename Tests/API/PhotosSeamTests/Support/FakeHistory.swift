import Foundation
import LibraryService
import PhotoModel

/// The versions of a fake library, and the requests for them.
struct FakeHistory {
    /// A commit with its changes.
    struct Commit {
        var assets: [Int64] = []
        var collections: [Int64] = []
    }

    var libraryUUID = "11111111-1111-4111-8111-111111111111"
    var epoch: Int64 = 0
    /// The first commit creates version 2.
    var commits: [Commit] = []
    /// The first version of the history; earlier changes are pruned.
    var start: Int64 = 0
    /// Whether its descriptors report commits.
    var signals = true
    /// Whether the other end of its descriptors is closed from the start.
    var isDeaf = false
    /// The number of subscriptions, and of requests for the library's version.
    var subscriptions = 0
    var questions = 0
    /// The other ends of the descriptors that were returned.
    var subscribers: [Int32] = []
    var nextPin: Int64 = 1
    /// The pinned versions, by pin.
    var pins: [Int64: LibrarySnapshot] = [:]
    var advances = 0
    var objectChanges = 0

    var version: Int64 { Int64(commits.count) + 1 }

    /// Returns the time of a version's commit.
    static func time(of version: Int64) -> Date {
        Date(timeIntervalSinceReferenceDate: Double(version) - 1)
    }

    static func stamp(of version: Int64) -> HistoryStamp { HistoryStamp(time(of: version)) }

    /// Returns the changes after one version up to another.
    func touched(since: Int64, through: Int64) -> TouchedReply {
        guard since < through else {
            return TouchedReply(assets: RowIDBuffer(), collections: RowIDBuffer())
        }
        let part = commits[Int(since - 1)..<Int(through - 1)]
        return TouchedReply(
            assets: RowIDBuffer(Set(part.flatMap(\.assets)).sorted()),
            collections: RowIDBuffer(Set(part.flatMap(\.collections)).sorted())
        )
    }
}
