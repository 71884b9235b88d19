import Foundation
import GRDB
import Glibc
import LibraryService
import Logging
import PhotoModel
import TestSupport
import Testing

@testable import PhotoLibrary

/// What the engine records, each by the event itself.
@Suite(.timeLimit(.minutes(2))) struct EngineLogTests {
    let records = LogRecords()
    let world: LibraryWorld
    let clock = TestClock()

    init() throws { world = try LibraryWorld() }

    private func loggers(_ level: Logger.Level = .trace) -> LibraryLoggers {
        LibraryLoggers { records.logger($0, level: level) }
    }

    private func store(_ level: Logger.Level = .trace) throws -> LibraryStore {
        let clock = clock
        return try LibraryStore.open(
            at: world.path,
            loggers: loggers(level),
            clock: { clock.now }
        )
    }

    @Test func aWaitForAnotherProcessIsRecorded() async throws {
        let store = try store()
        let holder = Process()
        let (input, output) = (Pipe(), Pipe())
        holder.executableURL = URL(fileURLWithPath: "/usr/bin/flock")
        holder.arguments = [store.bundle.lock, "sh", "-c", "echo held; read line"]
        holder.standardInput = input
        holder.standardOutput = output
        try holder.run()
        #expect(output.fileHandleForReading.availableData == Data("held\n".utf8))
        let begun = DispatchSemaphore(value: 0)
        async let write: Void = Self.insert(into: store, begun)
        await Task.detached { Self.wait(begun) }.value
        // Time is the subject: another process writes for this long.
        usleep(150_000)
        try input.fileHandleForWriting.write(contentsOf: Data("\n".utf8))
        try await write
        holder.waitUntilExit()
        let record = try #require(
            records.of("The writer lock was held by another writer.").first
        )
        #expect(record.label == "photos.store")
        #expect(record.level == "debug")
        #expect(record.metadata["lock.holder"] == "process")
        let milliseconds = Int(record.metadata["lock.milliseconds"] ?? "") ?? 0
        #expect((100..<30_000).contains(milliseconds))
    }

    private static func insert(into store: LibraryStore, _ begun: DispatchSemaphore) async throws {
        try await Task.detached {
            begun.signal()
            _ = try store.write(author: "test") {
                try $0.insertAsset(LibraryWorld.record())
            }
        }.value
    }

    private static func wait(_ semaphore: DispatchSemaphore) { semaphore.wait() }

    @Test func aShortWaitIsNotRecorded() throws {
        let store = try store()
        _ = try store.write(author: "test") { try $0.insertAsset(LibraryWorld.record()) }
        #expect(records.of("The writer lock was held by another writer.").isEmpty)
    }

    @Test func aMigrationIsRecorded() throws {
        _ = try world.insert(LibraryWorld.record())
        try world.store.close()
        try SchemaTests.takeBack(world.store.bundle.database, to: 6)
        let store = try store(.info)
        let current = try store.read(Schema.version)
        let begun = try #require(records.of("The database is being migrated.").first)
        let ended = try #require(records.of("The database was migrated.").first)
        #expect(begun.level == "info" && ended.level == "info")
        #expect(begun.metadata["migration.from"] == "6")
        #expect(ended.metadata["migration.to"] == "\(current)")
        #expect(Int(ended.metadata["migration.milliseconds"] ?? "") != nil)
        // Once is enough.
        _ = try LibraryStore.open(at: world.path, loggers: loggers())
        #expect(records.of("The database was migrated.").count == 1)
    }

    @Test func recoveryIsRecorded() throws {
        let store = try store()
        let orphan = "originals/ab/AB000000-0000-0000-0000-000000000000.jpg"
        let file = URL(fileURLWithPath: store.bundle.absolutePath(of: orphan))
        let session = URL(
            fileURLWithPath: store.bundle.staging + "/DEAD0000-0000-0000-0000-000000000000"
        )
        for folder in [file.deletingLastPathComponent(), session] {
            try FileManager.default.createDirectory(
                at: folder,
                withIntermediateDirectories: true
            )
        }
        try Data("bytes".utf8).write(to: file)
        try Data("version \(try store.currentVersion())\n\(orphan)\n".utf8)
            .write(to: session.appendingPathComponent("intentions"))
        _ = try store.write(author: "test") { try $0.insertAsset(LibraryWorld.record()) }
        let record = try #require(records.of("Interrupted work was cleaned up.").first)
        #expect(record.level == "info")
        #expect(record.metadata == ["recovery.sessions": "1", "recovery.files": "1"])
    }

    @Test func pruningIsRecorded() throws {
        let store = try store()
        let day = 86_400.0
        let ids = try store.write(author: "test") { transaction in
            try (0..<3).map { try transaction.insertAsset(LibraryWorld.record("\($0)")) }
        }
        try store.write(author: "test") { try $0.trashAssets([ids[0]]) }
        clock.advance(by: 100 * day)
        try store.pruneHistory()
        let record = try #require(records.of("The history was pruned.").first)
        #expect(record.label == "photos.maintenance")
        #expect(record.level == "debug")
        #expect(record.metadata["history.start"] == "2")
        #expect((Int(record.metadata["history.rows"] ?? "") ?? 0) > 0)
    }

    @Test func assetsThatExpireAreRecorded() throws {
        let store = try store()
        let ids = try store.write(author: "test") { transaction in
            [try transaction.insertAsset(LibraryWorld.record())]
        }
        try store.write(author: "test") { try $0.trashAssets(ids) }
        for _ in 0..<2 {
            clock.advance(by: 32 * 86_400)
            _ = try store.write(author: "test") { try $0.insertAsset(LibraryWorld.record()) }
        }
        let record = try #require(records.of("Expired assets were deleted.").first)
        #expect(record.metadata["maintenance.assets"] == "1")
    }

    @Test func aSlowStatementIsRecordedWithoutItsValues() throws {
        let store = try store()
        try Self.runSlowStatement(store)
        let record = try #require(records.of("A statement was slow.").first)
        #expect(record.label == "photos.store")
        #expect(record.level == "debug")
        #expect(record.metadata["statement.sql"] == "SELECT pause(?)")
        #expect((Int(record.metadata["statement.milliseconds"] ?? "") ?? 0) >= 100)
        let count = records.all.count
        _ = try store.read { try Int.fetchOne($0, sql: "SELECT 1") }
        #expect(records.all.count == count)
    }

    @Test func aSlowStatementCostsNothingAboveDebug() throws {
        try Self.runSlowStatement(try store(.info))
        #expect(records.of("A statement was slow.").isEmpty)
    }

    private static func runSlowStatement(_ store: LibraryStore) throws {
        try store.read { database in
            let pause = DatabaseFunction("pause", argumentCount: 1) { _ in
                // Time is the subject: the statement takes this long.
                usleep(120_000)
                return nil
            }
            database.add(function: pause)
            _ = try Row.fetchAll(database, sql: "SELECT pause(?)", arguments: ["Grandma"])
        }
    }

    @Test func failedMaintenanceIsRecorded() {
        let maintenance = Maintenance()
        maintenance.runIfDue(now: clock.now, logger: records.logger("photos.maintenance")) {
            throw LibraryError(.noSpace, "It is full.")
        }
        let record = records.of("Maintenance failed and will be tried again.").first
        #expect(record?.level == "warning")
        #expect(record?.metadata["maintenance.code"] == "noSpace")
    }

    @Test func aTrimmedCacheIsRecorded() {
        let cache = FetchCache(limitInBytes: 1_500, logger: records.logger("photos.caches"))
        for limit in 1...4 {
            var request = AssetFetchRequest()
            request.limit = limit
            cache.store(
                FetchCache.Answer(
                    snapshot: LibrarySnapshot(version: 1),
                    ids: RowIDBuffer([1])
                ),
                to: .assets(request)
            )
        }
        let trims = records.of("A cache was trimmed.")
        #expect(trims.count == 2)
        #expect(trims.first?.metadata["cache.name"] == "fetches")
        #expect(trims.first?.metadata["cache.entries"] == "1")
    }

    @Test(arguments: [Logger.Level.debug, .info])
    func pathsAppearAtTheDebugLevelOnly(_ level: Logger.Level) throws {
        _ = try store(level)
        let folder = world.folder.path
        let naming = records.all.filter { record in
            record.metadata.values.contains { $0.contains(folder) }
        }
        #expect(naming.isEmpty == (level == .info))
        #expect(naming.allSatisfy { $0.level == "debug" })
    }
}
