internal import CLinuxShim
internal import Glibc
package import LibraryService
package import PhotoModel

/// Notifies clients when any process changes a library, and when the clients' access changes.
package enum ChangeSubscription {
    /// Returns a descriptor that becomes readable after commits and when the client's access may
    /// have changed.
    ///
    /// It is a nonblocking inotify instance, separate for each caller. It watches the folder of
    /// `changed` rather than the file, so that replacing the file counts as well. SQLite's writes
    /// in that folder cause none of the watched events.
    ///
    /// For a client without access, the descriptor becomes readable only when the access may have
    /// changed. The client subscribes again when it has access.
    ///
    /// - Throws: `inputOutput` if the system provides no more inotify instances.
    package static func open(_ view: LibraryView) throws(LibraryError) -> Descriptor {
        let descriptor = try instance(view.store)
        watchAccess(of: view, with: descriptor)
        // Decided after the access is watched, so that a later grant wakes the client.
        if !view.access.state.access.isNone { try watch(view.store, with: descriptor) }
        return descriptor
    }

    private static func watchAccess(of view: LibraryView, with descriptor: Descriptor) {
        if let choices = view.access.watchedFolder {
            // The client's access may change when a file is moved there.
            withExtendedLifetime(descriptor) {
                let events = UInt32(IN_MOVED_TO | IN_ONLYDIR)
                _ = inotify_add_watch(descriptor.number, choices, events)
            }
        }
        guard let signal = view.access.signal else { return }
        withExtendedLifetime((descriptor, signal)) {
            let path = "/proc/self/fd/\(signal.number)"
            _ = inotify_add_watch(descriptor.number, path, UInt32(IN_ATTRIB))
        }
    }

    /// Returns a descriptor that becomes readable after commits, but not when a client's access
    /// changes.
    ///
    /// - Throws: `inputOutput` if the system provides no more inotify instances.
    package static func open(_ store: LibraryStore) throws(LibraryError) -> Descriptor {
        let descriptor = try instance(store)
        try watch(store, with: descriptor)
        return descriptor
    }

    private static func instance(_ store: LibraryStore) throws(LibraryError) -> Descriptor {
        let number = inotify_init1(Int32(IN_NONBLOCK | IN_CLOEXEC))
        guard number >= 0 else {
            throw SystemError.last("inotify_init1", path: store.bundle.databaseFolder)
                .libraryError(doing: "watch")
        }
        return Descriptor(owning: number)
    }

    private static func watch(
        _ store: LibraryStore,
        with descriptor: Descriptor
    ) throws(LibraryError) {
        let folder = store.bundle.databaseFolder
        try withExtendedLifetime(descriptor) { () throws(LibraryError) in
            let events = UInt32(IN_ATTRIB | IN_CREATE | IN_MOVED_TO | IN_ONLYDIR)
            guard inotify_add_watch(descriptor.number, folder, events) >= 0 else {
                throw SystemError.last("inotify_add_watch", path: folder)
                    .libraryError(doing: "watch")
            }
        }
    }
}
