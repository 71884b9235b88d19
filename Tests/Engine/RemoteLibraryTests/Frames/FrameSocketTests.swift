import CLinuxShim
import Foundation
import Glibc
import LibraryService
import Synchronization
import Testing

@testable import RemoteLibrary

/// Frames over real sockets.
@Suite(.timeLimit(.minutes(2))) struct FrameSocketTests {
    private func deadline(_ seconds: Double = 20) -> SuspendingClock.Instant {
        .now + .seconds(seconds)
    }

    // MARK: - Descriptors

    @Test(arguments: [0, 1, 2, 64]) func descriptorsAreReceived(_ count: Int) throws {
        let pair = try SocketPair()
        let writer = FrameWriter(socket: pair.first.number)
        var reader = FrameReader(socket: pair.second.number)
        let sent = try (0..<count).map { try TestDescriptors.memory(UInt8($0)) }
        for request in 1...UInt64(3) {
            try writer.send(Frame(.request, request: request, body: [9], descriptors: sent))
        }
        for request in 1...UInt64(3) {
            let frame = try #require(try reader.receive(before: deadline()))
            #expect(frame.request == request && frame.body == [9])
            #expect(frame.descriptors.map(TestDescriptors.byte) == (0..<count).map { UInt8($0) })
            for descriptor in frame.descriptors {
                #expect(fcntl(descriptor.number, F_GETFD) == FD_CLOEXEC)
            }
        }
        shutdown(pair.first.number, Int32(SHUT_WR))
        #expect(try reader.receive(before: deadline()) == nil)
    }

    @Test func tooManyDescriptorsAreNotSent() throws {
        let pair = try SocketPair()
        let writer = FrameWriter(socket: pair.first.number)
        let memory = try TestDescriptors.memory(0)
        let frame = Frame(
            .request,
            request: 1,
            descriptors: [Descriptor](repeating: memory, count: 65)
        )
        let error = #expect(throws: TransportError.self) { try writer.send(frame) }
        #expect(error?.code == .limitExceeded)
        // The writer is still usable, since nothing was sent.
        try writer.send(Frame(.cancel, request: 1))
    }

    /// Sends a header that states some descriptors together with others.
    private func receive(
        stated: Int,
        sent: Int,
        offset: Int = 0
    ) throws -> TransportError? {
        let pair = try SocketPair()
        let memory = try TestDescriptors.memory(0, named: "surplus")
        var bytes: [UInt8] = []
        FrameHeader(.request, request: 1, bodyLength: 4, descriptorCount: stated)
            .append(to: &bytes)
        bytes += [1, 2, 3, 4]
        let numbers = [Int32](repeating: memory.number, count: sent)
        if offset > 0 { _ = cphotos_send_many(pair.first.number, bytes, offset, nil, 0) }
        let rest = Array(bytes[offset...])
        #expect(
            cphotos_send_many(pair.first.number, rest, rest.count, numbers, numbers.count)
                == rest.count
        )
        var reader = FrameReader(socket: pair.second.number)
        do throws(TransportError) {
            _ = try reader.receive(before: deadline())
            return nil
        } catch {
            return error
        }
    }

    @Test func wrongDescriptorsEndTheConnectionAndAreClosed() throws {
        #expect(try receive(stated: 1, sent: 1) == nil)
        #expect(try receive(stated: 0, sent: 1)?.code == .malformed)
        #expect(try receive(stated: 2, sent: 1)?.code == .malformed)
        #expect(try receive(stated: 1, sent: 2)?.code == .malformed)
        #expect(try receive(stated: 64, sent: 65)?.code == .limitExceeded)
        #expect(try receive(stated: 64, sent: 253)?.code == .limitExceeded)
        #expect(try receive(stated: 65, sent: 64)?.code == .limitExceeded)
        // In the middle of a header whose first bytes have been read already, and of a body.
        #expect(try receive(stated: 0, sent: 1, offset: 18)?.code == .malformed)
        #expect(TestDescriptors.openCount(named: "surplus") == 0)
    }

    /// The kernel drops descriptors (MSG_CTRUNC) when the process may not have more of them.
    ///
    /// The limit is that of a process, so the test has its own.
    @Test func droppedDescriptorsEndTheConnection() async {
        await #expect(processExitsWith: .exitCode(Dropping.success)) {
            try Dropping.run()
        }
    }

    /// Receives eight descriptors in a process that may open three.
    private enum Dropping {
        static let success: Int32 = 42

        static func run() throws -> Never {
            let pair = try SocketPair()
            let memory = try TestDescriptors.memory(0, named: "dropped")
            let writer = FrameWriter(socket: pair.first.number)
            let sent = [Descriptor](repeating: memory, count: 8)
            try writer.send(Frame(.request, request: 1, descriptors: sent))
            var reader = FrameReader(socket: pair.second.number)
            let lowest = fcntl(memory.number, F_DUPFD_CLOEXEC, 0)
            close(lowest)
            var limit = rlimit()
            getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
            limit.rlim_cur = rlim_t(lowest) + 3
            setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
            do throws(TransportError) {
                _ = try reader.receive(before: .now + .seconds(20))
                exit(1)
            } catch {
                let isClosed = TestDescriptors.openCount(named: "dropped") == 1
                exit(error.code == .limitExceeded && isClosed ? success : 2)
            }
        }
    }

    // MARK: - The end of a connection

    @Test func peerDeathIsReported() throws {
        var bytes: [UInt8] = []
        FrameHeader(.request, request: 1, bodyLength: 4).append(to: &bytes)
        bytes += [1, 2, 3, 4]
        for length in 0..<bytes.count {
            let pair = try SocketPair()
            if length > 0 { _ = cphotos_send_many(pair.first.number, bytes, length, nil, 0) }
            shutdown(pair.first.number, Int32(SHUT_RDWR))
            var reader = FrameReader(socket: pair.second.number)
            if length == 0 {
                #expect(try reader.receive(before: deadline()) == nil)
            } else {
                let error = #expect(throws: TransportError.self) {
                    try reader.receive(before: deadline())
                }
                #expect(error?.code == .closed)
            }
            let writer = FrameWriter(socket: pair.second.number)
            for _ in 0..<2 {
                let error = #expect(throws: TransportError.self) {
                    try writer.send(Frame(.cancel, request: 1), before: deadline())
                }
                #expect(error?.code == .closed)
            }
        }
    }

    @Test func deadlinesEndWaiting() throws {
        let pair = try SocketPair()
        var reader = FrameReader(socket: pair.second.number)
        let error = #expect(throws: TransportError.self) {
            try reader.receive(before: deadline(0.02))
        }
        #expect(error?.code == .timedOut)
        let writer = FrameWriter(socket: pair.first.number)
        let body = [UInt8](repeating: 1, count: 4 << 20)
        let frame = Frame(.request, request: 1, body: body)
        let failure = #expect(throws: TransportError.self) {
            try writer.send(frame, before: deadline(0.02))
        }
        #expect(failure?.code == .timedOut)
        // A part was sent, so nothing else can follow.
        #expect(throws: TransportError.self) { try writer.send(Frame(.cancel, request: 1)) }
    }

    @Test func partsAreReadAndWrittenAsRoomAllows() throws {
        let pair = try SocketPair()
        let writer = FrameWriter(socket: pair.first.number)
        var reader = FrameReader(socket: pair.second.number)
        let body = (0..<(3 << 20)).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        let frames = [100, 65_536, 65_537, body.count].map {
            Frame(.request, request: UInt64($0), body: Array(body.prefix($0)))
        }
        for frame in frames { try writer.enqueue(frame) }
        var received: [Frame] = []
        while received.count < frames.count {
            let isFlushed = try writer.flush()
            switch try reader.receiveAvailable() {
            case .frame(let frame): received.append(frame)
            case .pending: #expect(!isFlushed)
            case .ended: Issue.record("The connection ended.")
            }
        }
        #expect(received.map(\.body) == frames.map(\.body))
        #expect(received.map(\.request) == frames.map(\.request))
    }

    // MARK: - Threads

    @Test func eightThreadsShareAWriter() throws {
        let pair = try SocketPair()
        let writer = FrameWriter(socket: pair.first.number)
        let perThread = 200
        let errors = Mutex<[String]>([])
        let descriptors = try (0..<8).map { try TestDescriptors.memory(UInt8($0)) }
        let group = DispatchGroup()
        for thread in 0..<8 {
            let worker = Thread {
                for index in 0..<perThread {
                    let length = (thread * 7_919 + index * 131) % 20_000
                    let body = [UInt8](repeating: UInt8(thread), count: length)
                    let frames = Frame.frames(
                        replyingTo: UInt64(thread * perThread + index),
                        body: body,
                        descriptors: index.isMultiple(of: 5) ? [descriptors[thread]] : [],
                        partLength: 3_000
                    )
                    do {
                        for frame in frames { try writer.send(frame) }
                    } catch {
                        errors.withLock { $0.append("\(error)") }
                    }
                }
                group.leave()
            }
            group.enter()
            worker.start()
        }
        var reader = FrameReader(socket: pair.second.number)
        var assembler = MessageAssembler(side: .client)
        var seen: Set<UInt64> = []
        while seen.count < 8 * perThread {
            let frame = try #require(try reader.receive(before: deadline()))
            guard let reply = try assembler.receive(frame) else { continue }
            let (thread, index) = Int(reply.request).quotientAndRemainder(dividingBy: perThread)
            #expect(seen.insert(reply.request).inserted)
            #expect(reply.body.count == (thread * 7_919 + index * 131) % 20_000)
            #expect(reply.body.allSatisfy { $0 == UInt8(thread) })
            let passed = reply.descriptors.map(TestDescriptors.byte)
            #expect(passed == (index.isMultiple(of: 5) ? [UInt8(thread)] : []))
        }
        group.wait()
        #expect(errors.withLock { $0 } == [])
    }

    @Test func nothingLeaks() throws {
        for index in 0..<200 {
            let pair = try SocketPair()
            let writer = FrameWriter(socket: pair.first.number)
            let memory = try TestDescriptors.memory(0, named: "incomplete")
            let frame = Frame(
                .request,
                request: 1,
                body: [UInt8](repeating: 0, count: 200_000),
                descriptors: [Descriptor](repeating: memory, count: index % 65)
            )
            try writer.enqueue(frame)
            _ = try writer.flush()
            var reader = FrameReader(socket: pair.second.number)
            // The body does not fit, so the frame stays incomplete.
            _ = try reader.receiveAvailable()
        }
        #expect(TestDescriptors.openCount(named: "incomplete") == 0)
    }
}
