package import PhotoModel

/// A request to fetch albums and folders.
///
/// Equal requests have equal results at equal snapshots.
package struct CollectionFetchRequest: Codable, Hashable, Sendable {
    /// The set of collections to search.
    package enum Scope: Codable, Hashable, Sendable {
        /// All albums and folders at any level, in creation order unless sort keys are given.
        case library
        /// The collections with these local identifiers, each returned once; unknown identifiers
        /// are ignored.
        case identifiers([String])
        /// The direct children of the folder with this UUID, in folder order unless sort keys are
        /// given.
        case children(folder: String)
        /// The albums that contain the asset with this UUID.
        case containing(asset: String)
        /// The parent folder of the collection with this UUID; at most one.
        case parents(collection: String)
        /// The existing smart albums with these subtypes (raw values of
        /// `PHAssetCollectionSubtype`); nil for all.
        ///
        /// They follow the order of `SmartAlbum.allCases` unless sort keys are given.
        case smartAlbums([Int]?)
        /// Moments or lists of moments, in chronological order unless sort keys are given.
        case moments(MomentScope)
        /// The collections with these row ids, in this order.
        case rowIDs(RowIDBuffer)
        /// Collection records that the client sends and that are filtered and sorted like stored
        /// rows; without sort keys, they keep their order.
        ///
        /// Use it for lists in a client's memory that the library knows only in part; at most
        /// `mostListed` records.
        case listed([CollectionRecord])
    }

    /// The selection of moments or lists of moments.
    package struct MomentScope: Codable, Hashable, Sendable {
        package enum Relation: Codable, Hashable, Sendable {
            case all
            /// The moments or lists of moments in the list with this UUID.
            case inList(String)
            /// For each requested level, the moment list that contains the moment or moment list
            /// with this UUID.
            case holding(String)
            /// For each requested level, the moment or moment list that contains the asset with
            /// this UUID.
            case ofAsset(String)
        }

        package var levels: Set<MomentLevel>
        package var relation: Relation

        package init(_ levels: Set<MomentLevel>, _ relation: Relation = .all) {
            self.levels = levels
            self.relation = relation
        }
    }

    package var scope: Scope
    /// The kind: `album` for collections of assets, `folder` for collections of collections; nil
    /// for both.
    package var kind: ObjectKind?
    package var predicate: PredicateNode?
    /// The sort keys, the most significant first.
    ///
    /// Ties are always resolved by row id.
    package var sort: [AssetFetchRequest.SortKey]
    /// The maximum number of results; 0 for no limit.
    package var limit: Int

    package init(scope: Scope, kind: ObjectKind? = nil) {
        self.scope = scope
        self.kind = kind
        sort = []
        limit = 0
    }

    /// The maximum number of listed records, due to SQLite's limit on bound values in one
    /// statement.
    package static let mostListed = 3_000

    /// The smart albums that the request can return.
    package var smartAlbums: [SmartAlbum] {
        switch scope {
        case .smartAlbums(nil): SmartAlbum.allCases
        case .smartAlbums(let subtypes?):
            SmartAlbum.allCases.filter { subtypes.contains($0.rawValue) }
        case .identifiers(let identifiers):
            identifiers.compactMap(LocalIdentifier.init).filter { $0.kind == .album }
                .compactMap { SmartAlbum(uuid: $0.uuid) }
        case .rowIDs(let ids): ids.compactMap(SmartAlbum.init(rowID:))
        case .library, .children, .containing, .parents, .listed, .moments: []
        }
    }

    /// Indicates whether the request can return moments or lists of moments.
    package var findsMoments: Bool {
        switch scope {
        case .moments: true
        case .identifiers(let identifiers):
            identifiers.contains { identifier in
                let kind = LocalIdentifier(identifier)?.kind
                return kind == .moment || kind == .momentList
            }
        case .rowIDs(let ids): ids.contains { MomentLevel.id(rowID: $0) != nil }
        case .library, .children, .containing, .parents, .smartAlbums, .listed: false
        }
    }

    /// Indicates whether the result, or the count of an album in it, can change without a change of
    /// the library.
    package var dependsOnClock: Bool { smartAlbums.contains(.recentlyAdded) }
}

/// The result of a collection fetch: row ids in order, at one snapshot.
package struct CollectionFetchReply: Codable, Hashable, Sendable {
    package var snapshot: LibrarySnapshot
    package var ids: RowIDBuffer
    package init(snapshot: LibrarySnapshot, ids: RowIDBuffer) {
        self.snapshot = snapshot
        self.ids = ids
    }
}

/// A request for the records of collections.
///
/// The row id 0 denotes the root folder.
package struct CollectionLoadRequest: Codable, Hashable, Sendable {
    package var ids: RowIDBuffer
    /// The pinned snapshot to read; nil for the current state.
    package var pin: Int64?
    /// Indicates whether deleted collections are included with their last known records, if
    /// available.
    package var includesFormer: Bool
    package init(ids: RowIDBuffer, pin: Int64? = nil, includesFormer: Bool = false) {
        self.ids = ids
        self.pin = pin
        self.includesFormer = includesFormer
    }
}

/// The requested records in the order of the request; ids without a row are omitted.
package struct CollectionLoadReply: Codable, Hashable, Sendable {
    package var version: Int64
    package var collections: [CollectionRecord]
    package init(version: Int64, collections: [CollectionRecord]) {
        self.version = version
        self.collections = collections
    }
}
