internal import PhotoModel
internal import WorkerProtocol

/// Joins imported files to existing assets.
extension BatchCommit {
    /// Returns a movie asset that is not edited, lacks a still and has the content identifier of
    /// `record`; nil if there is none.
    ///
    /// An edited movie stays a movie, because its edit would not show the still.
    func movieWaiting(for record: AssetRecord, _ position: Int) throws -> AssetRecord? {
        guard let identifier = record.contentIdentifier, let medium = media[position],
            let id = try queries.movie(
                contentIdentifier: identifier,
                stemKey: medium.name.stemKey
            )
        else { return nil }
        return try transaction.asset(id: id)
    }

    /// Returns the newest RAW asset that lacks a second photo and shows the same shot as a given
    /// still.
    func rawBeside(_ position: Int) throws -> AssetRecord? {
        try asset(beside: position, isRAW: true)
    }

    /// Returns the row id of the newest asset that lacks a RAW and shows the same shot as a given
    /// RAW file.
    func stillBeside(_ position: Int) throws -> Int64? {
        try asset(beside: position, isRAW: false)?.id
    }

    /// Returns the newest image asset that lacks an alternate photo and shows the same shot as a
    /// given file.
    private func asset(beside position: Int, isRAW: Bool) throws -> AssetRecord? {
        guard let (_, record) = content(position), let medium = media[position] else { return nil }
        return try queries.shots(
            of: record,
            stemKey: medium.name.stemKey,
            isRAW: isRAW
        ).first
    }

    /// Makes a still the main photo of an asset that so far had only a movie or a RAW.
    mutating func lead(_ older: AssetRecord, with position: Int) throws {
        guard let (facts, draft) = content(position) else { return }
        var record = draft
        let wasMovie = older.mediaType == .video
        let embedded = wasMovie ? nil : media[position]?.embeddedMovie
        if let movie = wasMovie ? older : embedded?.record {
            JoiningPolicy.add(movie: movie, to: &record)
        }
        let file = SidecarStatement(facts, record)
        let former = histories[older.uuid]?.values
        let history = try history(of: older, ledBy: position, file)
        histories[older.uuid] = history
        var asset = older
        JoiningPolicy.lead(&asset, with: record)
        if let former, let new = history?.values {
            var own = SidecarHistory(file: file).values
            // Keywords that the asset had and has no more were removed by a person.
            own.keywords = former.keywords.filter(new.keywords.contains)
            SidecarPolicy.update(&asset, from: own, to: new)
        }
        EditPolicy.keepEdit(of: older, in: &asset)
        asset.contentVersion += 1
        asset.modificationDate = transaction.now
        try transaction.updateAsset(asset, contentChanged: true)
        for id in try queries.resources(ofAsset: asset.id, type: wasMovie ? .video : .photo) {
            guard var resource = try transaction.resource(id: id) else { continue }
            resource.type = wasMovie ? .pairedVideo : .alternatePhoto
            try transaction.updateResource(resource)
        }
        try addPartner(position, type: .photo, to: asset)
        if embedded != nil { try addEmbeddedMovie(of: position, to: asset) }
        try recordRendition(of: position, for: asset)
        if let burst = asset.burstIdentifier { touchedBursts.insert(burst) }
    }

    /// Returns the metadata history of an asset after a still became its main photo; nil if the
    /// asset's sidecars could not be read.
    private func history(
        of older: AssetRecord,
        ledBy position: Int,
        _ file: SidecarStatement
    ) throws -> SidecarHistory? {
        let resources = try transaction.resources(ofAsset: older.id)
        let hasSidecars = resources.contains { resource in
            resource.type == .sidecar && SidecarSearch.rank(of: resource, among: resources) != nil
        }
        guard hasSidecars, let name = media[position]?.name else {
            return SidecarHistory(file: file)
        }
        let others = SidecarSearch.files(of: resources).map { (name: $0.name, isPrimary: false) }
        let files = [(name: name, isPrimary: true)] + others
        return histories[older.uuid]?.ledBy(file) { SidecarSearch.rank(of: $0, among: files) }
    }

    /// Adds a still's embedded movie to an asset, as a separate resource.
    mutating func addEmbeddedMovie(of position: Int, to asset: AssetRecord) throws {
        guard let movie = media[position]?.embeddedMovie else { return }
        let uuid = LocalIdentifier(new: .resource).uuid
        let target = FilePlacement.target(
            uuid: uuid,
            pathExtension: FileExtension.of(movie.facts, original: "mp4")
        )
        try transaction.insertResource(
            ResourceRecord(
                id: 0,
                uuid: uuid,
                assetID: asset.id,
                assetUUID: asset.uuid,
                type: .pairedVideo,
                originalFilename: movie.name,
                contentType: movie.facts.contentType,
                path: target,
                size: movie.file.size,
                sha256: movie.file.digest.hexadecimal,
                pixelSize: movie.record.pixelSize
            )
        )
        moves.append(FilePlacement.Move(file: movie.file, target: target))
    }

    mutating func join(raw position: Int, to id: Int64) throws {
        guard var asset = try transaction.asset(id: id) else { return }
        asset.modificationDate = transaction.now
        try transaction.updateAsset(asset, contentChanged: false)
        try addPartner(position, type: .alternatePhoto, to: asset)
    }

    mutating func join(movie position: Int, to id: Int64) throws {
        guard var asset = try transaction.asset(id: id), let (_, record) = content(position) else {
            return
        }
        let older = asset
        JoiningPolicy.add(movie: record, to: &asset)
        EditPolicy.keepEdit(of: older, in: &asset)
        asset.modificationDate = transaction.now
        try transaction.updateAsset(asset, contentChanged: true)
        try addPartner(position, type: .pairedVideo, to: asset)
    }

    /// Joins a movie to an asset without a movie; otherwise, creates a separate asset for it.
    mutating func joinOrInsert(movie position: Int, to id: Int64) throws {
        if try queries.resources(ofAsset: id, type: .pairedVideo).isEmpty {
            try join(movie: position, to: id)
        } else {
            try insert(primary: position, raw: nil, movie: nil)
        }
    }
}
