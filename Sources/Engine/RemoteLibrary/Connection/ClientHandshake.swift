internal import BinaryCoding
internal import CLinuxShim
internal import Glibc
internal import LibraryService
internal import PhotoModel

/// Performs the client's side of the handshake, on the thread that opens the connection.
struct ClientHandshake {
    /// A connection that has completed its handshake.
    struct Outcome: Sendable {
        var socket: Descriptor
        var reader: FrameReader
        var coder: any WireCoder
        var welcome: SessionWelcome
        /// The name and version of the daemon's software, for error messages.
        var peer: String
    }

    private let configuration: RemoteConfiguration
    private let deadline: SuspendingClock.Instant

    init(_ configuration: RemoteConfiguration) {
        self.configuration = configuration
        deadline = .now + configuration.handshakeLimit
    }

    /// Connects to the daemon and exchanges the first messages.
    func connect() throws(ConnectionFailure) -> Outcome {
        let milliseconds = configuration.handshakeLimit.components.seconds * 1_000
        let number = cphotos_connect(
            configuration.socketPath,
            Int32(clamping: max(1, milliseconds))
        )
        guard number >= 0 else {
            throw .unreachable(.last("connect", path: configuration.socketPath))
        }
        let socket = Descriptor(owning: number)
        let outcome: Result<Outcome, ConnectionFailure>
        do throws(TransportError) {
            outcome = try shakeHands(over: socket)
        } catch {
            throw .lost(error)
        }
        return try outcome.get()
    }

    private func shakeHands(
        over socket: Descriptor
    ) throws(TransportError) -> Result<Outcome, ConnectionFailure> {
        var reader = FrameReader(socket: socket.number)
        let writer = FrameWriter(socket: socket.number)
        let first = try next(&reader)
        if let failure = refusal(first, JSONCoder()) { return .failure(failure) }
        let hello = try first.handshake(DaemonHello.self)
        let peer = "photolibraryd \(hello.softwareVersion)"
        guard let version = ProtocolVersions.highestCommon(configuration.protocols, with: hello),
            let form = ProtocolVersions.form(preferring: configuration.form, with: hello)
        else {
            let goodbye = Goodbye(.unsupportedProtocol, "There is no common protocol.")
            try? writer.send(.goodbye(goodbye), before: deadline)
            return .failure(.unsupportedProtocol(daemon: peer))
        }
        let answer = ClientHello(
            chosenProtocol: version,
            softwareVersion: configuration.softwareVersion,
            form: form,
            library: configuration.library,
            restriction: configuration.restriction,
            nonce: hello.nonce,
            role: configuration.role == .program ? nil : configuration.role,
            author: configuration.author
        )
        let frame: Frame
        do {
            frame = try Frame.hello(answer)
        } catch {
            throw .malformed("The hello cannot be sent: \(error)")
        }
        try writer.send(frame, before: deadline)
        let second = try next(&reader)
        if let failure = refusal(second, form.coder) { return .failure(failure) }
        guard second.kind == .reply, !second.isContinued, second.request == 0 else {
            throw .malformed("A frame of the kind \(second.kind) arrived in place of a welcome.")
        }
        do {
            let welcome = try form.coder.decode(SessionWelcome.self, from: second.body)
            return .success(
                Outcome(
                    socket: socket,
                    reader: reader,
                    coder: form.coder,
                    welcome: welcome,
                    peer: peer
                )
            )
        } catch {
            throw .malformed("The welcome could not be decoded: \(CodingFailure.reason(error))")
        }
    }

    private func next(_ reader: inout FrameReader) throws(TransportError) -> Frame {
        guard let frame = try reader.receive(before: deadline) else { throw .closed }
        return frame
    }

    /// Returns the failure that a frame reports; nil if the frame reports none.
    private func refusal(_ frame: Frame, _ coder: any WireCoder) -> ConnectionFailure? {
        switch frame.kind {
        case .failure:
            // Before a form is chosen, the daemon uses JSON.
            let body = try? coder.decode(FailureBody.self, from: frame.body)
            return .refused(
                body?.error ?? LibraryError(.internalError, "The library daemon refused.")
            )
        case .goodbye:
            guard let goodbye = try? frame.handshake(Goodbye.self) else { return nil }
            return goodbye.reason == .unsupportedProtocol
                ? .unsupportedProtocol(daemon: "The library daemon") : .ended(goodbye)
        default: return nil
        }
    }
}
