import Foundation
import GRDB
import Glibc
import LibraryService
import PhotoModel
import TestSupport
import Testing

@testable import PhotoLibrary

@Suite(.timeLimit(.minutes(1))) struct WriteAheadLogTests {
    let world: LibraryWorld

    init() throws { world = try LibraryWorld() }

    private var logLength: Int64 { FileSystem.length(of: world.store.bundle.log) }

    /// Makes a change whose log exceeds the limit.
    private func changeMuch() throws {
        let text = String(repeating: "x", count: 1 << 20)
        try world.store.write(author: "test") { transaction in
            for _ in 0..<6 {
                var record = LibraryWorld.record()
                record.caption = text
                try transaction.insertAsset(record)
            }
        }
    }

    @Test func aLongLogIsTruncatedAfterTheChange() throws {
        try changeMuch()
        #expect(logLength <= WriteAheadLog.sizeLimit)
    }

    @Test func aReaderKeepsTheLogUntilItEnds() throws {
        try world.insert(LibraryWorld.record())
        let reader = try PinnedReader(world.store.makeReader())
        let version = try reader.begin()
        try changeMuch()
        #expect(logLength > WriteAheadLog.sizeLimit)
        // The reader still reads its snapshot, and no writer waited for it.
        #expect(try reader.read(JournalWriter.currentVersion) == version)
        try reader.end()
        try world.insert(LibraryWorld.record())
        #expect(logLength <= WriteAheadLog.sizeLimit)
    }

    @Test func closingRemovesTheLog() throws {
        try world.insert(LibraryWorld.record())
        _ = try world.store.readOnce { try Int.fetchOne($0, sql: "SELECT count(*) FROM asset") }
        #expect(logLength > 0)
        try world.store.close()
        #expect(access(world.store.bundle.log, F_OK) != 0)
        #expect(throws: DatabaseError.self) { try world.store.currentVersion() }
    }

    @Test func creatingLeavesNoLog() throws {
        let path = world.folder.path + "/Other.photolibrary"
        try LibraryStore.create(at: path)
        #expect(access(LibraryBundle(root: path).log, F_OK) != 0)
    }
}
