internal import LibraryService
internal import PhotoModel
internal import Photos

extension PhotoLibraryBundle {
    /// What the library knows of assets, hidden ones, burst frames and deleted ones included.
    ///
    /// - Parameter identifiers: Local identifiers. Unknown ones are left out.
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

    /// Facts by local identifier, whatever is hidden or part of a burst included.
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

    /// The stored files of an asset: the original first, adjustment data and sidecars last, under the
    /// names of `PHAssetResource.originalFilename`.
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
                .presented
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
