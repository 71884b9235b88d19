import Foundation
import GRDB
import LibraryService
import PhotoModel
import TestSupport
import Testing

@testable import PhotoLibrary

/// The members and counts of smart albums, compared with plain Swift over the same records.
@Suite(.timeLimit(.minutes(2))) struct SmartAlbumTests {
    /// The tests' own model of assets.
    private struct Model {
        var assets: [Int64: (record: AssetRecord, hasRAW: Bool)] = [:]

        /// Returns the members of an album, and the dates that it is sorted by.
        func members(of album: SmartAlbum, since day: Int64) -> [Int64: [Date?]] {
            assets.filter { SmartAlbumTests.shows(album, $0.value, since: day) }
                .mapValues { asset in
                    let added = album == .recentlyAdded ? asset.record.addedDate : nil
                    return [asset.record.creationDate, added]
                }
        }
    }

    @Test("Members, counts, dates and notes of change are those of plain Swift")
    func agreesWithPlainSwift() throws {
        let seed = TestSeed()
        var generator = seed.generator
        let world = try LibraryWorld()
        let fetcher = AssetFetcher(store: world.store)
        var model = Model()
        let day = world.store.firstRecentDay
        for round in 0..<25 {
            let before = model
            let version = try world.store.currentVersion()
            try world.store.write(author: "test") { transaction in
                for _ in 0..<(round == 0 ? 150 : Int.random(in: 1...4, using: &generator)) {
                    try Self.change(&model, in: transaction, &generator)
                }
            }
            var changed: Set<SmartAlbum> = []
            for album in SmartAlbum.allCases {
                let members = model.members(of: album, since: day)
                if members != before.members(of: album, since: day) { changed.insert(album) }
                let request = AssetFetchRequest(scope: .album(album.uuid))
                let found = try fetcher.fetch(request).ids
                #expect(found.sorted() == members.keys.sorted(), "\(seed) \(album)")
                let record = try Self.record(album, in: world.store)
                let dates = members.values.compactMap(\.[0])
                #expect(record.assetCount == members.count, "\(seed) \(album)")
                #expect(record.startDate == dates.min(), "\(seed) \(album)")
                #expect(record.endDate == dates.max(), "\(seed) \(album)")
            }
            let noted = try world.store.read { database in
                try SmartAlbumReader(database: database, firstRecentDay: day)
                    .changed(since: version)
            }
            #expect(Set(noted) == changed, "\(seed)")
            try Self.expectTotals(in: world.store, seed)
        }
    }

    @Test("A change that an album does not go by leaves it alone")
    func notesNothingElse() throws {
        let world = try LibraryWorld()
        let id = try world.insert(LibraryWorld.record())[0]
        func changed(_ body: (inout AssetRecord) -> Void) throws -> Set<SmartAlbum> {
            let version = try world.store.currentVersion()
            try world.store.write(author: "test") { transaction in
                var record = try #require(try transaction.asset(id: id))
                body(&record)
                try transaction.updateAsset(record, contentChanged: false)
            }
            return try world.store.read { database in
                let reader = SmartAlbumReader(database: database, firstRecentDay: 0)
                return Set(try reader.changed(since: version))
            }
        }
        #expect(try changed { $0.caption = "a" } == [])
        #expect(try changed { $0.isFavorite = true } == [.favorites])
        #expect(try changed { $0.creationDate = .distantPast } == [.favorites, .userLibrary])
        #expect(try changed { $0.isHidden = true } == [.favorites, .userLibrary, .allHidden])
        #expect(try changed { $0.isFavorite = false } == [])
    }

    @Test("A fetch of an album reads its index and neither rows nor a sorter")
    func usesIndexes() throws {
        let world = try LibraryWorld()
        for album in SmartAlbum.allCases where album != .unableToUpload {
            for ascending in [true, false] {
                var request = AssetFetchRequest(scope: .album(album.uuid))
                request.sort = [.init(album.order, ascending: ascending)]
                let plan = try FetchPlan(request, firstRecentDay: 9_000)
                let steps = try world.store.queryPlan(of: plan.sql, arguments: plan.allArguments)
                #expect(steps.count == 1, "\(album): \(steps)")
                // The row states whether a frame has others.
                let index = album == .bursts ? "INDEX asset_burst" : "COVERING INDEX"
                #expect(
                    steps.first?.hasPrefix("SEARCH asset USING \(index)") == true,
                    "\(album): \(steps)"
                )
            }
        }
    }

    @Test("Recently Added goes by the clock: what it was at a time is not what it is later")
    func recentlyAddedMovesOn() throws {
        let world = try LibraryWorld()
        let clock = TestClock()
        var record = LibraryWorld.record()
        record.addedDate = clock.now
        try world.insert(record)
        let store = try LibraryStore.open(at: world.path, clock: { clock.now })
        let fetcher = AssetFetcher(store: store)
        let request = AssetFetchRequest(scope: .album(SmartAlbum.recentlyAdded.uuid))
        let first = try fetcher.fetch(request)
        #expect(first.ids.count == 1)
        clock.advance(by: 30 * 86_400)
        #expect(try fetcher.fetch(request).ids.count == 1)
        clock.advance(by: 86_400)
        let later = try fetcher.fetch(request)
        #expect(later.ids.isEmpty)
        #expect(later.snapshot.version == first.snapshot.version)
        #expect(later.snapshot != first.snapshot)
        #expect(try Self.record(.recentlyAdded, in: store).assetCount == 0)
        // An answer that does not depend on the clock always has the same snapshot.
        #expect(try fetcher.fetch(AssetFetchRequest()).snapshot.firstRecentDay == 0)
    }

    @Test("A burst is one in its album, and all its frames when they are asked for")
    func bursts() throws {
        let world = try LibraryWorld()
        var frames = (0..<4).map { _ in LibraryWorld.record() }
        for index in frames.indices { frames[index].burstIdentifier = "B" }
        frames[2].representsBurst = true
        try world.insert(frames)
        let fetcher = AssetFetcher(store: world.store)
        var request = AssetFetchRequest(scope: .album(SmartAlbum.bursts.uuid))
        #expect(try fetcher.fetch(request).ids.count == 1)
        #expect(try Self.record(.bursts, in: world.store).assetCount == 1)
        request.includesAllBurstMembers = true
        #expect(try fetcher.fetch(request).ids.count == 4)
    }

    @Test("A frame without others is in no burst, until others come back")
    func loneFrames() throws {
        let world = try LibraryWorld()
        let frames = (0..<3).map { _ in
            var frame = LibraryWorld.record()
            frame.burstIdentifier = "B"
            return frame
        }
        let ids = try world.insert(frames)
        func bursts() throws -> [Int64] {
            let request = AssetFetchRequest(scope: .album(SmartAlbum.bursts.uuid))
            let ids = try AssetFetcher(store: world.store).fetch(request).ids
            #expect(try Self.record(.bursts, in: world.store).assetCount == ids.count)
            return Array(ids)
        }
        func asset(_ id: Int64) throws -> AssetRecord {
            try #require(try world.store.write(author: "test") { try $0.asset(id: id) })
        }
        try world.store.write(author: "test") { try $0.resolveBurst("B") }
        let key = try #require(try bursts().first)
        let others = ids.filter { $0 != key }
        try world.store.write(author: "test") { try $0.trashAssets([key, others[0]]) }
        let last = try asset(others[1])
        #expect(last.isLoneFrame && !last.representsBurst && last.isVisible)
        #expect(try bursts().isEmpty)
        try world.store.write(author: "test") { try $0.restoreAssets([key]) }
        #expect(try bursts() == [others[1]])
        #expect(try asset(others[1]).representsBurst)
        #expect(try !asset(key).representsBurst)
        try world.store.write(author: "test") { try $0.restoreAssets([others[0]]) }
        #expect(try bursts() == [others[1]])
        try world.store.write(author: "test") { try $0.trashAssets([key, others[0]]) }
        #expect(try bursts().isEmpty)
        let found = try Verifier(store: world.store)
            .verify(VerifyRequest(isFull: false, repairs: false))
        #expect(!found.findings.contains { $0.kind == "burstWithoutKeyFrame" })
    }

    @Test("Hidden assets are in the album of hidden ones, and elsewhere only when asked for")
    func hidden() throws {
        let world = try LibraryWorld()
        var record = LibraryWorld.record()
        record.isFavorite = true
        record.isHidden = true
        try world.insert(record)
        let fetcher = AssetFetcher(store: world.store)
        for album in SmartAlbum.allCases {
            var request = AssetFetchRequest(scope: .album(album.uuid))
            #expect(
                try fetcher.fetch(request).ids.count == (album == .allHidden ? 1 : 0),
                "\(album)"
            )
            request.includesHidden = true
            let isMember = [.allHidden, .favorites, .userLibrary].contains(album)
            #expect(try fetcher.fetch(request).ids.count == (isMember ? 1 : 0), "\(album)")
        }
    }
}

