import Foundation
import GRDB
import LibraryService
import PhotoModel
import TestSupport
import Testing

@testable import PhotoLibrary

/// The changes that an undo reverts, and its limits; random ones are in `LibraryModelTests`.
@Suite(.timeLimit(.minutes(2))) struct UndoTests {
    let world: LibraryWorld

    init() throws { world = try LibraryWorld() }

    private func undo() throws -> UndoReply {
        try world.store.undo(UndoRequest(), author: "test")
    }

    private func edit(
        _ id: Int64,
        batch: String? = nil,
        _ body: (inout AssetRecord) -> Void
    ) throws {
        try world.store.write(author: "test", batch: batch) { transaction in
            var record = try #require(try transaction.asset(id: id))
            body(&record)
            record.modificationDate = transaction.now
            try transaction.updateAsset(record, contentChanged: false)
        }
    }

    private func asset(_ id: Int64) throws -> AssetRecord {
        try #require(try world.store.write(author: "test") { try $0.asset(id: id) })
    }

    private func refuses(_ words: String) {
        let error = #expect(throws: LibraryError.self) { try undo() }
        #expect(error?.code == .changeNotSupported)
        #expect(error?.message.contains(words) == true, "\(error?.message ?? "")")
    }

    @Test func undoSaysWhatItUndid() throws {
        let id = try #require(try world.insert(LibraryWorld.record()).first)
        let modified = try asset(id).modificationDate
        try edit(id) { $0.title = "new" }
        let reply = try undo()
        #expect(reply.version == 3)
        #expect(reply.undone.map(\.version) == [2])
        #expect(reply.undone.first?.changes.first?.properties == ["modificationDate", "title"])
        #expect(try asset(id).title == nil)
        #expect(try asset(id).modificationDate > modified)
        let version = try world.store.read { try HistorySummary.versions($0, since: 2, limit: 9) }
        #expect(version.map(\.undoes) == [2])
    }

    @Test func whatWasUndoneIsDoneAgain() throws {
        func redo() throws -> [Int64] {
            try world.store.undo(UndoRequest(redoes: true), author: "test").undone.map(\.version)
        }
        func refusesRedo() {
            let error = #expect(throws: LibraryError.self) { try redo() }
            #expect(error?.code == .changeNotSupported)
            #expect(error?.message.contains("nothing to redo") == true)
        }
        let id = try #require(try world.insert(LibraryWorld.record()).first)
        try edit(id) { $0.title = "one" }
        try edit(id) { $0.title = "two" }
        refusesRedo()
        _ = try undo()
        _ = try undo()
        #expect(try asset(id).title == nil)
        // The latest undo first, and none is repeated.
        #expect(try redo() == [2])
        #expect(try asset(id).title == "one")
        #expect(try redo() == [3])
        #expect(try asset(id).title == "two")
        refusesRedo()
        // Redone changes can be undone and redone any number of times.
        for _ in 0..<3 {
            _ = try undo()
            #expect(try asset(id).title == "one")
            #expect(try redo() == [3])
            #expect(try asset(id).title == "two")
        }
        _ = try undo()
        _ = try undo()
        #expect(try asset(id).title == nil)
        #expect(try redo() == [2])
        // A change in between is the next one to undo.
        try edit(id) { $0.title = "three" }
        refusesRedo()
        _ = try undo()
        #expect(try asset(id).title == "one")
        _ = try undo()
        #expect(try asset(id).title == nil)
        // The import before all of them can still be undone.
        _ = try undo()
        #expect(try asset(id).trashedDate != nil)
        #expect(try redo() == [1])
        #expect(try asset(id).trashedDate == nil)
        #expect(try world.findings() == [])
    }

    @Test func importIsTakenBackAsAWholeWhateverCameBetween() throws {
        let ids = try ["a", "b"].flatMap { name in
            try world.store.write(author: "test", batch: "import") { transaction in
                [try transaction.insertAsset(LibraryWorld.record(name))]
            }
        }
        try edit(ids[0]) { $0.isFavorite = true }
        let last = try world.store.write(author: "test", batch: "import") { transaction in
            try transaction.insertAsset(LibraryWorld.record("c"))
        }
        #expect(try undo().undone.map(\.version) == [4, 2, 1])
        for id in ids + [last] { #expect(try asset(id).trashedDate != nil) }
        // The change in between comes next, and then there is none.
        #expect(try undo().undone.map(\.version) == [3])
        #expect(try !asset(ids[0]).isFavorite)
        refuses("nothing to undo")
        #expect(try world.findings() == [])
        // An import that continues after its undo is undone from there.
        try world.store.write(author: "test", batch: "import") { transaction in
            _ = try transaction.insertAsset(LibraryWorld.record("d"))
        }
        #expect(try undo().undone.map(\.version) == [7])
    }

    @Test func whatWasChangedSinceStaysAsItIs() throws {
        let id = try #require(try world.insert(LibraryWorld.record("Mine.JPG")).first)
        try edit(id, batch: "B") { $0.title = "first" }
        try edit(id) { $0.title = "second" }
        try edit(id, batch: "B") { $0.rating = 3 }
        let version = try world.store.currentVersion()
        refuses("Mine.JPG")
        #expect(try world.store.currentVersion() == version)
        #expect(try asset(id).title == "second")
        #expect(try asset(id).rating == 3)
    }

    /// A change of a new album by another program, before the import that creates it continues.
    enum OtherChange: CaseIterable {
        case addition, removal, order, title, folder

        func make(_ album: Int64, _ photos: [Int64], _ transaction: LibraryTransaction) throws {
            switch self {
            case .addition: try transaction.appendMembers([photos[2]], to: album)
            case .removal: try transaction.removeMembers([photos[0]], from: album)
            case .order: try transaction.placeMembers([photos[1]], in: album, after: nil)
            case .title:
                var record = try #require(try transaction.collection(id: album))
                record.title = "Journey"
                try transaction.updateCollection(record)
            case .folder:
                let record = LibraryWorld.collection(.folder, "Travels")
                let folder = try transaction.insertCollection(record)
                try transaction.appendCollections([album], to: folder)
            }
        }
    }

    /// Imports an album of two of four photos, and then adds the last one after another change.
    private func importAlbum(
        _ photos: [Int64],
        before change: (LibraryTransaction, Int64) throws -> Void
    ) throws -> Int64 {
        let album = try world.store.write(author: "test", batch: "import") { transaction in
            let record = LibraryWorld.collection(.album, "Trip")
            let album = try transaction.insertCollection(record)
            try transaction.appendMembers(Array(photos[0...1]), to: album)
            return album
        }
        try world.store.write(author: "other") { try change($0, album) }
        try world.store.write(author: "test", batch: "import") { transaction in
            try transaction.appendMembers([photos[3]], to: album)
        }
        return album
    }

    @Test(arguments: OtherChange.allCases)
    func newAlbumThatOthersChangedStays(_ change: OtherChange) throws {
        let photos = try world.insert((0..<4).map { LibraryWorld.record("\($0)") })
        let album = try importAlbum(photos) { try change.make($1, photos, $0) }
        let (record, members) = (try world.collection(album), try world.members(album))
        refuses(change == .title ? "“Journey”" : "“Trip”")
        #expect(try world.collection(album) == record)
        #expect(try world.members(album) == members)
        #expect(try world.findings() == [])
    }

    @Test func newAlbumWhosePhotoWasPurgedIsDeleted() throws {
        let photos = try world.insert((0..<4).map { LibraryWorld.record("\($0)") })
        let album = try importAlbum(photos) { transaction, _ in
            try transaction.trashAssets([photos[0]])
            try transaction.purgeAssets([photos[0]])
        }
        #expect(try world.members(album) == [photos[1], photos[3]])
        #expect(try undo().undone.count == 2)
        #expect(try world.collection(album) == nil)
        #expect(try world.findings() == [])
    }

    @Test func whatIsGoneForGoodDoesNotComeBack() throws {
        let resource = try world.insertWithFile(LibraryWorld.record("Gone.JPG"), bytes: [1])
        try world.store.write(author: "test") { transaction in
            let id = try #require(try transaction.asset(uuid: resource.assetUUID)).id
            try transaction.trashAssets([id])
            try transaction.purgeAssets([id])
        }
        refuses("Gone.JPG was permanently deleted")
    }

    @Test func fileThatJoinedAnAssetStays() throws {
        let resource = try world.insertWithFile(LibraryWorld.record(), bytes: [1])
        try world.store.write(author: "test") { transaction in
            let asset = try #require(try transaction.asset(uuid: resource.assetUUID))
            var movie = resource
            movie.uuid = UUID().uuidString
            movie.assetID = asset.id
            movie.type = .pairedVideo
            movie.originalFilename = "IMG_0001.MOV"
            movie.path = "originals/ab/\(movie.uuid).mov"
            try transaction.insertResource(movie)
        }
        refuses("IMG_0001.MOV")
    }

    @Test func burstGetsItsKeyFrameBack() throws {
        let ids = try world.insert(
            (0..<3).map { number in
                var frame = LibraryWorld.record("\(number)")
                frame.burstIdentifier = "B"
                frame.representsBurst = number == 1
                frame.burstSelectionTypes = number == 1 ? [.autoPick] : []
                return frame
            }
        )
        func keys() throws -> [Int64] {
            try ids.filter { id in
                let frame = try asset(id)
                return frame.representsBurst && frame.trashedDate == nil
            }
        }
        try world.store.write(author: "test") { try $0.trashAssets([ids[1]]) }
        #expect(try keys().count == 1)
        #expect(try keys() != [ids[1]])
        _ = try undo()
        #expect(try keys() == [ids[1]])
        try world.store.write(author: "test") { try $0.trashAssets([ids[1]]) }
        let standIn = try keys()
        // A manual restoration finds its position taken.
        try world.store.write(author: "test") { try $0.restoreAssets([ids[1]]) }
        #expect(try keys() == standIn)
        try world.store.write(author: "test") { try $0.trashAssets(ids) }
        #expect(try keys() == [])
        try world.store.write(author: "test") { try $0.restoreAssets(ids) }
        #expect(try keys().count == 1)
        #expect(try world.findings() == [])
    }
}
