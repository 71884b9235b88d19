internal import LibraryService
internal import PhotoLibrary

extension LibraryEngine: MemoryReleasing {
    /// Frees what all sessions share: the pages that connections to the database cache.
    package func releaseMemory() { store.releaseMemory() }
}

extension ClientSession: MemoryReleasing {
    func releaseMemory() { view.releaseMemory() }
}