// MARK: - The model

extension SmartAlbumTests {
    fileprivate static func record(_ album: SmartAlbum, in store: LibraryStore) throws
        -> CollectionRecord
    {
        let day = store.firstRecentDay
        let records = try store.read { database in
            try SmartAlbumReader(database: database, firstRecentDay: day).records(of: [album])
        }
        return try #require(records.first)
    }

    /// Returns whether an asset is in an album, implemented independently of the library.
    fileprivate static func shows(
        _ album: SmartAlbum,
        _ asset: (record: AssetRecord, hasRAW: Bool),
        since day: Int64
    ) -> Bool {
        let record = asset.record
        let isFrame =
            record.burstIdentifier != nil && !record.representsBurst
            && record.burstSelectionTypes == []
        guard record.trashedDate == nil, !isFrame, record.sourceType == .userLibrary,
            record.isHidden == (album == .allHidden)
        else { return false }
        return switch album {
        case .userLibrary, .allHidden: true
        case .recentlyAdded:
            record.addedDate.timeIntervalSinceReferenceDate >= Double(day) * 24 * 60 * 60
        case .favorites: record.isFavorite
        case .videos: record.mediaType == .video
        case .selfPortraits: record.camera.lens?.contains("front") == true
        case .livePhotos: record.mediaSubtypes.contains(.photoLive)
        case .depthEffect: record.mediaSubtypes.contains(.photoDepthEffect)
        case .panoramas: record.mediaSubtypes.contains(.photoPanorama)
        case .timelapses: record.mediaSubtypes.contains(.videoTimelapse)
        case .slomoVideos: record.mediaSubtypes.contains(.videoHighFrameRate)
        case .cinematic: record.mediaSubtypes.contains(.videoCinematic)
        case .bursts: record.burstIdentifier != nil && !record.isLoneFrame
        case .screenshots: record.mediaSubtypes.contains(.photoScreenshot)
        case .screenRecordings: record.mediaSubtypes.contains(.videoScreenRecording)
        case .animated: record.mediaSubtypes.contains(.photoAnimation)
        case .longExposures: record.camera.exposureTime ?? 0 >= 1
        case .raw: asset.hasRAW
        case .spatial: record.mediaSubtypes.contains(.spatialMedia)
        case .unableToUpload: false
        }
    }

