internal import CLinuxShim
internal import Glibc
package import LibraryService
package import PhotoModel
internal import Synchronization

/// The current access of one client, and a number that increases when it changes.
///
/// The access is either set by its owner or obtained from a decision closure at each use.
/// Thread-safe.
package final class ClientAccess: Sendable {
    /// A snapshot of a client's access.
    package struct State: Sendable {
        package var access: LibraryAccess
        /// A number that increases whenever `access` changes.
        package var epoch: Int64
        /// Indicates whether the client may create assets.
        package var mayCreate = true
        /// The error to throw when the client exceeds its access.
        package var refusal: LibraryError?
        /// The error to throw when the client uses hidden assets; nil if it may see them.
        package var hiddenRefusal: LibraryError?

        /// Returns the snapshot that replies at a version of the library name.
        ///
        /// A client without access does not learn when the library changes: its version is 0.
        package func snapshot(at version: Int64) -> LibrarySnapshot {
            LibrarySnapshot(version: access.isNone ? 0 : version, epoch: epoch)
        }
    }

    private let current: Mutex<State>
    /// An anonymous file whose timestamps are updated when the client's access rights change, to
    /// notify subscribers.
    ///
    /// Nil if the system cannot create one. Subscribers then notice a change at their next request.
    let signal: Descriptor?
    /// The watched folder, where new files indicate that the access may have changed; nil for none.
    let watchedFolder: String?
    /// Returns the client's current grant; nil if it has not changed since the last call.
    private let decision: (@Sendable () -> ClientGrant?)?
    /// The source of epochs; nil to count the changes from 0.
    private let epochs: AccessEpochs?

    /// Creates the access of a client.
    ///
    /// - Parameters:
    ///   - access: The access until it is set or decided otherwise.
    ///   - watchedFolder: The folder in which files appear when a decision changes.
    ///   - epochs: The source of epochs. Nil for a client whose access is the same in each session,
    ///     such as the library's owner: its epochs count the changes from 0.
    ///   - decision: Called whenever the access is used, so it must be fast. Nil for a client whose
    ///     access needs no decision.
    package init(
        _ access: LibraryAccess = .full,
        watchedFolder: String? = nil,
        epochs: AccessEpochs? = nil,
        decision: (@Sendable () -> ClientGrant?)? = nil
    ) {
        let first = epochs?.next() ?? 0
        current = Mutex(State(access: access, epoch: first))
        let number = cphotos_memory_file("photos-access", 1)
        signal = number >= 0 ? Descriptor(owning: number) : nil
        self.watchedFolder = watchedFolder
        self.epochs = epochs
        self.decision = decision
        // The initial decision does not count as a change.
        if let grant = decision?() {
            current.withLock { state in
                state = State(
                    access: grant.access,
                    epoch: first,
                    mayCreate: grant.mayCreate,
                    refusal: grant.refusal,
                    hiddenRefusal: grant.hiddenRefusal
                )
            }
        }
    }

    /// The current state, updated by the decision closure if there is one.
    package var state: State {
        guard let decision else { return current.withLock(\.self) }
        let (state, isChange) = current.withLock { state -> (State, Bool) in
            // Called inside the lock, so that an older decision never replaces a newer one.
            guard let grant = decision() else { return (state, false) }
            let isChange = apply(grant, to: &state)
            return (state, isChange)
        }
        if isChange { wake() }
        return state
    }

    /// Sets the access that applies from now on.
    ///
    /// Replies that were already sent remain valid. If the access changes, the client's subscribers
    /// are woken.
    package func set(_ access: LibraryAccess) {
        let grant = ClientGrant(access: access, mayCreate: !access.isNone)
        if current.withLock({ apply(grant, to: &$0) }) { wake() }
    }

    /// Applies a grant and returns whether the visible assets or collections changed.
    private func apply(_ grant: ClientGrant, to state: inout State) -> Bool {
        state.mayCreate = grant.mayCreate
        state.refusal = grant.refusal
        state.hiddenRefusal = grant.hiddenRefusal
        guard state.access != grant.access else { return false }
        state.access = grant.access
        state.epoch = epochs?.next() ?? state.epoch + 1
        return true
    }

    private func wake() {
        guard let signal else { return }
        withExtendedLifetime(signal) { _ = futimens(signal.number, nil) }
    }
}
