internal import RemoteLibrary
internal import Synchronization

/// The counters of a daemon, and the totals that are limited for all clients together.
final class DaemonStatistics: Sendable {
    private struct State {
        var counters = DaemonStatus.Counters()
        var descriptors = 0
        var pins = 0
    }

    private let state = Mutex(State())
    private let limits: DaemonLimits

    init(_ limits: DaemonLimits) { self.limits = limits }

    var counters: DaemonStatus.Counters { state.withLock(\.counters) }

    /// Updates the counters.
    func count(_ body: (inout DaemonStatus.Counters) -> Void) {
        state.withLock { body(&$0.counters) }
    }

    /// Adds the descriptors of a call to the total of all clients.
    ///
    /// - Returns: False if they exceed the limit.
    func addDescriptors(_ count: Int) -> Bool {
        state.withLock { state in
            guard state.descriptors + count <= limits.descriptors else { return false }
            state.descriptors += count
            return true
        }
    }

    /// Subtracts a call's descriptors from the total of all clients.
    func removeDescriptors(_ count: Int) { state.withLock { $0.descriptors -= count } }

    /// Adds a pin, which is a library snapshot kept open for a client, to the total of all clients.
    ///
    /// - Returns: False if it exceeds the limit.
    func addPin() -> Bool {
        state.withLock { state in
            guard state.pins < limits.pins else { return false }
            state.pins += 1
            return true
        }
    }

    /// Subtracts pins from the total of all clients.
    func removePins(_ count: Int) { state.withLock { $0.pins -= count } }
}
