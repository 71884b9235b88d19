internal import LibraryService
internal import PhotoLibrary

extension LibraryEngine: MemoryReleasing {
    /// Frees the cache that all sessions share: the cached pages of database connections.
    package func releaseMemory() { store.releaseMemory() }
}

extension ClientSession: MemoryReleasing {
    func releaseMemory() { view.releaseMemory() }
}
