import Foundation
import LibraryService
import PhotoModel
import Testing
import WorkerProtocol

@testable import PhotoLibrary

/// Values that the library stores about a row without a change of the asset.
@Suite(.timeLimit(.minutes(1))) struct BookkeepingTests {
    private let world: LibraryWorld
    private let id: Int64

    init() throws {
        world = try LibraryWorld()
        try world.insertWithFile(LibraryWorld.record(), bytes: [1])
        id = 1
    }

    private func asset() throws -> AssetRecord {
        try world.store.write(author: "test") { try #require(try $0.asset(id: id)) }
    }

    @Test func noteAloneMakesNoVersion() throws {
        let before = try world.store.currentVersion()
        try world.store.write(author: "test") { transaction in
            var record = try #require(try transaction.asset(id: id))
            record.readerVersion = 7
            try transaction.updateAsset(record, contentChanged: false)
        }
        #expect(try asset().readerVersion == 7)
        #expect(try world.store.currentVersion() == before)
        #expect(try SchemaTests.verify(world.store) == [])
    }

    /// Undo and redo carry such a value along with the properties that it refers to.
    @Test func undoTakesTheNoteBack() throws {
        try world.store.write(author: "test") { transaction in
            var record = try #require(try transaction.asset(id: id))
            record.title = "New"
            record.readerVersion = 3
            record.personFacts = [.title]
            try transaction.updateAsset(record, contentChanged: false)
        }
        // Since then another reader found the same values.
        try world.store.write(author: "test") { transaction in
            var record = try #require(try transaction.asset(id: id))
            record.readerVersion = 4
            try transaction.updateAsset(record, contentChanged: false)
        }
        _ = try world.store.undo(UndoRequest(), author: "test")
        #expect(try asset().title == nil)
        #expect(try asset().readerVersion == 0)
        #expect(try asset().personFacts == [])
        _ = try world.store.undo(UndoRequest(redoes: true), author: "test")
        #expect(try asset().title == "New")
        #expect(try asset().readerVersion == 4)
        #expect(try asset().personFacts == [.title])
        #expect(try SchemaTests.verify(world.store) == [])
    }

    /// Only the properties that a request changes count as set by it.
    @Test func editsNoteWhatTheySet() throws {
        var record = LibraryWorld.record()
        record.title = "Same"
        var edit = AssetEdit()
        edit.title = .set("Same")
        edit.caption = .set("New")
        edit.location = .clear
        edit.addedKeywords = ["one"]
        edit.isFavorite = true
        try AssetEditing(timeZone: .current).apply(edit, to: &record) { false }
        #expect(record.personFacts == [.caption, .keywords])
        edit = AssetEdit()
        edit.removedKeywords = ["one"]
        edit.rating = 2
        try AssetEditing(timeZone: .current).apply(edit, to: &record) { false }
        #expect(record.personFacts == [.caption, .keywords, .rating])
    }

    /// Values that the user set or removed are not replaced by a file that joins the asset.
    @Test func joiningKeepsWhatPeopleSet() {
        var movie = LibraryWorld.record("1.MOV")
        movie.personFacts = [.title, .location]
        movie.readerVersion = 1
        var still = LibraryWorld.record("1.JPG")
        still.title = "Camera"
        still.caption = "Camera"
        still.location = Location(latitude: 1, longitude: 1)
        still.readerVersion = 2
        var joined = movie
        JoiningPolicy.lead(&joined, with: still)
        #expect(joined.title == nil)
        #expect(joined.location == nil)
        #expect(joined.caption == "Camera")
        #expect(joined.personFacts == [.title, .location])
        #expect(joined.readerVersion == 1)
        let nothing = SidecarPolicy.values(file: Self.statement(movie), sidecars: [])
        let values = SidecarPolicy.values(
            file: Self.statement(movie),
            sidecars: [Self.statement(still)]
        )
        SidecarPolicy.update(&joined, from: nothing, to: values)
        #expect(joined.title == nil)
        #expect(joined.location == nil)
    }

    private static func statement(_ record: AssetRecord) -> SidecarStatement {
        SidecarStatement(MediaFacts(format: .xmp, contentType: "com.adobe.xmp"), record)
    }
}
