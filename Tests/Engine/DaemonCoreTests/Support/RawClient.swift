import BinaryCoding
import CLinuxShim
import Foundation
import Glibc
import LibraryService
import PhotoModel
import RemoteLibrary
import Testing

/// A client that sends and receives single frames, right or wrong ones.
final class RawClient {
    let socket: Descriptor
    let writer: FrameWriter
    private var reader: FrameReader
    private var assembler = MessageAssembler(side: .client)

    /// Connects without a handshake.
    init(_ path: String) throws {
        let number = cphotos_connect(path, 10_000)
        try #require(number >= 0, "connect failed: \(errno)")
        socket = Descriptor(owning: number)
        writer = FrameWriter(socket: number)
        reader = FrameReader(socket: number)
    }

    /// Connects with a handshake.
    static func greeted(_ path: String) throws -> RawClient {
        let client = try RawClient(path)
        _ = try client.greet(ClientHello(chosenProtocol: 1, softwareVersion: "raw"))
        return client
    }

    /// Answers the daemon's hello.
    ///
    /// - Returns: The frame that follows.
    func greet(_ hello: ClientHello) throws -> Frame? {
        let frame = try #require(try receive())
        let daemon = try frame.handshake(DaemonHello.self)
        var hello = hello
        hello.nonce = daemon.nonce
        try writer.send(.hello(hello))
        return try receive()
    }

    /// Receives the next frame; nil at the end of the connection.
    func receive() throws -> Frame? {
        do {
            return try reader.receive(before: .now + .seconds(20))
        } catch let error where error.code == .closed {
            return nil
        }
    }

    /// Receives the next message, and acknowledges its bytes.
    func message() throws -> Frame? {
        while let frame = try receive() {
            if frame.kind == .reply {
                let count = UInt64(FrameHeader.length + frame.body.count)
                try writer.send(Frame(.credit, body: Credit(count: count).body))
            }
            if let message = try assembler.receive(frame) { return message }
        }
        return nil
    }

    /// Sends a request.
    func send<Request, Reply>(
        _ number: UInt64,
        _ call: Call<Request, Reply>,
        _ request: Request,
        change: UUID? = nil,
        descriptors: [Descriptor] = []
    ) throws {
        let message = try call.encode(
            request,
            change: change,
            descriptors: descriptors,
            coder: BinaryCoder()
        )
        try writer.send(
            Frame(.request, request: number, body: message.body, descriptors: descriptors),
            before: .now + .seconds(20)
        )
    }

    /// Sends bytes that may be no frames.
    ///
    /// - Returns: False if the daemon has ended the connection.
    func send(bytes: [UInt8], descriptors: [Int32] = []) -> Bool {
        var sent = 0
        while sent < bytes.count {
            let rest = Array(bytes[sent...])
            let numbers = sent == 0 ? descriptors : []
            let count = cphotos_send_many(socket.number, rest, rest.count, numbers, numbers.count)
            if count < 0, errno != EAGAIN { return false }
            if count < 0 {
                var entry = pollfd(fd: socket.number, events: Int16(POLLOUT), revents: 0)
                guard poll(&entry, 1, 20_000) == 1 else { return false }
            }
            sent += max(0, count)
        }
        return true
    }

    /// Receives until the connection ends.
    ///
    /// - Returns: False if it does not end.
    func waitForEnd() -> Bool {
        do {
            while try receive() != nil {}
            return true
        } catch {
            return (error as? TransportError)?.code != .timedOut
        }
    }
}

extension Frame {
    /// The error of a failure in the binary form.
    var libraryError: LibraryError? {
        guard kind == .failure else { return nil }
        return try? BinaryCoder().decode(FailureBody.self, from: body).error
    }
}

/// A connection on which nothing is sent.
final class RawSocket: Sendable {
    let socket: Descriptor

    init(_ path: String) throws {
        let number = cphotos_connect(path, 10_000)
        try #require(number >= 0, "connect failed: \(errno)")
        socket = Descriptor(owning: number)
    }
}
