import Foundation
import GRDB
import LibraryService
import PhotoModel
import Testing

@testable import PhotoLibrary

@Suite(.timeLimit(.minutes(2))) struct PresenceTests {
    let world: LibraryWorld

    init() throws { world = try LibraryWorld() }

    private func change() throws {
        try world.store.write(author: "test") {
            _ = try $0.insertCollection(LibraryWorld.collection(.album, "A"))
        }
    }

    @Test("Nothing is acknowledged into a database that was replaced")
    func replaced() throws {
        try change()
        let manager = FileManager.default
        let database = world.store.bundle.database
        try manager.moveItem(atPath: database, toPath: database + ".old")
        try manager.copyItem(atPath: database + ".old", toPath: database)
        let error = #expect(throws: LibraryError.self) { try change() }
        #expect(error?.code == .libraryMissing)
        #expect(error?.reason?.contains("replaced") == true)
        #expect(throws: LibraryError.self) { try world.store.checkPresence() }
        #expect(throws: LibraryError.self) { try world.store.readAlone { _ in } }
        #expect(throws: LibraryError.self) { try world.store.withoutWriters {} }
        #expect(throws: LibraryError.self) { try world.store.clearStaging() }
        #expect(throws: LibraryError.self) { try world.store.clearDiscardedFiles() }
        // The same file, restored, is the same library.
        try manager.removeItem(atPath: database)
        try manager.moveItem(atPath: database + ".old", toPath: database)
        try change()
        #expect(try world.store.currentVersion() == 2)
    }

    @Test("A text with a NUL is the same in the row and in the journal")
    func nul() throws {
        try world.store.write(author: "test") {
            _ = try $0.insertCollection(LibraryWorld.collection(.album, "a\0b"))
        }
        let title = try world.store.read {
            try String.fetchOne($0, sql: "SELECT title FROM collection")
        }
        #expect(title == "ab")
        #expect(try world.findings() == [])
        _ = try world.store.undo(.init(), author: "test")
        #expect(try world.findings() == [])
    }
}