    /// Makes one random change to the library and to the model.
    private static func change(
        _ model: inout Model,
        in transaction: LibraryTransaction,
        _ generator: inout some RandomNumberGenerator
    ) throws {
        let kind = Int.random(in: 0..<8, using: &generator)
        guard kind > 2, let id = model.assets.keys.sorted().randomElement(using: &generator),
            var (record, hasRAW) = model.assets[id]
        else {
            var record = LibraryWorld.record()
            vary(&record, &generator)
            record.id = try transaction.insertAsset(record)
            let hasRAW = Int.random(in: 0..<4, using: &generator) == 0
            try addResource(to: record, isRAW: hasRAW, in: transaction)
            model.assets[record.id] = (record, hasRAW)
            return
        }
        switch kind {
        case 3:
            for resource in try resources(of: record, in: transaction) {
                try transaction.deleteResource(id: resource)
            }
            try transaction.deleteAsset(id: id)
            model.assets[id] = nil
            return
        case 4 where !hasRAW:
            try addResource(to: record, isRAW: true, in: transaction)
            hasRAW = true
        case 5 where hasRAW:
            for resource in try resources(of: record, in: transaction) {
                var old = try #require(try transaction.resource(id: resource))
                old.contentType = "public.jpeg"
                try transaction.updateResource(old)
            }
            hasRAW = false
        default:
            vary(&record, &generator)
            try transaction.updateAsset(record, contentChanged: false)
        }
        model.assets[id] = (record, hasRAW)
    }

