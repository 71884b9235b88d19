import BinaryCoding
import CLinuxShim
import DaemonCore
import DaemonFakes
import Foundation
import Glibc
import LibraryService
import PhotoModel
import RemoteLibrary
import SamplePhotos
import Synchronization
import TestSupport
import Testing

/// A hostile client ends only its own connection.
@Suite(.timeLimit(.minutes(2))) struct HostileClientTests {
    private let seed = TestSeed()

    /// The bytes of a correct client: its hello and three requests.
    private func conversation() throws -> [UInt8] {
        var bytes: [UInt8] = []
        func append(_ frame: Frame) {
            frame.header.append(to: &bytes)
            bytes += frame.body
        }
        append(try .hello(ClientHello(chosenProtocol: 1, softwareVersion: "raw")))
        let table = CallTable.shared
        let find = try table.findContent.encode(
            FindContentRequest(digests: ["a"]),
            descriptors: [],
            coder: BinaryCoder()
        )
        append(Frame(.request, request: 1, body: find.body))
        let commit = try table.commit.encode(
            CommitRequest(mark: "hostile"),
            change: UUID(),
            descriptors: [],
            coder: BinaryCoder()
        )
        append(Frame(.request, request: 2, body: commit.body))
        append(Frame(.cancel, request: 1))
        return bytes
    }

    /// Makes calls until the end of a test, as an honest client.
    private func withHonestClient(of world: DaemonWorld, _ body: () throws -> Void) throws {
        let honest = HonestClient(try world.library())
        defer { honest.stop() }
        try body()
        honest.stop()
        #expect(try honest.count() > 0)
    }

    @Test func framesAreCutAtEveryByte() throws {
        let world = try DaemonWorld()
        let bytes = try conversation()
        try withHonestClient(of: world) {
            for length in 0...bytes.count {
                let client = try RawClient(world.folder.socket)
                #expect(client.send(bytes: Array(bytes.prefix(length))))
            }
        }
        #expect(world.engine.waitUntil(openSessions: 0))
        #expect(world.waits { $0.clients.isEmpty })
        // The change arrived whole once or twice, depending on the cut.
        #expect(try world.engine.journal.entries.count <= 1 + 16)
    }

    @Test func forgedBytesEndOnlyTheirConnection() throws {
        let world = try DaemonWorld { $0.limits.handshake = .milliseconds(200) }
        let bytes = try conversation()
        var generator = seed.generator
        try withHonestClient(of: world) {
            for round in 0..<400 {
                var forged = bytes
                for _ in 0..<Int.random(in: 1...4, using: &generator) {
                    let index = Int.random(in: 0..<forged.count, using: &generator)
                    switch Int.random(in: 0..<4, using: &generator) {
                    case 0: forged[index] ^= 1 << UInt8.random(in: 0..<8, using: &generator)
                    case 1:
                        forged[index] =
                            [0, 1, 0x7F, 0x80, 0xFF].randomElement(using: &generator) ?? 0
                    case 2: forged.remove(at: index)
                    default: forged.insert(UInt8.random(in: 0...255, using: &generator), at: index)
                    }
                }
                let client = try RawClient(world.folder.socket)
                _ = client.send(bytes: forged)
                // Half of them leave, and the others see what the daemon says.
                if round.isMultiple(of: 2) {
                    shutdown(client.socket.number, Int32(SHUT_WR))
                    #expect(client.waitForEnd(), seed.comment)
                }
            }
        }
        #expect(world.engine.waitUntil(openSessions: 0), seed.comment)
    }

    @Test func wrongFramesAreViolations() throws {
        let world = try DaemonWorld()
        let hello = try Frame.hello(ClientHello(chosenProtocol: 1, softwareVersion: "raw"))
        let frames: [Frame] = [
            Frame(.request, request: 0), hello, Frame(.reply, request: 1),
            Frame(.failure, request: 1),
            Frame(.progress, request: 1), Frame(.credit, body: [1, 2, 3]),
        ]
        for frame in frames {
            let client = try RawClient.greeted(world.folder.socket)
            try client.writer.send(frame)
            #expect(client.waitForEnd(), "\(frame.kind)")
        }
        #expect(world.waits { $0.counters.violations == frames.count })
        // The same number twice.
        let client = try RawClient.greeted(world.folder.socket)
        for _ in 0..<2 {
            try client.send(1, CallTable.shared.loadAssets, AssetLoadRequest(held: true))
        }
        #expect(client.waitForEnd())
        #expect(world.engine.waitUntil(held: 0, openSessions: 0))
    }

    @Test func malformedRequestIsAFailureOfItsCall() throws {
        let world = try DaemonWorld()
        let client = try RawClient.greeted(world.folder.socket)
        for (number, body) in [[], [1, 2, 3], [UInt8](repeating: 0xFF, count: 1_000)].enumerated() {
            try client.writer.send(Frame(.request, request: UInt64(number + 1), body: body))
            #expect(try client.message()?.libraryError?.code == .invalidRequest)
        }
        try client.send(9, CallTable.shared.status, NoValue())
        #expect(try client.message()?.kind == .reply)
    }

    @Test func surplusDescriptorsAreClosed() throws {
        let world = try DaemonWorld()
        let name = "surplus-daemon"
        let memory = try TestMemory.descriptor(1, named: name)
        for (stated, sent) in [(0, 1), (2, 1), (1, 2), (64, 65), (64, 253), (65, 64)] {
            let client = try RawClient.greeted(world.folder.socket)
            var bytes: [UInt8] = []
            FrameHeader(.request, request: 1, bodyLength: 4, descriptorCount: stated)
                .append(to: &bytes)
            let numbers = [Int32](repeating: memory.number, count: sent)
            _ = client.send(bytes: bytes + [1, 2, 3, 4], descriptors: numbers)
            #expect(client.waitForEnd(), "\(stated) \(sent)")
        }
        // Descriptors of a call that takes none.
        let client = try RawClient.greeted(world.folder.socket)
        let find = try CallTable.shared.status.encode(
            NoValue(),
            descriptors: [],
            coder: BinaryCoder()
        )
        try client.writer.send(Frame(.request, request: 1, body: find.body, descriptors: [memory]))
        #expect(try client.message()?.libraryError?.code == .invalidRequest)
        // The daemon closes them with the end of each call and connection.
        #expect(world.waits { _ in TestMemory.openCount(named: name) == 1 })
    }

    @Test func clientThatOnlyConnectsIsDisconnected() throws {
        let world = try DaemonWorld { $0.limits.handshake = .milliseconds(100) }
        let client = try RawClient(world.folder.socket)
        #expect(client.waitForEnd())
        // Also if it sends byte by byte.
        let slow = try RawClient(world.folder.socket)
        #expect(slow.send(bytes: [1]))
        #expect(slow.waitForEnd())
        #expect(world.waits { $0.counters.violations == 2 })
    }
}

/// A client that makes calls on its own thread until it is stopped.
final class HonestClient: Sendable {
    private let flag = Flag()
    private let call: BackgroundCall<Int>

    init(_ library: RemoteLibrary) {
        let flag = flag
        call = BackgroundCall {
            var count = 0
            while !flag.isSet || count == 0 {
                let digest = "\(count)"
                let reply = try library.findContent(FindContentRequest(digests: [digest]))
                #expect(reply.matches.first?.first?.localIdentifier == digest)
                count += 1
            }
            library.close()
            return count
        }
    }

    private final class Flag: Sendable {
        private let value = Atomic<Bool>(false)
        var isSet: Bool { value.load(ordering: .relaxed) }
        func set() { value.store(true, ordering: .relaxed) }
    }

    func stop() { flag.set() }

    /// Waits for the last call.
    func count() throws -> Int { try call.value() }
}
