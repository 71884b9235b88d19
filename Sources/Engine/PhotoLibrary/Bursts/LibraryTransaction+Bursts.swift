internal import GRDB
internal import PhotoModel
internal import WorkerClient
internal import WorkerProtocol

/// Keeps exactly one frame as the key frame of a burst, of those that are not in Recently Deleted, and
/// the automatic pick on one: the same one, unless a person picked others.
///
/// A single frame is no burst: it represents none and is marked as alone, by which fetches show it
/// (`AssetRecord.isLoneFrame`). Its identifier stays, for frames that arrive or come back later.
extension LibraryTransaction {
    /// Keeps how good a burst's frame looks in its first rendition; nothing for other assets.
    ///
    /// Can be made again, so it is not journalled. What the camera chose goes before all others.
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

    // No picture comes near: the finest detail of a checkerboard has some twenty.
    private static let choice = 1_000_000.0

    /// Picks the frame anew, as `BurstPolicy` says.
    ///
    /// For bursts that frames came to.
    func resolveBurst(_ identifier: String) throws {
        // A burst may be huge, and each batch of it comes here: no records but those that change.
        let frames = try PartnerQueries(database: database).frames(burstIdentifier: identifier)
        let key = BurstPolicy.representative(of: frames.map(\.frame))
        try represent(frames, by: key)
    }

    /// Keeps the frame that represents the burst; of several, one that did not come back just now.
    ///
    /// When there is none, `BurstPolicy` picks one, rather one that is not hidden. For bursts of which
    /// frames went to Recently Deleted or came back.
    func keepOneKeyFrame(of burst: String, arrived: Set<Int64> = []) throws {
        let all = try PartnerQueries(database: database).frames(burstIdentifier: burst)
        // A single frame that is joined by others goes on as their key frame.
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
