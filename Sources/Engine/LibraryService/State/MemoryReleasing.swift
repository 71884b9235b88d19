/// A part of a process that keeps memory in order to answer faster.
package protocol MemoryReleasing {
    /// Frees what can be read or computed again, while the process has nothing to do.
    ///
    /// May be called on any thread, also during calls, which it may slow down.
    func releaseMemory()
}
