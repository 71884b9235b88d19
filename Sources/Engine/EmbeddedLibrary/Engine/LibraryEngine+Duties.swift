internal import ImagePipeline
package import LibraryService
package import PhotoLibrary
package import PhotoModel

/// The background work that an engine's host, such as the daemon, performs.
///
/// Engines without such a host do a little of this work after changes and while the library is
/// idle, if they get the duty lock.
extension LibraryEngine {
    /// The lock of background work; nil for a library that cannot be written to.
    package var dutyLock: DutyLock? { store.dutyLock }

    /// Returns a descriptor that becomes readable after any process commits a change.
    ///
    /// - Throws: `inputOutput` if the system provides no more inotify instances.
    package func changes() throws(LibraryError) -> Descriptor {
        try ChangeSubscription.open(store)
    }

    /// The number of assets that wait for their first renditions.
    package var waitingRenditions: Int { background?.waitingCount ?? 0 }

    /// Performs one slice of work on the database.
    ///
    /// - Parameters:
    ///   - duty: The kind of work.
    ///   - size: The size of the slice, which is adapted to the time that it takes.
    /// - Returns: Whether there may be more, and for how long the writer lock was held.
    /// - Throws: `busy` if others write, and the errors of writing.
    package func performSlice(
        of duty: StoreDuty,
        size: inout SliceSize
    ) throws(LibraryError) -> DutySlice {
        do {
            return try store.performSlice(of: duty, size: &size)
        } catch {
            throw LibraryError(error, library: store.bundle.root)
        }
    }

    /// Queues new assets for their first renditions; if there are none, queues some older assets
    /// once an hour.
    ///
    /// - Throws: The error of reading the library, or of recording the progress.
    package func queueRenditions() throws(LibraryError) {
        guard let background else { return }
        do {
            background.add(try backlog.next(isIdle: background.waitingCount == 0))
        } catch {
            throw LibraryError(error, library: store.bundle.root)
        }
    }

    /// Records that all queued assets have their renditions, unless any asset is still waiting for
    /// its renditions.
    ///
    /// If recording fails, the assets are only examined again.
    package func noteRenditions() {
        guard let background else { return }
        try? backlog.noteProgress(isIdle: background.waitingCount == 0)
    }

    /// Rereads the next file of the library to detect damage, unless the daily limit of bytes has
    /// been reached.
    ///
    /// - Parameter mayContinue: Called between parts of the file; false stops reading it.
    /// - Returns: False if there is nothing to do until the next day.
    /// - Throws: The errors of reading the library and of recording the result.
    package func scrub(while mayContinue: () -> Bool) throws(LibraryError) -> Bool {
        do {
            return try scrubber.step(while: mayContinue)
        } catch {
            throw LibraryError(error, library: store.bundle.root)
        }
    }

    /// The number of files that `scrub(while:)` has recorded as damaged.
    package var damagedFileCount: Int { scrubber.damageCount }

    /// Returns the permit for making renditions in the background.
    static func permit(
        _ store: LibraryStore,
        host: (@Sendable () -> Bool)?
    ) -> RenditionPermit {
        guard let lock = store.dutyLock else { return .always }
        if let host {
            return RenditionPermit { lock.isHeld && host() ? .granted : .later }
        }
        let bundle = store.bundle
        return RenditionPermit {
            if lock.acquire(as: .embedded) { return .granted }
            return DutyLock.otherHolder(of: bundle) == .daemon ? .elsewhere : .later
        } end: {
            lock.release()
        }
    }
}
