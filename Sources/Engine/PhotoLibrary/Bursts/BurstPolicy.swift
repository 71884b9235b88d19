package import Foundation
package import PhotoModel

/// Picks the frame that stands for a burst.
///
/// The best one by `PictureQuality`, of those of which that is known. Where it is known of none, or
/// the same, the one in the middle by capture time, the earlier of two: in a burst the moment that it
/// was taken for is seldom at its ends. Neither depends on the order of import, so that frames which
/// arrive in later runs lead to the same pick as all at once. That frame carries the automatic pick.
/// It represents the burst, unless a person picked frames: then the best of those does, and the
/// automatic pick stays where it is. What a person picked is never touched.
package enum BurstPolicy {
    /// A frame as the policy sees it.
    package struct Frame: Hashable {
        var id: Int64
        var creationDate: Date?
        var filename: String
        var picks: BurstSelectionTypes
        /// How good it looks; nil when nobody knows.
        var quality: Double?

        package init(
            id: Int64,
            creationDate: Date?,
            filename: String,
            picks: BurstSelectionTypes,
            quality: Double? = nil
        ) {
            self.id = id
            self.creationDate = creationDate
            self.filename = filename
            self.picks = picks
            self.quality = quality
        }
    }

    /// The row id of the frame that represents the burst; nil for no frames.
    package static func representative(of frames: [Frame]) -> Int64? {
        let picked = frames.filter { $0.picks.contains(.userPick) }
        return automaticPick(of: picked.isEmpty ? frames : picked)
    }

    /// The row id of the frame that carries the automatic pick, whatever a person picked; nil for no
    /// frames.
    package static func automaticPick(of frames: [Frame]) -> Int64? {
        var candidates = frames
        if let best = candidates.compactMap(\.quality).max() {
            candidates.removeAll { $0.quality != best }
        }
        let ordered = candidates.sorted { first, second in
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
