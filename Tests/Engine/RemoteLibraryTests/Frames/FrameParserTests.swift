import LibraryService
import SamplePhotos
import TestSupport
import Testing

@testable import RemoteLibrary

/// Frames are divided correctly wherever reads end.
@Suite(.timeLimit(.minutes(30))) struct FrameParserTests {
    private let seed = TestSeed()

    private func bytes(_ frame: Frame) -> [UInt8] {
        var bytes: [UInt8] = []
        frame.header.append(to: &bytes)
        return bytes + frame.body
    }

    /// Feeds bytes in reads of at most some length, which may not cross the ends of frames.
    private func parse(_ bytes: [UInt8], readLength: Int) throws -> [Frame] {
        var parser = FrameParser()
        var frames: [Frame] = []
        var position = 0
        while position < bytes.count {
            let end = min(bytes.count, position + min(readLength, parser.wantedCount))
            let frame = try bytes[position..<end].withUnsafeBytes { try parser.receive($0) }
            if let frame { frames.append(frame) }
            position = end
        }
        #expect(parser.isBetweenFrames)
        return frames
    }

    @Test func framesAreCutAtEveryByte() throws {
        let sent = [
            Frame(.hello, body: Array("{}".utf8)), Frame(.cancel, request: .max),
            Frame(.reply, request: 1, body: [1, 2, 3], isContinued: true),
            Frame(.reply, request: 1, body: [], isContinued: false),
            Frame(.request, request: 2, body: [UInt8](repeating: 7, count: 300)),
        ]
        let bytes = sent.flatMap { self.bytes($0) }
        for length in 1...bytes.count {
            let frames = try parse(bytes, readLength: length)
            #expect(frames.map(\.header) == sent.map(\.header))
            #expect(frames.map(\.body) == sent.map(\.body))
        }
    }

    @Test func headerHasTheDocumentedForm() {
        let header = FrameHeader(
            .reply,
            request: 0x0102_0304_0506_0708,
            bodyLength: 0x01_0203,
            descriptorCount: 5,
            isContinued: true
        )
        var bytes: [UInt8] = []
        header.append(to: &bytes)
        #expect(bytes == [3, 2, 1, 0, 3, 1, 5, 0, 8, 7, 6, 5, 4, 3, 2, 1])
    }

    /// Returns the error of a header.
    private func failure(_ change: (inout [UInt8]) -> Void) -> TransportError.Code? {
        var bytes = bytes(Frame(.request, request: 1, body: []))
        change(&bytes)
        let error = #expect(throws: TransportError.self) { try parse(bytes, readLength: 16) }
        return error?.code
    }

    @Test func malformedHeadersAreErrors() {
        #expect(failure { $0[4] = 0 } == .malformed)
        #expect(failure { $0[4] = 9 } == .malformed)
        #expect(failure { $0[5] = 2 } == .malformed)
        // A failure may not be continued, and a cancellation has neither body nor descriptors.
        #expect(failure { ($0[4], $0[5]) = (4, 1) } == .malformed)
        #expect(failure { ($0[4], $0[5]) = (5, 1) } == .malformed)
        #expect(failure { ($0[4], $0[0]) = (5, 1) } == .limitExceeded)
        #expect(failure { ($0[4], $0[6]) = (5, 1) } == .malformed)
        #expect(failure { $0[6] = 65 } == .limitExceeded)
        #expect(failure { $0[6] = 1 } == .malformed)
        #expect(failure { ($0[0], $0[3]) = (1, 1) } == .limitExceeded)
        #expect(failure { $0[3] = 0xFF } == .limitExceeded)
    }

    @Test func failedParserStaysFailed() throws {
        var parser = FrameParser()
        let bad = [UInt8](repeating: 0xFF, count: 16)
        let good = bytes(Frame(.cancel, request: 1))
        for bytes in [bad, good] {
            #expect(throws: TransportError.self) {
                try bytes.withUnsafeBytes { try parser.receive($0) }
            }
        }
    }

    @Test func descriptorsArriveWithTheFirstByte() throws {
        let descriptor = try TestDescriptors.memory(1)
        let frame = bytes(Frame(.request, request: 1, body: [1], descriptors: [descriptor]))
        for position in 1..<frame.count {
            var parser = FrameParser()
            let error = #expect(throws: TransportError.self) {
                for index in frame.indices {
                    _ = try frame[index...index].withUnsafeBytes {
                        try parser.receive($0, descriptors: index == position ? [descriptor] : [])
                    }
                }
            }
            #expect(error?.code == .malformed)
        }
    }

    @Test func senderIsThatOfAllBytes() throws {
        let frame = bytes(Frame(.request, request: 1, body: [1, 2]))
        for stranger in [nil, 0, 15, 16, 17] {
            var parser = FrameParser()
            var received: Frame?
            for index in frame.indices {
                received = try frame[index...index].withUnsafeBytes {
                    try parser.receive($0, from: index == stranger ? 7 : 5)
                }
            }
            #expect(received?.sender == (stranger == nil ? 5 : 0))
        }
    }

    @Test func misuseStopsTheProgram() async {
        await #expect(processExitsWith: .failure) {
            // More bytes than the frame still has.
            var parser = FrameParser()
            _ = try [UInt8](repeating: 0, count: 17).withUnsafeBytes { try parser.receive($0) }
        }
        await #expect(processExitsWith: .failure) {
            _ = try [UInt8](repeating: 0, count: 15).withUnsafeBytes { try FrameHeader($0) }
        }
        await #expect(processExitsWith: .failure) {
            _ = Frame.frames(replyingTo: 1, body: [1], partLength: 0)
        }
    }

    /// `PHOTOS_FRAME_MUTATIONS` sets the number of damaged streams.
    @Test func damagedStreamsAreFramesOrErrors() throws {
        var generator = seed.generator
        for _ in 0..<FrameMutations.count {
            var stream = (0..<3).flatMap { index in
                bytes(
                    Frame(
                        FrameKind.allCases.randomElement(using: &generator) ?? .reply,
                        request: UInt64(index),
                        body: [UInt8](repeating: 1, count: Int.random(in: 0...8, using: &generator))
                    )
                )
            }
            let index = Int.random(in: stream.indices, using: &generator)
            stream[index] = .random(in: .min ... .max, using: &generator)
            var parser = FrameParser()
            var assembler = MessageAssembler(
                side: Bool.random(using: &generator) ? .client : .daemon
            )
            var position = 0
            do throws(TransportError) {
                while position < stream.count {
                    let end = min(stream.count, position + parser.wantedCount)
                    let part = Array(stream[position..<end])
                    if let frame = try FrameMutations.receive(part, &parser) {
                        _ = try assembler.receive(frame)
                    }
                    position = end
                }
            } catch {
                #expect([.malformed, .limitExceeded].contains(error.code), seed.comment)
            }
        }
    }
}
