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
    /// Called for bursts to which frames were added.
    func resolveBurst(_ identifier: String) throws {
        // A burst may be large and each of its batches calls this, so only changed records are
        // read.
        let frames = try PartnerQueries(database: database).frames(burstIdentifier: identifier)
        let key = BurstPolicy.representative(of: frames.map(\.frame))
        try represent(frames, by: key)
    }

    /// Ensures that a burst has one key frame, preferring a frame that was not just restored.
    ///
    /// If there is none, `BurstPolicy` picks one, preferring frames that are not hidden. Called for
    /// bursts of which frames were moved to Recently Deleted or restored.
    func keepOneKeyFrame(of burst: String, arrived: Set<Int64> = []) throws {
        let all = try PartnerQueries(database: database).frames(burstIdentifier: burst)
        // A lone frame that others join becomes their key frame.
        let keys = all.filter { $0.represents || $0.frame.picks.contains(.alone) }.map(\.frame)
        let expected = all.count > 1 ? 1 : 0
        let isSettled =
            keys.count == 1 && all.count { $0.represents } == expected
            && all.count { $0.frame.picks.contains(.autoPick) } == expected
        guard !isSettled else { return }
        let stayed = keys.filter { !arrived.contains($0.id) }
        var candidates = stayed.isEmpty ? keys : stayed
        if candidates.isEmpty {
            let frames = all.map(\.frame)
            let shown = try frames.filter { try asset(id: $0.id)?.isHidden == false }
            candidates = shown.isEmpty ? frames : shown
        }
        try represent(all, by: BurstPolicy.representative(of: candidates))
    }

    private func represent(
        _ frames: [(frame: BurstPolicy.Frame, represents: Bool)],
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
