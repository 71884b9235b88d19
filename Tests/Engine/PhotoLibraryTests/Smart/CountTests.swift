import Foundation
import GRDB
import LibraryService
import PhotoModel
import TestSupport
import Testing

@testable import PhotoLibrary

/// The counts of smart albums, albums, hidden and deleted assets, as clients that stay open see
/// them while two processes change the library.
@Suite(.timeLimit(.minutes(2))) struct CountTests {
    @Test("Every count equals a fresh SELECT after any change by this or another process")
    func equalsFreshCounts() throws {
        let seed = TestSeed()
        var random = seed.generator
        let world = try LibraryWorld()
        let other = try LibraryStore.open(at: world.path)
        let views = [LibraryView(store: world.store), LibraryView(store: other)]
        let album = try world.album("A")
        var changes = RandomChanges(album: album)
        try world.store.write(author: "test") { transaction in
            for _ in 0..<120 { try changes.insert(transaction, &random) }
        }
        for step in 0..<150 {
            let pinned = try views[0].pin()
            let before = try Self.counts(in: world.store, album: album)
            let trail = try changes.run(in: step % 3 == 0 ? other : world.store, &random)
            let fresh = try Self.counts(in: world.store, album: album)
            // Clients look at different times, so that each derives its counts from another state.
            for (index, view) in views.enumerated() where (step + index) % (1 + index * 4) == 0 {
                let shown = try Self.shown(in: view, album: album)
                #expect(shown == fresh, "\(seed) step \(step), \(trail), view \(index)")
            }
            let old = try Self.shown(in: views[0], album: album, pin: pinned.pin)
            #expect(old == before, "\(seed) step \(step), \(trail), pinned")
            views[0].unpin(pinned.pin)
        }
    }

    @Test("A change of many frames at once is counted, too")
    func countsManyFrames() throws {
        let world = try LibraryWorld()
        let view = LibraryView(store: world.store)
        func bursts() throws -> Int {
            let request = CollectionLoadRequest(ids: RowIDBuffer([SmartAlbum.bursts.rowID]))
            return try #require(CollectionFetcher(view).load(request).collections.first).assetCount
        }
        let frames = (0..<1_500).map { number in
            var frame = LibraryWorld.record()
            frame.burstIdentifier = "\(number)"
            frame.representsBurst = true
            return frame
        }
        let ids = try world.insert(frames)
        #expect(try bursts() == 1_500)
        func setAlone(_ ids: some Sequence<Int64>) throws {
            try world.store.write(author: "test") { transaction in
                for id in ids {
                    var frame = try #require(try transaction.asset(id: id))
                    frame.representsBurst = false
                    frame.burstSelectionTypes = .alone
                    try transaction.updateAsset(frame, contentChanged: false)
                }
            }
        }
        try setAlone(ids.prefix(3))
        #expect(try bursts() == 1_497)
        try setAlone(ids.prefix(1_200))
        #expect(try bursts() == 300)
    }

    @Test("Counting lone frames reads frames of bursts or changed assets, and no others")
    func readsOnlyFrames() throws {
        let world = try LibraryWorld()
        func steps(_ sql: String, _ arguments: StatementArguments) throws -> [String] {
            try world.store.queryPlan(of: sql, arguments: arguments)
        }
        #expect(
            try steps(LoneFrameCache.allSQL, [])
                == ["SEARCH asset USING INDEX asset_burst (isVisible=?)"]
        )
        #expect(
            try steps(LoneFrameCache.someSQL, ["[]"]) == [
                "SCAN touched VIRTUAL TABLE INDEX 1:",
                "SEARCH asset USING INTEGER PRIMARY KEY (rowid=?)",
            ]
        )
    }
}

// MARK: - Counts

extension CountTests {
    /// Returns the counts that a client sees, by name.
    private static func shown(
        in view: LibraryView,
        album: Int64,
        pin: Int64? = nil
    ) throws -> [String: Int] {
        let ids = SmartAlbum.allCases.map(\.rowID) + [album]
        var request = CollectionLoadRequest(ids: RowIDBuffer(ids))
        request.pin = pin
        let records = try CollectionFetcher(view).load(request).collections
        var counts: [String: Int] = [:]
        for record in records {
            let smart = SmartAlbum(rowID: record.id)
            counts[smart.map { "\($0)" } ?? "album"] = record.assetCount
        }
        return counts
    }

