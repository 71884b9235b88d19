import Foundation
import Logging
import PhotoModel
import TestSupport
import Testing

@testable import ImagePipeline

/// The file of renditions on a volume or in a folder that does not cooperate.
@Suite(.timeLimit(.minutes(1))) struct RenditionFileTests {
    private let folder: TemporaryFolder
    private let records = LogRecords()

    init() throws { folder = try TemporaryFolder() }

    private func store(_ name: String = "renditions.sqlite") -> RenditionStore {
        RenditionStore(path: folder.file(name).path, logger: records.logger("test"))
    }

    /// Stores a rendition, and returns the error if that fails.
    @discardableResult
    private func fill(_ store: RenditionStore) -> LibraryError? {
        let stored = store.store(
            .init(
                jpeg: Data("jpeg".utf8),
                size: PixelSize(width: 256, height: 128),
                origin: .content
            ),
            for: .init(assetUUID: "A", contentVersion: 1, sizeClass: 256)
        )
        if case .failure(let error) = stored { return error }
        return nil
    }

    @Test func anErrorNamesTheFileAndEndsWithTheNextSuccess() throws {
        let store = store("later/renditions.sqlite")
        // The file is not opened again at once, for the same reason.
        for _ in 0..<2 {
            let error = try #require(fill(store))
            #expect(error.path == store.file.path && error.recovery?.isEmpty == false)
            #expect(error.message.contains(store.file.path))
        }
        #expect(records.all.count == 1)
        #expect(store.file.length == 0 && !store.file.isThere)
        // A file that came into being is another one, so it is opened at once.
        let other = self.store("other.sqlite")
        #expect(fill(other) == nil)
        _ = try folder.folder("later")
        try FileManager.default.copyItem(
            at: folder.file("other.sqlite"),
            to: folder.file("later/renditions.sqlite")
        )
        #expect(fill(store) == nil)
    }

    /// Refuses statements of a kind in the table of the renditions.
    private func refuse(_ statements: String...) throws {
        let triggers = statements.map { statement in
            """
            CREATE TRIGGER refused\(statement) BEFORE \(statement) ON rendition
            BEGIN SELECT RAISE(ABORT, 'refused \(statement)'); END;
            """
        }
        try ProcessRunner.sqlite(
            triggers.joined(separator: "\n"),
            in: folder.file("renditions.sqlite")
        )
    }

    private func permit(_ statement: String) throws {
        try ProcessRunner.sqlite(
            "DROP TRIGGER refused\(statement);",
            in: folder.file("renditions.sqlite")
        )
    }

    @Test func writesOfAReadOnlyTableAreLoggedOnce() throws {
        let store = store()
        #expect(fill(store) == nil)
        try refuse("INSERT")
        for _ in 0..<3 {
            let error = try #require(fill(store))
            #expect(error.code == .inputOutput && error.reason?.contains("refused") == true)
        }
        #expect(records.all.count == 1)
        try permit("INSERT")
        #expect(fill(store) == nil)
        try refuse("INSERT")
        #expect(fill(store) != nil && records.all.count == 2)
    }

    /// A removal that fails is no reason to report a rendition that is stored.
    @Test func anErrorIsThatOfItsOwnOperation() throws {
        let store = store()
        #expect(fill(store) == nil)
        try refuse("INSERT", "DELETE")
        #expect(fill(store)?.reason?.contains("refused INSERT") == true)
        store.remove(of: "A", contentVersion: 1)
        #expect(records.all.count == 2)
        #expect(fill(store)?.reason?.contains("refused INSERT") == true)
        try permit("INSERT")
        #expect(fill(store) == nil)
    }

    /// The same failure of another file is logged again.
    @Test func aDeletedFileHasNoFailedOperations() throws {
        let store = store()
        for count in 1...2 {
            #expect(fill(store) == nil)
            try refuse("DELETE")
            store.remove(of: "A", contentVersion: 1)
            #expect(records.all.count == count)
            store.file.delete()
        }
    }

    @Test(.enabled(if: geteuid() != 0, "needs a user who is not root, whom modes restrict"))
    func aFileThatBecomesWritableIsWritten() throws {
        _ = try folder.folder("database")
        let name = "database/renditions.sqlite"
        let first = self.store(name)
        #expect(fill(first) == nil)
        first.file.close()
        let store = self.store(name)
        #expect(chmod(store.file.path, 0o400) == 0)
        #expect(fill(store)?.code == .noPermission && records.all.isEmpty)
        #expect(chmod(store.file.path, 0o600) == 0)
        #expect(fill(store) == nil)
    }

    @Test func aDeletedFileIsGoneAndMadeAgain() throws {
        let store = store()
        fill(store)
        let before = store.file.stamp
        #expect(store.file.isThere && store.file.length > 0)
        #expect(store.file.stamp == before)
        store.file.delete()
        #expect(!store.file.isThere && store.file.length == 0 && store.file.stamp != before)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
        #expect(fill(store) == nil && store.count() == 1)
    }

    @Test func theLogIsEmptiedIntoTheFile() throws {
        let store = store()
        fill(store)
        let log = folder.file("renditions.sqlite-wal")
        func length() throws -> Int {
            try log.resourceValues(forKeys: [.fileSizeKey]).fileSize ?? -1
        }
        #expect(try length() > 0)
        store.file.emptyLog()
        #expect(try length() == 0 && store.count() == 1)
    }

    @Test func aClosedFileIsNotOpenedAgain() {
        let store = store()
        fill(store)
        store.file.close()
        #expect(fill(store)?.code == .cancelled && store.count() == 0)
        #expect(self.store().count() == 1)
    }

    @Test func aWriteSucceedsAlthoughTheTablesAreGone() throws {
        let store = store()
        #expect(fill(store) == nil)
        try ProcessRunner.sqlite(
            "DROP TABLE rendition; DROP TABLE sweep; DROP TABLE fingerprint;",
            in: folder.file("renditions.sqlite")
        )
        // The file is begun anew, and the write is repeated at once.
        #expect(fill(store) == nil && store.count() == 1)
    }
}
