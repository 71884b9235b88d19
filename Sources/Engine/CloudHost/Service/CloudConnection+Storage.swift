internal import EmbeddedLibrary
internal import LibraryService
internal import PhotoLibrary
internal import PhotoModel
internal import RemoteLibrary

/// The settings of optimized storage, which removes local originals to free space.
extension CloudConnection {
    /// Returns the settings of optimized storage and the free space.
    func storage() throws(LibraryError) -> CloudReply {
        let lease = try borrow()
        defer { lease.end() }
        return try storage(of: lease.engine)
    }

    /// Changes a setting of optimized storage.
    ///
    /// The next session applies it. It begins now if the daemon syncs the library in the
    /// background.
    func changeStorage(
        _ body: (LibraryEngine) throws(LibraryError) -> Void
    ) throws(LibraryError) -> CloudReply {
        let lease = try borrow()
        defer { lease.end() }
        try body(lease.engine)
        monitor.update { $0.isKnown = false }
        if monitor.withLock({ $0.kept != nil }) { try beginSession() }
        return try storage(of: lease.engine)
    }

    private func storage(of engine: LibraryEngine) throws(LibraryError) -> CloudReply {
        var reply = try self.reply()
        let storage = try engine.optimizedStorage()
        let space = try engine.volumeSpace()
        reply.storage = CloudReply.Storage(
            isOptimized: storage != nil,
            keepFree: (storage ?? OptimizedStorage()).space(ofVolume: space.size),
            free: space.free,
            removedFiles: try engine.missingFileCounts().removed,
            keptAlbums: try engine.keptAlbums()
        )
        return reply
    }
}
