import Foundation
import GRDB
import LibraryService
import PhotoModel
import TestSupport
import Testing

@testable import PhotoLibrary

/// Reads rows of assets without GRDB rows, with the same result.
@Suite(.timeLimit(.minutes(1))) struct AssetRowFinderTests {
    @Test("A record is the same as from a row, all set and nothing set")
    func agreesWithRows() throws {
        let world = try LibraryWorld()
        var full = LibraryWorld.record("Grüße 😀.heic")
        full.mediaSubtypes = [.photoLive, .photoHDR]
        full.playbackStyle = .livePhoto
        full.duration = 1.5
        full.frameRate = 29.97
        full.captureTime = CaptureTime(
            instant: try #require(full.creationDate),
            wallTime: "2020-01-06T12:40:00",
            offset: -18_000,
            wallTimeSource: .exifOriginal,
            instantSource: .offsetTag
        )
        full.location = Location(latitude: -16.5, longitude: 179.95, altitude: 0)
        full.isFavorite = true
        full.isHidden = true
        full.trashedDate = Date(timeIntervalSinceReferenceDate: 1)
        full.burstIdentifier = "burst"
        full.burstSelectionTypes = [.userPick]
        full.keywords = ["one", "\"two\""]
        full.title = ""
        full.rating = -1
        full.camera.lens = "front"
        full.camera.aperture = 2
        full.camera.isoSpeed = 100
        let ids = try world.insert(full, LibraryWorld.record())
        try world.store.read { database in
            let finder = try AssetRowFinder(database)
            let rows = try Row.fetchAll(database, sql: AssetRecord.map.selectSQL + " ORDER BY id")
                .map(AssetRecord.init(row:))
            #expect(rows.count == 2)
            for (id, row) in zip(ids, rows) {
                #expect(try finder.asset(id: id) == row)
                #expect(try finder.asset(uuid: row.uuid) == row)
            }
            #expect(try finder.asset(id: 99) == nil)
            #expect(try finder.asset(uuid: "") == nil)
        }
    }

    @Test("A cell that cannot be is an error that names it")
    func damagedCell() throws {
        let world = try LibraryWorld()
        let ids = try world.insert(LibraryWorld.record())
        try world.tamper("UPDATE asset SET mediaType = 77")
        let error = #expect(throws: LibraryError.self) {
            try world.store.read { try AssetRowFinder($0).asset(id: ids[0]) }
        }
        #expect(error?.code == .corrupt)
        #expect(error?.message.contains("mediaType") == true)
    }
}
