import CloudSync
import LibraryService
import PhotoModel
import SamplePhotos
import TestSupport
import Testing

@testable import CloudSimulation
@testable import PhotoLibrary

/// New order keys of all albums and folders in a folder without room for another one.
@Suite(.timeLimit(.minutes(5))) struct FolderOrderTests {
    private let libraries: [SyncedLibrary]
    private var cloud = SimulatedStore()

    init() throws {
        libraries = try (0..<2).map { number in
            let generator = SeededGenerator(seed: UInt64(number))
            let library = try SyncedLibrary(number: number, generator: generator)
            try library.join()
            return library
        }
    }

    private mutating func exchange() throws {
        for _ in 0..<4 {
            for library in libraries {
                try library.synchronize(with: &cloud, SyncedLibrary.publishing + [.pollAll])
            }
        }
    }

    private func insert(
        _ title: String,
        _ kind: ObjectKind = .album,
        in folder: String? = nil,
        at library: Int
    ) throws -> String {
        libraries[library].clock.advance(by: 1)
        return try libraries[library].store.write(author: "test") { transaction in
            var parent: Int64 = 0
            if let folder { parent = try #require(try transaction.collection(uuid: folder)).id }
            let record = LibraryWorld.collection(kind, title, in: parent)
            try transaction.insertCollection(record)
            return record.uuid
        }
    }

    /// Places an album after another one in the root folder.
    private func place(_ album: String, after anchor: String, at library: Int) throws {
        libraries[library].clock.advance(by: 1)
        try libraries[library].store.write(author: "test") { transaction in
            let id = try #require(try transaction.collection(uuid: album)).id
            let place = try #require(try transaction.collection(uuid: anchor)).id
            try transaction.placeCollections([id], in: 0, after: place)
        }
    }

    private func delete(_ collection: String, at library: Int) throws {
        libraries[library].clock.advance(by: 1)
        try libraries[library].store.write(author: "test") { transaction in
            let id = try #require(try transaction.collection(uuid: collection)).id
            try transaction.deleteCollection(id: id)
        }
    }

    private func undo(at library: Int) throws {
        libraries[library].clock.advance(by: 1)
        _ = try libraries[library].store.undo(UndoRequest(redoes: false), author: "test")
    }

    /// Compares the libraries with the merged state and with each other, and the order of a folder
    /// with the expected one.
    private func check(_ expected: [String], in folder: String = "root") throws {
        let first = try libraries[0].facts()
        for library in libraries {
            try library.compareWithMergedState()
            let facts = try library.facts()
            #expect(facts["order \(folder)"] == expected.joined(separator: "\n"))
            #expect(facts == first, "library \(library.number)")
        }
    }

    /// Two albums have equal keys, and the one that was moved between them is not in the library
    /// any more when their new keys are exported.
    @Test(arguments: [false, true])
    mutating func newKeysAreExportedAlthoughTheirCauseLeft(isUndone: Bool) throws {
        let albums = [try insert("X", at: 0), try insert("Y", at: 1)].sorted()
        try exchange()
        try check(albums)
        let moved = try insert("C", at: 0)
        try place(moved, after: albums[0], at: 0)
        let order = try libraries[0].facts()["order root"]
        #expect(order == [albums[0], moved, albums[1]].joined(separator: "\n"))
        if isUndone {
            try undo(at: 0)
            try undo(at: 0)
        } else {
            try delete(moved, at: 0)
        }
        try exchange()
        try check(albums)
        let last = try insert("Z", at: 1)
        try exchange()
        try check(albums + [last])
    }

    /// An album that is shown in the root folder, since its own folder was deleted, stays an album
    /// of that folder when all collections of the root folder get new keys.
    @Test mutating func newKeysMoveNoHiddenAlbum() throws {
        let folder = try insert("F", .folder, at: 0)
        try exchange()
        let hidden = try insert("H", in: folder, at: 0)
        let albums = [try insert("X", at: 0), try insert("Y", at: 1)].sorted()
        try delete(folder, at: 1)
        try exchange()
        try check([hidden] + albums)
        let moved = try insert("C", at: 0)
        try place(moved, after: albums[0], at: 0)
        try exchange()
        try check([hidden, albums[0], moved, albums[1]])
        try undo(at: 1)
        try exchange()
        try check([hidden], in: folder)
    }
}
