internal import Dispatch
internal import LibraryService
internal import PhotoModel
internal import Synchronization

/// Tells observers what happens in one library, whichever process makes it happen.
///
/// It watches while somebody observes, and only then. All that it does itself, and every call of an
/// observer, is on one serial queue: what is committed while observers run is told in one call
/// afterwards.
///
///     commit → watch wakes → pin the present state → does it concern anything fetched? → observers
///
/// 1. States are told without gap or overlap: each call begins where the last one ended.
/// 2. An observer hears of nothing that was committed before it was registered.
/// 3. No lock is held while an observer runs.
package final class LibraryMonitor: Sendable {
    private struct State {
        weak var connection: LibraryConnection?
        var observers = ObserverList()
        /// Whether somebody observes, from the first observer on: the watch itself begins a little later.
        var isObserved = false
        var watch: LibraryWatch?
        /// What observers have heard of; nil before the library was there.
        var last: LibrarySnapshot?
        var isUnavailable = false
        /// When to subscribe again after a descriptor that tells nothing.
        var pace: RetryPace
    }

    /// What the program has of the library.
    package let register = LiveRegister()

    private let queue = DispatchQueue(label: "photos.changes")
    /// How often the library is looked at where nothing tells of commits.
    private let interval: Duration
    // Guards the state. Held while the library is asked where it stands, never while client code runs.
    private let state: Mutex<State>

    init(interval: Duration) {
        self.interval = interval
        state = Mutex(State(pace: RetryPace(first: interval)))
    }

    /// Says whose monitor this is.
    ///
    /// The connection owns it, and not the other way round.
    func attach(to connection: LibraryConnection) {
        state.withLock { $0.connection = connection }
    }

    // MARK: - Observers

    /// Adds an observer, which is not kept alive; harmless when it is there already.
    ///
    /// It hears of all that is committed after this returns.
    func add(_ observer: AnyObject, for purpose: ObserverList.Purpose) {
        let reference = ObserverReference(observer)
        let (isFirst, pin) = state.withLock { state -> (Bool, PinReply?) in
            guard !state.observers.contains(reference.name, for: purpose) else {
                return (false, nil)
            }
            // Decided together with `last`: a second thread that registers meanwhile finds it decided.
            let isFirst = !state.isObserved
            state.isObserved = true
            var present: LibrarySnapshot?
            var pin: PinReply?
            do throws(LibraryError) {
                // Asked inside the lock: a call for a later version then finds the observer here.
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
            if isFirst { state.last = present }
            return (isFirst, pin)
        }
        guard isFirst else { return }
        watch()
        queue.async { [weak self] in
            // Results that are older than this begin here, too: what came before is not told.
            if let pin { self?.catchUp(to: pin) }
            // What was committed before the watch began did not wake it.
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

    /// Removes an observer, if it is there.
    func remove(_ observer: AnyObject, for purpose: ObserverList.Purpose) {
        let name = ObjectIdentifier(observer)
        state.withLock { $0.observers.remove(name, for: purpose) }
        stopIfUnobserved()
    }

    /// Starts to watch, or starts again.
    ///
    /// - Parameter isQuiet: Whether a failure was reported before.
    private func watch(isQuiet: Bool = false) {
        guard let connection = state.withLock({ $0.connection }) else { return }
        var signal: Descriptor?
        do throws(LibraryError) {
            signal = try connection.service().subscribe()
        } catch {
            // Asking now and then does without; a library that is not there was reported already.
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

    /// Stops to watch when nobody observes any more.
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

    /// Whether it watches at present.
    package var isWatching: Bool { state.withLock { $0.watch != nil } }

    // MARK: - On the queue

    private func wake() {
        stopIfUnobserved()
        guard isWatching, let connection = state.withLock({ $0.connection }) else { return }
        do throws(LibraryError) {
            let service = try connection.service()
            let present = try service.status().snapshot
            watchAgain()
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

    /// Starts to watch anew when the library is back, or when nothing tells of its commits any more.
    ///
    /// Where nothing ever does, as on some file systems, that is tried more and more seldom, and
    /// reported once; the library is looked at now and then all the same.
    private func watchAgain() {
        let (isDue, isQuiet) = state.withLock { state in
            defer { state.isUnavailable = false }
            let isDeaf = state.watch?.isDeaf == true
            if state.isUnavailable || !isDeaf { state.pace.reset() }
            let isQuiet = !state.pace.isFresh
            return (state.isUnavailable || isDeaf && state.pace.attempt(), isQuiet)
        }
        if isDue { watch(isQuiet: isQuiet) }
    }

    /// Tells the observers how the library got from one state to the present one.
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
        // A library that went back is another one: there is nothing to tell between the two.
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

    /// Calls observers one after the other.
    ///
    /// What they fetch comes from the library that changed. One that another one unregistered is not
    /// called any more.
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
    /// The state that the library is at.
    var snapshot: LibrarySnapshot { LibrarySnapshot(version: version, epoch: epoch) }
}

extension LibraryError {
    /// Whether the library is not there, so that nothing can be read.
    fileprivate var isUnavailability: Bool {
        PHPhotosError.Code(code) == .libraryVolumeOffline
    }
}
