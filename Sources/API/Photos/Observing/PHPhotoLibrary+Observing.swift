extension PHPhotoLibrary {
    /// Has an observer hear of changes to what was fetched.
    ///
    /// It is not kept alive, and need not be unregistered. It hears of what is committed after this
    /// returns, whatever was fetched before or is fetched later. Registering it again does nothing.
    public func register(_ observer: any PHPhotoLibraryChangeObserver) {
        connection.monitor.add(observer, for: .changes)
    }

    /// Has an observer hear no more of changes.
    ///
    /// One that was not registered is harmless. A call that is on its way on another thread may still
    /// arrive.
    public func unregisterChangeObserver(_ observer: any PHPhotoLibraryChangeObserver) {
        connection.monitor.remove(observer, for: .changes)
    }

    /// Has an observer hear when the library can no longer be read.
    ///
    /// It is not kept alive. Registering it again does nothing.
    public func register(_ observer: any PHPhotoLibraryAvailabilityObserver) {
        connection.monitor.add(observer, for: .availability)
    }

    /// Has an observer hear no more of the library's availability.
    public func unregisterAvailabilityObserver(_ observer: any PHPhotoLibraryAvailabilityObserver) {
        connection.monitor.remove(observer, for: .availability)
    }

    /// Has an observer hear of every commit.
    ///
    /// It is not kept alive. Registering it again does nothing.
    public func register(_ observer: any PHPhotoLibraryPersistentChangesObserver) {
        connection.monitor.add(observer, for: .history)
    }

    /// Has an observer hear no more of commits.
    public func unregisterPersistentChangesObserver(
        _ observer: any PHPhotoLibraryPersistentChangesObserver
    ) {
        connection.monitor.remove(observer, for: .history)
    }
}
