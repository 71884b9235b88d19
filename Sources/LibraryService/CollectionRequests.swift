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
        /// These rows in this order.
        case rowIDs(RowIDBuffer)
    }

    package var scope: Scope
    /// `album` or `folder`; nil for both.
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
    package init(ids: RowIDBuffer, pin: Int64? = nil) {
        self.ids = ids
        self.pin = pin
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
