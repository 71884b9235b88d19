import CLinuxShim
import Foundation
import Glibc
import Testing
import WorkerProtocol

@Suite(.timeLimit(.minutes(1)))
final class MessageConnectionTests {
    private let near: MessageConnection
    private let far: MessageConnection

    init() throws {
        var first: Int32 = -1
        var second: Int32 = -1
        try #require(cphotos_socket_pair(&first, &second) == 0)
        near = MessageConnection(socket: first)
        far = MessageConnection(socket: second)
    }

    deinit {
        close(near.socket)
        close(far.socket)
    }

    private func write(_ bytes: [UInt8]) {
        #expect(cphotos_send(far.socket, bytes, bytes.count, -1) == bytes.count)
    }

    /// A large message is sent in two parts.
    @Test(arguments: [1, 6_000]) func messagesAndDescriptorsArrive(repetitions: Int) throws {
        let memory = cphotos_memory_file("test", 7)
        defer { close(memory) }
        let filename = String(repeating: "ä b", count: repetitions)
        let request = WorkerRequest.probe(ProbeRequest(filename: filename, renditionSide: 9))
        try near.send(request, descriptor: memory)
        try near.send(request)
        let first = try far.receive(WorkerRequest.self)
        let second = try far.receive(WorkerRequest.self)
        #expect(first.message == request && second.message == request)
        #expect(second.descriptor == nil)
        let passed = try #require(first.descriptor)
        defer { close(passed) }
        var status = stat()
        #expect(fstat(passed, &status) == 0 && status.st_size == 7)
        #expect(fcntl(passed, F_GETFD) & FD_CLOEXEC != 0)
    }

    @Test func anEndFollowsThePeerIntoBinaryForm() throws {
        func first() -> UInt8 {
            var byte: UInt8 = 0
            return recv(near.socket, &byte, 1, Int32(MSG_PEEK)) == 1 ? byte : 0xff
        }
        try far.send(WorkerRequest.cancel)
        #expect(first() == 0)
        _ = try near.receive(WorkerRequest.self)
        near.useBinaryForm()
        try near.send(WorkerReply.cancelled)
        #expect(try far.receive(WorkerReply.self).message == .cancelled)
        try far.send(WorkerRequest.cancel)
        #expect(first() == 0x80)
        #expect(try near.receive(WorkerRequest.self).message == .cancel)
    }

    @Test func anEndIsAnEnd() {
        shutdown(far.socket, Int32(SHUT_RDWR))
        #expect(throws: ConnectionError.closed) { _ = try near.receive(WorkerReply.self) }
        // Writing does not raise a signal either.
        #expect(throws: ConnectionError.closed) {
            try near.send(WorkerReply.failed(reason: "none"))
        }
    }

    @Test func anEndWithinAMessageIsAnEnd() {
        write([0, 0, 0, 9, 0x7b])
        shutdown(far.socket, Int32(SHUT_RDWR))
        #expect(throws: ConnectionError.closed) { _ = try near.receive(WorkerReply.self) }
    }

    @Test func aLongMessageIsNotRead() {
        write([0x7f, 0xff, 0xff, 0xff])
        #expect(throws: ConnectionError.tooLong(0x7fff_ffff)) {
            _ = try near.receive(WorkerReply.self)
        }
    }

    @Test func nonsenseIsAnError() {
        write([0, 0, 0, 2, 0x7b, 0x7d])
        #expect(throws: ConnectionError.self) { _ = try near.receive(WorkerReply.self) }
    }

    @Test(arguments: [Double.nan, .infinity, -.infinity])
    func numbersMustBeFinite(number: Double) throws {
        near.useBinaryForm()
        try near.send([1.5, -0.0, .greatestFiniteMagnitude])
        #expect(try far.receive([Double].self).message == [1.5, -0.0, .greatestFiniteMagnitude])
        try near.send([number])
        #expect(throws: ConnectionError.self) { _ = try far.receive([Double].self) }
        try near.send([Date(timeIntervalSinceReferenceDate: number)])
        #expect(throws: ConnectionError.self) { _ = try far.receive([Date].self) }
    }

    @Test func silenceEndsAtTheDeadline() {
        #expect(throws: ConnectionError.timedOut) {
            _ = try near.receive(WorkerReply.self, before: .now + .milliseconds(20))
        }
        write([0, 0, 0, 5, 0x7b])
        #expect(throws: ConnectionError.timedOut) {
            _ = try near.receive(WorkerReply.self, before: .now + .milliseconds(20))
        }
    }

    @Test func aMessageThatIsThereArrivesBeforeTheDeadline() throws {
        try far.send(WorkerReply.cancelled)
        let deadline = SuspendingClock.Instant.now + .seconds(50)
        #expect(try near.receive(WorkerReply.self, before: deadline).message == .cancelled)
        // Afterward, one is not waited for.
        try far.send(WorkerReply.cancelled)
        #expect(throws: ConnectionError.timedOut) {
            _ = try near.receive(WorkerReply.self, before: .now - .milliseconds(1))
        }
    }

    @Test func theLongestMessageArrivesAndALongerOneIsNotSent() throws {
        // With the quotation marks of JSON.
        let longest = String(repeating: "a", count: MessageConnection.maximumMessageLength - 2)
        let far = far
        Thread.detachNewThread { try? far.send(longest) }
        #expect(try near.receive(String.self).message == longest)
        #expect(throws: ConnectionError.tooLong(MessageConnection.maximumMessageLength + 1)) {
            try near.send(longest + "a")
        }
    }

    /// A record whose properties are nil takes much more memory than bytes of its message.
    private struct Sparse: Codable, Equatable {
        var a: String?
        var b: String?
        var c: String?
        var d: String?
        var e: String?
        var f: String?
        var g: String?
        var h: String?
    }

    @Test func recordsOfNilsArrive() throws {
        near.useBinaryForm()
        let rows = [Sparse](repeating: Sparse(), count: 60_000)
        let near = near
        Thread.detachNewThread { try? near.send(rows) }
        #expect(try far.receive([Sparse].self).message.count == rows.count)
    }
}
