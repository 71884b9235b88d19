/// An album or a folder in another program's library.
package struct ForeignCollection: Codable, Hashable, Sendable {
    package enum Kind: String, Codable, Hashable, Sendable, CaseIterable {
        case album, sharedAlbum, folder, project
    }

    /// The identifier of the collection in its source.
    ///
    /// Titles and paths are not identifiers, since they need not be unique.
    package var item: String
    /// The UUID for the imported collection, unless it is already taken; nil to create one.
    package var uuid: String?
    package var kind: Kind
    package var title: String
    /// The identifier of the parent folder; nil at the top level.
    package var parent: String?
    /// The creation date in seconds since 2001-01-01.
    package var creationDate: Double?
    /// The date of the last change in seconds since 2001-01-01; nil to use the time of the import.
    package var modificationDate: Double?
    package var notes: [ForeignNote] = []

    package init(item: String, uuid: String?, kind: Kind, title: String, parent: String?) {
        self.item = item
        self.uuid = uuid
        self.kind = kind
        self.title = title
        self.parent = parent
    }
}

/// Consecutive members of an album, in order.
///
/// Further members may follow in other records.
package struct ForeignMembers: Codable, Hashable, Sendable {
    package var collection: String
    /// The identifiers of the assets in their source.
    package var assets: [String]

    package init(collection: String, assets: [String]) {
        self.collection = collection
        self.assets = assets
    }
}