    private static func vary(
        _ record: inout AssetRecord,
        _ generator: inout some RandomNumberGenerator
    ) {
        func chance(_ one: Int) -> Bool { Int.random(in: 0..<one, using: &generator) == 0 }
        let bits: [UInt] = [0, 1, 2, 3, 4, 6, 10, 17, 18, 19, 21]
        record.mediaSubtypes = []
        for bit in bits where chance(4) { record.mediaSubtypes.insert(.init(rawValue: 1 << bit)) }
        record.mediaType = chance(3) ? .video : .image
        record.isFavorite = chance(3)
        record.isHidden = chance(5)
        record.trashedDate = chance(6) ? Date(timeIntervalSinceReferenceDate: 1) : nil
        record.burstIdentifier = chance(3) ? "burst" : nil
        record.representsBurst = chance(2)
        record.burstSelectionTypes = chance(4) ? .userPick : []
        record.sourceType = chance(12) ? .cloudShared : .userLibrary
        record.camera.lens = chance(4) ? "iPhone 8 front camera" : chance(2) ? "back" : nil
        record.camera.exposureTime = chance(3) ? 2 : chance(2) ? 0.5 : nil
        let age = Double(Int.random(in: 0..<60, using: &generator)) * 86_400 + 3_600
        record.addedDate = Date(
            timeIntervalSinceReferenceDate: (Date().timeIntervalSinceReferenceDate - age).rounded(
                .down
            )
        )
        record.creationDate =
            chance(9)
            ? nil
            : Date(timeIntervalSinceReferenceDate: .random(in: -1_000...1_000, using: &generator))
    }

    private static func addResource(
        to asset: AssetRecord,
        isRAW: Bool,
        in transaction: LibraryTransaction
    ) throws {
        let uuid = UUID().uuidString
        try transaction.insertResource(
            ResourceRecord(
                id: 0,
                uuid: uuid,
                assetID: asset.id,
                assetUUID: asset.uuid,
                type: isRAW ? .alternatePhoto : .photo,
                originalFilename: "IMG_0001.DNG",
                contentType: isRAW ? "com.adobe.raw-image" : "public.jpeg",
                path: "originals/00/\(uuid)",
                size: 1,
                sha256: String(repeating: "0", count: 64),
                pixelSize: PixelSize(width: 0, height: 0)
            )
        )
    }

    private static func resources(of asset: AssetRecord, in transaction: LibraryTransaction)
        throws -> [Int64]
    {
        try Int64.fetchAll(
            transaction.database,
            sql: "SELECT id FROM resource WHERE assetId = ?",
            arguments: [asset.id]
        )
    }

    /// Expects the stored totals to equal a new count.
    fileprivate static func expectTotals(in store: LibraryStore, _ seed: TestSeed) throws {
        try store.read { database in
            let days = try Row.fetchAll(
                database,
                sql: """
                    SELECT day, count FROM addedDay WHERE count <> 0 EXCEPT
                    SELECT CAST(addedDate / 86400 AS INTEGER), count(*) FROM asset
                        WHERE isVisible = 1 GROUP BY 1
                    """
            )
            #expect(days.isEmpty, "\(seed)")
            let assets = try Int.fetchOne(database, sql: "SELECT count(*) FROM asset")
            let counted = try Int.fetchOne(database, sql: "SELECT total(count) FROM assetFacet")
            #expect(assets == counted, "\(seed)")
        }
    }
}
