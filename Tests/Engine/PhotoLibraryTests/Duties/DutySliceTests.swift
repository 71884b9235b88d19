import Foundation
import GRDB
import LibraryService
import PhotoModel
import TestSupport
import Testing

@testable import PhotoLibrary

/// The background work of a library in slices, and the lock of the process that performs it.
@Suite(.timeLimit(.minutes(2))) struct DutySliceTests {
    let world: LibraryWorld
    let clock = TestClock()
    let store: LibraryStore

    init() throws {
        world = try LibraryWorld()
        clock.advance(by: 1_200_000_000)
        let clock = clock
        store = try LibraryStore.open(at: world.path, clock: { clock.now })
        store.becomeHosted()
    }

    private func perform(_ duty: StoreDuty) throws -> [SliceSize] {
        var sizes = [duty.firstSize]
        var size = duty.firstSize
        while try store.performSlice(of: duty, size: &size).mayHaveMore { sizes.append(size) }
        return sizes
    }

    private func line() throws -> String {
        try String(contentsOfFile: store.bundle.duty, encoding: .utf8)
    }

    private func passDays(_ days: Double) throws {
        clock.advance(by: (days - 1) * 86_400)
        try store.write(author: "test") {
            _ = try $0.insertCollection(LibraryWorld.collection(.album, UUID().uuidString))
        }
        clock.advance(by: 86_400)
    }

    @Test func expiredAssetsAreDeletedInSlices() throws {
        var files: [String] = []
        for name in ["a", "b", "c", "d", "e"] {
            let resource = try world.insertWithFile(LibraryWorld.record(name), bytes: [1, 2])
            files.append(store.bundle.absolutePath(of: resource.path))
        }
        let ids = try store.read { try Int64.fetchAll($0, sql: "SELECT id FROM asset ORDER BY id") }
        try store.write(author: "test") { try $0.trashAssets(Array(ids.dropLast())) }
        try passDays(31)
        // No change of a client waits for the work of a host.
        try passDays(1)
        #expect(try store.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM asset") } == 5)
        let sizes = try perform(.purge)
        #expect(sizes.count > 1)
        let names = try store.read {
            try String.fetchAll($0, sql: "SELECT originalFilename FROM asset")
        }
        #expect(names == ["e"])
        let left = files.filter { FileManager.default.fileExists(atPath: $0) }
        #expect(left == [files[4]])
        #expect(try world.findings() == [])
    }

    @Test func theHistoryIsPrunedAsAtOnce() throws {
        for index in 0..<40 {
            try store.write(author: "test") {
                _ = try $0.insertAsset(LibraryWorld.record("\(index)"))
            }
        }
        try passDays(95)
        _ = try perform(.history)
        let version = try store.currentVersion()
        #expect(try store.historyHorizon(.init()).start == version - 1)
        #expect(try perform(.history).count == 1)
        #expect(try world.findings() == [])
    }

    @Test func answersAreRemovedAfterADay() throws {
        let time = clock.now.timeIntervalSinceReferenceDate
        try store.alone { database in
            for index in 0..<130 {
                try database.execute(
                    sql: "INSERT INTO answered VALUES (randomblob(16), 'p', 1, x'00', ?)",
                    arguments: [time - (index < 120 ? 90_000 : 0)]
                )
            }
        }
        #expect(try perform(.answers).count > 1)
        #expect(try store.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM answered") } == 10)
    }

    @Test func recoveryClearsDeadSessions() throws {
        let session = try StagingSession(
            staging: store.bundle.staging,
            files: FileOperations()
        )
        let file = URL(fileURLWithPath: try session.createFile().0)
        // As after a kill: a copy of the folder, whose lock nobody holds.
        let folder = file.deletingLastPathComponent()
        let dead = folder.deletingLastPathComponent()
            .appendingPathComponent(UUID().uuidString)
        try FileManager.default.copyItem(at: folder, to: dead)
        let draft = dead.appendingPathComponent(file.lastPathComponent).path
        #expect(FileManager.default.fileExists(atPath: draft))
        _ = try perform(.recovery)
        #expect(!FileManager.default.fileExists(atPath: draft))
        var size = StoreDuty.recovery.firstSize
        // Without work, the writer lock is not taken.
        #expect(try store.performSlice(of: .recovery, size: &size).held == .zero)
        #expect(FileManager.default.fileExists(atPath: file.path))
        session.end()
    }

    @Test func slicesAdaptToTheirTime() {
        var size = SliceSize(8, in: 1...20)
        size.adapt(to: .milliseconds(2))
        #expect(size.count == 16)
        size.adapt(to: .microseconds(1))
        #expect(size.count == 20)
        size.adapt(to: .milliseconds(40))
        #expect(size.count == 5)
        size.adapt(to: .seconds(10))
        #expect(size.count == 1)
        size.adapt(to: .zero)
        #expect(size.count == 2)
    }

    @Test func oneProcessAtATimeHasTheLock() throws {
        let own = DutyLock(bundle: store.bundle)
        // Another open file is as another process to the kernel.
        let other = DutyLock(bundle: store.bundle)
        #expect(own.acquire(as: .daemon) && own.acquire(as: .daemon))
        #expect(try line() == "daemon \(getpid())\n")
        #expect(!other.acquire(as: .embedded))
        own.release()
        #expect(own.isHeld && !other.acquire(as: .embedded))
        own.release()
        #expect(!own.isHeld && other.acquire(as: .embedded))
        #expect(try line() == "embedded \(getpid())\n")
        other.release()
        #expect(try line() == "")
        #expect(DutyLock.otherHolder(of: store.bundle) == nil)
    }

    @Test func aProcessThatWaitsForLongTriesRarely() {
        let times = [Duration.zero, .milliseconds(2_999), .seconds(3), .seconds(86_400)]
        let intervals = times.map { DutyLock.retryInterval(after: $0) }
        #expect(intervals == [.milliseconds(50), .milliseconds(50), .seconds(1), .seconds(1)])
    }

    @Test func maintenanceLeavesTheWorkToTheHolder() throws {
        let clock = clock
        let embedded = try LibraryStore.open(at: world.path, clock: { clock.now })
        let id = try #require(try world.insert(LibraryWorld.record()).first)
        try embedded.write(author: "test") { try $0.trashAssets([id]) }
        let host = DutyLock(bundle: store.bundle)
        #expect(host.acquire(as: .daemon))
        clock.advance(by: 86_400 * 31)
        for _ in 0..<3 {
            try embedded.write(author: "test") {
                _ = try $0.insertCollection(LibraryWorld.collection(.album, UUID().uuidString))
            }
            clock.advance(by: 86_400)
        }
        #expect(try embedded.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM asset") } == 1)
        host.release()
        try embedded.write(author: "test") {
            _ = try $0.insertCollection(LibraryWorld.collection(.album, "last"))
        }
        #expect(try embedded.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM asset") } == 0)
    }
}
