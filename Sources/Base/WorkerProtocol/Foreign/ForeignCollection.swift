/// An album or a folder of a library of another program.
package struct ForeignCollection: Codable, Hashable, Sendable {
    package enum Kind: String, Codable, Hashable, Sendable, CaseIterable {
        case album, sharedAlbum, folder, project
    }

    /// The identifier in its library; titles and paths identify nothing.
    package var item: String
    /// The identifier that the collection gets here if it is free; nil for a new one.
    package var uuid: String?
    package var kind: Kind
    package var title: String
    /// The item of the folder; nil at the top.
    package var parent: String?
    /// The creation date in seconds since 2001-01-01.
    package var creationDate: Double?
    /// The date of the last change in seconds since 2001-01-01; nil for the time of the import.
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

/// Some members of an album, in order; further ones may follow in other records.
package struct ForeignMembers: Codable, Hashable, Sendable {
    package var collection: String
    /// The items of the assets.
    package var assets: [String]

    package init(collection: String, assets: [String]) {
        self.collection = collection
        self.assets = assets
    }
}
