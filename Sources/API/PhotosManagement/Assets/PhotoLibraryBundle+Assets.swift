internal import LibraryService
internal import PhotoModel
internal import Photos

extension PhotoLibraryBundle {
    /// Returns the metadata of assets, including hidden assets, burst frames and assets in Recently
    /// Deleted.
    ///
    /// - Parameter identifiers: Local identifiers. Unknown ones are skipped.
    /// - Returns: The facts in the order of the identifiers.
    /// - Throws: `PHPhotosError` when the library cannot be read.
    public func facts(for identifiers: [String]) throws -> [AssetFacts] {
        let wanted = identifiers.map { LocalIdentifier($0)?.description ?? $0 }
        let facts = try edge { () throws(LibraryError) in
            var facts = try self.facts(AssetFetchRequest(scope: .identifiers(identifiers)))
            let deleted = wanted.filter { facts[$0] == nil }
            if !deleted.isEmpty {
                var request = AssetFetchRequest(scope: .recentlyDeleted)
                let names = PredicateTerm.list(deleted.map { .value(.string($0)) })
                let key = PredicateTerm.key("localIdentifier", position: nil)
                request.predicate = .comparison(PredicateComparison(key, .in, names))
                try facts.merge(self.facts(request)) { first, _ in first }
            }
            return facts
        }
        return wanted.compactMap { facts[$0] }
    }

    /// Returns the metadata of the assets that a request fetches, keyed by local identifier.
    ///
    /// Hidden assets and all burst frames are included.
    private func facts(_ request: AssetFetchRequest) throws(LibraryError) -> [String: AssetFacts] {
        var request = request
        request.includesHidden = true
        request.includesAllBurstMembers = true
        let ids = try service.fetch(request).ids
        var facts: [String: AssetFacts] = [:]
        for record in try service.loadAssets(AssetLoadRequest(ids: ids)).assets {
            facts[record.localIdentifier] = AssetFacts(record)
        }
        return facts
    }

    /// Returns the stored files of an asset, with their names from
    /// `PHAssetResource.originalFilename`.
    ///
    /// The original comes first; adjustment data and sidecars come last.
    ///
    /// - Parameter identifier: The asset's local identifier.
    /// - Returns: The files; at least one for an intact asset.
    /// - Throws: `PHPhotosError` when there is no such asset or the library cannot be read.
    public func resources(of identifier: String) throws -> [ResourceFacts] {
        guard let asset = LocalIdentifier(identifier), asset.kind == .asset else {
            return try edge { () throws(LibraryError) in throw Self.unknown(identifier) }
        }
        return try edge { () throws(LibraryError) in
            try service.listResources(ResourceListRequest(assetUUID: asset.uuid)).resources
                .presented
        }.map(ResourceFacts.init)
    }

    /// Creates the error for an identifier that matches no asset.
    static func unknown(_ identifier: String) -> LibraryError {
        LibraryError(
            .identifierNotFound,
            "There is no asset \(identifier) in the library.",
            recovery: "Run photos list to see the identifiers.",
            identifiers: [identifier]
        )
    }
}
