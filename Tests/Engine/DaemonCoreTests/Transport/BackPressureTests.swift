@testable import DaemonCore
import DaemonFakes
import Foundation
import Glibc
import LibraryService
import PhotoModel
import RemoteLibrary
import Testing

/// A client that does not read harms only itself.
@Suite(.timeLimit(.minutes(2))) struct BackPressureTests {
    /// 4 MB a reply.
    private let fetch = AssetFetchRequest(count: 512 << 10)

    @Test func clientThatNeverReadsIsDisconnected() throws {
        let world = try DaemonWorld { $0.limits.stall = .milliseconds(400) }
        let other = try world.library()
        let client = try RawClient.greeted(world.folder.socket)
        for number in 1...UInt64(20) { try client.send(number, CallTable.shared.fetch, fetch) }
        // Others are served meanwhile, although the pool has four threads.
        for _ in 0..<20 { _ = try other.findContent(FindContentRequest(digests: ["a"])) }
        #expect(world.waits { $0.counters.stalledConnections == 1 })
        #expect(client.waitForEnd())
        #expect(world.engine.waitUntil(openSessions: 1))
        #expect(try other.status().version == 0)
    }

    /// Without credit no calls start, so their replies need no memory.
    @Test func callsWaitForCredit() throws {
        let world = try DaemonWorld()
        let client = try RawClient.greeted(world.folder.socket)
        var received = 0
        let count = 20
        for number in 1...UInt64(count) {
            try client.send(number, CallTable.shared.fetch, fetch)
        }
        // The window has 8 MiB, so three replies of 4 MiB begin; a part of the last may be unsent.
        var length = 0
        while length < CreditWindow.limit, let frame = try client.receive() {
            length += FrameHeader.length + frame.body.count
        }
        try client.send(100, CallTable.shared.findContent, FindContentRequest(digests: []))
        #expect(world.waits { $0.counters.calls == count + 1 })
        #expect(world.engine.performedCount("findContent") == 0)
        #expect(world.engine.performedCount("fetch") < count)
        try client.writer.send(Frame(.credit, body: Credit(count: UInt64(length)).body))
        while received < count + 1 - 2, try client.message() != nil { received += 1 }
        #expect(world.engine.performedCount("fetch") == count)
        #expect(world.engine.performedCount("findContent") == 1)
    }

    @Test func wrongCreditIsAViolation() throws {
        let world = try DaemonWorld()
        for count in [0, 1, UInt64.max] {
            let client = try RawClient.greeted(world.folder.socket)
            try client.writer.send(Frame(.credit, body: Credit(count: count).body))
            #expect(client.waitForEnd())
        }
        #expect(world.waits { $0.counters.violations == 3 })
    }

    /// A client that sends without reading the failures of its calls must wait.
    @Test func flooderIsDisconnected() throws {
        let world = try DaemonWorld { $0.limits.stall = .milliseconds(400) }
        let client = try RawClient.greeted(world.folder.socket)
        let body = [UInt8](repeating: 0, count: 2_000)
        var isConnected = true
        var count: UInt64 = 0
        var bytes: [UInt8] = []
        while isConnected, count < 2_000_000 {
            count += 1
            bytes = []
            FrameHeader(.request, request: count, bodyLength: body.count).append(to: &bytes)
            isConnected = client.send(bytes: bytes + body)
        }
        #expect(!isConnected)
        #expect(world.waits { $0.counters.stalledConnections == 1 })
        #expect(try world.library().status().version == 0)
    }

    /// A client that reads slowly, but reads, is served to the end.
    @Test func slowClientIsServed() throws {
        let world = try DaemonWorld { $0.limits.stall = .seconds(3) }
        let client = try RawClient.greeted(world.folder.socket)
        let other = try world.library()
        for number in 1...UInt64(6) { try client.send(number, CallTable.shared.fetch, fetch) }
        var lengths: [Int] = []
        while lengths.count < 6, let message = try client.message() {
            lengths.append(message.body.count)
            // The other's calls take some time.
            for _ in 0..<20 { _ = try other.findContent(FindContentRequest(digests: ["a"])) }
        }
        #expect(lengths.count == 6 && lengths.allSatisfy { $0 > 4 << 20 })
        #expect(world.server.status.counters.stalledConnections == 0)
    }

    /// Replies that were added while the socket had no room follow without another event.
    @Test func waitingRepliesFollowOneAnother() throws {
        let world = try DaemonWorld { $0.limits.shortThreads = 1 }
        let client = try RawClient.greeted(world.folder.socket)
        let other = try world.library()
        let fetch = AssetFetchRequest(count: 100_000)
        let count = 6
        try client.send(1, CallTable.shared.fetch, fetch)
        // Its reply was handed to the socket, which has no room for all of it.
        #expect(world.waits { $0.clients.first?.calls == 0 && $0.counters.calls == 1 })
        for number in 2...UInt64(count) { try client.send(number, CallTable.shared.fetch, fetch) }
        #expect(world.waits { _ in world.engine.performedCount("fetch") == count })
        // The pool has one thread, so its earlier calls have ended before these.
        for _ in 0..<20 { _ = try other.findContent(FindContentRequest(digests: [])) }
        for _ in 0..<count { #expect(try client.receive()?.kind == .reply) }
    }

    // MARK: - The order of frames

    @Test func partsOfRepliesAlternate() throws {
        var outgoing = OutgoingFrames()
        let long = [UInt8](repeating: 1, count: 3 << 20)
        for number in 1...UInt64(2) {
            outgoing.reply(to: number, EncodedMessage(body: long, descriptors: []))
        }
        for number in 3...UInt64(4) {
            outgoing.reply(to: number, EncodedMessage(body: [1], descriptors: []))
        }
        outgoing.report(Frame(.progress, request: 9, body: [1]))
        outgoing.report(Frame(.progress, request: 9, body: [2]))
        outgoing.report(Frame(.progress, request: 8, body: [3]))
        outgoing.add(Frame(.failure, request: 8))
        var sent: [String] = []
        var ended: [UInt64] = []
        while let next = outgoing.next(at: .now) {
            sent.append("\(next.frame.kind) \(next.frame.request)")
            if let number = next.ended { ended.append(number) }
        }
        #expect(
            sent == [
                "failure 8", "progress 9", "reply 3", "reply 1", "reply 4", "reply 2", "reply 1",
                "reply 2", "reply 1", "reply 2",
            ]
        )
        #expect(ended == [8, 3, 4, 1, 2])
        #expect(outgoing.isEmpty)
    }

    @Test func nothingIsSentWithoutCredit() throws {
        var outgoing = OutgoingFrames()
        let now = SuspendingClock.now
        outgoing.reply(
            to: 1,
            EncodedMessage(body: [UInt8](repeating: 0, count: 20 << 20), descriptors: [])
        )
        var length: UInt64 = 0
        while let next = outgoing.next(at: now) {
            length += UInt64(FrameHeader.length + next.frame.body.count)
        }
        #expect(length > UInt64(CreditWindow.limit) && !outgoing.isEmpty)
        #expect(outgoing.credit.deadline == now + CreditWindow.patience)
        // Failures need no credit.
        outgoing.add(Frame(.failure, request: 2))
        #expect(outgoing.next(at: now)?.ended == 2)
        try outgoing.acknowledge(Credit(count: length), at: now)
        #expect(outgoing.next(at: now)?.frame.kind == .reply)
    }
}
