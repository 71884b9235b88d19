import LibraryService
import RemoteLibrary
import SamplePhotos
import TestSupport
import Testing

/// Frames of several replies become whole replies, within limits.
@Suite(.timeLimit(.minutes(2))) struct MessageAssemblerTests {
    private let seed = TestSeed()

    private func part(_ request: UInt64, _ body: [UInt8], isContinued: Bool = true) -> Frame {
        Frame(.reply, request: request, body: body, isContinued: isContinued)
    }

    @Test func interleavedRepliesAreJoined() throws {
        var generator = seed.generator
        let bodies = (0..<10).map { index in
            [UInt8](repeating: UInt8(index), count: Int.random(in: 0...100, using: &generator))
        }
        var queues = bodies.enumerated().map { index, body in
            Frame.frames(replyingTo: UInt64(index), body: body, partLength: 7)
        }
        var assembler = MessageAssembler(side: .client)
        var received: [UInt64: [UInt8]] = [:]
        while let index = queues.indices.filter({ !queues[$0].isEmpty })
            .randomElement(using: &generator)
        {
            if let reply = try assembler.receive(queues[index].removeFirst()) {
                #expect(!reply.isContinued)
                received[reply.request] = reply.body
            }
        }
        #expect(assembler.openCount == 0)
        for (index, body) in bodies.enumerated() {
            #expect(received[UInt64(index)] == body, seed.comment)
        }
    }

    @Test func descriptorsOfTheFirstFrameArePreserved() throws {
        let memory = try TestDescriptors.memory(3)
        let frames = Frame.frames(
            replyingTo: 1,
            body: [1, 2, 3],
            descriptors: [memory],
            partLength: 1
        )
        #expect(frames.map(\.descriptors.count) == [1, 0, 0])
        var assembler = MessageAssembler(side: .client)
        let replies = try frames.compactMap { try assembler.receive($0) }
        #expect(replies.map(\.body) == [[1, 2, 3]])
        #expect(replies.first?.descriptors.first === memory)
        _ = try assembler.receive(part(1, [1]))
        #expect(throws: TransportError.self) {
            try assembler.receive(Frame(.reply, request: 1, body: [2], descriptors: [memory]))
        }
    }

    @Test func requestsAreJoinedAtTheDaemon() throws {
        let memory = try TestDescriptors.memory(3)
        let body = (0..<10).map { UInt8($0) }
        let frames = Frame.frames(
            requesting: 1,
            body: body,
            descriptors: [memory],
            partLength: 4
        )
        #expect(frames.map(\.isContinued) == [true, true, false])
        var assembler = MessageAssembler(side: .daemon)
        var requests: [Frame] = []
        for (index, frame) in frames.enumerated() {
            if let request = try assembler.receive(frame) { requests.append(request) }
            // A short request and a cancellation pass between the parts.
            let number = UInt64(10 + index)
            #expect(try assembler.receive(Frame(.request, request: number)) != nil)
            #expect(try assembler.receive(Frame(.cancel, request: 1)) != nil)
        }
        #expect(requests.map(\.kind) == [.request])
        #expect(requests.first?.body == body)
        #expect(requests.first?.descriptors.first === memory)
        #expect(assembler.openCount == 0)
        // A daemon retains few requests that have not ended.
        for number in 1...UInt64(4) {
            _ = try assembler.receive(
                Frame(.request, request: number, body: [1], isContinued: true)
            )
        }
        let error = #expect(throws: TransportError.self) {
            try assembler.receive(Frame(.request, request: 5, body: [1], isContinued: true))
        }
        #expect(error?.code == .limitExceeded)
    }

    @Test func limitsAreEnforced() throws {
        var limits = MessageAssembler.Limits()
        limits.openMessages = 2
        limits.messageLength = 10
        limits.openLength = 15
        var assembler = MessageAssembler(side: .client, limits: limits)
        _ = try assembler.receive(part(1, [UInt8](repeating: 0, count: 8)))
        _ = try assembler.receive(part(2, [UInt8](repeating: 0, count: 6)))
        func code(_ frame: Frame) -> TransportError.Code? {
            var copy = assembler
            return #expect(throws: TransportError.self) { try copy.receive(frame) }?.code
        }
        #expect(code(part(3, [])) == .limitExceeded)
        #expect(code(part(1, [1, 2, 3])) == .limitExceeded)
        #expect(code(part(1, [1, 2])) == .limitExceeded)
        #expect(code(part(1, [])) == .malformed)
        // An error drops the part that has arrived.
        _ = try assembler.receive(Frame(.failure, request: 1))
        _ = try assembler.receive(part(2, [1, 2]))
        let reply = try assembler.receive(part(2, [3, 4], isContinued: false))
        #expect(reply?.body.count == 10)
        #expect(assembler.openCount == 0)
        _ = try assembler.receive(part(1, [UInt8](repeating: 0, count: 10)))
    }

    @Test func frameOfTheWrongSideIsAnError() throws {
        for side in ConnectionSide.allCases {
            for kind in FrameKind.allCases {
                var assembler = MessageAssembler(side: side)
                if side.receivedKinds.contains(kind) {
                    #expect(try assembler.receive(Frame(kind, request: 1)) != nil)
                } else {
                    #expect(throws: TransportError.self) {
                        try assembler.receive(Frame(kind, request: 1))
                    }
                }
            }
        }
    }
}
