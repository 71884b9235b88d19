import Dispatch
import Foundation
import GRDB
import Glibc
import PhotoModel
import Synchronization
import TestSupport
import Testing

@testable import PhotoLibrary

@Suite(.timeLimit(.minutes(1))) struct ConnectionPoolTests {
    let world: LibraryWorld

    init() throws {
        world = try LibraryWorld()
        try world.insert(LibraryWorld.record())
        try world.store.close()
    }

    private var bundle: LibraryBundle { world.store.bundle }

    private func count(_ store: LibraryStore) throws -> Int? {
        try store.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM asset") }
    }

    private func hasLog() -> Bool { access(bundle.log, F_OK) == 0 }

    @Test func readingWritesNothing() throws {
        let before = try Data(contentsOf: URL(fileURLWithPath: bundle.database))
        let store = try LibraryStore.open(at: world.path)
        #expect(try count(store) == 1)
        #expect(try store.presentVersion().version == 1)
        #expect(FileSystem.length(of: bundle.log) == 0)
        try store.close()
        #expect(!hasLog())
        #expect(try Data(contentsOf: URL(fileURLWithPath: bundle.database)) == before)
    }

    @Test func destroyingAStoreRemovesTheLog() throws {
        var store: LibraryStore? = try LibraryStore.open(at: world.path)
        #expect(try store.map(count) == 1)
        #expect(hasLog())
        store = nil
        #expect(!hasLog())
    }

    @Test func theLogStaysWhileAnotherConnectionReads() throws {
        let first = try LibraryStore.open(at: world.path)
        let second = try LibraryStore.open(at: world.path)
        #expect(try count(first) == 1)
        try first.close()
        #expect(hasLog())
        #expect(try count(second) == 1)
        try second.close()
        #expect(!hasLog())
    }

    @Test func aLogWithContentIsCheckpointedByReadersAlone() throws {
        // What a program that is killed after its commit leaves behind.
        let writer = try LibraryStore.open(at: world.path)
        _ = try writer.write(author: "test") { try $0.insertAsset(LibraryWorld.record()) }
        let log = try Data(contentsOf: URL(fileURLWithPath: bundle.log))
        let database = try Data(contentsOf: URL(fileURLWithPath: bundle.database))
        try writer.close()
        try database.write(to: URL(fileURLWithPath: bundle.database))
        try log.write(to: URL(fileURLWithPath: bundle.log))

        let store = try LibraryStore.open(at: world.path)
        #expect(try count(store) == 2)
        try store.close()
        #expect(!hasLog())
        let again = try LibraryStore.open(at: world.path)
        #expect(try count(again) == 2)
    }

    @Test func aDatabaseWithoutALogGetsOneWhenItIsOpened() throws {
        let queue = try DatabaseQueue(path: bundle.database)
        try queue.writeWithoutTransaction { try $0.execute(sql: "PRAGMA journal_mode = DELETE") }
        try queue.close()
        let store = try LibraryStore.open(at: world.path)
        let mode = try store.read { try String.fetchOne($0, sql: "PRAGMA journal_mode") }
        #expect(mode == "wal")
        #expect(try count(store) == 1)
    }

    @Test func aReadSeesOneSnapshot() throws {
        let store = try LibraryStore.open(at: world.path)
        let counts = try store.read { database in
            let before = try Int.fetchOne(database, sql: "SELECT count(*) FROM asset")
            _ = try store.write(author: "test") { try $0.insertAsset(LibraryWorld.record()) }
            return (before, try Int.fetchOne(database, sql: "SELECT count(*) FROM asset"))
        }
        #expect(counts == (1, 1))
        #expect(try count(store) == 2)
    }

    @Test func aFailedReadLeavesNoTransaction() throws {
        struct Failure: Error {}
        let store = try LibraryStore.open(at: world.path)
        for _ in 0..<20 {
            #expect(throws: Failure.self) { try store.read { _ in throw Failure() } }
        }
        _ = try store.write(author: "test") { try $0.insertAsset(LibraryWorld.record()) }
        #expect(try count(store) == 2)
    }

    @Test func statementJournalsStayInMemoryExceptInMigrations() throws {
        let store = try LibraryStore.open(at: world.path)
        func place(_ database: Database) throws -> Int? {
            try Int.fetchOne(database, sql: "PRAGMA temp_store")
        }
        #expect(try store.write(author: "test") { try place($0.database) } == 2)
        let queue = try DatabaseQueue(path: bundle.database)
        try queue.writeWithoutTransaction(StatementJournal.keepInMemory)
        let during = try StatementJournal.inFiles(queue) { try queue.read(place) }
        #expect(during == 0)
        #expect(try queue.read(place) == 2)
    }

    @Test func readersCannotWrite() throws {
        let store = try LibraryStore.open(at: world.path)
        #expect(throws: DatabaseError.self) {
            try store.read { try $0.execute(sql: "DELETE FROM asset") }
        }
        #expect(try count(store) == 1)
    }

    @Test func manyThreadsReadWhileOneWrites() throws {
        let store = try LibraryStore.open(at: world.path)
        let wrong = Mutex(0)
        DispatchQueue.concurrentPerform(iterations: 64) { index in
            do {
                if index.isMultiple(of: 8) {
                    _ = try store.write(author: "test") {
                        try $0.insertAsset(LibraryWorld.record())
                    }
                } else {
                    let isSame = try store.read { database in
                        let first = try Int.fetchOne(database, sql: "SELECT count(*) FROM asset")
                        sched_yield()
                        return try Int.fetchOne(database, sql: "SELECT count(*) FROM asset")
                            == first
                    }
                    if !isSame { wrong.withLock { $0 += 1 } }
                }
            } catch {
                wrong.withLock { $0 += 1 }
            }
        }
        let failures = wrong.withLock { $0 }
        #expect(failures == 0)
        #expect(try count(store) == 9)
    }

    @Test func closingWaitsForReads() throws {
        let store = try LibraryStore.open(at: world.path)
        let (isReading, mayEnd) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let result = Mutex<Int?>(nil)
        let group = DispatchGroup()
        DispatchQueue.global().async(group: group) {
            let count = try? store.read { database in
                isReading.signal()
                mayEnd.wait()
                return try Int.fetchOne(database, sql: "SELECT count(*) FROM asset")
            }
            result.withLock { $0 = count ?? nil }
        }
        isReading.wait()
        let isClosed = Mutex(false)
        DispatchQueue.global().async(group: group) {
            try? store.close()
            isClosed.withLock { $0 = true }
        }
        // Calls fail from the moment at which the store begins to close.
        while (try? store.write(author: "test") { _ in }) != nil { sched_yield() }
        let wasEarly = isClosed.withLock { $0 }
        #expect(!wasEarly)
        mayEnd.signal()
        group.wait()
        let read = result.withLock { $0 }
        #expect(read == 1)
        #expect(!hasLog())
        #expect(throws: DatabaseError.self) { try store.currentVersion() }
    }
}
