internal import LibraryService
internal import PhotoModel
internal import WorkerProtocol

/// Imports sidecars after all media of the batch have been assigned to assets.
extension BatchCommit {
    func namesOriginal(_ position: Int) -> Bool {
        media[position]?.name.namesOriginalAdjustments ?? false
    }

    mutating func admitSidecar(_ position: Int) throws {
        guard let medium = media[position], case .sidecar(let facts, let record) = medium.content
        else { return }
        let search = SidecarSearch(database: transaction.database) { [media] path in
            media.values.contains { $0.source.path == path }
        }
        guard let match = try search.match(medium) else {
            outcomes[position] = ImportOutcome(
                .unsupported,
                reason: "It is a sidecar, but the library has no photo or movie from this folder "
                    + "with its name. Import the photo or movie together with it or before it.",
                obstacle: .mediumMissing
            )
            return
        }
        let asset = match.asset
        if let duplicate = try queries.resource(ofAsset: asset.id, digest: medium.file.digest) {
            try answerDuplicate(position, of: duplicate, isTrashed: false)
            return
        }
        guard facts.format == .aae else {
            try admitXMP(position, SidecarStatement(facts, record), match)
            return
        }
        if try answerFormer(position, of: asset) { return }
        guard try queries.resources(ofAsset: asset.id, type: .adjustmentData).isEmpty else {
            outcomes[position] = ImportOutcome(
                .unsupported,
                reason: "Its photo (\(asset.originalFilename)) already has other adjustments."
            )
            return
        }
        try admitAdjustments(position, facts, to: asset)
    }

    /// Adds an XMP sidecar to its asset as a file, and applies the sidecar's values.
    private mutating func admitXMP(
        _ position: Int,
        _ statement: SidecarStatement,
        _ match: SidecarSearch.Match
    ) throws {
        try addPartner(position, type: .sidecar, to: match.asset)
        guard let rank = match.rank, let name = media[position]?.name.name else { return }
        guard var history = histories[match.asset.uuid] else {
            outcomes[position]?.reason =
                "It was kept but not applied: the original or a sidecar of its photo "
                + "(\(match.asset.originalFilename)) cannot be read. Run photos verify, and photos "
                + "refresh when the file is there again."
            return
        }
        let old = history.values
        history.add(name: name, rank: rank, statement)
        histories[match.asset.uuid] = history
        var asset = match.asset
        SidecarPolicy.update(&asset, from: old, to: history.values)
        guard asset != match.asset else { return }
        asset.modificationDate = transaction.now
        try transaction.updateAsset(asset, contentChanged: false)
    }
}
