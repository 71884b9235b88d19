internal import FoundationEssentials
internal import Glibc
package import LibraryService
package import PhotoModel

/// A library that a daemon has opened, used over a connection.
///
/// 1. A call that changes the library has an identifier. It is sent again with the same identifier
///    after a lost connection, and the daemon answers it once.
/// 2. A read is repeated once. The files of a change are staged again as long as it is repeated.
/// 3. A call that has neither a reply nor a connection for 30 seconds fails with `connectionLost`.
/// 4. A process that was forked from the one that opened the library cannot use it, and does not
///    disturb it.
///
/// Calls wait before they exceed the limits of a connection.
package final class RemoteLibrary: ConnectedLibrary {
    private let configuration: RemoteConfiguration
    let manager: ConnectionManager
    let sources = StagedSources()
    private let patience: Duration
    /// The identifier of the process that opened the library.
    private let process: pid_t

    /// Connects to a daemon, in one attempt.
    ///
    /// - Parameter configuration: The properties of the connection.
    /// - Throws: `unreachable` and `unsupportedProtocol`, after which a program may use the engine
    ///   itself, and `refused` with the error of the library.
    package init(_ configuration: RemoteConfiguration) throws(ConnectionFailure) {
        self.configuration = configuration
        manager = ConnectionManager(configuration)
        patience = configuration.patience
        process = getpid()
        _ = try manager.connection(before: nil)
    }

    deinit {
        // Nothing waits: calls retain the library.
        if process == getpid() { manager.close(waits: false) }
    }

    /// The reply to the handshake of the current connection.
    ///
    /// - Throws: The reason why there is no connection.
    package func welcome() throws(LibraryError) -> SessionWelcome {
        try checkProcess()
        do throws(ConnectionFailure) {
            return try manager.connection(before: .now + patience).welcome
        } catch {
            throw error.libraryError()
        }
    }

    /// Returns the state of the daemon; only the library's owner may call this.
    package func daemonStatus() throws(LibraryError) -> DaemonStatus {
        try perform(DaemonCalls.statistics, NoValue(), descriptors: []).reply
    }

    /// Performs a request about a cloud library; only the library's owner may call this.
    package func cloud(_ request: CloudRequest) throws(LibraryError) -> CloudReply {
        try perform(DaemonCalls.cloud, request, descriptors: []).reply
    }

    // MARK: - LibraryService

    package func close() {
        guard process == getpid() else { return }
        manager.close(waits: true)
    }

    /// Opens a session over a separate connection.
    ///
    /// - Throws: `accessDenied` when a program names an author, since the daemon knows the program.
    package func openSession(_ request: SessionRequest) throws(LibraryError) -> any LibraryService {
        try checkProcess()
        var configuration = configuration
        if let author = request.author {
            guard configuration.role == .owner else {
                throw LibraryError(
                    .accessDenied,
                    "A program that uses the daemon cannot choose the author of its changes.",
                    recovery: "Leave the author out, or use the library without the daemon."
                )
            }
            configuration.author = author
        }
        if request.restriction != .none { configuration.restriction = request.restriction }
        do throws(ConnectionFailure) {
            return try RemoteLibrary(configuration)
        } catch {
            throw error.libraryError()
        }
    }

    /// Returns a descriptor that becomes readable after changes, and stays valid when the
    /// connection is replaced.
    ///
    /// It becomes readable after each new connection, since changes may have been missed.
    package func subscribe() throws(LibraryError) -> Descriptor {
        try checkProcess()
        let (number, descriptor) = try manager.relay.add()
        do throws(LibraryError) {
            let result = try exchange(CallTable.shared.subscribe, NoValue(), [])
            guard let source = result.descriptors.first else {
                throw LibraryError(.internalError, "The reply to “subscribe” has no file.")
            }
            // A new connection subscribes itself.
            if !result.connection.hasEnded { manager.relay.connect(number, to: source) }
            result.connection.wake()
            manager.relay.notify(number)
        } catch {
            manager.relay.remove(number)
            throw error
        }
        return descriptor
    }

    package func advance(_ request: AdvanceRequest) throws(LibraryError) -> AdvanceReply {
        try advanceByName(request)
    }

    package func perform<Request, Reply>(
        _ call: Call<Request, Reply>,
        _ request: Request,
        descriptors: [Descriptor]
    ) throws(LibraryError) -> (reply: Reply, descriptors: [Descriptor]) {
        try checkProcess()
        let result = try exchange(call, request, descriptors)
        return (result.reply, result.descriptors)
    }

    func checkProcess() throws(LibraryError) {
        guard process == getpid() else { throw ConnectionFailure.forked.libraryError() }
    }

    // MARK: - Calls

    /// The reply to a call, and the connection over which it arrived.
    struct Exchange<Reply> {
        var reply: Reply
        var descriptors: [Descriptor]
        var connection: ClientConnection
    }

    /// Performs a call; after a lost connection, sends it again if that is permitted.
    func exchange<Request, Reply>(
        _ call: Call<Request, Reply>,
        _ request: Request,
        _ descriptors: [Descriptor]
    ) throws(LibraryError) -> Exchange<Reply> {
        let context = CallContext.current
        let change = call.changesLibrary ? context?.change ?? UUID() : nil
        var attempts = CallAttempts(
            changesLibrary: call.changesLibrary,
            // Files of a change, which is patient itself.
            isPatient: call.callClass == .staging,
            patience: patience
        )
        while true {
            if attempts.mayBeCancelled { try context?.checkCancellation() }
            let connection: ClientConnection
            do throws(ConnectionFailure) {
                if let pause = attempts.pause { try manager.pause(pause) }
                connection = try manager.connection(before: attempts.deadline)
            } catch {
                throw error.libraryError(mayHaveChanged: attempts.mayHaveChanged)
            }
            let message = try call.encode(
                request,
                change: change,
                descriptors: descriptors,
                coder: connection.coder
            )
            attempts.begin()
            switch try attempt(call, message, over: connection, context) {
            case .reply(let reply):
                let decoded = try call.decodeReply(
                    reply,
                    coder: connection.coder,
                    peer: connection.peer
                )
                return Exchange(
                    reply: decoded.reply,
                    descriptors: decoded.descriptors,
                    connection: connection
                )
            case .failure(let error): throw error
            case .lost(let failure, let wasSent):
                guard attempts.repeats(afterLosing: wasSent) else {
                    throw failure.libraryError(mayHaveChanged: attempts.mayHaveChanged)
                }
            }
        }
    }

    private func attempt(
        _ call: any AnyCall,
        _ message: EncodedMessage,
        over connection: ClientConnection,
        _ context: CallContext?
    ) throws(LibraryError) -> CallOutcome {
        let cost = CallCost(call, message)
        do throws(ConnectionFailure) {
            try manager.admit(cost)
        } catch {
            throw error.libraryError()
        }
        defer { manager.finish(cost) }
        return connection.perform(message, in: context)
    }
}
