internal import CLinuxShim
internal import Glibc
package import LibraryService
package import PhotoModel
internal import Synchronization

/// What one client may do at the moment, and how often what it may see has changed.
///
/// Whoever decides about it either sets it, or is asked each time that it matters. Thread-safe.
package final class ClientAccess: Sendable {
    /// One state of a client's access.
    package struct State: Sendable {
        package var access: LibraryAccess
        /// Grows with each change of `access`.
        package var epoch: Int64
        /// Whether the client may make assets.
        package var mayCreate = true
        /// Why it may not do more, where more is refused.
        package var refusal: LibraryError?
        /// Why hidden assets are kept from a client that may see others; nil where they are not.
        package var hiddenRefusal: LibraryError?
    }

    private let current: Mutex<State>
    /// An anonymous file whose times change with the access: what subscribers watch.
    ///
    /// Nil where the system has none; then they hear of it when they ask.
    let signal: Descriptor?
    /// The folder in which files are put when the access may have changed; nil for none.
    let watchedFolder: String?
    /// Answers what the client may do, or nil when that is as it was.
    private let decision: (@Sendable () -> ClientGrant?)?

    /// A client's access.
    ///
    /// - Parameters:
    ///   - access: What it is until it is set, or decided otherwise.
    ///   - watchedFolder: Where files are put when a decision changes.
    ///   - decision: Asked whenever the access is used, so it has to be quick. Nil for a client about
    ///     whom nobody has to be asked.
    package init(
        _ access: LibraryAccess = .full,
        watchedFolder: String? = nil,
        decision: (@Sendable () -> ClientGrant?)? = nil
    ) {
        current = Mutex(State(access: access, epoch: 0))
        let number = cphotos_memory_file("photos-access", 1)
        signal = number >= 0 ? Descriptor(owning: number) : nil
        self.watchedFolder = watchedFolder
        self.decision = decision
        // What holds to begin with is no change.
        if let grant = decision?() {
            current.withLock { state in
                state = State(
                    access: grant.access,
                    epoch: 0,
                    mayCreate: grant.mayCreate,
                    refusal: grant.refusal,
                    hiddenRefusal: grant.hiddenRefusal
                )
            }
        }
    }

    /// What holds at this moment.
    package var state: State {
        guard let decision else { return current.withLock(\.self) }
        let (state, isChange) = current.withLock { state -> (State, Bool) in
            // Asked inside the lock, so that an older answer never comes after a newer one.
            guard let grant = decision() else { return (state, false) }
            let isChange = Self.apply(grant, to: &state)
            return (state, isChange)
        }
        if isChange { wake() }
        return state
    }

    /// Sets what the client may see from now on.
    ///
    /// Answers that were given stay given; wakes the client's subscribers when it is a change.
    package func set(_ access: LibraryAccess) {
        let grant = ClientGrant(access: access, mayCreate: !access.isNone)
        if current.withLock({ Self.apply(grant, to: &$0) }) { wake() }
    }

    /// Whether what the client may see is another thing than before.
    private static func apply(_ grant: ClientGrant, to state: inout State) -> Bool {
        state.mayCreate = grant.mayCreate
        state.refusal = grant.refusal
        state.hiddenRefusal = grant.hiddenRefusal
        guard state.access != grant.access else { return false }
        state.access = grant.access
        state.epoch += 1
        return true
    }

    private func wake() {
        guard let signal else { return }
        withExtendedLifetime(signal) { _ = futimens(signal.number, nil) }
    }
}
