package import Foundation
package import PhotoModel

/// Picks the frame that represents a burst.
///
/// Of the frames with a known `PictureQuality`, the best one wins. If no quality is known, or
/// several are equal, the middle frame by capture time wins, the earlier of two: the intended
/// moment is seldom at the beginning or end of a burst. Neither rule depends on the order of
/// import, so frames that arrive in later runs lead to the same pick. This frame carries the
/// automatic pick. It represents the burst unless a person picked frames: then the best of those
/// represents it, and the automatic pick stays where it is. A person's picks are never changed.
package enum BurstPolicy {
    /// The properties of a frame that the policy uses.
    package struct Frame: Hashable {
        var id: Int64
        var creationDate: Date?
        var filename: String
        var picks: BurstSelectionTypes
        /// The frame's quality score; nil if unknown.
        var quality: Double?
        var isHidden: Bool

        package init(
            id: Int64,
            creationDate: Date?,
            filename: String,
            picks: BurstSelectionTypes,
            quality: Double? = nil,
            isHidden: Bool = false
        ) {
            self.id = id
            self.creationDate = creationDate
            self.filename = filename
            self.picks = picks
            self.quality = quality
            self.isHidden = isHidden
        }
    }

    /// Returns the row id of the frame that represents the burst; nil if there are no frames.
    package static func representative(of frames: [Frame]) -> Int64? {
        let picked = frames.filter { $0.picks.contains(.userPick) }
        return automaticPick(of: picked.isEmpty ? frames : picked)
    }

    /// Returns the row id of the automatically picked frame, ignoring the user's picks; nil if
    /// there are no frames.
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
