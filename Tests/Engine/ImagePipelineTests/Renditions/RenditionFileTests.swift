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

    @discardableResult
    private func fill(_ store: RenditionStore) -> Bool {
        store.store(
            .init(
                jpeg: Data("jpeg".utf8),
                size: PixelSize(width: 256, height: 128),
                origin: .content
            ),
            for: .init(assetUUID: "A", contentVersion: 1, sizeClass: 256)
        )
    }

    @Test func aProblemNamesTheFileAndEndsWithTheNextSuccess() throws {
        let store = store("later/renditions.sqlite")
        #expect(store.file.problem == nil)
        #expect(!fill(store))
        let problem = try #require(store.file.problem)
        #expect(problem.path == store.file.path && problem.recovery?.isEmpty == false)
        #expect(problem.message.contains(store.file.path))
        #expect(store.file.length == 0 && !store.file.isThere)
        // A file that came into being is another one, so it is opened at once.
        let other = self.store("other.sqlite")
        #expect(fill(other) && other.file.problem == nil)
        _ = try folder.folder("later")
        try FileManager.default.copyItem(
            at: folder.file("other.sqlite"),
            to: folder.file("later/renditions.sqlite")
        )
        #expect(fill(store) && store.file.problem == nil)
    }

    @Test func writesOfAReadOnlyTableAreReportedOnce() throws {
        let store = store()
        #expect(fill(store))
        let trigger = """
            CREATE TRIGGER refusal BEFORE INSERT ON rendition
            BEGIN SELECT RAISE(ABORT, 'refused'); END;
            """
        try ProcessRunner.sqlite(trigger, in: folder.file("renditions.sqlite"))
        for _ in 0..<3 { #expect(!fill(store)) }
        #expect(records.all.count == 1)
        let problem = try #require(store.file.problem)
        #expect(problem.code == .inputOutput && problem.reason?.contains("refused") == true)
        try ProcessRunner.sqlite("DROP TRIGGER refusal;", in: folder.file("renditions.sqlite"))
        #expect(fill(store) && store.file.problem == nil)
    }

    @Test func aProblemLastsUntilItsOwnOperationSucceeds() throws {
        let store = store()
        #expect(fill(store))
        let triggers = ["INSERT", "DELETE"].map { statement in
            """
            CREATE TRIGGER refused\(statement) BEFORE \(statement) ON rendition
            BEGIN SELECT RAISE(ABORT, 'refused \(statement)'); END;
            """
        }
        let file = folder.file("renditions.sqlite")
        try ProcessRunner.sqlite(triggers.joined(separator: "\n"), in: file)
        store.remove(of: "A", contentVersion: 1)
        #expect(!fill(store))
        #expect(store.file.problem?.reason?.contains("refused INSERT") == true)
        try ProcessRunner.sqlite("DROP TRIGGER refusedINSERT;", in: file)
        #expect(fill(store))
        #expect(store.file.problem?.reason?.contains("refused DELETE") == true)
        try ProcessRunner.sqlite("DROP TRIGGER refusedDELETE;", in: file)
        store.remove(of: "A", contentVersion: 1)
        #expect(store.file.problem == nil)
    }

    @Test(.enabled(if: geteuid() != 0, "needs a user who is not root, whom modes restrict"))
    func aFileThatBecomesWritableHasNoProblem() throws {
        _ = try folder.folder("database")
        let name = "database/renditions.sqlite"
        let first = self.store(name)
        #expect(fill(first))
        first.file.close()
        let store = self.store(name)
        #expect(chmod(store.file.path, 0o400) == 0)
        #expect(!fill(store))
        #expect(store.file.problem?.code == .noPermission && records.all.isEmpty)
        #expect(chmod(store.file.path, 0o600) == 0)
        #expect(fill(store) && store.file.problem == nil)
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
        #expect(fill(store) && store.count() == 1)
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
        #expect(!fill(store) && store.count() == 0)
        #expect(self.store().count() == 1)
    }

    @Test func aWriteSucceedsAlthoughTheTablesAreGone() throws {
        let store = store()
        #expect(fill(store))
        try ProcessRunner.sqlite(
            "DROP TABLE rendition; DROP TABLE sweep; DROP TABLE fingerprint;",
            in: folder.file("renditions.sqlite")
        )
        // The file is begun anew, and the write is repeated at once.
        #expect(fill(store) && store.count() == 1 && store.file.problem == nil)
    }
}
