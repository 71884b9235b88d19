import Foundation
import LibraryService
import PhotoModel

/// The versions of a fake library, and who asked about them.
struct FakeHistory {
    /// One commit.
    struct Commit {
        var assets: [Int64] = []
        var collections: [Int64] = []
    }

    var libraryUUID = "11111111-1111-4111-8111-111111111111"
    var epoch: Int64 = 0
    /// The first makes version 2.
    var commits: [Commit] = []
    /// Changes before this version are forgotten.
    var start: Int64 = 0
    /// Whether its descriptors tell of commits.
    var signals = true
    /// Whether its descriptors are closed at the other end from the start.
    var isDeaf = false
    /// How often somebody subscribed, and asked where the library stands.
    var subscriptions = 0
    var questions = 0
    /// The other ends of the descriptors that were handed out.
    var subscribers: [Int32] = []
    var nextPin: Int64 = 1
    /// Which versions are pinned, by pin.
    var pins: [Int64: LibrarySnapshot] = [:]
    var advances = 0
    var objectChanges = 0

    var version: Int64 { Int64(commits.count) + 1 }

    /// When a version was committed.
    static func time(of version: Int64) -> Date {
        Date(timeIntervalSinceReferenceDate: Double(version) - 1)
    }

    static func stamp(of version: Int64) -> HistoryStamp { HistoryStamp(time(of: version)) }

    /// What changed after one version up to another.
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
