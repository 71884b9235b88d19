import BinaryCoding
import Foundation
import LibraryService
import PhotoModel
@testable import RemoteLibrary
import Synchronization
import Testing

/// The callers of a connection receive for each other.
@Suite(.timeLimit(.minutes(2))) struct ReceivingTests {
    private static let callers = 4
    private static let rounds = 60
    private let folder: SocketFolder

    init() throws { folder = try SocketFolder() }

    private func library(patience: Duration = .seconds(30)) throws -> RemoteLibrary {
        var configuration = RemoteConfiguration(
            socketPath: folder.socket,
            softwareVersion: "2.0"
        )
        configuration.patience = patience
        return try RemoteLibrary(configuration)
    }

    @Test("Replies in any order reach their callers")
    func anyOrder() throws {
        let daemon = try ScriptedDaemon(folder.socket) { connection, _ in
            for _ in 0..<Self.rounds {
                var requests: [Frame] = []
                while requests.count < Self.callers, let frame = connection.receiveRequest() {
                    requests.append(frame)
                }
                for request in requests.shuffled() { try connection.answer(request) }
            }
            _ = connection.receive()
        }
        defer { daemon.stop() }
        let library = try library()
        let calls = (0..<Self.callers).map { caller in
            BackgroundCall {
                try (0..<Self.rounds).map { round in
                    let mark = caller * Self.rounds + round
                    return try library.commit(CommitRequest(mark: "\(mark)")).version == mark
                }
            }
        }
        for call in calls {
            #expect(try call.value() == Array(repeating: true, count: Self.rounds))
        }
    }

    @Test("A call waits for its reply although the one that received for it has ended")
    func nextReceiver() throws {
        let daemon = try ScriptedDaemon(folder.socket) { connection, _ in
            while let first = connection.receiveRequest(),
                let second = connection.receiveRequest()
            {
                try connection.answer(first)
                // The first caller, or the connection's thread, has stopped receiving by now.
                guard let third = connection.receiveRequest() else { return }
                try connection.answer(second)
                try connection.answer(third)
            }
        }
        defer { daemon.stop() }
        let library = try library()
        for _ in 0..<20 {
            let first = BackgroundCall { try library.commit(CommitRequest(mark: "1")).version }
            let second = BackgroundCall { try library.commit(CommitRequest(mark: "2")).version }
            // Either may be the first.
            let early = Monitor<Int64?>(nil)
            for call in [first, second] {
                _ = BackgroundCall {
                    let version = try call.value()
                    early.update { if $0 == nil { $0 = version } }
                }
            }
            #expect(early.wait(before: .now + .seconds(30)) { $0 } != nil)
            #expect(try library.commit(CommitRequest(mark: "3")).version == 3)
            #expect(try first.value() == 1)
            #expect(try second.value() == 2)
        }
    }

    @Test("A progress handler may make calls")
    func callsInHandler() throws {
        let daemon = try ScriptedDaemon(folder.socket) { connection, _ in
            guard let outer = connection.receiveRequest() else { return }
            let progress = try BinaryCoder().encode(CallProgress(completed: 1, total: 2))
            try connection.writer.send(
                Frame(.progress, request: outer.request, body: progress)
            )
            guard let inner = connection.receiveRequest() else { return }
            try connection.answer(inner)
            try connection.answer(outer)
            _ = connection.receive()
        }
        defer { daemon.stop() }
        let library = try library()
        let inner = Mutex<Int64?>(nil)
        let context = CallContext(progress: { _ in
            // A handler cannot throw.
            let reply = try? library.commit(CommitRequest(mark: "5"))
            inner.withLock { $0 = reply?.version }
        })
        let outer = try context.perform { () throws(LibraryError) in
            try library.commit(CommitRequest(mark: "4"))
        }
        #expect(outer.version == 4)
        #expect(inner.withLock(\.self) == 5)
    }

    @Test("An invalid message ends the calls of all")
    func violation() throws {
        let daemon = try ScriptedDaemon(folder.socket) { connection, _ in
            for _ in 0..<Self.callers { _ = connection.receiveRequest() }
            try connection.writer.send(Frame(.reply, request: 9_999, body: []))
            _ = connection.receive()
        }
        defer { daemon.stop() }
        let library = try library(patience: .milliseconds(300))
        let calls = (0..<Self.callers).map { _ in
            BackgroundCall { try library.history(HistoryRequest(since: 0, limit: 1)) }
        }
        for call in calls { #expect(try call.error()?.code == .connectionLost) }
    }
}

extension ScriptedDaemon.Connection {
    /// Receives the next request, beside which clients send acknowledgments.
    fileprivate mutating func receiveRequest() -> Frame? {
        while let frame = receive() {
            if frame.kind == .request { return frame }
        }
        return nil
    }

    /// Answers a commit with the number that is its mark.
    fileprivate func answer(_ frame: Frame) throws {
        let envelope = try BinaryCoder().decode(
            CallEnvelope<CommitRequest>.self,
            from: frame.body
        )
        let mark = try #require(envelope.request.changes.operations.first?.request)
        let reply = try BinaryCoder().encode(CommitReply(version: #require(Int64(mark))))
        try writer.send(Frame(.reply, request: frame.request, body: reply))
    }
}
