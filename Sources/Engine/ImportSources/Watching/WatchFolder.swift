package import FoundationEssentials

/// A folder whose files the daemon imports into a library.
package struct WatchFolder: Codable, Hashable, Sendable {
    /// The identifier, which is also the name of the ledger file that records the folder's imported
    /// and failed files.
    package var identifier: UUID
    /// The absolute path, without symbolic links.
    package var path: String
    /// The title of the album to which imports are added; nil for none.
    package var album: String?
    /// The UUID of the album to which imports are added; nil before its first use.
    package var albumIdentifier: String?
    /// Indicates whether the album was deleted, so that imports are no longer added to an album.
    package var isAlbumDeleted = false
    /// Indicates whether the path was a mount point when the folder was added.
    ///
    /// The folder then counts as missing while no volume is mounted there.
    package var isMountPoint: Bool
    /// The number of imported files.
    package var imported = 0
    /// The number of files that could not be imported.
    package var failed = 0
    /// The time of the last import, in seconds since 1970.
    package var lastImport: Double?

    package init(identifier: UUID = UUID(), path: String, album: String?, isMountPoint: Bool) {
        self.identifier = identifier
        self.path = path
        self.album = album
        self.isMountPoint = isMountPoint
    }
}

/// The watch folders of one library.
package struct WatchedLibrary: Codable, Hashable, Sendable {
    /// The last known path of the library; the daemon updates it when it finds the library at
    /// another path.
    package var path: String
    package var folders: [WatchFolder]

    package init(path: String, folders: [WatchFolder] = []) {
        self.path = path
        self.folders = folders
    }
}
