import Foundation
import GRDB
import LibraryService
import PhotoModel
import SamplePhotos
import TestSupport
import Testing

@testable import PhotoLibrary

/// Moments that are updated change by change, compared with moments grouped from scratch.
///
/// `PHOTOS_MOMENT_ROUNDS` sets the number of changes.
@Suite(.timeLimit(.minutes(30))) struct MomentUpdaterTests {
    private static let rounds =
        ProcessInfo.processInfo.environment["PHOTOS_MOMENT_ROUNDS"].flatMap(Int.init) ?? 90

    private static let places: [Location?] = [
        nil, nil, Location(latitude: 48.137, longitude: 11.575),
        Location(latitude: 48.15, longitude: 11.6), Location(latitude: 48.26, longitude: 11.43),
        Location(latitude: 52.52, longitude: 13.405), Location(latitude: -16.5, longitude: 179.95),
        Location(latitude: -16.5, longitude: -179.95), Location(latitude: 90, longitude: 0),
    ]

    @Test("Whatever comes, goes and changes: the groups are those of plain Swift")
    func agreesWithPlainSwift() throws {
        let seed = TestSeed()
        var generator = seed.generator
        let world = try LibraryWorld()
        var assets: [Int64: AssetRecord] = [:]
        for round in 0..<Self.rounds {
            try world.store.write(author: "test") { transaction in
                for _ in 0..<Int.random(in: 1...(round % 20 == 0 ? 40 : 4), using: &generator) {
                    try Self.change(&assets, in: transaction, &generator)
                }
            }
            let expected = MomentModel.groups(assets)
            let stored = try MomentModel.stored(world.store)
            for level in MomentLevel.allCases where stored[level] != expected[level] {
                Issue.record(
                    """
                    \(seed) round \(round), \(level):
                    \(stored[level] ?? []), not
                    \(expected[level] ?? [])
                    """
                )
                return
            }
        }
        #expect(try world.findings().filter { $0 == "wrongMoments" } == [], seed.comment)
    }

    @Test("The same assets give the same groups in whatever order they come")
    func orderDoesNotMatter() throws {
        let seed = TestSeed()
        var generator = seed.generator
        let records = (0..<120).map { _ in
            var record = LibraryWorld.record()
            Self.vary(&record, &generator)
            return record
        }
        var groupings: Set<String> = []
        for batch in [1, 7, 120] {
            let world = try LibraryWorld()
            let shuffled = records.shuffled(using: &generator)
            for start in stride(from: 0, to: shuffled.count, by: batch) {
                try world.insert(Array(shuffled[start..<min(start + batch, shuffled.count)]))
            }
            let names = try world.store.read { database in
                let rows = try Row.fetchAll(database, sql: "SELECT id, originalFilename FROM asset")
                return Dictionary(
                    uniqueKeysWithValues: rows.map { ($0[0] as Int64, $0[1] as String) }
                )
            }
            let groups = try MomentModel.stored(world.store)
            let text = MomentLevel.allCases.map { level in
                (groups[level] ?? []).map { group in
                    "\(group.assets.compactMap { names[$0] }.sorted())"
                        + " \(group.startDate ?? .distantPast) \(group.endDate ?? .distantPast)"
                }
            }
            groupings.insert("\(text)")
        }
        #expect(groupings.count == 1, seed.comment)
    }

    @Test("A check finds what is wrong, and mends it with the same identifiers")
    func checked() throws {
        let world = try LibraryWorld()
        try world.insert(Self.day(1, hours: [8, 9, 10]) + Self.day(2, hours: [8, 9]))
        let before = try Self.identifiers(world)
        try world.tamper("DELETE FROM timeline WHERE assetId = 1")
        #expect(try world.findings() == ["wrongMoments"])
        #expect(try world.findings(repairs: true) == ["wrongMoments"])
        #expect(try world.findings() == [])
        #expect(try Self.identifiers(world) == before)
        try world.tamper("DELETE FROM moment WHERE level = 2")
        #expect(try world.findings(repairs: true) == ["wrongMoments"])
        #expect(try world.findings() == [])
        try world.tamper("UPDATE moment SET placeCount = placeCount + 1")
        #expect(try world.findings() == ["wrongMoments"])
    }

    @Test("Very many changes at once are grouped as few are")
    func manyAtOnce() throws {
        let seed = TestSeed()
        var generator = seed.generator
        let world = try LibraryWorld()
        var assets: [Int64: AssetRecord] = [:]
        for count in [60, LibraryTransaction.manyChanges + 40] {
            try world.store.write(author: "test") { transaction in
                for _ in 0..<count {
                    var record = LibraryWorld.record()
                    Self.vary(&record, &generator)
                    record.id = try transaction.insertAsset(record)
                    assets[record.id] = record
                }
            }
        }
        #expect(try MomentModel.stored(world.store) == MomentModel.groups(assets), seed.comment)
    }

    @Test("Groups that very many changes are about note the version, the others stay as they are")
    func manyAtOnceAreNoted() throws {
        let seed = TestSeed()
        var generator = seed.generator
        let world = try LibraryWorld()
        var assets: [Int64: AssetRecord] = [:]
        try world.store.write(author: "test") { transaction in
            for _ in 0..<900 {
                var record = LibraryWorld.record()
                Self.vary(&record, &generator)
                record.id = try transaction.insertAsset(record)
                assets[record.id] = record
            }
        }
        for _ in 0..<6 {
            let (groupsBefore, rowsBefore) = (MomentModel.groups(assets), try Self.rows(world))
            let ids = assets.keys.sorted().shuffled(using: &generator)
            let changed = Set(ids.prefix(400))
            try world.store.write(author: "test") { transaction in
                for id in changed.sorted() {
                    guard var record = assets[id] else { continue }
                    Self.vary(&record, &generator)
                    if Bool.random(using: &generator) { record.isHidden.toggle() }
                    try transaction.updateAsset(record, contentChanged: false)
                    assets[id] = try transaction.asset(id: id)
                }
                #expect(transaction.moments.assets.count > LibraryTransaction.manyChanges)
            }
            let version = try world.store.currentVersion()
            let (groups, rows) = (MomentModel.groups(assets), try Self.rows(world))
            #expect(try MomentModel.stored(world.store) == groups, seed.comment)
            for level in MomentLevel.allCases {
                let before = zip(groupsBefore[level] ?? [], rowsBefore[level] ?? [])
                    .map { (group: $0, row: $1) }
                for (group, row) in zip(groups[level] ?? [], rows[level] ?? []) {
                    guard let same = before.first(where: { $0.group.assets == group.assets }) else {
                        #expect(row.version == version, seed.comment)
                        continue
                    }
                    guard group.assets.isDisjoint(with: changed) else { continue }
                    #expect(row.uuid == same.row.uuid, seed.comment)
                }
            }
        }
        #expect(try world.findings().filter { $0 == "wrongMoments" } == [], seed.comment)
    }

    // MARK: - Identifiers

    @Test("A moment keeps its identifier when it grows, at either end and in between")
    func growingKeepsTheIdentifier() throws {
        let world = try LibraryWorld()
        try world.insert(Self.day(1, hours: [10, 12]))
        let first = try Self.identifiers(world)
        #expect(first.count == 3)
        try world.insert(Self.day(1, hours: [9]))
        try world.insert(Self.day(1, hours: [13, 11]))
        #expect(try Self.identifiers(world) == first)
    }

    @Test("Of moments that become one, the largest keeps its identifier; and the rest of it")
    func largestKeepsTheIdentifier() throws {
        let world = try LibraryWorld()
        try world.insert(Self.day(1, hours: [1, 9, 10]))
        let apart = try Self.identifiers(world, .moment)
        #expect(apart.count == 2)
        let bridge = try world.insert(Self.day(1, hours: [5]))
        let together = try Self.identifiers(world, .moment)
        #expect(together == [apart[1]])
        try world.store.write(author: "test") { try $0.trashAssets(bridge) }
        let again = try Self.identifiers(world, .moment)
        #expect(again.count == 2)
        #expect(again.last == apart[1])
        #expect(!apart.contains(again[0]))
    }

    // MARK: - Contents

    @Test("Hidden, deleted and undated assets are in none")
    func onlyWhatShows() throws {
        let world = try LibraryWorld()
        var undated = LibraryWorld.record()
        undated.creationDate = nil
        let ids = try world.insert(Self.day(1, hours: [8, 9, 10]) + [undated])
        #expect(try Self.counts(world) == [3, 3, 3])
        try world.store.write(author: "test") { transaction in
            var record = try #require(try transaction.asset(id: ids[0]))
            record.isHidden = true
            try transaction.updateAsset(record, contentChanged: false)
            try transaction.trashAssets([ids[1]])
        }
        #expect(try Self.counts(world) == [1, 1, 1])
        _ = try world.store.undo(UndoRequest(), author: "test")
        #expect(try Self.counts(world) == [3, 3, 3])
        try world.store.write(author: "test") { try $0.trashAssets(ids) }
        #expect(try Self.counts(world) == [])
    }

    @Test("Days are those of the wall, not of an instant")
    func daysOfTheWall() throws {
        let world = try LibraryWorld()
        // 23:30 in Tokyo and, nine hours later, 23:40 in London: the same day by wall time.
        let records = [("2024-05-03T23:30:00", 32_400), ("2024-05-03T23:40:00.500", 3_600)].map {
            var record = LibraryWorld.record()
            Self.setTime(&record, $0.0, offset: $0.1)
            return record
        }
        try world.insert(records)
        #expect(try Self.counts(world, .moment) == [2])
        var next = LibraryWorld.record()
        Self.setTime(&next, "2024-05-04T00:10:00", offset: 3_600)
        try world.insert(next)
        #expect(try Self.counts(world, .moment) == [2, 1])
    }

    @Test("A favourite changes no moment, and a new date does")
    func favouritesDoNotMatter() throws {
        let world = try LibraryWorld()
        let ids = try world.insert(Self.day(1, hours: [8, 9]))
        func touched(_ body: (inout AssetRecord) -> Void) throws -> Int {
            let version = try world.store.currentVersion()
            try world.store.write(author: "test") { transaction in
                var record = try #require(try transaction.asset(id: ids[0]))
                body(&record)
                try transaction.updateAsset(record, contentChanged: false)
            }
            return try world.store.read { database in
                try TouchedObjects(database: database, since: version, through: .max)
                    .collections()?.filter { MomentLevel.id(rowID: $0) != nil }.count ?? -1
            }
        }
        #expect(try touched { $0.isFavorite = true } == 0)
        #expect(try touched { $0.caption = "a" } == 0)
        #expect(try touched { $0.creationDate? += 60 } == 3)
        #expect(try touched { $0.location = Location(latitude: 1, longitude: 2) } == 3)
    }

    // MARK: - Helpers

    /// Returns assets of a day in May 2024, at full hours.
    private static func day(_ day: Int, hours: [Int]) -> [AssetRecord] {
        hours.map { hour in
            var record = LibraryWorld.record()
            let text = String(format: "2024-05-%02dT%02d:00:00", day, hour)
            setTime(&record, text, offset: 0)
            return record
        }
    }

    private static func setTime(_ record: inout AssetRecord, _ text: String, offset: Int) {
        let style = Date.ISO8601FormatStyle(includingFractionalSeconds: text.contains("."))
        let wall = (try? style.parse(text + "Z")) ?? .distantPast
        let instant = wall - Double(offset)
        record.creationDate = instant
        record.captureTime = CaptureTime(
            instant: instant,
            wallTime: text,
            offset: offset,
            wallTimeSource: .exifOriginal,
            instantSource: .offsetTag
        )
    }

    private static func rows(
        _ world: LibraryWorld
    ) throws -> [MomentLevel: [(uuid: String, version: Int64)]] {
        try world.store.read { database in
            let rows = try Row.fetchAll(
                database,
                sql: """
                    SELECT level, uuid, version FROM moment
                    ORDER BY level, time, latitude, longitude
                    """
            )
            return Dictionary(grouping: rows) { MomentLevel(rawValue: $0[0]) ?? .moment }
                .mapValues { $0.map { (uuid: $0[1], version: $0[2]) } }
        }
    }

    private static func identifiers(
        _ world: LibraryWorld,
        _ level: MomentLevel? = nil
    ) throws -> [String] {
        try world.store.read { database in
            let condition = level.map { "level = \($0.rawValue)" } ?? "1"
            return try String.fetchAll(
                database,
                sql: """
                    SELECT uuid FROM moment WHERE \(condition)
                    ORDER BY level, time, latitude, longitude
                    """
            )
        }
    }

    private static func counts(
        _ world: LibraryWorld,
        _ level: MomentLevel? = nil
    ) throws -> [Int] {
        try world.store.read { database in
            let condition = level.map { "level = \($0.rawValue)" } ?? "1"
            return try Int.fetchAll(
                database,
                sql: """
                    SELECT assetCount FROM moment WHERE \(condition)
                    ORDER BY level, time, latitude, longitude
                    """
            )
        }
    }

    private static func change(
        _ assets: inout [Int64: AssetRecord],
        in transaction: LibraryTransaction,
        _ generator: inout SeededGenerator
    ) throws {
        let known = assets.keys.sorted()
        let id = known.randomElement(using: &generator)
        switch Int.random(in: 0..<10, using: &generator) {
        case 0..<4 where known.count < 160:
            var record = LibraryWorld.record()
            vary(&record, &generator)
            record.id = try transaction.insertAsset(record)
            assets[record.id] = record
        case 8:
            guard let id else { return }
            try transaction.deleteAsset(id: id)
            assets[id] = nil
        default:
            guard let id, var record = assets[id] else { return }
            switch Int.random(in: 0..<6, using: &generator) {
            case 0: record.isHidden.toggle()
            case 1: record.trashedDate = record.trashedDate == nil ? transaction.now : nil
            case 2: record.isFavorite.toggle()
            case 3: record.location = places.randomElement(using: &generator) ?? nil
            default: vary(&record, &generator)
            }
            try transaction.updateAsset(record, contentChanged: false)
            assets[id] = try transaction.asset(id: id)
        }
    }

    /// Uses few times and places, so that many are close to one another, and some equal.
    static func vary(_ record: inout AssetRecord, _ generator: inout SeededGenerator) {
        record.originalFilename = "\(UInt32.random(in: 0...(.max), using: &generator)).JPG"
        record.location = places.randomElement(using: &generator) ?? nil
        if Int.random(in: 0..<12, using: &generator) == 0 {
            record.creationDate = nil
            record.captureTime = nil
            return
        }
        let year = [2023, 2024, 1995].randomElement(using: &generator) ?? 2024
        let month = Int.random(in: 1...3, using: &generator) % 2 == 0 ? 12 : 1
        let day = Int.random(in: 1...9, using: &generator)
        let hour = Int.random(in: 0...23, using: &generator)
        let minute = [0, 0, 30].randomElement(using: &generator) ?? 0
        let text = String(
            format: "%04d-%02d-%02dT%02d:%02d:00",
            year,
            month,
            day * 3,
            hour,
            minute
        )
        let offset = [0, 3_600, -18_000].randomElement(using: &generator) ?? 0
        setTime(&record, text, offset: offset)
        // A record with only an instant.
        if Int.random(in: 0..<8, using: &generator) == 0 { record.captureTime = nil }
    }
}
