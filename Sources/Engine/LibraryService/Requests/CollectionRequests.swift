package import PhotoModel

/// What a fetch of albums and folders asks for.
///
/// Equal requests have equal answers at equal snapshots.
package struct CollectionFetchRequest: Codable, Hashable, Sendable {
    /// Among which collections.
    package enum Scope: Codable, Hashable, Sendable {
        /// All albums and folders, wherever they are; without sort keys in the order of their making.
        case library
        /// Those with these local identifiers; unknown ones are dropped, each comes once.
        case identifiers([String])
        /// What is directly in a folder, by its UUID; without sort keys in the folder's own order.
        case children(folder: String)
        /// The albums that hold an asset, by its UUID.
        case containing(asset: String)
        /// The folder that directly holds a collection, by its UUID: one or none.
        case parents(collection: String)
        /// Smart albums with these subtypes (raw values of `PHAssetCollectionSubtype`), those that
        /// there are; nil: all.
        ///
        /// Without sort keys in the order of `SmartAlbum.allCases`.
        case smartAlbums([Int]?)
        /// Moments, or lists of moments; without sort keys in the order of time.
        case moments(MomentScope)
        /// These rows in this order.
        case rowIDs(RowIDBuffer)
        /// These records, which the client has, as if they were rows; without sort keys in this order.
        ///
        /// For lists in a client's memory, not all of which the library knows; at most
        /// `mostListed`.
        case listed([CollectionRecord])
    }

    /// Which moments, or lists of moments.
    package struct MomentScope: Codable, Hashable, Sendable {
        package enum Relation: Codable, Hashable, Sendable {
            case all
            /// Those in a list, by its UUID.
            case inList(String)
            /// The one of each level that holds a moment or a list, by its UUID.
            case holding(String)
            /// The one of each level that an asset is in, by its UUID.
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
    /// `album` for what holds assets, `folder` for what holds collections; nil for both.
    package var kind: ObjectKind?
    package var predicate: PredicateNode?
    /// In order of weight.
    ///
    /// Ties end in the row id, always.
    package var sort: [AssetFetchRequest.SortKey]
    /// 0: no limit.
    package var limit: Int

    package init(scope: Scope, kind: ObjectKind? = nil) {
        self.scope = scope
        self.kind = kind
        sort = []
        limit = 0
    }

    /// How many records can be listed: SQLite binds no more values in one statement.
    package static let mostListed = 3_000

    /// The smart albums that it may find.
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

    /// Whether it may find moments or lists of moments.
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

    /// Whether its answer, or the count of an album in it, changes as time goes by.
    package var dependsOnClock: Bool { smartAlbums.contains(.recentlyAdded) }
}

/// The answer to a fetch of collections: row ids in order, at one snapshot.
package struct CollectionFetchReply: Codable, Hashable, Sendable {
    package var snapshot: LibrarySnapshot
    package var ids: RowIDBuffer
    package init(snapshot: LibrarySnapshot, ids: RowIDBuffer) {
        self.snapshot = snapshot
        self.ids = ids
    }
}

/// Asks for the records of collections.
///
/// The row id 0 stands for the root folder.
package struct CollectionLoadRequest: Codable, Hashable, Sendable {
    package var ids: RowIDBuffer
    /// The pinned state to read; nil for the present one.
    package var pin: Int64?
    /// Whether to tell of those that were deleted what they were then, as far as that is known.
    package var includesFormer: Bool
    package init(ids: RowIDBuffer, pin: Int64? = nil, includesFormer: Bool = false) {
        self.ids = ids
        self.pin = pin
        self.includesFormer = includesFormer
    }
}

/// Records in the order asked for; ids without a row are left out.
package struct CollectionLoadReply: Codable, Hashable, Sendable {
    package var version: Int64
    package var collections: [CollectionRecord]
    package init(version: Int64, collections: [CollectionRecord]) {
        self.version = version
        self.collections = collections
    }
}
