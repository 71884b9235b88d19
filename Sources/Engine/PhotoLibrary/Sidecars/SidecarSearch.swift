internal import GRDB
internal import PhotoModel
internal import WorkerProtocol

/// Finds the asset that a sidecar belongs to.
struct SidecarSearch {
    /// The asset, and how exactly the sidecar's name is its own.
    struct Match {
        var asset: AssetRecord
        /// 0 for the name of the asset's own file, 1 for that of another file of it, 2 for a name
        /// without the extension; nil for a version of darktable's, which says nothing of the asset.
        var rank: Int?
        /// Whether the asset has a file with the sidecar's bytes.
        var isKnown: Bool
    }

    let database: Database
    private let queries: PartnerQueries

    init(database: Database) {
        self.database = database
        queries = PartnerQueries(database: database)
    }

    /// The asset that a sidecar belongs to: under the most exact name; adjustments rather to one that
    /// has none; a photo rather than a movie; the newest.
    func match(_ medium: StagedMedium) throws -> Match? {
        guard case .sidecar(let facts, _) = medium.content else { return nil }
        for key in medium.name.sidecarKeys where !key.isVersion || facts.hasDarktableHistory {
            let assets = try queries.assets(
                stemKey: key.stemKey,
                name: key.name,
                path: key.name == nil || key.isVersion
                    ? nil : medium.name.folder + [0x2F] + medium.name.stem
            ).compactMap(asset(id:))
            let ranked = try assets.map { asset in
                let digest = medium.file.digest
                let isItsOwn = try queries.resource(ofAsset: asset.id, digest: digest) != nil
                let isTaken =
                    try facts.format == .aae && !isItsOwn
                    && !queries.resources(ofAsset: asset.id, type: .adjustmentData).isEmpty
                let rank =
                    (isItsOwn ? 0 : 4) + (isTaken ? 2 : 0) + (asset.mediaType == .image ? 0 : 1)
                return (rank: rank, asset: asset)
            }
            if let best = ranked.min(by: { $0.rank < $1.rank }) {
                let rank = Self.rank(of: medium.name, asFileOf: best.asset, key: key)
                return Match(asset: best.asset, rank: rank, isKnown: best.rank < 4)
            }
        }
        return nil
    }

    private func asset(id: Int64) throws -> AssetRecord? {
        let statement = try database.cachedStatement(
            sql: AssetRecord.map.selectSQL + " WHERE id = ?"
        )
        return try Row.fetchOne(statement, arguments: [id]).map(AssetRecord.init(row:))
    }

    private static func rank(
        of name: SourceName,
        asFileOf asset: AssetRecord,
        key: SourceName.SidecarKey
    ) -> Int? {
        if key.isVersion { return nil }
        guard key.name != nil else { return 2 }
        let original = SourceName.lowercased(Array(asset.originalFilename.utf8)[...])
        return SourceName.lowercased(name.stem[...]) == original ? 0 : 1
    }

    /// The rank of a sidecar that an asset has already; nil for one whose name is none of the asset's
    /// files', such as a version of darktable's.
    static func rank(of sidecar: ResourceRecord, among resources: [ResourceRecord]) -> Int? {
        let stem = SourceName(path: Array(sidecar.originalFilename.utf8)).stem
        let name = SourceName.lowercased(stem[...])
        for resource in resources where resource.type != .sidecar && !resource.isOfEdit {
            let file = SourceName(path: Array(resource.originalFilename.utf8))
            if SourceName.lowercased(file.name[...]) == name {
                return resource.type.isPrimary ? 0 : 1
            }
            if SourceName.lowercased(file.stem[...]) == name { return 2 }
        }
        return nil
    }
}
