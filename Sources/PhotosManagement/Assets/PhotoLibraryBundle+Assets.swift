internal import LibraryService
internal import PhotoModel

extension PhotoLibraryBundle {
    /// What the library knows of assets, hidden ones and burst frames included.
    ///
    /// - Parameter identifiers: Local identifiers. Unknown ones are left out.
    /// - Returns: The facts in the order of the identifiers.
    /// - Throws: `PHPhotosError` when the library cannot be read.
    public func facts(for identifiers: [String]) throws -> [AssetFacts] {
        let records = try edge { () throws(LibraryError) in
            var request = AssetFetchRequest(scope: .identifiers(identifiers))
            request.includesHidden = true
            request.includesAllBurstMembers = true
            let ids = try service.fetch(request).ids
            return try service.loadAssets(AssetLoadRequest(ids: ids)).assets
        }
        let facts = Dictionary(
            records.map { ($0.localIdentifier, AssetFacts($0)) },
            uniquingKeysWith: { first, _ in first }
        )
        return identifiers.compactMap { facts[LocalIdentifier($0)?.description ?? $0] }
    }

    /// The stored files of an asset: the original first, adjustment data and sidecars last.
    ///
    /// - Parameter identifier: The asset's local identifier.
    /// - Returns: At least one, for an asset that is whole.
    /// - Throws: `PHPhotosError` when there is no such asset or the library cannot be read.
    public func resources(of identifier: String) throws -> [ResourceFacts] {
        guard let asset = LocalIdentifier(identifier), asset.kind == .asset else {
            return try edge { () throws(LibraryError) in throw Self.unknown(identifier) }
        }
        return try edge { () throws(LibraryError) in
            try service.listResources(ResourceListRequest(assetUUID: asset.uuid)).resources
        }.map(ResourceFacts.init)
    }

    /// The error for an identifier that no asset has.
    static func unknown(_ identifier: String) -> LibraryError {
        LibraryError(
            .identifierNotFound,
            "There is no asset \(identifier) in the library.",
            recovery: "photos list shows the identifiers.",
            identifiers: [identifier]
        )
    }
}
