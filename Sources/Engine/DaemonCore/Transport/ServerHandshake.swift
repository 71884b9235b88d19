internal import BinaryCoding
internal import CLinuxShim
internal import Glibc
internal import LibraryService
internal import PeerIdentity
internal import PhotoModel
internal import ProgramAccess
internal import RemoteLibrary

/// The daemon's side of the handshake, on the thread of the connection.
struct ServerHandshake {
    /// The result of a successful handshake.
    struct Outcome {
        var reader: FrameReader
        var session: OpenedSession
        var identity: PeerIdentity
        /// The client's process, which is watched for its end; nil if it is unknown.
        var process: PeerProcess?
        var coder: any WireCoder
        /// The name and version of the client's software, for error messages.
        var peer: String
    }

    /// The reason why a handshake ended without a session.
    enum Failure: Error {
        case transport(TransportError)
        /// The client received an error; the connection ends.
        case refused
    }

    let configuration: DaemonConfiguration
    let socket: Int32
    let writer: FrameWriter
    /// Counts a connection of a program; returns false if the program has too many connections.
    let admits: (String) -> Bool

    /// Identifies the client and exchanges the first messages.
    func perform() throws(Failure) -> Outcome {
        let deadline = SuspendingClock.now + configuration.limits.handshake
        var reader = FrameReader(socket: socket)
        let identification = configuration.identifier.identify(socket)
        var hello = DaemonHello(
            protocols: configuration.protocols,
            softwareVersion: configuration.softwareVersion
        )
        if case .asks(let challenge) = identification {
            _ = cphotos_require_senders(socket)
            hello.nonce = challenge.nonce
        }
        try send(hello, before: deadline)
        let (answer, sender) = try receive(&reader, before: deadline)
        let (identity, process) = resolve(identification, answer, sender)
        let peer = "\(identity.program.name) \(answer.softwareVersion.prefix(64))"
        guard ProtocolVersions.accepts(answer, configuration.protocols) else {
            try? send(Goodbye(.unsupportedProtocol, "The protocol is unknown."), deadline)
            throw .refused
        }
        do throws(LibraryError) {
            try check(identity)
            let client = ClientDescription(identity: identity, hello: answer)
            var session = try configuration.opener.open(client)
            if !session.isOwner { session.service = try PathlessSession(session.service) }
            let outcome = Outcome(
                reader: reader,
                session: session,
                identity: identity,
                process: process,
                coder: answer.form.coder,
                peer: peer
            )
            try welcome(outcome, before: deadline)
            return outcome
        } catch {
            refuse(
                Self.concealed(error, from: identity, answer),
                answer.form.coder,
                before: deadline
            )
            throw .refused
        }
    }

    private func resolve(
        _ identification: PeerIdentifier.Result,
        _ answer: ClientHello,
        _ sender: Int32
    ) -> (PeerIdentity, PeerProcess?) {
        switch identification {
        case .identified(let identity, let process): return (identity, process)
        case .asks(let challenge):
            let isAnswered = challenge.isAnswered(by: answer.nonce ?? [], from: sender)
            return configuration.identifier.identify(
                socket,
                after: challenge,
                isAnswered: isAnswered
            )
        }
    }

    private func check(_ identity: PeerIdentity) throws(LibraryError) {
        guard identity.kind != .unknown else {
            throw LibraryError(
                .accessDenied,
                "The library daemon cannot identify this program.",
                reason: identity.problem
            )
        }
        guard admits(identity.program.identifier) else {
            throw .exceeded("connectionsPerProgram")
        }
    }

    // MARK: - Messages

    private func send(
        _ hello: DaemonHello,
        before deadline: SuspendingClock.Instant
    ) throws(Failure) {
        guard let frame = try? Frame.hello(hello) else { throw .refused }
        try send(frame, deadline)
    }

    private func send(
        _ goodbye: Goodbye,
        _ deadline: SuspendingClock.Instant
    ) throws(Failure) {
        guard let frame = try? Frame.goodbye(goodbye) else { throw .refused }
        try send(frame, deadline)
    }

    private func send(_ frame: Frame, _ deadline: SuspendingClock.Instant) throws(Failure) {
        do throws(TransportError) {
            try writer.send(frame, before: deadline)
        } catch {
            throw .transport(error)
        }
    }

    private func receive(
        _ reader: inout FrameReader,
        before deadline: SuspendingClock.Instant
    ) throws(Failure) -> (ClientHello, Int32) {
        do throws(TransportError) {
            guard let frame = try reader.receive(before: deadline) else {
                throw TransportError(.closed, "The client left.")
            }
            if frame.kind == .goodbye { throw TransportError(.closed, "The client left.") }
            guard frame.kind == .hello else {
                throw TransportError(.malformed, "A frame preceded the client's hello.")
            }
            return (try frame.handshake(ClientHello.self), frame.sender)
        } catch {
            throw .transport(error)
        }
    }

    private func welcome(
        _ outcome: Outcome,
        before deadline: SuspendingClock.Instant
    ) throws(LibraryError) {
        let session = outcome.session
        do throws(LibraryError) {
            let welcome = SessionWelcome(
                status: try session.service.status(),
                peerKind: outcome.identity.kind.rawValue,
                program: outcome.identity.program.identifier,
                permission: session.permission
            )
            guard let body = try? outcome.coder.encode(welcome) else {
                throw LibraryError(.internalError, "The state of the library cannot be sent.")
            }
            // A client that left is noticed by the next read.
            try? writer.send(Frame(.reply, body: body), before: deadline)
        } catch {
            session.service.close()
            throw error
        }
    }

    private func refuse(
        _ error: LibraryError,
        _ coder: any WireCoder,
        before deadline: SuspendingClock.Instant
    ) {
        guard let body = try? coder.encode(FailureBody(error)) else { return }
        try? writer.send(Frame(.failure, body: body), before: deadline)
    }

    /// Returns the error for a refused client, without paths that the client did not name.
    ///
    /// The error is unchanged for a client that would own the library.
    private static func concealed(
        _ error: LibraryError,
        from identity: PeerIdentity,
        _ hello: ClientHello
    ) -> LibraryError {
        if identity.kind == .host, hello.role == .owner { return error }
        let known = identity.userID == geteuid() ? [hello.library].compactMap(\.self) : []
        return ConcealedPaths(library: nil).error(error, known: known)
    }
}
