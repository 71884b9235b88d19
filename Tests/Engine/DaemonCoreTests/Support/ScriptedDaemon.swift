import BinaryCoding
import CLinuxShim
import DaemonCore
import Glibc
import LibraryService
import PhotoModel
import RemoteLibrary
import Synchronization
import Testing

/// A daemon that treats its connections as a test says.
final class ScriptedDaemon: Sendable {
    /// A connection after the handshake.
    struct Connection {
        /// The number of the connection, from 0.
        let number: Int
        let writer: FrameWriter
        var reader: FrameReader

        /// Receives the next frame; nil at the end.
        mutating func receive() -> Frame? {
            try? reader.receive(before: .now + .seconds(20))
        }
    }

    private let listener: Descriptor
    private let requests = Mutex<[CallHeading]>([])
    private let isStopped = Mutex(false)

    /// Starts the daemon.
    ///
    /// - Parameters:
    ///   - path: The path of the socket.
    ///   - hello: The first message.
    ///   - script: Treats a connection, which ends when it returns.
    /// - Throws: An issue of the test.
    init(
        _ path: String,
        hello: DaemonHello = DaemonHello(protocols: 1...1, softwareVersion: "9.9"),
        script: @escaping @Sendable (inout Connection, ScriptedDaemon) throws -> Void
    ) throws {
        mkdir(String(path[..<(path.lastIndex(of: "/") ?? path.endIndex)]), 0o700)
        unlink(path)
        let number = cphotos_listen(path, 0o600)
        try #require(number >= 0)
        listener = Descriptor(owning: number)
        let isStarted = NamedThread.start("test-scripted") {
            self.run(hello, script)
        }
        #expect(isStarted)
    }

    private func run(
        _ hello: DaemonHello,
        _ script: (inout Connection, ScriptedDaemon) throws -> Void
    ) {
        var count = 0
        while !isStopped.withLock(\.self) {
            var entry = pollfd(fd: listener.number, events: Int16(POLLIN), revents: 0)
            guard poll(&entry, 1, 50) > 0 else { continue }
            let socket = cphotos_accept(listener.number)
            guard socket >= 0 else { continue }
            try? serve(Descriptor(owning: socket), count, hello, script)
            count += 1
        }
    }

    /// The calls that arrived, of all connections.
    var headings: [CallHeading] { requests.withLock(\.self) }

    /// Ends the thread; the socket remains until the daemon is released.
    func stop() { isStopped.withLock { $0 = true } }

    /// Counts a request.
    func count(_ frame: Frame) {
        let message = EncodedMessage(body: frame.body, descriptors: [])
        let heading = try? CallTable.heading(of: message, coder: BinaryCoder(), peer: "test")
        requests.withLock { requests in
            if let heading { requests.append(heading) }
        }
    }

    private func serve(
        _ socket: Descriptor,
        _ number: Int,
        _ hello: DaemonHello,
        _ script: (inout Connection, ScriptedDaemon) throws -> Void
    ) throws {
        var connection = Connection(
            number: number,
            writer: FrameWriter(socket: socket.number),
            reader: FrameReader(socket: socket.number)
        )
        try connection.writer.send(.hello(hello))
        guard connection.receive()?.kind == .hello else { return }
        let welcome = SessionWelcome(
            status: LibraryStatus(path: "", version: 0, readOnlyReason: nil),
            peerKind: "host",
            program: "test"
        )
        try connection.writer.send(Frame(.reply, body: BinaryCoder().encode(welcome)))
        try script(&connection, self)
    }
}
