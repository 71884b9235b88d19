internal import GRDB
internal import Glibc
internal import PhotoModel
internal import WorkerProtocol

/// Finds the asset to which a sidecar belongs.
struct SidecarSearch {
    /// An asset to which a sidecar belongs, and how precisely the names match.
    struct Match {
        var asset: AssetRecord
        /// The rank of the match; a smaller rank is more precise.
        ///
        /// It is 0 for the full name of the asset's primary file, 1 for the full name of another of
        /// its files, and 2 for a name without the extension. Nil for one of darktable's versions,
        /// whose metadata does not apply to the asset.
        var rank: Int?
    }

    /// The order in which assets are preferred for a sidecar.
    private enum Preference: Int, Comparable {
        /// The asset has the sidecar.
        case itsOwn
        /// The asset has adjustments from a file of this name, and its files are still there.
        case assigned
        /// The files of the asset are still there.
        case there
        /// The files of the asset are still there, and it has other adjustments.
        case taken
        case other

        static func < (first: Preference, second: Preference) -> Bool {
            first.rawValue < second.rawValue
        }
    }

    let database: Database
    private let queries: PartnerQueries
    private let isInBatch: ([UInt8]) -> Bool

    /// Creates a search; `isInBatch` returns whether a path is that of a file of the import's
    /// batch.
    init(database: Database, isInBatch: @escaping ([UInt8]) -> Bool = { _ in false }) {
        self.database = database
        self.isInBatch = isInBatch
        queries = PartnerQueries(database: database)
    }

    /// Returns the asset to which a sidecar belongs, preferring the most specific name match.
    ///
    /// If several assets match, the one that already has this sidecar comes first. For adjustments,
    /// assets whose files are still in their folder are preferred, of these first one that got
    /// adjustments of this name before, then those without adjustments. Then photos are preferred
    /// over movies, then the newest asset.
    func match(_ medium: StagedMedium) throws -> Match? {
        guard case .sidecar(let facts, _) = medium.content else { return nil }
        for key in medium.name.sidecarKeys where !key.isVersion || facts.hasDarktableHistory {
            let assets = try queries.assets(
                stemKey: key.stemKey,
                name: key.name,
                path: key.name == nil || key.isVersion
                    ? nil : medium.name.folder + [0x2F] + medium.name.stem
            ).compactMap(queries.asset(id:))
            let ranked = try assets.map { asset in
                let isItsOwn =
                    try queries.resource(ofAsset: asset.id, digest: medium.file.digest) != nil
                var preference = isItsOwn ? Preference.itsOwn : .other
                if !isItsOwn, facts.format == .aae, assets.count > 1 {
                    preference = try self.preference(for: asset, stemKey: key.stemKey)
                }
                return (preference: preference, asset: asset)
            }
            let best = ranked.min { first, second in
                (first.preference, first.asset.mediaType == .image ? 0 : 1)
                    < (second.preference, second.asset.mediaType == .image ? 0 : 1)
            }
            if let best {
                let rank = Self.rank(of: medium.name, asFileOf: best.asset, key: key)
                return Match(asset: best.asset, rank: rank)
            }
        }
        return nil
    }

    /// Returns the preference of an asset for adjustments that it does not have.
    ///
    /// An asset whose files are gone may be that of an earlier card with the same names.
    private func preference(for asset: AssetRecord, stemKey: [UInt8]) throws -> Preference {
        let paths = try queries.mediaPaths(stemKey: stemKey, ofAsset: asset.id)
        guard paths.contains(where: { isInBatch($0) || Self.exists($0) }) else { return .other }
        if try queries.adjustments(stemKey: stemKey, ofAsset: asset.id) != nil { return .assigned }
        return try queries.resources(ofAsset: asset.id, type: .adjustmentData).isEmpty
            ? .there : .taken
    }

    private static func exists(_ path: [UInt8]) -> Bool {
        var status = stat()
        return (path + [0]).map(CChar.init(bitPattern:)).withUnsafeBufferPointer { name in
            name.baseAddress.map { lstat($0, &status) == 0 } ?? false
        }
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

    /// Returns the rank of an asset's existing sidecar; nil if the sidecar's name matches none of
    /// the asset's files.
    ///
    /// This is the case for sidecars of darktable's additional versions of a picture.
    static func rank(of sidecar: ResourceRecord, among resources: [ResourceRecord]) -> Int? {
        let name = SourceName(path: Array(sidecar.originalFilename.utf8))
        return rank(of: name, among: files(of: resources))
    }

    /// Returns the rank of a sidecar's name among the names of an asset's files.
    static func rank(of sidecar: SourceName, among files: [(name: SourceName, isPrimary: Bool)])
        -> Int?
    {
        let name = SourceName.lowercased(sidecar.stem[...])
        for file in files {
            if SourceName.lowercased(file.name.name[...]) == name { return file.isPrimary ? 0 : 1 }
            if SourceName.lowercased(file.name.stem[...]) == name { return 2 }
        }
        return nil
    }

    /// Returns the names of those of an asset's files to which sidecars belong.
    static func files(of resources: [ResourceRecord]) -> [(name: SourceName, isPrimary: Bool)] {
        resources.filter { $0.type != .sidecar && !$0.isOfEdit }.map { resource in
            let name = SourceName(path: Array(resource.originalFilename.utf8))
            return (name: name, isPrimary: resource.type.isPrimary)
        }
    }
}
