internal import CLinuxShim
internal import Glibc
package import LibraryService
internal import Synchronization

/// What one client may see at the moment, and how often that has changed.
///
/// Thread-safe.
package final class ClientAccess: Sendable {
    /// One state of a client's access.
    package struct State: Sendable {
        package var access: LibraryAccess
        /// Grows with each change of `access`.
        package var epoch: Int64
    }

    private let current: Mutex<State>
    /// An anonymous file whose times change with the access: what subscribers watch.
    ///
    /// Nil where the system has none; then they hear of it when they ask.
    let signal: Descriptor?

    package init(_ access: LibraryAccess = .full) {
        current = Mutex(State(access: access, epoch: 0))
        let number = ph_memory_file("photos-access", 1)
        signal = number >= 0 ? Descriptor(owning: number) : nil
    }

    package var state: State { current.withLock(\.self) }

    /// Sets what the client may see from now on.
    ///
    /// Answers that were given stay given; wakes the client's subscribers when it is a change.
    package func set(_ access: LibraryAccess) {
        let isChange = current.withLock { state in
            guard state.access != access else { return false }
            state.access = access
            state.epoch += 1
            return true
        }
        guard isChange, let signal else { return }
        withExtendedLifetime(signal) { _ = futimens(signal.number, nil) }
    }
}
