import Foundation
import GRDB
import LibraryService
import PhotoModel
import TestSupport
import Testing

@testable import PhotoLibrary

/// The migration to a journal that names objects by UUIDs, on a library with history that the
/// version before it wrote.
///
/// The library has an album in two folders that was renumbered, with a hidden member and one that
/// was removed; a deleted album with a purged member; and an undone change.
@Suite(.timeLimit(.minutes(2))) struct TravellingJournalMigrationTests {
    private let world: LibraryWorld
    private let clock = TestClock()

    init() throws {
        world = try LibraryWorld()
        try world.store.close()
        let path = world.store.bundle.database
        for suffix in ["", "-wal", "-shm"]
        where FileManager.default.fileExists(atPath: path + suffix) {
            try FileManager.default.removeItem(atPath: path + suffix)
        }
        try? FileManager.default.removeItem(atPath: world.store.bundle.changed)
        let queue = try DatabaseQueue(path: path)
        let file = SharedData.packageRoot.appendingPathComponent("Tests/Resources/library-8.sql")
        let sql = try String(contentsOf: file, encoding: .utf8)
        try queue.writeWithoutTransaction { database in
            try database.execute(sql: "PRAGMA foreign_keys = OFF; PRAGMA journal_mode = WAL")
            try database.execute(sql: sql)
        }
        try queue.close()
        // An hour after its last change.
        clock.advance(by: 17_240_000)
    }

    private func open(at path: String? = nil) throws -> LibraryStore {
        let clock = clock
        return try LibraryStore.open(at: path ?? world.path, clock: { clock.now })
    }

    /// Returns the findings of a check; the frozen library has no files.
    private static func findings(_ store: LibraryStore) throws -> [String] {
        let verifier = Verifier(store: store)
        var findings: [String] = []
        var cursor: VerifyCursor?
        repeat {
            let reply = try verifier.verify(
                VerifyRequest(isFull: true, repairs: false, cursor: cursor)
            )
            findings += reply.findings.filter { $0.kind != "missingFile" }
                .map { "\($0.kind): \($0.message)" }
            cursor = reply.next
        } while cursor != nil
        return findings
    }

    private static func titles(_ store: LibraryStore) throws -> [String] {
        try store.read {
            try String.fetchAll($0, sql: "SELECT title FROM collection ORDER BY title")
        }
    }

    private static func members(_ title: String, _ store: LibraryStore) throws -> [String] {
        try store.read { database in
            try String.fetchAll(
                database,
                sql: """
                    SELECT originalFilename FROM albumAsset JOIN asset ON asset.id = assetId
                        JOIN collection ON collection.id = albumId
                    WHERE collection.title = ? ORDER BY albumAsset.position, assetId
                    """,
                arguments: [title]
            )
        }
    }

    @Test func migratedLibraryIsSound() throws {
        let store = try open()
        #expect(try Self.findings(store) == [])
        #expect(try store.currentVersion() == 52)
        let (rows, replayed) = try store.read {
            (try LibraryReadings.rows(of: $0), try LibraryReadings.replay(of: $0))
        }
        #expect(rows.collections == replayed.collections)
        #expect(rows.members == replayed.members)
        let changes = try store.read { try HistorySummary.versions($0, since: 0, limit: 99) }
        #expect(changes.count == 52)
        // Versions of the former library have no time of the hybrid clock; new ones continue.
        _ = try store.undo(UndoRequest(), author: "test")
        let clocks = try store.read {
            try Int64?.fetchAll($0, sql: "SELECT hlc FROM journalVersion ORDER BY version")
        }
        #expect(clocks.dropLast().allSatisfy { $0 == nil })
        #expect(clocks.last.flatMap(\.self) ?? 0 > 1_700_000_000_000 << 20)
    }

    /// The deleted album returns with its members and folder, then a new change names both by UUID,
    /// then all changes are undone back to the creation of the albums.
    @Test func undoAndRedoReachAcrossTheMigration() throws {
        let store = try open()
        #expect(try Self.titles(store) == ["Inner", "One", "Outer"])
        _ = try store.undo(UndoRequest(), author: "test")
        #expect(try Self.titles(store) == ["Deux", "Inner", "One", "Outer"])
        #expect(try Self.members("Deux", store) == ["p5.heif", "p1.heif"])
        _ = try store.undo(UndoRequest(redoes: true), author: "test")
        #expect(try Self.titles(store) == ["Inner", "One", "Outer"])
        let before = try Self.members("One", store)
        var undone = 0
        while try store.currentVersion() < 140 {
            do {
                _ = try store.undo(UndoRequest(), author: "test")
                undone += 1
            } catch let error as LibraryError {
                // The purge cannot be undone.
                #expect(error.message.contains("permanently deleted"))
                break
            }
        }
        #expect(undone > 34)
        #expect(before != [])
        #expect(try Self.findings(store) == [])
        #expect(try Self.members("One", store) == ["p4.jp2", "p1.heif", "p3.heif"])
        #expect(try Self.members("Two", store) == ["p5.heif", "p1.heif"])
        // And forward again.
        while (try? store.undo(UndoRequest(redoes: true), author: "test")) != nil {}
        #expect(try Self.members("One", store) == before)
        #expect(try Self.findings(store) == [])
    }

    @Test func prunedHistoryOfBothFormsYieldsTheRows() throws {
        let store = try open()
        _ = try store.undo(UndoRequest(), author: "test")
        clock.advance(by: 200 * 86_400)
        try store.write(author: "test") { transaction in
            _ = try transaction.insertCollection(LibraryWorld.collection(.album, "New"))
        }
        try store.pruneHistory()
        #expect(try store.historyHorizon(.init()).start >= 53)
        #expect(try Self.findings(store) == [])
        let texts = try store.read {
            try String.fetchAll(
                $0,
                sql: """
                    SELECT coalesce(newValues, '') || coalesce(members, '') FROM journalEntry
                    WHERE kind IN (2, 3)
                    """
            )
        }
        // Nothing that only this library understands is left.
        #expect(texts.allSatisfy { !$0.contains("parentId") && !$0.contains("[[1") })
        #expect(texts.contains { $0.contains("\"parent\":\"") })
    }

    /// A library that a later version migrated is refused, and stays as it was.
    @Test func olderProgramRefusesALibraryOfALaterVersion() throws {
        try open().close()
        try world.tamper("INSERT INTO grdb_migrations VALUES ('99: later')")
        let error = #expect(throws: LibraryError.self) { try open() }
        #expect(error?.code == .newerFormat)
    }

    /// The state of the files at each statement of the migration is what a kill leaves there.
    @Test func killDuringTheMigrationLeavesTheOldOrTheNewLibrary() throws {
        let copies = try TemporaryFolder("photos-killed")
        let source = world.store.bundle.root
        var count = 0
        let queue = try DatabaseQueue(path: world.store.bundle.database)
        try queue.writeWithoutTransaction { database in
            // A tiny cache writes pages to the log before the commit, too.
            try database.execute(sql: "PRAGMA cache_size = 1")
            database.trace { _ in
                try? FileManager.default.copyItem(
                    atPath: source,
                    toPath: copies.path + "/\(count).photolibrary"
                )
                count += 1
            }
        }
        try Schema.migrator.migrate(queue)
        queue.writeWithoutTransaction { $0.trace() }
        #expect(count > 5)
        var migrated = 0
        for index in 0..<count {
            let path = copies.path + "/\(index).photolibrary"
            let reader = try DatabaseQueue(path: path + "/database/library.sqlite")
            let version = try reader.read { try Schema.version(of: $0) }
            #expect((8...10).contains(version))
            if version == 10 { migrated += 1 }
            try reader.close()
            let store = try open(at: path)
            #expect(try Self.findings(store) == [], "killed at statement \(index)")
            #expect(try store.currentVersion() == 52)
            try store.close()
        }
        #expect(migrated < count)
        try queue.close()
    }
}
