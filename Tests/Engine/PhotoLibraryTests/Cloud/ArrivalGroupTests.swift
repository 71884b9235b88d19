import CloudSync
import Foundation
import GRDB
import LibraryService
import PhotoModel
import SamplePhotos
import TestSupport
import Testing

@testable import CloudSimulation
@testable import PhotoLibrary

/// New photos that arrive together and are inserted with few statements.
@Suite(.timeLimit(.minutes(5))) struct ArrivalGroupTests {
    /// A library whose photos arrive, one that inserts them together, and one that inserts them one
    /// by one.
    private let libraries: [SyncedLibrary]
    private var cloud = SimulatedStore()

    init() throws {
        libraries = try (0..<3).map { number in
            let generator = SeededGenerator(seed: UInt64(number))
            let library = try SyncedLibrary(number: number, generator: generator)
            try library.join()
            return library
        }
        libraries[1].manyNewAssets = 1
        libraries[2].manyNewAssets = .max
    }

    private mutating func exchange() throws {
        for _ in 0..<4 {
            for library in libraries {
                try library.synchronize(with: &cloud, SyncedLibrary.publishing + [.pollAll])
            }
        }
    }

    private func compare() throws {
        let expected = try libraries[0].facts()
        for library in libraries {
            try library.compareWithMergedState()
            let facts = try library.facts()
            #expect(facts == expected, "library \(library.number)")
            let findings = try library.findings().filter { !$0.hasPrefix("assetWithoutOriginal") }
            #expect(findings == [], "library \(library.number)")
        }
    }

    /// Returns a photo that differs from others in everything that is counted or indexed.
    private func photo(_ number: Int) -> AssetRecord {
        var record = LibraryWorld.record("IMG_\(number) \"ü\".JPG")
        let date = Date(timeIntervalSinceReferenceDate: 600_000_000 - Double(number % 9) * 90_000)
        record.creationDate = number % 6 == 0 ? nil : date
        record.addedDate += Double(number % 4) * 86_400
        record.modificationDate = record.addedDate
        if number % 5 == 1, number % 6 > 0 {
            record.captureTime = CaptureTime(
                instant: date,
                wallTime: "2020-01-0\(1 + number % 9)T12:00:00",
                offset: 3_600,
                wallTimeSource: .exifOriginal,
                instantSource: .offsetTag
            )
        }
        if number % 3 == 0 {
            record.location = Location(latitude: 48.5 - Double(number % 40), longitude: 11.25)
        }
        record.isFavorite = number % 4 == 1
        record.isHidden = number % 8 == 2
        if number % 10 == 3 {
            record.burstIdentifier = "Burst \(number / 20)"
            record.representsBurst = number % 20 == 3
        }
        if number % 7 == 1 { record.mediaSubtypes = [.photoPanorama, .photoScreenshot] }
        if number % 7 == 2 { record.camera.lens = "Front camera" }
        if number % 7 == 3 { record.camera.exposureTime = 1.5 }
        if number % 9 == 4 { record.keywords = ["x:1", "a\"b", "é", "line\nbreak"] }
        if number % 9 == 5 { record.caption = "s:\\ \u{2028} \u{1}" }
        if number % 2 == 0 { record.title = "Title \(number)" }
        return record
    }

    /// Adds photos in one change, every third one with a file, which may be a RAW.
    @discardableResult
    private func addPhotos(_ numbers: Range<Int>) throws -> [AssetRecord] {
        let library = libraries[0]
        library.clock.advance(by: 1)
        let photos = numbers.map { number in
            var record = photo(number)
            if number % 11 == 5 { record.trashedDate = library.clock.now }
            return record
        }
        let files = try numbers.map { number -> ResourceRecord? in
            guard number % 3 == 0 else { return nil }
            return try library.write(
                [UInt8(truncatingIfNeeded: number), 7],
                name: number % 6 == 0 ? "IMG.JPG" : "IMG.CR2",
                contentType: number % 6 == 0 ? "public.jpeg" : "com.canon.cr2-raw-image"
            )
        }
        try library.store.write(author: "test") { transaction in
            for (photo, file) in zip(photos, files) {
                let id = try transaction.insertAsset(photo)
                guard var file else { continue }
                file.assetID = id
                file.assetUUID = photo.uuid
                try transaction.insertResource(file)
            }
        }
        return photos
    }

    /// Returns what follows from the assets, and their journal entries, without row ids.
    private func derived(_ library: SyncedLibrary) throws -> [String: [String]] {
        let queries = [
            "facets": """
            SELECT json_array(isTrashed, isHidden, isBurstHidden, sourceType, mediaType,
                mediaSubtypes, traits, count)
            FROM assetFacet WHERE count <> 0 ORDER BY 1
            """,
            "days": "SELECT json_array(day, count) FROM addedDay WHERE count <> 0 ORDER BY 1",
            "timeline": """
            SELECT json_array(time, timeline.latitude, timeline.longitude, uuid, date)
            FROM timeline JOIN asset ON asset.id = assetId ORDER BY 1
            """,
            "moments": """
            SELECT json_array(level, time, latitude, longitude, assetCount, startDate, endDate,
                placeCount, x, y, z)
            FROM moment ORDER BY 1
            """,
            "smart albums": "SELECT CAST(subtype AS TEXT) FROM smartAlbum ORDER BY 1",
            "raw": "SELECT uuid FROM asset WHERE hasRAW = 1 ORDER BY 1",
            "presence": "SELECT uuid || ' ' || presence FROM resource ORDER BY 1",
            "stamps": "SELECT uuid || hex(stamps) FROM cloudStamp WHERE kind = 1 ORDER BY 1",
            "assets": "SELECT newValues FROM journalEntry WHERE kind = 1 ORDER BY 1",
            "entries": """
            SELECT json_array(kind, change, contentChanged, uuid, oldValues,
                json_remove(newValues, '$.assetId'))
            FROM journalEntry ORDER BY 1
            """,
        ]
        return try library.store.read { database in
            try queries.mapValues { try String.fetchAll(database, sql: $0) }
        }
    }

    /// Returns the kinds of the journal entries, in the order of the entries.
    private func kinds(in library: SyncedLibrary) throws -> [Int] {
        try library.store.read { database in
            try Int.fetchAll(database, sql: "SELECT kind FROM journalEntry ORDER BY id")
        }
    }

    private func publishedChanges() throws -> [CloudTransaction] {
        try #require(try libraries[0].store.exportChanges(limit: 1_000)).transactions
    }

    @Test(arguments: [20, 75]) mutating func photosAreAsIfInsertedOneByOne(_ count: Int) throws {
        try addPhotos(0..<count)
        let changes = try publishedChanges()
        for library in libraries.dropFirst() {
            try library.store.importChanges(changes, manyNewAssets: library.manyNewAssets)
        }
        let together = try derived(libraries[1])
        let oneByOne = try derived(libraries[2])
        for (name, expected) in oneByOne { #expect(together[name] == expected, "\(name)") }
        #expect(oneByOne["assets"]?.count == count)
        #expect(oneByOne["raw"]?.isEmpty == false)
        // The files of a group are inserted after all its photos.
        let (group, others) = (try kinds(in: libraries[1]), try kinds(in: libraries[2]))
        #expect(group == group.sorted())
        #expect(others != others.sorted())
        try exchange()
        try compare()
    }

    /// Row ids and counts continue those that are there.
    @Test mutating func photosArriveInALibraryWithPhotos() throws {
        for library in libraries.dropFirst() {
            try library.insertWithFile(photo(1_001), bytes: [1, UInt8(library.number)])
        }
        try addPhotos(0..<40)
        try exchange()
        try addPhotos(40..<80)
        try exchange()
        try compare()
    }

    @Test mutating func otherChangesArriveWithThem() throws {
        let former = try addPhotos(0..<6)
        try exchange()
        let new = try addPhotos(6..<50)
        try libraries[0].store.write(author: "test") { transaction in
            let id = try transaction.insertCollection(LibraryWorld.collection(.album, "Album"))
            let photos = former + new.prefix(20)
            let rows = try photos.compactMap { try transaction.asset(uuid: $0.uuid)?.id }
            try transaction.appendMembers(Array(rows.reversed()), to: id)
            var changed = try #require(try transaction.asset(id: rows[1]))
            changed.caption = "Changed"
            changed.isFavorite.toggle()
            try transaction.updateAsset(changed, contentChanged: false)
            try transaction.trashAssets([rows[2], rows[10]])
        }
        libraries[0].clock.advance(by: 1)
        try libraries[0].store.write(author: "test") { transaction in
            let gone = [former[2], new[4]]
            try transaction.purgeAssets(
                try gone.compactMap { try transaction.asset(uuid: $0.uuid)?.id }
            )
        }
        // What the first part keeps for later is known of the photos that come with the second.
        let changes = try publishedChanges()
        for library in libraries.dropFirst() {
            for parity in [1, 0] {
                let part = changes.enumerated().filter { $0.offset % 2 == parity }.map(\.element)
                try library.store.importChanges(part, manyNewAssets: library.manyNewAssets)
            }
        }
        try exchange()
        try compare()
    }

    private func exportedChanges() throws -> [CloudTransaction] {
        var changes: [CloudTransaction] = []
        while let part = try libraries[0].exportPart(limit: 1_000) { changes += part.transactions }
        return changes
    }

    /// The file of a split that was undone is with the photo that had it before.
    ///
    /// The device exports each step on its own, and others get all of them at once.
    @Test(arguments: 1...3) mutating func filesPassFromOnePhotoToAnother(_ steps: Int) throws {
        let owner = try addPhotos(0..<12)[1].uuid
        try libraries[0].addSplittable(to: owner, bytes: [9])
        var changes = try exportedChanges()
        libraries[0].clock.advance(by: 1)
        let split = try libraries[0].splitSidecar(of: owner)
        changes += try exportedChanges()
        for step in 1..<steps {
            libraries[0].clock.advance(by: 1)
            let request = UndoRequest(redoes: step == 2)
            _ = try libraries[0].store.undo(request, author: "test")
            changes += try exportedChanges()
        }
        for library in libraries.dropFirst() {
            try library.store.importChanges(changes, manyNewAssets: library.manyNewAssets)
        }
        for library in libraries {
            let present = try library.store.read { database in
                try String.fetchAll(
                    database,
                    sql: """
                        SELECT asset.uuid FROM resource JOIN asset ON asset.id = assetId
                        WHERE resource.originalFilename = 'IMG_2.JPG'
                        """
                )
            }
            #expect(present == [steps == 2 ? owner : split], "library \(library.number)")
        }
        try exchange()
        try compare()
    }

    private func lastPath(in library: SyncedLibrary) throws -> String {
        try library.store.read { database in
            try String.fetchOne(database, sql: "SELECT max(path) FROM resource") ?? ""
        }
    }

    @Test mutating func nothingIsLeftOfAGroupThatFails() throws {
        try addPhotos(0..<40)
        let changes = try publishedChanges()
        let library = libraries[1]
        try library.insertWithFile(photo(1_001), bytes: [1])
        let (path, own) = (try lastPath(in: libraries[0]), try lastPath(in: library))
        let before = try derived(library)
        // The last of the files that arrive cannot be inserted.
        try library.world.tamper("UPDATE resource SET path = '\(path)'")
        #expect(throws: (any Error).self) {
            try library.store.importChanges(changes, manyNewAssets: 1)
        }
        try library.world.tamper("UPDATE resource SET path = '\(own)'")
        let after = try derived(library)
        #expect(after == before)
        // The triggers count what is added without a group.
        try library.insertWithFile(photo(1_002), bytes: [2])
        try exchange()
        try compare()
    }

    /// A new trigger would not fire for groups: what it writes must be written for all their
    /// assets.
    @Test func theTriggersOfInsertionsAreKnown() throws {
        let names = try libraries[0].store.read { database in
            try String.fetchSet(
                database,
                sql: """
                    SELECT name FROM sqlite_schema WHERE type = 'trigger' AND (
                        sql LIKE '%INSERT ON %' OR tbl_name = 'asset' AND (
                            sql LIKE '%UPDATE ON asset%' OR sql LIKE '%UPDATE OF%hasRAW%ON asset%'))
                    """
            )
        }
        // The third one fires when `hasRAW` is set, which precedes the counts of a group.
        let known: Set = [
            "asset_inserted", "resource_inserted", "asset_facetChanged", "timeline_inserted",
        ]
        #expect(names == known)
    }
}
