internal import FoundationEssentials
internal import Synchronization

/// The registry of all clients' changes that are in progress.
///
///     enter ──first──▶ runs ──leave──▶ the next of those that wait enters again
///       └───waits──────┘
///
/// A request that was sent again after a reconnect may arrive while the first is still running. It
/// waits without a thread, and then finds the stored answer, or runs if the first failed.
final class ChangesInProgress: Sendable {
    /// The identity of a change.
    struct Key: Hashable, Sendable {
        var library: String
        var request: UUID
    }

    /// The outcome of an attempt to start a change with `enter`.
    enum Entry: Hashable, Sendable {
        case runs
        /// The same change is already running, and the closure `whenLeft` is called after it has
        /// ended.
        case waits
        /// The same change is running for another program.
        case isForeign
    }

    private struct Change {
        var program: String
        var waiting: [@Sendable () -> Void] = []
    }

    private let changes = Mutex<[Key: Change]>([:])

    /// The number of changes that run.
    var count: Int { changes.withLock(\.count) }

    /// Adds a change unless the same change is running.
    func enter(
        _ key: Key,
        program: String,
        whenLeft again: @escaping @Sendable () -> Void
    ) -> Entry {
        changes.withLock { changes in
            guard let change = changes[key] else {
                changes[key] = Change(program: program)
                return .runs
            }
            guard change.program == program else { return .isForeign }
            changes[key]?.waiting.append(again)
            return .waits
        }
    }

    /// Removes a change that has ended, and calls the closures that wait for its end.
    func leave(_ key: Key) {
        let change = changes.withLock { $0.removeValue(forKey: key) }
        for again in change?.waiting ?? [] { again() }
    }
}
