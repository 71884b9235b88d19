package import Foundation
package import PhotoModel

/// Picks the frame that stands for a burst.
///
/// The frame in the middle by capture time, the earlier of two: in a burst the moment that it was
/// taken for is seldom at its ends, and the middle does not depend on the order of import, so that
/// frames which arrive in later runs lead to the same pick as all at once. Where a person picked
/// frames, the middle one of those. It alone represents the burst and carries the automatic pick;
/// what a person picked is never touched.
package enum BurstPolicy {
    /// A frame as the policy sees it.
    package struct Frame: Hashable {
        var id: Int64
        var creationDate: Date?
        var filename: String
        var picks: BurstSelectionTypes

        package init(
            id: Int64,
            creationDate: Date?,
            filename: String,
            picks: BurstSelectionTypes
        ) {
            self.id = id
            self.creationDate = creationDate
            self.filename = filename
            self.picks = picks
        }
    }

    /// The row id of the frame that represents the burst; nil for no frames.
    package static func representative(of frames: [Frame]) -> Int64? {
        let picked = frames.filter { $0.picks.contains(.userPick) }
        let ordered = (picked.isEmpty ? frames : picked).sorted { first, second in
            let times = (
                first.creationDate ?? .distantFuture, second.creationDate ?? .distantFuture
            )
            if times.0 != times.1 { return times.0 < times.1 }
            if first.filename != second.filename { return first.filename < second.filename }
            return first.id < second.id
        }
        guard !ordered.isEmpty else { return nil }
        return ordered[(ordered.count - 1) / 2].id
    }
}
