internal import PhotoModel
internal import WorkerProtocol

/// Files that join an asset which is there.
extension BatchCommit {
    /// The movie's asset that waits for a still with this record's content identifier.
    func movieWaiting(for record: AssetRecord) throws -> AssetRecord? {
        guard let identifier = record.contentIdentifier,
            let id = try queries.movie(contentIdentifier: identifier)
        else { return nil }
        return try transaction.asset(id: id)
    }

    /// The asset that is a RAW alone, of the same shot as a still.
    func rawBeside(_ position: Int) throws -> AssetRecord? {
        try assets(beside: position).first { asset in
            asset.contentType.hasSuffix("raw-image")
        }
    }

    /// The asset that is a still without a RAW, of the same shot as a RAW.
    func stillBeside(_ position: Int) throws -> Int64? {
        try assets(beside: position).first { asset in
            !asset.contentType.hasSuffix("raw-image")
        }?.id
    }

    /// Image assets of one shot with a file, going by folder, name and camera, that have no alternate.
    func assets(beside position: Int) throws -> [AssetRecord] {
        guard let (_, record) = content(position), let medium = media[position] else { return [] }
        return try queries.assets(stemKey: medium.name.stemKey).compactMap { id in
            guard let asset = try transaction.asset(id: id), asset.mediaType == .image,
                PairingPolicy.areOneShot(asset, record),
                try queries.resources(ofAsset: id, type: .alternatePhoto).isEmpty
            else { return nil }
            return asset
        }
    }

    /// A still becomes the photo of an asset that was its movie's or its RAW's until now.
    mutating func lead(_ older: AssetRecord, with position: Int) throws {
        guard var (_, record) = content(position) else { return }
        let wasMovie = older.mediaType == .video
        if wasMovie { JoiningPolicy.add(movie: older, to: &record) }
        var asset = older
        JoiningPolicy.lead(&asset, with: record)
        asset.contentVersion += 1
        asset.modificationDate = transaction.now
        try transaction.updateAsset(asset, contentChanged: true)
        for id in try queries.resources(ofAsset: asset.id, type: wasMovie ? .video : .photo) {
            guard var resource = try transaction.resource(id: id) else { continue }
            resource.type = wasMovie ? .pairedVideo : .alternatePhoto
            try transaction.updateResource(resource)
        }
        try addPartner(position, type: .photo, to: asset)
        noteRendition(of: position, for: asset)
        if let burst = asset.burstIdentifier { touchedBursts.insert(burst) }
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
        JoiningPolicy.add(movie: record, to: &asset)
        asset.modificationDate = transaction.now
        try transaction.updateAsset(asset, contentChanged: true)
        try addPartner(position, type: .pairedVideo, to: asset)
    }

    /// A movie joins an asset that has none yet; else it is an asset of its own.
    mutating func joinOrInsert(movie position: Int, to id: Int64) throws {
        if try queries.resources(ofAsset: id, type: .pairedVideo).isEmpty {
            try join(movie: position, to: id)
        } else {
            try insert(primary: position, raw: nil, movie: nil)
        }
    }
}
