/// The objects about which probes ask.
package struct ProbeSubjects: Codable, Sendable {
    /// An asset with its original.
    package struct Asset: Codable, Sendable {
        package var uuid: String
        package var id: Int64
        package var resource: String
        package var sha256: String

        package init(uuid: String, id: Int64, resource: String, sha256: String) {
            self.uuid = uuid
            self.id = id
            self.resource = resource
            self.sha256 = sha256
        }
    }

    /// Three assets: a selected one, one that is not selected, and a selected one that is hidden.
    package var assets: [Asset]
    /// An album that contains all of them.
    package var album: String
    package var albumID: Int64
    /// A photo that is not in the library.
    package var photo: String

    package init(assets: [Asset], album: String, albumID: Int64, photo: String) {
        self.assets = assets
        self.album = album
        self.albumID = albumID
        self.photo = photo
    }
}
