import BinaryCoding
import DaemonCore
import DaemonFakes
import Foundation
import LibraryService
import PhotoModel
@testable import RemoteLibrary
import Synchronization
import Testing

/// Calls and subscriptions survive the end of a connection.
@Suite(.timeLimit(.minutes(2))) struct ReconnectTests {
    private let folder: SocketFolder

    init() throws { folder = try SocketFolder() }

    private func configuration(patience: Duration = .seconds(30)) -> RemoteConfiguration {
        var configuration = RemoteConfiguration(
            socketPath: folder.socket,
            softwareVersion: "2.0"
        )
        configuration.patience = patience
        return configuration
    }

    // MARK: - The daemon is replaced

    @Test func callsReachTheNextDaemon() throws {
        let journal = try ChangeJournal(path: nil)
        var world: DaemonWorld? = try DaemonWorld(
            folder: folder,
            engine: FakeEngine(journal: journal)
        )
        let library = try RemoteLibrary(configuration())
        for round in 1...Int64(3) {
            #expect(try library.commit(CommitRequest(mark: "\(round)")).version == round)
            world?.server.stop(.reconnect)
            #expect(world?.waitForEnd() == true)
            world = nil
            let call = BackgroundCall { try library.status().version }
            world = try DaemonWorld(folder: folder, engine: FakeEngine(journal: journal))
            #expect(try call.value() == round)
        }
    }

    @Test func runningCallsFinishBeforeTheDaemonEnds() throws {
        let world = try DaemonWorld(folder: folder)
        let library = try RemoteLibrary(configuration())
        let call = BackgroundCall { try library.loadAssets(AssetLoadRequest(held: true)) }
        #expect(world.engine.waitUntil(held: 1))
        world.server.stop(.shutdown)
        world.engine.release()
        #expect(try call.value().assets.isEmpty)
        #expect(world.waitForEnd())
        #expect(world.engine.openSessions == 0)
    }

    // MARK: - Changes once

    @Test func sameChangeJoinsTheRunningOne() throws {
        let world = try DaemonWorld(folder: folder)
        world.engine.holdNextCommit()
        let request = UUID()
        let first = try RawClient.greeted(folder.socket)
        try first.send(1, CallTable.shared.commit, CommitRequest(mark: "a"), change: request)
        #expect(world.engine.waitUntil(held: 1))
        let second = try RawClient.greeted(folder.socket)
        try second.send(5, CallTable.shared.commit, CommitRequest(mark: "a"), change: request)
        // The write pool has one thread, which a waiting request must not take.
        #expect(world.waits { $0.clients.last?.calls == 1 })
        world.engine.release()
        for reply in [try first.message(), try second.message()] {
            let body = try #require(reply?.kind == .reply ? reply?.body : nil)
            #expect(try BinaryCoder().decode(CommitReply.self, from: body).version == 1)
        }
        #expect(try world.engine.journal.entries.count == 1)
        #expect(world.server.status.counters.repeatedChanges == 1)
    }

    @Test func sameChangeRunsAfterAFailure() throws {
        let world = try DaemonWorld(folder: folder)
        let request = UUID()
        let client = try RawClient.greeted(folder.socket)
        world.engine.failNextCommit(LibraryError(.noSpace, "Full."))
        try client.send(1, CallTable.shared.commit, CommitRequest(mark: "a"), change: request)
        #expect(try client.message()?.libraryError?.code == .noSpace)
        for number in 2...UInt64(3) {
            try client.send(
                number,
                CallTable.shared.commit,
                CommitRequest(mark: "a"),
                change: request
            )
            #expect(try client.message()?.kind == .reply)
        }
        #expect(try world.engine.journal.entries.count == 1)
    }

    @Test func answersBelongToOneProgram() throws {
        let answers = InMemoryAnsweredRequests()
        let request = UUID()
        try answers.store([1], to: request, of: "a")
        try answers.store([2], to: request, of: "a")
        #expect(try answers.answer(to: request, of: "a") == [1])
        #expect(try answers.answer(to: UUID(), of: "a") == nil)
        let error = #expect(throws: LibraryError.self) {
            try answers.answer(to: request, of: "b")
        }
        #expect(error?.code == .invalidRequest)
    }

    // MARK: - Repeated calls

    @Test func readIsRepeatedOnce() throws {
        let daemon = try ScriptedDaemon(folder.socket) { connection, daemon in
            if let frame = connection.receive() { daemon.count(frame) }
        }
        defer { daemon.stop() }
        let library = try RemoteLibrary(configuration())
        let error = #expect(throws: LibraryError.self) {
            try library.history(HistoryRequest(since: 0, limit: 1))
        }
        #expect(error?.code == .connectionLost)
        #expect(error?.message.contains("may have been made") == false)
        #expect(daemon.headings.map(\.call) == ["history", "history"])
        #expect(daemon.headings.allSatisfy { $0.change == nil })
    }

    @Test func changeIsRepeatedWithTheSameIdentifier() throws {
        let daemon = try ScriptedDaemon(folder.socket) { connection, daemon in
            guard let frame = connection.receive() else { return }
            daemon.count(frame)
            guard connection.number == 3 else { return }
            let reply = try BinaryCoder().encode(CommitReply(version: 9))
            try connection.writer.send(Frame(.reply, request: frame.request, body: reply))
            _ = connection.receive()
        }
        defer { daemon.stop() }
        let library = try RemoteLibrary(configuration())
        #expect(try library.commit(CommitRequest(mark: "a")).version == 9)
        #expect(daemon.headings.count == 4)
        #expect(Set(daemon.headings.map(\.change)).count == 1)
        #expect(daemon.headings.first?.change != nil)
    }

    @Test func changeEndsAfterItsPatience() throws {
        let daemon = try ScriptedDaemon(folder.socket) { connection, daemon in
            if let frame = connection.receive() { daemon.count(frame) }
        }
        defer { daemon.stop() }
        let library = try RemoteLibrary(configuration(patience: .milliseconds(300)))
        let error = #expect(throws: LibraryError.self) {
            try library.commit(CommitRequest(mark: "a"))
        }
        #expect(error?.code == .connectionLost)
        #expect(error?.message.contains("may have been made") == true)
        #expect(daemon.headings.count > 2)
    }

    @Test func missingDaemonIsReported() throws {
        let failure = #expect(throws: ConnectionFailure.self) {
            try RemoteLibrary(configuration())
        }
        guard case .unreachable = failure else {
            Issue.record("\(String(describing: failure))")
            return
        }
        var world: DaemonWorld? = try DaemonWorld(folder: folder)
        let library = try RemoteLibrary(configuration(patience: .milliseconds(200)))
        world?.server.stop(.shutdown)
        #expect(world?.waitForEnd() == true)
        world = nil
        // The first call may notice the end only after it was sent.
        #expect(throws: LibraryError.self) { try library.status() }
        for _ in 0..<2 {
            let error = #expect(throws: LibraryError.self) {
                try library.commit(CommitRequest(mark: "a"))
            }
            #expect(error?.code == .connectionLost)
            // It was never sent.
            #expect(error?.message.contains("may have been made") == false)
        }
    }

    @Test func closingEndsTheWaitForADaemon() throws {
        var world: DaemonWorld? = try DaemonWorld(folder: folder)
        let library = try RemoteLibrary(configuration())
        world?.server.stop(.shutdown)
        #expect(world?.waitForEnd() == true)
        world = nil
        let call = BackgroundCall { try library.status() }
        library.close()
        #expect(try call.error() != nil)
    }

    @Test func readsAreRepeatedOnce() {
        var read = CallAttempts(changesLibrary: false, patience: .seconds(30))
        // A connection that ended before the call was sent is no repetition.
        let answers = [false, false, true, false, true].map { read.repeats(afterLosing: $0) }
        #expect(answers == [true, true, true, true, false])
        #expect(!read.mayHaveChanged)
    }

    @Test func changesAreRepeatedForTheirPatience() {
        let start = SuspendingClock.now
        let time = Mutex(start)
        func answer(
            _ change: inout CallAttempts,
            _ wasSent: Bool,
            sent: Double = 0,
            after seconds: Double
        ) -> Bool {
            time.withLock { $0 = start + .seconds(sent) }
            change.begin()
            time.withLock { $0 = start + .seconds(seconds) }
            return change.repeats(afterLosing: wasSent)
        }
        var change = CallAttempts(changesLibrary: true, patience: .seconds(30)) {
            time.withLock(\.self)
        }
        let unsent = answer(&change, false, after: 0)
        #expect(unsent && !change.mayHaveChanged && change.mayBeCancelled)
        let sent = answer(&change, true, after: 0)
        #expect(sent && change.mayHaveChanged && !change.mayBeCancelled && change.pause == nil)
        let again = answer(&change, true, sent: 5, after: 29)
        #expect(again && change.deadline == start + .seconds(30))
        // It ran for longer than its patience.
        let late = answer(&change, true, sent: 29, after: 100)
        #expect(late && change.deadline == start + .seconds(130))
        for _ in 0..<20 {
            let repeats = answer(&change, true, sent: 101, after: 101)
            #expect(repeats)
        }
        #expect(change.pause == .seconds(1))
        let last = answer(&change, true, sent: 129, after: 130)
        #expect(!last)
    }
}
