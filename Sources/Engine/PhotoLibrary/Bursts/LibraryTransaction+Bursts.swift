internal import GRDB
internal import PhotoModel
internal import WorkerClient
internal import WorkerProtocol

/// Maintains one key frame and one automatic pick per burst, ignoring frames in Recently Deleted.
///
/// Both are on the same frame unless a person picked others. A single frame is not a burst: it
/// represents none and is marked as lone, so that fetches show it (`AssetRecord.isLoneFrame`). It
/// keeps its burst identifier for frames that arrive or are restored later.
extension LibraryTransaction {
    private typealias BurstFrame = (frame: BurstPolicy.Frame, represents: Bool)

    /// Stores the picture quality of a burst frame, measured on its first rendition; does nothing
    /// for other assets.
    ///
    /// The score can be computed again, so it is not journaled. A frame that the camera chose ranks
    /// above all others.
    func keepQuality(
        of pixels: PixelMemory?,
        isChosen: Bool = false,
        for asset: AssetRecord
    ) throws {
        guard asset.burstIdentifier != nil, let pixels else { return }
        let size = pixels.description.size
        let quality = pixels.withBytes { bytes in
            PictureQuality(
                rgb: bytes,
                width: size.width,
                height: size.height,
                bytesPerRow: pixels.description.bytesPerRow
            )
        }
        guard let quality else { return }
        let statement = try database.cachedStatement(
            sql: "INSERT OR REPLACE INTO frameQuality (assetId, score) VALUES (?, ?)"
        )
        let score = quality.score + (isChosen ? Self.choice : 0)
        try statement.execute(arguments: [asset.id, score])
    }

    // Far above any real score: the finest detail of a checkerboard scores about twenty.
    private static let choice = 1_000_000.0

    /// Selects the key frame of a burst again according to `BurstPolicy`.
    ///
    /// If the present key frame is hidden, the unpicked frames are hidden too. The new key frame is
    /// hidden exactly if the present one is, so a burst neither appears in the library nor vanishes
    /// from it. Called for bursts to which frames were added or of which the picks changed.
    func resolveBurst(_ identifier: String) throws {
        // A burst may be large and each of its batches calls this, so only changed records are
        // read.
        var frames = try PartnerQueries(database: database).frames(burstIdentifier: identifier)
        let isHidden = Self.hasHiddenKeyFrame(frames)
        if isHidden { try setHidden(true, ofUnpicked: &frames) }
        let alike = frames.map(\.frame).filter { $0.isHidden == isHidden }
        let key = BurstPolicy.representative(of: alike.isEmpty ? frames.map(\.frame) : alike)
        try represent(frames, by: key)
    }

    /// Ensures that a burst has one key frame, preferring a frame that was not just restored.
    ///
    /// If there is none, `BurstPolicy` picks one, preferring frames that are not hidden. Called for
    /// bursts of which frames were moved to Recently Deleted or restored.
    ///
    /// - Parameters:
    ///   - burst: The identifier of the burst.
    ///   - arrived: The restored frames. The unpicked ones are hidden if the key frame is.
    ///   - hiddenKeyLeft: Whether a hidden key frame was deleted. If no other key frame is left,
    ///     the unpicked frames are hidden, so that none of them appears in the library instead.
    /// - Throws: SQLite's error.
    func keepOneKeyFrame(
        of burst: String,
        arrived: Set<Int64> = [],
        hiddenKeyLeft: Bool = false
    ) throws {
        var all = try PartnerQueries(database: database).frames(burstIdentifier: burst)
        if !arrived.isEmpty, Self.hasHiddenKeyFrame(all.filter { !arrived.contains($0.frame.id) }) {
            try setHidden(true, ofUnpicked: &all)
        }
        let keys = all.filter(Self.isKeyFrame).map(\.frame)
        let expected = all.count > 1 ? 1 : 0
        let isSettled =
            keys.count == 1 && all.count { $0.represents } == expected
            && all.count { $0.frame.picks.contains(.autoPick) } == expected
        guard !isSettled else { return }
        let stayed = keys.filter { !arrived.contains($0.id) }
        var candidates = stayed.isEmpty ? keys : stayed
        if candidates.isEmpty {
            if hiddenKeyLeft { try setHidden(true, ofUnpicked: &all) }
            let frames = all.map(\.frame)
            let shown = frames.filter { !$0.isHidden }
            candidates = shown.isEmpty ? frames : shown
        }
        try represent(all, by: BurstPolicy.representative(of: candidates))
    }

    // MARK: - Hidden bursts

    /// Hides or unhides the unpicked frames of a burst, as its key frame was.
    ///
    /// Lists do not show these frames. A frame that was not hidden with the key frame would appear
    /// in the library when it becomes the key frame.
    func setHidden(_ isHidden: Bool, ofUnpickedFramesIn burst: String) throws {
        var frames = try PartnerQueries(database: database).frames(burstIdentifier: burst)
        try setHidden(isHidden, ofUnpicked: &frames)
    }

    private func setHidden(_ isHidden: Bool, ofUnpicked frames: inout [BurstFrame]) throws {
        for index in frames.indices {
            let (frame, represents) = frames[index]
            guard !represents, frame.picks.isEmpty, frame.isHidden != isHidden,
                let old = try asset(id: frame.id)
            else { continue }
            var new = old
            new.isHidden = isHidden
            try store(new, over: old, contentChanged: false)
            frames[index].frame.isHidden = isHidden
        }
    }

    /// Returns whether a frame is the key frame of its burst, or becomes it when others join.
    private static func isKeyFrame(_ frame: BurstFrame) -> Bool {
        frame.represents || frame.frame.picks.contains(.alone)
    }

    /// Returns whether some of the frames are key frames and all of these are hidden.
    ///
    /// A burst may have several key frames for a moment, such as frames that were each alone.
    private static func hasHiddenKeyFrame(_ frames: [BurstFrame]) -> Bool {
        let keys = frames.filter(isKeyFrame)
        return !keys.isEmpty && keys.allSatisfy(\.frame.isHidden)
    }

    private func represent(
        _ frames: [BurstFrame],
        by key: Int64?
    ) throws {
        let isPicked = frames.contains { $0.frame.picks.contains(.userPick) }
        let automatic = isPicked ? BurstPolicy.automaticPick(of: frames.map(\.frame)) : key
        for (frame, represents) in frames {
            let isAlone = frames.count == 1
            let shouldRepresent = frame.id == key && !isAlone
            let isAutomatic = frame.id == automatic && !isAlone
            guard
                represents != shouldRepresent || frame.picks.contains(.alone) != isAlone
                    || frame.picks.contains(.autoPick) != isAutomatic,
                var frame = try asset(id: frame.id)
            else { continue }
            frame.representsBurst = shouldRepresent
            if isAlone {
                frame.burstSelectionTypes.insert(.alone)
            } else {
                frame.burstSelectionTypes.remove(.alone)
            }
            if isAutomatic {
                frame.burstSelectionTypes.insert(.autoPick)
            } else {
                frame.burstSelectionTypes.remove(.autoPick)
            }
            try updateAsset(frame, contentChanged: false)
        }
    }
}
