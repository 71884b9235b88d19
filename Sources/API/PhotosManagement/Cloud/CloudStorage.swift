internal import LibraryService
internal import PhotoModel
internal import RemoteLibrary

/// The storage settings and free space of a library that is part of a cloud library.
public struct CloudStorage: Sendable, Hashable {
    /// Indicates whether originals are removed from this computer to free space, once the store has
    /// them.
    public var isOptimized: Bool
    /// The free space on the library's volume, in bytes, below which originals are removed.
    ///
    /// If ``isOptimized`` is false, this is the default of
    /// ``CloudLibrary/optimizeStorage(keepingFree:)``.
    public var keepFree: Int64
    /// The space that is currently free on the library's volume, in bytes.
    public var freeSpace: Int64
    /// The number of originals that are only in the cloud because they were removed from this
    /// computer.
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
    /// Returns the storage settings and the free space.
    ///
    /// - Throws: `PHPhotosError` if the library cannot be read.
    public func storage() throws -> CloudStorage { try storage(.storage) }

    /// Enables the removal of originals from this computer whenever too little space is free.
    ///
    /// The originals that were not opened for the longest time are removed first.
    ///
    /// Only originals that the store has are removed. A picture of each photo, of up to 2,048
    /// pixels, remains. Edits remain, and so do the originals of kept albums and of photos that
    /// became favorites in the last 30 days.
    ///
    /// - Parameter keepFree: The space to keep free on the library's volume, in bytes; nil for a
    ///   tenth of the volume, and at least 20 GB.
    /// - Returns: The settings and the space.
    /// - Throws: `PHPhotosError` if the library is not part of a cloud library.
    public func optimizeStorage(keepingFree keepFree: Int64? = nil) throws -> CloudStorage {
        try storage(.optimize(keepFree: keepFree))
    }

    /// Stops removing originals, and schedules removed originals for download in the next sync
    /// sessions.
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