    /// Counts the rows of each album, without anything that the library derives from them.
    private static func counts(in store: LibraryStore, album: Int64) throws -> [String: Int] {
        let day = store.firstRecentDay
        return try store.read { database in
            func count(_ condition: String, hidden: Bool = false, from source: String = "asset")
                throws -> Int
            {
                try Int.fetchOne(
                    database,
                    sql: """
                        SELECT count(*) FROM \(source) WHERE trashedDate IS NULL
                            AND isHidden = \(hidden) AND sourceType = 1
                            AND NOT (burstIdentifier IS NOT NULL AND NOT representsBurst
                                AND burstSelectionTypes = 0) AND \(condition)
                        """
                ) ?? 0
            }
            func bit(_ number: Int) -> String { "mediaSubtypes & \(1 << number)" }
            return [
                "userLibrary": try count("1"), "allHidden": try count("1", hidden: true),
                "recentlyAdded": try count("addedDate >= \(day * 86_400)"),
                "favorites": try count("isFavorite"), "videos": try count("mediaType = 2"),
                "bursts": try count(
                    "burstIdentifier IS NOT NULL AND NOT burstSelectionTypes & 256"
                ),
                "selfPortraits": try count("lensModel LIKE '%front%'"),
                "longExposures": try count("exposureTime >= 1"), "raw": try count("hasRAW"),
                "panoramas": try count(bit(0)), "screenshots": try count(bit(2)),
                "livePhotos": try count(bit(3)), "depthEffect": try count(bit(4)),
                "animated": try count(bit(6)), "spatial": try count(bit(10)),
                "slomoVideos": try count(bit(17)), "timelapses": try count(bit(18)),
                "screenRecordings": try count(bit(19)), "cinematic": try count(bit(21)),
                "unableToUpload": 0,
                "album": try count(
                    "albumId = \(album)",
                    from: "albumAsset JOIN asset ON asset.id = assetId"
                ),
            ]
        }
    }
}

// MARK: - Changes

/// Makes random changes, each in a transaction of its own.
private struct RandomChanges {
    let album: Int64
    private static let bits: [UInt] = [0, 2, 3, 4, 6, 10, 17, 18, 19, 21]

    mutating func insert(
        _ transaction: LibraryTransaction,
        _ random: inout some RandomNumberGenerator
    ) throws {
        var record = LibraryWorld.record()
        func chance(_ one: Int) -> Bool { Int.random(in: 0..<one, using: &random) == 0 }
        for bit in Self.bits where chance(4) {
            record.mediaSubtypes.insert(.init(rawValue: 1 << bit))
        }
        record.mediaType = chance(3) ? .video : .image
        record.isFavorite = chance(3)
        record.isHidden = chance(6)
        record.camera.lens = chance(4) ? "front camera" : nil
        record.camera.exposureTime = chance(4) ? 2 : nil
        if chance(2) { record.burstIdentifier = "\(Int.random(in: 0..<20, using: &random))" }
        Self.varyFrame(&record, &random)
        if chance(2) { record.addedDate = Date() }
        try transaction.insertAsset(record)
    }

    private static func varyFrame(
        _ record: inout AssetRecord,
        _ random: inout some RandomNumberGenerator
    ) {
        guard record.burstIdentifier != nil else { return }
        record.representsBurst = Bool.random(using: &random)
        record.burstSelectionTypes = [[], .userPick, .alone].randomElement(using: &random) ?? []
        if record.burstSelectionTypes == .alone { record.representsBurst = false }
    }

    /// Makes one change, and returns what it was.
    mutating func run(
        in store: LibraryStore,
        _ random: inout some RandomNumberGenerator
    ) throws -> String {
        let kind = Int.random(in: 0..<11, using: &random)
        let all = try store.read { try Int64.fetchAll($0, sql: "SELECT id FROM asset ORDER BY id") }
        let some = Set((0..<5).compactMap { _ in all.randomElement(using: &random) }).sorted()
        if kind == 10 {
            // The latest change may be one that cannot be undone.
            _ = try? store.undo(UndoRequest(redoes: Bool.random(using: &random)), author: "test")
            return "undo"
        }
        let trashed = try store.read { database in
            try Int64.fetchAll(
                database,
                sql: "SELECT id FROM asset WHERE trashedDate IS NOT NULL ORDER BY id LIMIT 3"
            )
        }
        try store.write(author: "test") { transaction in
            func update(_ body: (inout AssetRecord) -> Void) throws {
                for id in some {
                    guard var record = try transaction.asset(id: id) else { continue }
                    body(&record)
                    try transaction.updateAsset(record, contentChanged: false)
                }
            }
            switch kind {
            case 0: for _ in 0..<4 { try insert(transaction, &random) }
            case 1: try update { $0.isFavorite.toggle() }
            case 2: try update { $0.isHidden.toggle() }
            case 3, 4: try update { Self.varyFrame(&$0, &random) }
            case 5:
                let present = try some.filter { try transaction.asset(id: $0)?.trashedDate == nil }
                try transaction.trashAssets(present)
            case 6: try transaction.restoreAssets(trashed)
            case 7: try transaction.purgeAssets(trashed)
            case 8: try transaction.appendMembers(some, to: album)
            default:
                try transaction.removeMembers(try transaction.memberIDs(of: album), from: album)
            }
        }
        return "kind \(kind)"
    }
}
