import Foundation
import GRDB
import LibraryService
import PhotoModel
import TestSupport
import Testing

@testable import PhotoLibrary

/// The migration to readers, on libraries that earlier versions wrote.
@Suite(.timeLimit(.minutes(1))) struct ReaderMigrationTests {
    private let world: LibraryWorld

    init() throws { world = try LibraryWorld() }

    /// Adds an asset like an import, or like a program.
    private func insert(_ name: String, isImport: Bool = true) throws -> AssetRecord {
        var record = LibraryWorld.record(name)
        let new = record
        record.id = try world.store.write(author: "test", batch: isImport ? name : nil) {
            try $0.insertAsset(new)
        }
        return record
    }

    private func change(
        _ id: Int64,
        batch: String? = nil,
        _ body: (inout AssetRecord) -> Void
    ) throws {
        try world.store.write(author: "test", batch: batch) { transaction in
            var record = try #require(try transaction.asset(id: id))
            body(&record)
            record.modificationDate = record.modificationDate.addingTimeInterval(1)
            try transaction.updateAsset(record, contentChanged: false)
        }
    }

    /// Returns the assets after the migration of a database of version 6.
    private func migrated(historyStart: Int64? = nil) throws -> [String: AssetRecord] {
        if let historyStart {
            try world.tamper("INSERT INTO setting VALUES ('historyStart', '\(historyStart)')")
        }
        try world.store.close()
        try SchemaTests.takeBack(world.store.bundle.database, to: 6)
        let store = try LibraryStore.open(at: world.path)
        #expect(try SchemaTests.verify(store) == [])
        return try Self.assets(store)
    }

    private static func assets(_ store: LibraryStore) throws -> [String: AssetRecord] {
        let records = try store.read { database in
            try Row.fetchAll(database, sql: AssetRecord.map.selectSQL).map(AssetRecord.init(row:))
        }
        return Dictionary(uniqueKeysWithValues: records.map { ($0.originalFilename, $0) })
    }

    @Test func journalSaysWhatPeopleSet() throws {
        _ = try insert("untouched")
        let titled = try insert("\"title\":")
        try change(titled.id) { $0.caption = "a \"rating\":5 in a text" }
        let placed = try insert("placed")
        try change(placed.id) { $0.location = Location(latitude: 1, longitude: 2) }
        try change(placed.id) { $0.keywords = ["x"] }
        try change(placed.id) { $0.isFavorite = true }
        let joined = try insert("joined")
        try change(joined.id, batch: "import") { $0.title = "A sidecar's" }
        _ = try insert("made", isImport: false)

        let assets = try migrated()
        #expect(
            assets.mapValues(\.personFacts) == [
                "untouched": [], "\"title\":": [.caption], "placed": [.location, .keywords],
                "joined": [], "made": [.location, .title, .caption, .keywords, .rating],
            ]
        )
        #expect(assets.values.allSatisfy { $0.readerVersion == 0 })
    }

    /// In a pruned history, only an asset that was never modified is known to be unchanged.
    @Test func prunedHistoryCountsAsSet() throws {
        _ = try insert("untouched")
        let changed = try insert("changed")
        try change(changed.id) { $0.title = "A person's" }
        let start = try world.store.currentVersion()
        let later = try insert("later")
        try change(later.id) { $0.rating = 3 }
        try world.tamper(
            """
            UPDATE journalEntry SET newValues = (SELECT json_set(newValues, '$.title', 'A person''s',
                '$.modificationDate', (SELECT modificationDate FROM asset WHERE id = \(changed.id)))
                ) WHERE objectId = \(changed.id) AND change = 1;
            DELETE FROM journalEntry WHERE objectId = \(changed.id) AND change = 2;
            """
        )
        let assets = try migrated(historyStart: start)
        #expect(
            assets.mapValues(\.personFacts) == [
                "untouched": [], "changed": [.location, .title, .caption, .keywords, .rating],
                "later": [.rating],
            ]
        )
    }

    /// Assets deleted before the migration have no such values in the journal.
    @Test func formerAssetsCanBeRead() throws {
        let gone = try insert("gone")
        try world.store.write(author: "test") { try $0.deleteAsset(id: gone.id) }
        try world.tamper(
            """
            UPDATE journalEntry SET oldValues = json_remove(oldValues, '$.readerVersion',
                '$.personFacts')
            """
        )
        let view = LibraryView(store: world.store)
        let former = try view.read { try $0.formerAsset(gone.id, since: 1) }
        #expect(former?.originalFilename == "gone")
    }

    /// A migration that would fill the volume is not started.
    @Test func spaceIsAskedForFirst() throws {
        _ = try insert("one")
        try world.store.close()
        try SchemaTests.takeBack(world.store.bundle.database, to: 6)
        let path = world.path
        let error = #expect(throws: LibraryError.self) {
            _ = try LibraryStore.open(at: path, migrationSpace: MigrationSpace { _ in 1_000_000 })
        }
        #expect(error?.code == .noSpace)
        #expect(error?.reason?.hasSuffix("1 MB are available.") == true)
        // Nothing was changed, and with enough space it opens.
        _ = try LibraryStore.open(at: path)
        // An up-to-date library needs no migration.
        _ = try LibraryStore.open(at: path, migrationSpace: MigrationSpace { _ in 0 })
    }
}
