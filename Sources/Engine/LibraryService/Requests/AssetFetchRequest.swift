package import PhotoModel

/// What an asset fetch asks for.
///
/// Equal requests have equal answers at equal snapshots.
package struct AssetFetchRequest: Codable, Hashable, Sendable {
    /// Among which assets.
    package enum Scope: Codable, Hashable, Sendable {
        /// Everything that is not in Recently Deleted.
        case library
        /// Those with these local identifiers; unknown ones are dropped, each object comes once, and
        /// hidden ones are included without asking (behaviour 52, 64).
        case identifiers([String])
        /// The frames of one burst.
        case burst(String)
        /// Those with these row ids; without sort keys in this order.
        case rowIDs(RowIDBuffer)
        /// Those in Recently Deleted.
        case recentlyDeleted
        /// Those in an album or a smart album, by its UUID; without sort keys in the album's own
        /// order.
        case album(String)
        /// Those in a moment, or in a list of moments, by its UUID; without sort keys by the time on the
        /// wall.
        case moment(String)
    }

    /// One sort descriptor.
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
    /// In order of weight.
    ///
    /// Ties end in the row id, always.
    package var sort: [SortKey]
    /// 0: no limit.
    ///
    /// Applies after filtering and sorting.
    package var limit: Int
    package var includesHidden: Bool
    package var includesAllBurstMembers: Bool
    /// Empty: what suits the scope (behaviour 55).
    package var sourceTypes: SourceTypes

    package init(scope: Scope = .library) {
        self.scope = scope
        self.sort = []
        self.limit = 0
        self.includesHidden = false
        self.includesAllBurstMembers = false
        self.sourceTypes = []
    }

    /// The smart album that it is about, if it is about one.
    package var smartAlbum: SmartAlbum? {
        guard case .album(let uuid) = scope else { return nil }
        return SmartAlbum(uuid: uuid)
    }

    /// Whether its answer changes as time goes by, though the library does not.
    package var dependsOnClock: Bool { smartAlbum == .recentlyAdded }
}

/// The answer to a fetch: row ids in order, at one snapshot.
package struct AssetFetchReply: Codable, Hashable, Sendable {
    package var snapshot: LibrarySnapshot
    package var ids: RowIDBuffer
    package init(snapshot: LibrarySnapshot, ids: RowIDBuffer) {
        self.snapshot = snapshot
        self.ids = ids
    }
}

/// Asks for the records of assets.
package struct AssetLoadRequest: Codable, Hashable, Sendable {
    package var ids: RowIDBuffer
    /// The pinned state to read; nil for the present one.
    package var pin: Int64?
    /// The version of the answer that the ids are from; nil for ids of no answer.
    ///
    /// Assets that were deleted or hidden from the client after it are answered as they were when the
    /// client could last see them. Without it they are left out.
    package var since: Int64?
    package init(ids: RowIDBuffer, pin: Int64? = nil, since: Int64? = nil) {
        self.ids = ids
        self.pin = pin
        self.since = since
    }
}

/// Records in the order asked for; ids without a row are left out.
package struct AssetLoadReply: Codable, Hashable, Sendable {
    package var version: Int64
    package var assets: [AssetRecord]
    package init(version: Int64, assets: [AssetRecord]) {
        self.version = version
        self.assets = assets
    }
}

/// Asks how many of some assets have each media type.
package struct AssetCountRequest: Codable, Hashable, Sendable {
    package var ids: RowIDBuffer
    /// The version of the answer that the ids are from; as in `AssetLoadRequest`.
    package var since: Int64?
    package init(ids: RowIDBuffer, since: Int64? = nil) {
        self.ids = ids
        self.since = since
    }
}

/// Counts by media type; types with none are absent.
package struct AssetCountReply: Codable, Hashable, Sendable {
    package var counts: [MediaType: Int]
    package init(counts: [MediaType: Int]) { self.counts = counts }
}
