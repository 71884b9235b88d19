import Foundation
import GRDB
import PhotoModel
import TestSupport
import Testing

@testable import PhotoLibrary

/// Each defect of a library has a specific error, and nothing is changed.
@Suite(.timeLimit(.minutes(2))) struct LibraryOpeningTests {
    let folder: TemporaryFolder
    let path: String

    init() throws {
        LibraryWorld.isolateState()
        folder = try TemporaryFolder("photos-opening")
        path = folder.path + "/Test.photolibrary"
    }

    private func code(_ path: String) -> LibraryError.Code? {
        do throws(LibraryError) {
            _ = try LibraryStore.open(at: path)
            return nil
        } catch {
            #expect(error.message.contains(path) || error.path?.contains(path) == true)
            return error.code
        }
    }

    private func contents() throws -> [String: Data] {
        let files =
            FileManager.default.enumerator(atPath: folder.path)?.allObjects as? [String] ?? []
        return try files.reduce(into: [:]) { all, name in
            var isFolder: ObjCBool = false
            let file = folder.path + "/" + name
            guard FileManager.default.fileExists(atPath: file, isDirectory: &isFolder) else {
                return
            }
            all[name] =
                isFolder.boolValue ? Data() : try Data(contentsOf: URL(fileURLWithPath: file))
        }
    }

    @Test func newLibraryOpensEmpty() throws {
        try LibraryStore.create(at: path)
        let store = try LibraryStore.open(at: path)
        #expect(try store.currentVersion() == 0)
        #expect(store.readOnlyReason == nil)
    }

    @Test func writesAreSynchronizedFully() throws {
        try LibraryStore.create(at: path)
        let store = try LibraryStore.open(at: path)
        let level = try store.write(author: "test") { transaction in
            try Int.fetchOne(transaction.database, sql: "PRAGMA synchronous")
        }
        #expect(level == 2)
    }

    @Test func missingFolderIsNamed() throws {
        #expect(code(path) == .libraryMissing)
        #expect(try contents().isEmpty)
    }

    @Test func libraryThatWasThereIsAMissingVolume() throws {
        try LibraryStore.create(at: path)
        try FileManager.default.moveItem(atPath: path, toPath: path + ".elsewhere")
        #expect(code(path) == .volumeMissing)
        // An unmounted volume leaves its empty mount point.
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        #expect(code(path) == .volumeMissing)
        #expect(try FileManager.default.contentsOfDirectory(atPath: path).isEmpty)
    }

    @Test func fileAndForeignFolderAreNoLibraries() throws {
        try folder.write(Data("hello".utf8), to: "Test.photolibrary")
        #expect(code(path) == .notALibrary)
        let other = folder.path + "/Holiday"
        try folder.write(Data("hello".utf8), to: "Holiday/notes.txt")
        let before = try contents()
        #expect(code(other) == .notALibrary)
        #expect(try contents() == before)
    }

    @Test func newerBundleIsNotTouched() throws {
        try LibraryStore.create(at: path)
        try Data("2\n".utf8).write(to: URL(fileURLWithPath: path + "/version"))
        let before = try contents()
        #expect(code(path) == .newerFormat)
        #expect(try contents() == before)
    }

    @Test func newerTablesAreRefused() throws {
        let world = try LibraryWorld()
        try world.tamper("INSERT INTO grdb_migrations VALUES ('2: something later')")
        #expect(code(world.path) == .newerFormat)
    }

    @Test func versionThatIsNoNumberIsDamage() throws {
        try LibraryStore.create(at: path)
        try Data("one".utf8).write(to: URL(fileURLWithPath: path + "/version"))
        #expect(code(path) == .corrupt)
    }

    @Test func missingDatabaseIsDamageAndNotMadeAnew() throws {
        try LibraryStore.create(at: path)
        let database = path + "/database/library.sqlite"
        try FileManager.default.removeItem(atPath: database)
        #expect(code(path) == .corrupt)
        #expect(!FileManager.default.fileExists(atPath: database))
    }

    @Test(arguments: [0, 100, 4_096])
    func overwrittenDatabaseIsDamage(offset: Int) throws {
        try LibraryStore.create(at: path)
        let database = URL(fileURLWithPath: path + "/database/library.sqlite")
        var bytes = try Data(contentsOf: database)
        bytes.replaceSubrange(offset..<(offset + 900), with: Data(repeating: 0xA5, count: 900))
        try bytes.write(to: database)
        #expect(code(path) == .corrupt)
        #expect(try Data(contentsOf: database) == bytes)
    }

    @Test func emptyDatabaseIsDamage() throws {
        try LibraryStore.create(at: path)
        try Data().write(to: URL(fileURLWithPath: path + "/database/library.sqlite"))
        #expect(code(path) == .corrupt)
    }

    @Test(.enabled(if: geteuid() != 0, "root may read everything"))
    func unreadableFolderIsNoPermission() throws {
        try LibraryStore.create(at: path)
        chmod(path, 0)
        defer { chmod(path, 0o755) }
        #expect(code(path) == .noPermission)
    }

    @Test func creatingOverAnythingIsRefused() throws {
        try folder.write(Data("precious".utf8), to: "Test.photolibrary/letter.txt")
        let before = try contents()
        #expect(throws: LibraryError.self) { try LibraryStore.create(at: path) }
        #expect(try contents() == before)
    }

    @Test func creatingInAnEmptyFolderWorks() throws {
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        try LibraryStore.create(at: path)
        #expect(code(path) == nil)
        // No temporary files of the creation are left beside it.
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: folder.path) == [
                "Test.photolibrary"
            ]
        )
    }
}
