internal import EmbeddedLibrary
internal import LibraryService
internal import PhotoLibrary
internal import PhotoModel
internal import RemoteLibrary

/// Optimized storage: how space is kept free.
extension CloudConnection {
    /// Returns the settings and the space.
    func storage() throws(LibraryError) -> CloudReply {
        let lease = try borrow()
        defer { lease.end() }
        return try storage(of: lease.engine)
    }

    /// Changes a setting; the next session follows it, which begins now if the daemon syncs.
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
