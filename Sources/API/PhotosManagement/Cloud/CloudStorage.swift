internal import LibraryService
internal import PhotoModel
internal import RemoteLibrary

/// How a library that is part of a cloud library keeps space free on its computer.
public struct CloudStorage: Sendable, Hashable {
    /// Indicates whether originals that the store has are removed to free space.
    public var isOptimized: Bool
    /// The space on the library's volume that is kept free, or would be, in bytes.
    public var keepFree: Int64
    /// The space that is free, in bytes.
    public var freeSpace: Int64
    /// The number of originals that were removed.
    public var removedFileCount: Int
    /// The local identifiers of the albums whose originals stay on this computer.
    public var keptAlbums: [String]

    init(_ storage: CloudReply.Storage) {
        isOptimized = storage.isOptimized
        keepFree = storage.keepFree
        freeSpace = storage.free
        removedFileCount = storage.removedFiles
        keptAlbums = storage.keptAlbums.map { $0 + ObjectKind.album.identifierSuffix }
    }
}

extension CloudLibrary {
    /// Returns how space is kept free.
    ///
    /// - Throws: `PHPhotosError` if the library cannot be read.
    public func storage() throws -> CloudStorage { try storage(.storage) }

    /// Removes originals from now on whenever less space is free, those first that were not opened
    /// for the longest time.
    ///
    /// Only originals are removed that the store has. A picture of up to 2,048 pixels stays of each
    /// photo. Edits stay, and so do the originals of kept albums, and of photos that became
    /// favorites in the last 30 days.
    ///
    /// - Parameter keepFree: The space to keep free on the library's volume, in bytes; nil for a
    ///   tenth of the volume, and at least 20 GB.
    /// - Returns: The settings and the space.
    /// - Throws: `PHPhotosError` if the library is not part of a cloud library.
    public func optimizeStorage(keepingFree keepFree: Int64? = nil) throws -> CloudStorage {
        try storage(.optimize(keepFree: keepFree))
    }

    /// Removes no originals from now on, and lets the next sessions download those that were
    /// removed.
    ///
    /// - Throws: `PHPhotosError` if the library is not part of a cloud library.
    public func keepAllOriginals() throws -> CloudStorage { try storage(.keepAll) }

    /// Sets whether the originals of an album's photos stay on this computer.
    ///
    /// - Parameters:
    ///   - album: The local identifier of the album.
    ///   - isKept: Whether they stay, and are downloaded if they were removed.
    /// - Returns: The settings and the space.
    /// - Throws: `PHPhotosError` if there is no such album, or the library is not part of a cloud
    ///   library.
    public func setAlbum(_ album: String, keepsOriginals isKept: Bool) throws -> CloudStorage {
        try storage(.keepAlbum(String(album.prefix { $0 != "/" }), isKept: isKept))
    }

    private func storage(_ action: CloudRequest.Action) throws -> CloudStorage {
        let reply = try ask(action)
        return try edge { () throws(LibraryError) in
            guard let storage = reply.storage else {
                throw LibraryError(
                    .internalError,
                    "The daemon did not tell how space is kept free.",
                    recovery: "Restart photolibraryd after an update."
                )
            }
            return CloudStorage(storage)
        }
    }
}
