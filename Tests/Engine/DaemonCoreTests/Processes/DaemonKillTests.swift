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

/// A daemon that is killed loses no change and makes none twice.
///
/// `PHOTOS_DAEMON_KILLS` sets the number of kills.
@Suite(.timeLimit(.minutes(10))) struct DaemonKillTests {
    private static let killCount =
        ProcessInfo.processInfo.environment["PHOTOS_DAEMON_KILLS"].flatMap { Int($0) } ?? 12

    private let seed = TestSeed()
    private let folder: SocketFolder

    init() throws { folder = try SocketFolder() }

    /// The changes that one writer made, with the versions of their replies.
    private typealias Record = [(mark: String, version: Int64)]

    private func configuration() -> RemoteConfiguration {
        RemoteConfiguration(socketPath: folder.socket, softwareVersion: "writer")
    }

    private func connected() throws -> RemoteLibrary {
        let end = SuspendingClock.now + .seconds(20)
        while true {
            do throws(ConnectionFailure) {
                return try RemoteLibrary(configuration())
            } catch {
                guard error.isTransient, .now < end else { throw error }
                sched_yield()
            }
        }
    }

    @Test func changesAreMadeOnceAlthoughTheDaemonIsKilled() throws {
        var generator = seed.generator
        func serve(_ isLast: Bool) throws -> StandIn {
            if isLast { return try StandIn("serve", folder.socket, folder.journal) }
            let point = KillPoint.allCases.randomElement(using: &generator) ?? .afterChange
            let count = Int.random(in: 1...12, using: &generator)
            return try StandIn("serve", folder.socket, folder.journal, "\(count)", point.rawValue)
        }
        var daemon = try serve(false)
        let observer = try connected()
        let subscription = try observer.subscribe()
        let isDone = Monitor(false)
        // All connect before one of them ends the daemon.
        let libraries = try (0..<4).map { _ in try connected() }
        let writers = libraries.enumerated().map { writer, library in
            BackgroundCall { () -> Record in
                defer { library.close() }
                var record: Record = []
                while !isDone.withLock(\.self) {
                    let mark = "\(writer) \(record.count)"
                    let reply = try library.commit(CommitRequest(mark: mark))
                    record.append((mark, reply.version))
                }
                return record
            }
        }
        // Each daemon ends at its point.
        for index in 1...Self.killCount {
            #expect(daemon.wait() == -SIGKILL, seed.comment)
            daemon = try serve(index == Self.killCount)
        }
        // The last one answers.
        let last = try connected()
        let version = try last.status().version
        while try last.status().version < version + 8 { sched_yield() }
        isDone.update { $0 = true }
        var acknowledged: [String: Int64] = [:]
        for writer in writers {
            for (mark, version) in try writer.value() {
                #expect(acknowledged.updateValue(version, forKey: mark) == nil, seed.comment)
            }
        }
        let entries = try ChangeJournal.entries(path: folder.journal)
        let marks = entries.flatMap(\.marks)
        #expect(Set(marks).count == marks.count, seed.comment)
        let made = Dictionary(uniqueKeysWithValues: entries.map { ($0.marks[0], $0.version) })
        // Every call was answered, with the version of its own change, and nothing else was made.
        #expect(made == acknowledged, seed.comment)
        #expect(entries.map(\.version) == Array(1...Int64(entries.count)), seed.comment)
        // The observer learns of changes through all of it.
        var entry = pollfd(fd: subscription.number, events: Int16(POLLIN), revents: 0)
        #expect(poll(&entry, 1, 20_000) == 1 && subscription.drain())
        #expect(try observer.status().version == Int64(entries.count))
    }

    /// A process that was forked can neither use nor disturb its parent's library.
    @Test func forkedProcessIsRefused() throws {
        let world = try DaemonWorld(folder: folder)
        let client = try StandIn("fork", folder.socket)
        #expect(client.wait() == 0)
        #expect(world.engine.waitUntil(openSessions: 0))
        #expect(world.engine.openedSessions == 1)
    }

    @Test func killedClientsLeaveNothingBehind() throws {
        let world = try DaemonWorld(
            folder: folder,
            engine: FakeEngine(journal: ChangeJournal(path: nil))
        )
        var generator = seed.generator
        let honest = HonestClient(try world.library())
        defer { honest.stop() }
        for round in 0..<12 {
            let client = try StandIn("write", folder.socket, "\(round)")
            let count = Int64.random(in: 0...20, using: &generator)
            let version = world.engine.journal.version + count
            #expect(world.waits { _ in world.engine.journal.version >= version }, seed.comment)
            client.kill()
            #expect(client.wait() == -SIGKILL)
        }
        #expect(world.engine.waitUntil(openSessions: 1))
        honest.stop()
        #expect(try honest.count() > 0)
        let marks = try world.engine.journal.entries.flatMap(\.marks)
        #expect(Set(marks).count == marks.count, seed.comment)
        #expect(world.waits { $0.clients.isEmpty })
    }
}
