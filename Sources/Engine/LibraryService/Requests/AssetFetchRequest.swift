package import PhotoModel

/// A request to fetch assets.
///
/// Equal requests have equal results at equal snapshots.
package struct AssetFetchRequest: Codable, Hashable, Sendable {
    /// The set of assets to search.
    package enum Scope: Codable, Hashable, Sendable {
        /// All assets outside Recently Deleted.
        case library
        /// The assets with these local identifiers, each returned once and including hidden assets;
        /// unknown identifiers are ignored (behavior 52, 64).
        case identifiers([String])
        /// The frames of one burst.
        case burst(String)
        /// The assets with these row ids, in this order unless sort keys are given.
        case rowIDs(RowIDBuffer)
        /// The assets in Recently Deleted.
        case recentlyDeleted
        /// The assets in the album or smart album with this UUID, in album order unless sort keys
        /// are given.
        case album(String)
        /// The assets in the moment or list of moments with this UUID, sorted by wall time unless
        /// sort keys are given.
        case moment(String)
    }

    /// A sort descriptor.
    package struct SortKey: Codable, Hashable, Sendable {
        package var key: String
        package var ascending: Bool
        package init(_ key: String, ascending: Bool) {
            self.key = key
            self.ascending = ascending
        }
    }

    package var scope: Scope
    package var mediaType: MediaType?
    package var predicate: PredicateNode?
    /// The sort keys, the most significant first.
    ///
    /// Ties are always resolved by row id.
    package var sort: [SortKey]
    /// The maximum number of results, applied after filtering and sorting; 0 for no limit.
    package var limit: Int
    package var includesHidden: Bool
    package var includesAllBurstMembers: Bool
    /// The source types to include; empty for the default of the scope (behavior 55).
    ///
    /// By default, the scopes `identifiers`, `rowIDs` and `recentlyDeleted` include all types.
    /// Other scopes include only the user's own library.
    package var sourceTypes: SourceTypes

    package init(scope: Scope = .library) {
        self.scope = scope
        self.sort = []
        self.limit = 0
        self.includesHidden = false
        self.includesAllBurstMembers = false
        self.sourceTypes = []
    }

    /// The smart album whose assets are requested; nil if the scope is not a smart album.
    package var smartAlbum: SmartAlbum? {
        guard case .album(let uuid) = scope else { return nil }
        return SmartAlbum(uuid: uuid)
    }

    /// Indicates whether the result changes over time, even if the library does not.
    package var dependsOnClock: Bool { smartAlbum == .recentlyAdded }
}

/// The result of an asset fetch: row ids in order, at one snapshot.
package struct AssetFetchReply: Codable, Hashable, Sendable {
    package var snapshot: LibrarySnapshot
    package var ids: RowIDBuffer
    package init(snapshot: LibrarySnapshot, ids: RowIDBuffer) {
        self.snapshot = snapshot
        self.ids = ids
    }
}

/// A request for the records of assets.
package struct AssetLoadRequest: Codable, Hashable, Sendable {
    package var ids: RowIDBuffer
    /// The pinned snapshot to read; nil for the current state.
    package var pin: Int64?
    /// The version of the fetch result that contains the ids; nil for ids that come from no fetch
    /// result.
    ///
    /// With a version, an asset that was deleted or hidden from the client after it is returned in
    /// the state that the client could last see. Without one, such an asset is omitted.
    package var since: Int64?
    package init(ids: RowIDBuffer, pin: Int64? = nil, since: Int64? = nil) {
        self.ids = ids
        self.pin = pin
        self.since = since
    }
}

/// The requested records in the order of the request; ids without a row are omitted.
package struct AssetLoadReply: Codable, Hashable, Sendable {
    package var version: Int64
    package var assets: [AssetRecord]
    package init(version: Int64, assets: [AssetRecord]) {
        self.version = version
        self.assets = assets
    }
}

/// A request to count assets by media type.
package struct AssetCountRequest: Codable, Hashable, Sendable {
    package var ids: RowIDBuffer
    /// The library version at which the ids were fetched, as in `AssetLoadRequest`.
    package var since: Int64?
    package init(ids: RowIDBuffer, since: Int64? = nil) {
        self.ids = ids
        self.since = since
    }
}

/// The counts by media type; types without assets are absent.
package struct AssetCountReply: Codable, Hashable, Sendable {
    package var counts: [MediaType: Int]
    package init(counts: [MediaType: Int]) { self.counts = counts }
}
