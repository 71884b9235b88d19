internal import Glibc
internal import LibraryService
internal import PeerIdentity
internal import PhotoModel
internal import RemoteLibrary
internal import Synchronization

/// A connection of a client, and its thread.
///
///     handshake ──▶ open ──client or daemon leaves──▶ finishing ──▶ ended
///         └───────────┴──error, violation, stall──▶ canceling ──▶ ended
///
/// The thread alone reads the socket. The threads of the pools write the ends of calls through the
/// sender.
final class ServerConnection: Sendable {
    /// The client's identity and the objects that handle its calls and replies, for a connection
    /// whose handshake has succeeded.
    struct Facts: Sendable {
        var program: String
        var kind: PeerIdentity.Kind
        var dispatcher: CallDispatcher
        var sender: ReplySender
    }

    private struct State {
        var facts: Facts?
        var farewell: Goodbye.Reason?
    }

    let number: Int
    let socket: Descriptor
    let wakeup: Wakeup
    private let state = Mutex(State())

    init(number: Int, socket: Descriptor, wakeup: Wakeup) {
        self.number = number
        self.socket = socket
        self.wakeup = wakeup
    }

    /// The facts about the open connection; nil before and during the handshake.
    var facts: Facts? { state.withLock(\.facts) }

    /// Sets the facts after the handshake.
    func open(_ facts: Facts) { state.withLock { $0.facts = facts } }

    /// The reason why the daemon ends the connection; nil unless the daemon ends it.
    var farewell: Goodbye.Reason? { state.withLock(\.farewell) }

    /// Ends the connection once the running calls have ended.
    func leave(_ reason: Goodbye.Reason) {
        state.withLock { $0.farewell = reason }
        wakeup.signal()
    }

    /// Reports the outcome or the progress of a call to the client.
    func report(_ event: CallDispatcher.Event) { facts?.sender.report(event) }
}
