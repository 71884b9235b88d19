extension PHPhotoLibrary {
    /// Registers an observer for changes to fetched objects and results.
    ///
    /// The observer is referenced weakly and need not be unregistered. It is notified of changes
    /// that are committed after this method returns, regardless of when the objects were fetched.
    /// Registering it again has no effect.
    public func register(_ observer: any PHPhotoLibraryChangeObserver) {
        connection.monitor.add(observer, for: .changes)
    }

    /// Unregisters an observer for changes.
    ///
    /// Unregistering an unknown observer has no effect. A call that is already in progress on
    /// another thread may still arrive.
    public func unregisterChangeObserver(_ observer: any PHPhotoLibraryChangeObserver) {
        connection.monitor.remove(observer, for: .changes)
    }

    /// Registers an observer that is notified when the library becomes unavailable.
    ///
    /// The observer is referenced weakly. Registering it again has no effect.
    public func register(_ observer: any PHPhotoLibraryAvailabilityObserver) {
        connection.monitor.add(observer, for: .availability)
    }

    /// Unregisters an observer for the library's availability.
    public func unregisterAvailabilityObserver(_ observer: any PHPhotoLibraryAvailabilityObserver) {
        connection.monitor.remove(observer, for: .availability)
    }

    /// Registers an observer that is notified of every commit.
    ///
    /// The observer is referenced weakly. Registering it again has no effect.
    public func register(_ observer: any PHPhotoLibraryPersistentChangesObserver) {
        connection.monitor.add(observer, for: .history)
    }

    /// Unregisters an observer for commits.
    public func unregisterPersistentChangesObserver(
        _ observer: any PHPhotoLibraryPersistentChangesObserver
    ) {
        connection.monitor.remove(observer, for: .history)
    }
}
