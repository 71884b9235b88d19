/// An object that has caches which can be freed.
package protocol MemoryReleasing {
    /// Frees caches whose contents can be read or computed again; intended for times when the
    /// process is idle.
    ///
    /// May be called on any thread, also during calls, which it may slow down.
    func releaseMemory()
}
