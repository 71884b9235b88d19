internal import CLinuxShim
internal import Glibc
internal import LibraryService
internal import PhotoModel
internal import Synchronization

/// The change subscriptions of a client, which remain valid when a connection is replaced.
///
/// The descriptor that a client waits for is one end of a socket pair. A byte is sent into the
/// other end when a daemon's subscription becomes readable, and after each new connection, since
/// changes may have been missed. It ends only with the library.
final class SubscriptionRelay: Sendable {
    /// A client's subscription: the relay's end of a socket pair, and the daemon's subscription
    /// whose notifications are forwarded to the client.
    struct Route: Sendable {
        let number: Int
        fileprivate let target: Descriptor
        /// The daemon's subscription; nil while there is none.
        fileprivate let source: Descriptor?

        /// The poll(2) entries of a route: one for the daemon's subscription, and one that shows
        /// that the client closed its descriptor.
        var pollEntries: [pollfd] {
            [
                pollfd(fd: source?.number ?? -1, events: Int16(POLLIN), revents: 0),
                pollfd(fd: target.number, events: 0, revents: 0),
            ]
        }
    }

    private struct State {
        var routes: [Int: Route] = [:]
        var lastNumber = 0
        var isClosed = false
    }

    private let state = Mutex(State())

    /// All subscriptions whose descriptors are open.
    var routes: [Route] {
        state.withLock { $0.routes.values.sorted { $0.number < $1.number } }
    }

    /// Adds a subscription that is not connected to a daemon's subscription yet.
    ///
    /// - Returns: Its number, and the descriptor for the client.
    func add() throws(LibraryError) -> (number: Int, descriptor: Descriptor) {
        var (first, second): (Int32, Int32) = (-1, -1)
        guard cphotos_socket_pair(&first, &second) == 0 else {
            throw SystemError.last("socketpair").libraryError("Changes could not be observed.")
        }
        let (target, descriptor) = (Descriptor(owning: first), Descriptor(owning: second))
        let number = state.withLock { state in
            state.lastNumber += 1
            if !state.isClosed {
                state.routes[state.lastNumber] = Route(
                    number: state.lastNumber,
                    target: target,
                    source: nil
                )
            }
            return state.lastNumber
        }
        return (number, descriptor)
    }

    /// Removes a subscription.
    func remove(_ number: Int) { state.withLock { state in state.routes[number] = nil } }

    /// Connects a subscription to a daemon's subscription and begins to forward its notifications.
    func connect(_ number: Int, to source: Descriptor?) {
        state.withLock { state in
            guard let route = state.routes[number] else { return }
            state.routes[number] = Route(number: number, target: route.target, source: source)
        }
    }

    /// Makes a client's descriptor readable.
    func notify(_ number: Int) {
        guard let target = state.withLock({ $0.routes[number]?.target }) else { return }
        var byte: UInt8 = 1
        // Without room, the descriptor is readable already.
        guard cphotos_send_many(target.number, &byte, 1, nil, 0) < 0, errno == EPIPE else {
            return
        }
        remove(number)
    }

    /// Handles a route's poll(2) events: forwards a notification, or removes the route.
    func forward(_ route: Route, _ entries: [pollfd]) {
        if entries[1].revents != 0 { return remove(route.number) }
        guard let source = route.source, entries[0].revents != 0 else { return }
        // The end of a source is no end of the subscription: the daemon may have died.
        if !source.drain() { connect(route.number, to: nil) }
        notify(route.number)
    }

    /// Ends all subscriptions.
    func close() {
        state.withLock { state in
            state.isClosed = true
            state.routes = [:]
        }
    }
}
