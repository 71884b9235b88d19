internal import LibraryService
internal import PhotoModel
internal import WorkerProtocol

/// Sidecars: what is settled once all media of a batch have their assets.
extension BatchCommit {
    func namesOriginal(_ position: Int) -> Bool {
        media[position]?.name.namesOriginalAdjustments ?? false
    }

    mutating func admitSidecar(_ position: Int) throws {
        guard let medium = media[position], case .sidecar(let facts, let record) = medium.content
        else { return }
        guard let asset = try sidecarAsset(of: medium, isAdjustment: facts.format == .aae) else {
            outcomes[position] = ImportOutcome(
                .unsupported,
                reason: "It is a sidecar, and the library has no photo or movie from this folder "
                    + "under its name. Import that one with it or before it."
            )
            return
        }
        if let twin = try queries.resource(ofAsset: asset.id, digest: medium.file.digest) {
            try answerDuplicate(position, of: twin, isTrashed: false)
            return
        }
        if facts.format == .aae {
            if try answerFormer(position, of: asset) { return }
            guard try queries.resources(ofAsset: asset.id, type: .adjustmentData).isEmpty else {
                outcomes[position] = ImportOutcome(
                    .unsupported,
                    reason: "Its photo (\(asset.originalFilename)) has other adjustments already."
                )
                return
            }
            try admitAdjustments(position, facts, to: asset)
        } else {
            var filled = asset
            JoiningPolicy.fill(&filled, from: record)
            if filled != asset {
                filled.modificationDate = transaction.now
                try transaction.updateAsset(filled, contentChanged: false)
            }
            try addPartner(position, type: .sidecar, to: filled)
        }
    }

    /// The asset that a sidecar belongs to: under the most exact name; adjustments rather to one that
    /// has none; a photo rather than a movie; the newest.
    func sidecarAsset(of medium: StagedMedium, isAdjustment: Bool) throws -> AssetRecord? {
        for key in medium.name.sidecarKeys {
            let assets = try queries.assets(
                stemKey: key.stemKey,
                name: key.name,
                path: key.name == nil ? nil : medium.name.folder + [0x2F] + medium.name.stem
            ).compactMap(transaction.asset(id:))
            let ranked = try assets.map { asset in
                let digest = medium.file.digest
                let isItsOwn = try queries.resource(ofAsset: asset.id, digest: digest) != nil
                let isTaken =
                    try isAdjustment && !isItsOwn
                    && !queries.resources(ofAsset: asset.id, type: .adjustmentData).isEmpty
                let rank =
                    (isItsOwn ? 0 : 4) + (isTaken ? 2 : 0) + (asset.mediaType == .image ? 0 : 1)
                return (rank: rank, asset: asset)
            }
            if let best = ranked.min(by: { $0.rank < $1.rank }) { return best.asset }
        }
        return nil
    }
}
