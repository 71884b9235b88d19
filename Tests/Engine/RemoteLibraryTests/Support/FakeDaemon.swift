import BinaryCoding
import CLinuxShim
import Foundation
import Glibc
import LibraryService
import PhotoModel
import RemoteLibrary
import Synchronization
import TestSupport
import Testing

/// A daemon for one connection, which answers calls as a library does, until a test ends it.
final class FakeDaemon: Sendable {
    let path: String
    private let library: RecordingLibrary
    private let listener: Mutex<Descriptor?>
    private let folder: TemporaryFolder
    /// The calls during which the connection ends.
    private let fatal: Set<String>

    /// Starts the daemon.
    ///
    /// - Parameters:
    ///   - library: The library that answers.
    ///   - fatal: The names of the calls during which the daemon dies.
    /// - Throws: An issue of the test.
    init(_ library: RecordingLibrary, dyingIn fatal: Set<String> = []) throws {
        self.library = library
        self.fatal = fatal
        folder = try TemporaryFolder("photos-daemon")
        path = folder.file("socket").path
        let number = cphotos_listen(path, 0o600)
        try #require(number >= 0)
        listener = Mutex(Descriptor(owning: number))
        #expect(NamedThread.start("test-daemon") { try? self.run() })
    }

    /// The properties of a connection to the daemon.
    var configuration: RemoteConfiguration {
        RemoteConfiguration(socketPath: path, softwareVersion: "1.0")
    }

    private func run() throws {
        guard let number = listener.withLock({ $0?.number }) else { return }
        var entry = pollfd(fd: number, events: Int16(POLLIN), revents: 0)
        guard poll(&entry, 1, 60_000) == 1 else { return }
        let socket = Descriptor(owning: cphotos_accept(number))
        let writer = FrameWriter(socket: socket.number)
        var reader = FrameReader(socket: socket.number)
        let coder = BinaryCoder()
        try writer.send(.hello(DaemonHello(protocols: 1...1, softwareVersion: "9.9")))
        _ = try reader.receive(before: .now + .seconds(60))
        let status = LibraryStatus(path: "/photos", version: 7, readOnlyReason: nil)
        let welcome = SessionWelcome(status: status, peerKind: "host", program: "test")
        try writer.send(Frame(.reply, body: coder.encode(welcome)))
        while let frame = try reader.receive(before: .now + .seconds(60)), frame.kind == .request {
            let message = EncodedMessage(body: frame.body, descriptors: frame.descriptors)
            let call = try CallTable.heading(of: message, coder: coder, peer: "test").call
            if fatal.contains(call) { break }
            try writer.send(answer(to: message, frame.request, coder))
        }
        // Nobody can connect any more.
        listener.withLock { $0 = nil }
        shutdown(socket.number, Int32(SHUT_RDWR))
    }

    private func answer(
        to message: EncodedMessage,
        _ request: UInt64,
        _ coder: BinaryCoder
    ) throws -> Frame {
        do throws(LibraryError) {
            let reply = try CallTable.respond(
                to: message,
                with: library,
                coder: coder,
                peer: "test"
            )
            return Frame(
                .reply,
                request: request,
                body: reply.body,
                descriptors: reply.descriptors
            )
        } catch {
            return Frame(.failure, request: request, body: try coder.encode(FailureBody(error)))
        }
    }
}
