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

/// One photo that two devices imported.
@Suite(.timeLimit(.minutes(5))) struct TwinTests {
    /// Two libraries of one cloud library.
    struct Pair {
        let libraries: [SyncedLibrary]
        var cloud = SimulatedStore()

        init(joins: Bool = true) throws {
            libraries = try (0..<2).map { number in
                try SyncedLibrary(number: number, generator: SeededGenerator(seed: UInt64(number)))
            }
            if joins { for library in libraries { try library.join() } }
        }

        mutating func exchange(_ count: Int = 4) throws {
            for _ in 0..<count {
                for library in libraries {
                    let publish = Array(repeating: Duty.publish, count: 8)
                    try library.synchronize(
                        with: &cloud,
                        publish + [.pollAll, .pairTwins(limit: 1)]
                    )
                }
            }
        }

        /// Imports the same bytes in both libraries, and returns the UUIDs of both assets.
        func importTwins() throws -> [String] {
            try libraries.map { library in
                let record = LibraryWorld.record("IMG_1.JPG")
                try library.insertWithFile(record, bytes: [1, 2, 3])
                return record.uuid
            }
        }

        func assets(_ library: Int) throws -> [AssetRecord] {
            try libraries[library].store.read {
                try Row.fetchAll($0, sql: AssetRecord.map.selectSQL).map(AssetRecord.init(row:))
            }
        }

        func change(_ library: Int, _ uuid: String, _ body: (inout AssetRecord) -> Void) throws {
            try libraries[library].store.write(author: "test") { transaction in
                var record = try #require(try transaction.asset(uuid: uuid))
                body(&record)
                try transaction.updateAsset(record, contentChanged: false)
            }
        }

        /// Publishes the changes of a library, and removes the only original of an asset there.
        mutating func publishAndRemove(_ uuid: String, in library: Int) throws {
            try libraries[library].synchronize(
                with: &cloud,
                Array(repeating: .publish, count: 8)
            )
            let content = try libraries[library].content(of: uuid)
            let removed = try libraries[library].store.removeOriginals([content])
            #expect(removed == [content])
            let presence = try libraries[library].presence(of: uuid)
            #expect(presence == [2])
        }

        func fetch(_ library: Int, _ uuids: [String]) throws -> RowIDBuffer {
            let names = uuids.map { LocalIdentifier(uuid: $0, kind: .asset).description }
            let request = AssetFetchRequest(scope: .identifiers(names))
            return try AssetFetcher(LibraryView(store: libraries[library].store)).fetch(request).ids
        }
    }

    @Test func oneAssetHasTheChangesOfBothAndAnswersToBothIdentifiers() throws {
        var pair = try Pair()
        let uuids = try pair.importTwins()
        try pair.change(0, uuids[0]) { $0.isFavorite = true }
        try pair.change(1, uuids[1]) { $0.title = "Beach" }
        try pair.libraries[1].store.write(author: "test") { transaction in
            let album = try transaction.insertCollection(
                LibraryWorld.collection(.album, "Holidays", in: 0)
            )
            let id = try #require(try transaction.asset(uuid: uuids[1])).id
            try transaction.appendMembers([id], to: album)
        }
        try pair.exchange()
        for library in 0..<2 {
            let assets = try pair.assets(library)
            #expect(assets.count == 1)
            #expect(assets.first?.isFavorite == true)
            #expect(assets.first?.title == "Beach")
            for names in [[uuids[0]], [uuids[1]], uuids] {
                let found = try pair.fetch(library, names)
                #expect(found.count == 1)
            }
            let findings = try pair.libraries[library].findings()
            #expect(findings == [])
            let (away, members) = try pair.libraries[library].store.read { database in
                (
                    try Int.fetchOne(
                        database,
                        sql: "SELECT count(*) FROM resource WHERE presence <> 0"
                    ),
                    try Int.fetchOne(database, sql: "SELECT count(*) FROM albumAsset")
                )
            }
            #expect(away == 0)
            #expect(members == 1)
            let view = LibraryView(store: pair.libraries[library].store)
            let digests = try ResourceFetcher(view).digests(AssetDigestsRequest(assetUUIDs: uuids))
                .digests
            #expect(digests[0] != nil && digests[0] == digests[1])
        }
        let (first, second) = (try pair.assets(0), try pair.assets(1))
        #expect(first.map(\.uuid) == second.map(\.uuid))
    }

    @Test func aChangeThatNamesAnAliasChangesThePhoto() throws {
        var pair = try Pair()
        let uuids = try pair.importTwins()
        try pair.exchange()
        let shown = try #require(try pair.assets(0).first)
        let alias = try #require(uuids.first { $0 != shown.uuid })
        // A device that does not know of the twins yet.
        try pair.libraries[0].store.write(author: "test") { transaction in
            let twins = CloudTwinTable(database: transaction.database)
            let representative = try twins.representative(of: alias)
            #expect(representative == shown.uuid)
        }
        try pair.libraries[1].store.importChanges([
            CloudTransaction(
                time: HybridTime(rawValue: 1 << 61),
                author: CloudID(9, 9),
                operations: [
                    .set(
                        try CloudID.of(alias),
                        RegisterKey(.rating),
                        rank: 0,
                        .bytes(Array(#"{"rating":4}"#.utf8))
                    )
                ]
            )
        ])
        let assets = try pair.assets(1)
        #expect(assets.map(\.rating) == [4])
    }

    @Test func aPurgeNamesAllTwins() throws {
        var pair = try Pair()
        _ = try pair.importTwins()
        try pair.exchange()
        let shown = try #require(try pair.assets(0).first)
        try pair.libraries[0].store.write(author: "test") { transaction in
            try transaction.trashAssets([shown.id])
            try transaction.purgeAssets([shown.id])
        }
        try pair.exchange()
        for library in 0..<2 {
            let assets = try pair.assets(library)
            #expect(assets.isEmpty)
            try pair.libraries[library].compareWithMergedState()
        }
    }

    /// The device that purged its copy did not know that the other one is the same photo.
    @Test func aPurgeBeforeTheTwinsWereKnownLeavesTheOther() throws {
        var pair = try Pair()
        let uuids = try pair.importTwins()
        try pair.change(0, uuids[0]) { $0.title = "mine" }
        try pair.libraries[0].synchronize(
            with: &pair.cloud,
            Array(repeating: .publish, count: 8)
        )
        try pair.libraries[0].store.write(author: "test") { transaction in
            let id = try #require(try transaction.asset(uuid: uuids[0])).id
            try transaction.trashAssets([id])
            try transaction.purgeAssets([id])
        }
        try pair.libraries[1].synchronize(
            with: &pair.cloud,
            Array(repeating: .publish, count: 8) + [.pollAll, .pairTwins(limit: 1)]
        )
        let united = try pair.assets(1)
        #expect(united.map(\.title) == ["mine"])
        try pair.exchange()
        for library in 0..<2 {
            let assets = try pair.assets(library)
            #expect(assets.map(\.uuid) == [uuids[1]])
            #expect(assets.first?.title == nil)
            try pair.libraries[library].compareWithMergedState()
            let findings = try pair.libraries[library].findings()
            #expect(findings == [])
        }
    }

    /// The file of the later import has the values that the person changed or removed.
    @Test(arguments: 0..<2) func aLaterImportUndoesNoChange(first: Int) throws {
        var pair = try Pair()
        var uuids: [String] = []
        for library in [first, 1 - first] {
            // Its stamps are later than those of the change.
            if !uuids.isEmpty { pair.libraries[library].clock.advance(by: 2 * 86_400) }
            var record = LibraryWorld.record("IMG_1.JPG")
            record.title = "From the file"
            record.keywords = ["file"]
            record.rating = 3
            record.location = Location(latitude: 48, longitude: 11)
            try pair.libraries[library].insertWithFile(record, bytes: [1, 2, 3])
            uuids.append(record.uuid)
            guard uuids.count == 1 else { continue }
            try pair.change(library, record.uuid) { record in
                record.title = "From a person"
                record.keywords = ["person"]
                record.rating = 0
                record.location = nil
                record.personFacts = [.title, .keywords, .rating, .location]
                record.hasAdjustments = true
                record.adjustmentFormatIdentifier = "test"
                record.pixelSize = PixelSize(width: 100, height: 50)
            }
        }
        try pair.exchange()
        for library in 0..<2 {
            let assets = try pair.assets(library)
            try #require(assets.count == 1)
            #expect(assets[0].title == "From a person")
            #expect(assets[0].keywords == ["person"])
            #expect(assets[0].rating == 0)
            #expect(assets[0].location == nil)
            #expect(assets[0].adjustmentFormatIdentifier == "test")
            #expect(assets[0].pixelSize == PixelSize(width: 100, height: 50))
            try pair.libraries[library].compareWithMergedState()
        }
        // What is changed later in the photo wins as ever.
        let shown = try #require(try pair.assets(1 - first).first)
        try pair.change(1 - first, shown.uuid) { record in
            record.hasAdjustments = false
            record.adjustmentFormatIdentifier = nil
            record.title = nil
        }
        try pair.exchange()
        for library in 0..<2 {
            let assets = try pair.assets(library)
            #expect(assets.map(\.hasAdjustments) == [false])
            #expect(assets.first?.title == nil)
            try pair.libraries[library].compareWithMergedState()
        }
    }

    /// A person had set the values in another program before the migration.
    @Test(arguments: 0..<2, [false, true])
    func aLaterImportUndoesNoMigratedValue(first: Int, joinsLater: Bool) throws {
        var pair = try Pair(joins: !joinsLater)
        for library in [first, 1 - first] {
            var record = LibraryWorld.record("IMG_1.JPG")
            if library == first {
                record.title = "From a person"
                record.keywords = ["person"]
                record.rating = 5
                record.location = Location(latitude: 1, longitude: 2)
                record.personFacts = [.title, .keywords, .rating, .location]
            } else {
                pair.libraries[library].clock.advance(by: 2 * 86_400)
                record.title = "From the file"
                record.keywords = ["file"]
                record.rating = 3
                record.location = Location(latitude: 48, longitude: 11)
            }
            try pair.libraries[library].insertWithFile(record, bytes: [1, 2, 3])
        }
        if joinsLater { for library in pair.libraries { try library.join() } }
        try pair.exchange()
        for library in 0..<2 {
            let assets = try pair.assets(library)
            try #require(assets.count == 1)
            #expect(assets[0].title == "From a person")
            #expect(assets[0].keywords.contains("person"))
            #expect(assets[0].rating == 5)
            #expect(assets[0].location?.latitude == 1)
            #expect(assets[0].personFacts == [.title, .keywords, .rating, .location])
            try pair.libraries[library].compareWithMergedState()
        }
        // What is changed later in the photo wins as ever.
        let shown = try #require(try pair.assets(1 - first).first)
        try pair.change(1 - first, shown.uuid) { $0.title = "Changed" }
        try pair.exchange()
        for library in 0..<2 {
            let assets = try pair.assets(library)
            #expect(assets.map(\.title) == ["Changed"])
            try pair.libraries[library].compareWithMergedState()
        }
    }

    /// The time of a migration says nothing about when a person set its values.
    @Test func aMigrationUndoesNoChange() throws {
        var pair = try Pair()
        let imported = LibraryWorld.record("IMG_1.JPG")
        try pair.libraries[0].insertWithFile(imported, bytes: [1, 2, 3])
        try pair.change(0, imported.uuid) { $0.title = "Changed" }
        pair.libraries[1].clock.advance(by: 2 * 86_400)
        var migrated = LibraryWorld.record("IMG_1.JPG")
        migrated.title = "From a person"
        migrated.personFacts = [.title]
        try pair.libraries[1].insertWithFile(migrated, bytes: [1, 2, 3])
        try pair.exchange()
        for library in 0..<2 {
            let assets = try pair.assets(library)
            #expect(assets.map(\.title) == ["Changed"])
            try pair.libraries[library].compareWithMergedState()
        }
    }

    /// An original that was removed to free space is not downloaded again for its twin.
    @Test(arguments: 0..<2) func aRemovedOriginalStaysRemoved(first: Int) throws {
        var pair = try Pair()
        let later = 1 - first
        let record = LibraryWorld.record("IMG_1.JPG")
        try pair.libraries[first].insertWithFile(record, bytes: [1, 2, 3])
        pair.libraries[later].clock.advance(by: 2 * 86_400)
        let other = LibraryWorld.record("IMG_1.JPG")
        try pair.libraries[later].insertWithFile(other, bytes: [1, 2, 3])
        // As after edits that were reverted.
        try pair.change(later, other.uuid) { $0.contentVersion = 5 }
        try pair.publishAndRemove(other.uuid, in: later)
        try pair.exchange()
        let assets = try pair.assets(later)
        #expect(assets.map(\.uuid) == [record.uuid])
        let presence = try pair.libraries.map { try $0.presence(of: record.uuid) }
        #expect(presence[later] == [2] && presence[first] == [0])
        // The renditions of the former row are those of the present picture.
        #expect(assets.map(\.contentVersion) == [5])
        let findings = try pair.libraries[later].findings()
        #expect(findings == [])
    }

    /// The row is made again without the values of the twin that leaves.
    @Test func aRemovedOriginalStaysRemovedWhenATwinLeaves() throws {
        var pair = try Pair()
        // The other one is shown.
        pair.libraries[0].clock.advance(by: 2 * 86_400)
        let uuids = try pair.importTwins()
        try pair.change(0, uuids[0]) { $0.title = "mine" }
        try pair.libraries[0].synchronize(
            with: &pair.cloud,
            Array(repeating: .publish, count: 8)
        )
        try pair.libraries[0].store.write(author: "test") { transaction in
            let id = try #require(try transaction.asset(uuid: uuids[0])).id
            try transaction.trashAssets([id])
            try transaction.purgeAssets([id])
        }
        try pair.libraries[1].synchronize(
            with: &pair.cloud,
            Array(repeating: .publish, count: 8) + [.pollAll, .pairTwins(limit: 1)]
        )
        let shown = try #require(try pair.assets(1).first)
        #expect(shown.uuid == uuids[1] && shown.title == "mine")
        try pair.publishAndRemove(shown.uuid, in: 1)
        try pair.exchange()
        let assets = try pair.assets(1)
        #expect(assets.map(\.uuid) == [uuids[1]])
        #expect(assets.first?.title == nil)
        let presence = try pair.libraries[1].presence(of: uuids[1])
        #expect(presence == [2])
        #expect(assets.map(\.contentVersion) == [shown.contentVersion])
    }

    @Test func manyTwinsAreRecordedAtOnce() throws {
        var pair = try Pair()
        for library in pair.libraries {
            for number in UInt8(0)..<20 {
                let record = LibraryWorld.record("IMG_\(number).JPG")
                try library.insertWithFile(record, bytes: [number])
            }
        }
        let publish = Array(repeating: Duty.publish, count: 100) + [.pollAll]
        for library in pair.libraries {
            try library.synchronize(with: &pair.cloud, publish)
        }
        let before = try pair.assets(1)
        #expect(before.count == 40)
        try pair.libraries[1].synchronize(with: &pair.cloud, [.pairTwins(limit: 7)])
        let some = try pair.assets(1)
        #expect(some.count == 33)
        try pair.libraries[1].synchronize(with: &pair.cloud, [.pairTwins(limit: 1_000)])
        let all = try pair.assets(1)
        #expect(all.count == 20)
        for library in pair.libraries.reversed() {
            try library.synchronize(with: &pair.cloud, publish)
            try library.compareWithMergedState()
        }
        let other = try pair.assets(0)
        #expect(Set(other.map(\.uuid)) == Set(all.map(\.uuid)))
    }

    @Test func aDateThatMustNotDecreaseMakesNoVersion() throws {
        let pair = try Pair()
        let uuids = try pair.importTwins()
        let before = try pair.libraries[0].store.read { try JournalWriter.currentVersion($0) }
        try pair.change(0, uuids[0]) { $0.modificationDate.addTimeInterval(-10) }
        let after = try pair.libraries[0].store.read { try JournalWriter.currentVersion($0) }
        #expect(before == after)
    }
}
