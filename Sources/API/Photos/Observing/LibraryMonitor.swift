internal import Dispatch
internal import LibraryService
internal import PhotoModel
internal import Synchronization

/// Notifies observers of changes to one library, whichever process makes them.
///
/// The monitor watches the library only while it has observers. Its own work and all calls to
/// observers run on one serial queue, so commits made while observers run are reported together in
/// a later call.
///
///     commit → watch wakes → pin the present state → does it affect live objects? → observers
///
/// 1. Reported states have no gaps or overlaps: each call begins where the last one ended.
/// 2. An observer is not notified of commits made before its registration.
/// 3. No lock is held while an observer runs.
package final class LibraryMonitor: Sendable {
    private struct State {
        weak var connection: LibraryConnection?
        var observers = ObserverList()
        /// Indicates whether there are observers.
        ///
        /// The watch starts shortly after this is set.
        var isObserved = false
        var watch: LibraryWatch?
        /// The state that observers were last notified of, or nil before the library became
        /// available.
        var last: LibrarySnapshot?
        /// The epoch of the program's permission when the watch began; nil if it is not known.
        var watchedEpoch: Int64?
        var isUnavailable = false
        /// The schedule for subscribing to the library again after its commit signal has failed.
        var pace: RetryPace
    }

    /// The objects and fetch results that the program holds from the library.
    package let register = LiveRegister()

    private let queue = DispatchQueue(label: "photos.changes")
    /// The polling interval for a library that does not signal commits.
    private let interval: Duration
    // Guards the state. Held while the library's status is queried, never while client code runs.
    private let state: Mutex<State>

    init(interval: Duration) {
        self.interval = interval
        state = Mutex(State(pace: RetryPace(first: interval)))
    }

    /// Sets the connection that the monitor belongs to.
    ///
    /// The connection owns the monitor, which references it weakly.
    func attach(to connection: LibraryConnection) {
        state.withLock { $0.connection = connection }
    }

    // MARK: - Observers

    /// Adds an observer, which is referenced weakly; adding it again has no effect.
    ///
    /// The observer is notified of everything committed after this method returns.
    func add(_ observer: AnyObject, for purpose: ObserverList.Purpose) {
        let reference = ObserverReference(observer)
        let (isFirst, pin) = state.withLock { state -> (Bool, PinReply?) in
            guard !state.observers.contains(reference.name, for: purpose) else {
                return (false, nil)
            }
            // Set together with `last`, so that a concurrent registration sees both.
            let isFirst = !state.isObserved
            state.isObserved = true
            var present: LibrarySnapshot?
            var pin: PinReply?
            do throws(LibraryError) {
                // Queried while locked, so that a notification of a later version finds the
                // observer in the list.
                if let service = try state.connection?.service() {
                    if isFirst { pin = try service.pin() }
                    if let pin {
                        present = pin.snapshot
                    } else {
                        present = try service.status().snapshot
                    }
                }
            } catch {
                state.isUnavailable = state.isUnavailable || error.isUnavailability
            }
            state.observers.removeDead()
            state.observers.add(reference, for: purpose, since: present)
            if isFirst { (state.last, state.watchedEpoch) = (present, present?.epoch) }
            return (isFirst, pin)
        }
        guard isFirst else { return }
        watch()
        queue.async { [weak self] in
            // Results from before the registration start here as well, so earlier changes are not
            // reported.
            if let pin { self?.catchUp(to: pin) }
            // Commits made before the watch began did not wake it.
            self?.wake()
        }
    }

    private func catchUp(to pin: PinReply) {
        guard let connection = state.withLock({ $0.connection }) else { return }
        do throws(LibraryError) {
            try ChangeState(
                connection: connection,
                service: connection.service(),
                from: pin.snapshot,
                pin: pin
            ).catchUp(register)
        } catch {
            connection.reportUnlessUnavailable(error)
        }
    }

    /// Removes an observer, if it is registered.
    func remove(_ observer: AnyObject, for purpose: ObserverList.Purpose) {
        let name = ObjectIdentifier(observer)
        state.withLock { $0.observers.remove(name, for: purpose) }
        stopIfUnobserved()
    }

    /// Starts or restarts watching the library for changes.
    ///
    /// - Parameter isQuiet: Whether a failure was already reported.
    private func watch(isQuiet: Bool = false) {
        guard let connection = state.withLock({ $0.connection }) else { return }
        var signal: Descriptor?
        do throws(LibraryError) {
            signal = try connection.service().subscribe()
        } catch {
            // Polling works without a signal, and a missing library was already reported.
            if !isQuiet { connection.reportUnlessUnavailable(error) }
        }
        let watch = LibraryWatch(signal: signal, interval: interval, queue: queue) {
            [weak self] in self?.wake()
        }
        let old = state.withLock { state in
            let old = state.watch
            state.watch = state.observers.isEmpty ? nil : watch
            return old
        }
        withExtendedLifetime(old) {}
    }

    /// Stops watching the library if there are no observers left.
    private func stopIfUnobserved() {
        let old = state.withLock { state -> LibraryWatch? in
            state.observers.removeDead()
            guard state.observers.isEmpty else { return nil }
            let old = state.watch
            state.isObserved = false
            state.watch = nil
            state.last = nil
            state.isUnavailable = false
            return old
        }
        withExtendedLifetime(old) {}
    }

    /// Indicates whether the monitor is currently watching the library.
    package var isWatching: Bool { state.withLock { $0.watch != nil } }

    /// The version of the state that observers were last notified of; nil if nothing is observed,
    /// or if the library has not been available since.
    ///
    /// While observers run, it is the version that their notification leads to.
    package var notifiedVersion: Int64? { state.withLock { $0.last?.version } }

    // MARK: - Notifying observers

    private func wake() {
        stopIfUnobserved()
        guard isWatching, let connection = state.withLock({ $0.connection }) else { return }
        do throws(LibraryError) {
            let service = try connection.service()
            let present = try service.status().snapshot
            watchAgain(at: present.epoch)
            let last = state.withLock { state in
                if state.last == nil { state.last = present }
                return state.last
            }
            guard let last, last != present else { return }
            try notify(connection, service, from: last)
        } catch {
            fail(error, connection)
        }
    }

    /// Restarts watching when the library is available again, when the program's permission has
    /// changed, or when the watch's signal has failed.
    ///
    /// A signal that was requested without permission does not report commits. If signals never
    /// work, as on some file systems, the restart is attempted at increasing intervals and the
    /// failure is reported once. Polling continues in any case.
    private func watchAgain(at epoch: Int64) {
        let (isDue, isQuiet) = state.withLock { state in
            defer { state.isUnavailable = false }
            let isDeaf = state.watch?.isDeaf == true
            let isPermissionNew = state.watchedEpoch.map { $0 != epoch } ?? false
            state.watchedEpoch = epoch
            if state.isUnavailable || !isDeaf { state.pace.reset() }
            let isQuiet = !state.pace.isFresh
            let isDue = state.isUnavailable || isPermissionNew
            return (isDue || isDeaf && state.pace.attempt(), isQuiet)
        }
        if isDue { watch(isQuiet: isQuiet) }
    }

    /// Notifies observers of the changes from the given state to the present state.
    private func notify(
        _ connection: LibraryConnection,
        _ service: any LibraryService,
        from: LibrarySnapshot
    ) throws(LibraryError) {
        let pin = try service.pin()
        let change = try ChangeState(
            connection: connection,
            service: service,
            from: from,
            pin: pin
        )
        let isObserved = state.withLock { state in
            state.last = change.to
            return !state.observers.observers(for: .changes, at: change.to).isEmpty
        }
        // A library that went back to an earlier state is a different one, without changes to
        // report.
        guard change.to.isLater(than: from) else { return }
        if isObserved {
            if change.concerns(register) {
                let instance = PHChange(change)
                call(.changes, at: change.to, of: connection) { observer in
                    (observer as? any PHPhotoLibraryChangeObserver)?
                        .photoLibraryDidChange(instance)
                }
            }
        }
        change.catchUp(register)
        if change.to.version > from.version {
            call(.history, at: change.to, of: connection) { observer in
                (observer as? any PHPhotoLibraryPersistentChangesObserver)?
                    .photoLibraryPersistentChangesDidUpdate(connection.library)
            }
        }
    }

    private func fail(_ error: LibraryError, _ connection: LibraryConnection) {
        guard error.isUnavailability else {
            connection.reportUnlessUnavailable(error)
            return
        }
        let isNews = state.withLock { state in
            defer { state.isUnavailable = true }
            return !state.isUnavailable
        }
        guard isNews else { return }
        connection.reportUnlessUnavailable(error)
        call(.availability, at: nil, of: connection) { observer in
            (observer as? any PHPhotoLibraryAvailabilityObserver)?
                .photoLibraryDidBecomeUnavailable(connection.library)
        }
    }

    /// Calls observers one at a time.
    ///
    /// Fetches in an observer use the library that changed. An observer is skipped if a previous
    /// one unregistered it.
    private func call(
        _ purpose: ObserverList.Purpose,
        at snapshot: LibrarySnapshot?,
        of connection: LibraryConnection,
        _ body: (AnyObject) -> Void
    ) {
        let turns = state.withLock { $0.observers.observers(for: purpose, at: snapshot) }
        LibraryConnection.$override.withValue(connection) {
            for turn in turns
            where state.withLock({ $0.observers.contains(turn.name, for: purpose) }) {
                if let observer = turn.observer { body(observer) }
            }
        }
    }
}

extension LibraryStatus {
    /// The version and permission epoch of the library's current state.
    var snapshot: LibrarySnapshot { LibrarySnapshot(version: version, epoch: epoch) }
}

extension LibraryError {
    /// Indicates whether the error means that the library is unavailable.
    fileprivate var isUnavailability: Bool {
        PHPhotosError.Code(code) == .libraryVolumeOffline
    }
}
