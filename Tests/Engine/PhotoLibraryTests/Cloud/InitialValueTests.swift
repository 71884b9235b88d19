import CloudSync
import Foundation
import GRDB
import LibraryService
import PhotoModel
import SamplePhotos
import Testing
import WorkerProtocol

@testable import CloudSimulation
@testable import PhotoLibrary

/// Values that the creation of a photo contains, and that are changed later: the names of files,
/// and the identifiers of bursts and Live Photos.
@Suite(.timeLimit(.minutes(5))) struct InitialValueTests {
    private func libraries(_ count: Int, joins: Bool = true) throws -> [SyncedLibrary] {
        try (0..<count).map { number in
            let generator = SeededGenerator(seed: UInt64(number))
            let library = try SyncedLibrary(number: number, generator: generator)
            if joins { try library.join() }
            return library
        }
    }

    private func exchange(_ libraries: [SyncedLibrary], _ cloud: inout SimulatedStore) throws {
        for _ in 0..<4 {
            for library in libraries {
                try library.synchronize(with: &cloud, SyncedLibrary.publishing + [.pollAll])
            }
        }
    }

    private func importPhoto(_ library: SyncedLibrary, _ name: String) throws -> String {
        let record = LibraryWorld.record(name)
        try library.insertWithFile(record, bytes: [1, 2, 3])
        return record.uuid
    }

    private func change(
        _ library: SyncedLibrary,
        _ uuid: String,
        _ body: (inout AssetRecord) -> Void
    ) throws {
        library.clock.advance(by: 1)
        try library.store.write(author: "test") { transaction in
            var record = try #require(try transaction.asset(uuid: uuid))
            body(&record)
            try transaction.updateAsset(record, contentChanged: false)
        }
    }

    private func assets(_ library: SyncedLibrary) throws -> [AssetRecord] {
        try library.store.read {
            try Row.fetchAll($0, sql: AssetRecord.map.selectSQL).map(AssetRecord.init(row:))
        }
    }

    /// Checks that all libraries have the merged state, and one asset with these values.
    private func check<Value: Equatable>(
        _ libraries: [SyncedLibrary],
        _ value: KeyPath<AssetRecord, Value>,
        _ expected: Value
    ) throws {
        let all = try libraries.map { try $0.facts() }
        for (number, library) in libraries.enumerated() {
            let values = try assets(library).map { $0[keyPath: value] }
            #expect(values == [expected], "library \(number)")
            try library.compareWithMergedState()
            #expect(all[number] == all[0], "library \(number)")
        }
    }

    // MARK: - Writers

    /// The still becomes the main file of the asset that was the RAW or the movie.
    @Test(arguments: [false, true])
    func aStillThatJoinsGivesItsNameEverywhere(isLive: Bool) throws {
        let all = try libraries(2)
        var cloud = SimulatedStore()
        let importer = try ImportWorld(existingLibrary: all[0].world.path)
        let older = isLive ? "IMG_1.MOV" : "IMG_1.DNG"
        let still = isLive ? "IMG_1.HEIC" : "IMG_1.JPG"
        try importer.write(older, isLive ? .movie(content: "A") : .still(.raw))
        try importer.write(still, isLive ? .still(.heic, content: "A") : .still())
        let first = try importer.importFiles(older)
        #expect(first.map(\.kind) == [.imported])
        try exchange(all, &cloud)
        try check(all, \.originalFilename, older)
        let second = try importer.importFiles(still)
        #expect(second.map(\.kind) == [.paired])
        try exchange(all, &cloud)
        try check(all, \.originalFilename, still)
        try check(all, \.mediaType, .image)
    }

    /// The other library does not read the file again, since it has the version of the reader.
    @Test func identifiersThatALaterReaderFindsTravel() throws {
        let all = try libraries(2)
        var cloud = SimulatedStore()
        let facts = MediaFacts.still(content: "A", burst: "B")
        var record = LibraryWorld.record("IMG_1.JPG")
        record.pixelSize = try #require(facts.displaySize)
        try all[0].insertWithFile(record, bytes: Array(try JSONEncoder().encode(facts)))
        try exchange(all, &cloud)
        try check(all, \.burstIdentifier, nil)
        let refresher = Refresher(store: all[0].store, prober: TableProber())
        let outcomes = try refresher.refresh(RefreshRequest()).outcomes
        #expect(outcomes.map(\.kind) == [.refreshed])
        try exchange(all, &cloud)
        try check(all, \.readerVersion, ReaderVersion.current)
        try check(all, \.contentIdentifier, "A")
        try check(all, \.burstIdentifier, "B")
        try check(all, \.isVisible, true)
        _ = try all[0].store.undo(UndoRequest(redoes: false), author: "test")
        try exchange(all, &cloud)
        try check(all, \.contentIdentifier, nil)
        try check(all, \.burstIdentifier, nil)
    }

    // MARK: - Merging

    @Test func aValueThatWasNotChangedHasNoStamp() throws {
        let library = try libraries(1)[0]
        let photo = try importPhoto(library, "IMG_1.DNG")
        func groups() throws -> Set<RegisterGroup> {
            let stamps = try library.store.read {
                try CloudStampTable(database: $0).stamps(of: .asset, photo)
            }
            return Set(try #require(stamps).entries.keys.map(\.group))
                .intersection(CloudColumns.initialGroups)
        }
        #expect(try groups() == [])
        try change(library, photo) { $0.originalFilename = "IMG_1.JPG" }
        #expect(try groups() == [.filename])
    }

    /// Each of them is merged by itself, as a join here and a refresh there change different ones.
    @Test func simultaneousChangesOfTwoValuesAreBothKept() throws {
        let all = try libraries(2)
        var cloud = SimulatedStore()
        let photo = try importPhoto(all[0], "IMG_1.DNG")
        try exchange(all, &cloud)
        try change(all[0], photo) { $0.originalFilename = "IMG_1.JPG" }
        all[1].clock.advance(by: 2 * 86_400)
        try change(all[1], photo) { $0.contentIdentifier = "A" }
        try exchange(all, &cloud)
        try check(all, \.originalFilename, "IMG_1.JPG")
        try check(all, \.contentIdentifier, "A")
    }

    @Test func anEarlierReaderDoesNotReplaceWhatALaterOneFound() throws {
        let all = try libraries(2)
        var cloud = SimulatedStore()
        let photo = try importPhoto(all[0], "IMG_1.JPG")
        try exchange(all, &cloud)
        try change(all[0], photo) { record in
            record.readerVersion = 3
            record.contentIdentifier = "later reader"
        }
        all[1].clock.advance(by: 2 * 86_400)
        try change(all[1], photo) { record in
            record.readerVersion = 2
            record.contentIdentifier = "earlier reader"
        }
        try exchange(all, &cloud)
        try check(all, \.readerVersion, 3)
        try check(all, \.contentIdentifier, "later reader")
    }

    /// A library gets the change before the creation, and both again in the usual order.
    @Test func theCreationMayArriveAfterAChange() throws {
        let all = try libraries(3)
        var cloud = SimulatedStore()
        let photo = try importPhoto(all[0], "IMG_1.DNG")
        let some = Array(all.prefix(2))
        try exchange(some, &cloud)
        try change(all[1], photo) { $0.originalFilename = "IMG_1.JPG" }
        try exchange(some, &cloud)
        var published: [CloudTransaction] = []
        for case .segment(let sealed) in cloud.objects.values {
            published += sealed.segment.transactions
        }
        for transaction in published.sorted(by: { $0.stamp > $1.stamp }) {
            try all[2].store.importChanges([transaction])
        }
        let names = try assets(all[2]).map(\.originalFilename)
        #expect(names == ["IMG_1.JPG"])
        try exchange(all, &cloud)
        try check(all, \.originalFilename, "IMG_1.JPG")
    }

    /// Two imports of one source are one photo, whose creation is the earlier one.
    ///
    /// It does not undo what was changed after the later one.
    @Test(arguments: [false, true])
    func anEarlierCreationUndoesNoChange(joinsLater: Bool) throws {
        let all = try libraries(2, joins: !joinsLater)
        var cloud = SimulatedStore()
        let first = LibraryWorld.record("IMG_1.DNG")
        try all[0].insertWithFile(first, bytes: [1, 2, 3])
        all[1].clock.advance(by: 2 * 86_400)
        var second = first
        second.originalFilename = "IMG_1 (1).DNG"
        second.contentIdentifier = "of the later import"
        try all[1].insertWithFile(second, bytes: [1, 2, 3])
        try change(all[1], second.uuid) { $0.originalFilename = "IMG_1.JPG" }
        if joinsLater { for library in all { try library.join() } }
        try exchange(all, &cloud)
        try check(all, \.originalFilename, "IMG_1.JPG")
        // This one was not changed.
        try check(all, \.contentIdentifier, nil)
    }

    // MARK: - Twins

    /// The photo that is shown has the values of the earlier import.
    @Test(arguments: 0..<2) func aChangedNameOfATwinIsShown(first: Int) throws {
        var pair = try TwinTests.Pair()
        pair.libraries[1 - first].clock.advance(by: 2 * 86_400)
        let names = ["IMG_1.DNG", "IMG_1 (1).DNG"]
        let uuids = try zip(pair.libraries, names).map { try importPhoto($0, $1) }
        try pair.exchange()
        try check(pair.libraries, \.uuid, uuids[first])
        try check(pair.libraries, \.originalFilename, names[first])
        try pair.change(1 - first, uuids[first]) { $0.originalFilename = "IMG_1.JPG" }
        try pair.exchange()
        try check(pair.libraries, \.originalFilename, "IMG_1.JPG")
    }

    /// The photo was changed on the other device before both were known to be the same.
    @Test(arguments: 0..<2) func aNameThatWasChangedBeforeIsShown(changed: Int) throws {
        var pair = try TwinTests.Pair()
        pair.libraries[1].clock.advance(by: 2 * 86_400)
        let uuids = try pair.importTwins()
        try pair.change(changed, uuids[changed]) { $0.originalFilename = "Changed.JPG" }
        try pair.exchange()
        try check(pair.libraries, \.uuid, uuids[0])
        try check(pair.libraries, \.originalFilename, "Changed.JPG")
    }

    /// The device that purged its copy did not know that the other one is the same photo.
    @Test func aTwinThatLeavesTakesItsChangedNameAlong() throws {
        var pair = try TwinTests.Pair()
        // The other one is shown.
        pair.libraries[0].clock.advance(by: 2 * 86_400)
        let uuids = try pair.importTwins()
        try pair.change(0, uuids[0]) { $0.originalFilename = "Changed.JPG" }
        try pair.libraries[0].synchronize(with: &pair.cloud, SyncedLibrary.publishing)
        try pair.libraries[0].store.write(author: "test") { transaction in
            let id = try #require(try transaction.asset(uuid: uuids[0])).id
            try transaction.trashAssets([id])
            try transaction.purgeAssets([id])
        }
        try pair.libraries[1].synchronize(
            with: &pair.cloud,
            SyncedLibrary.publishing + [.pollAll, .pairTwins(limit: 1)]
        )
        let united = try pair.assets(1)
        #expect(united.map(\.uuid) == [uuids[1]])
        #expect(united.map(\.originalFilename) == ["Changed.JPG"])
        try pair.exchange()
        try check(pair.libraries, \.uuid, uuids[1])
        try check(pair.libraries, \.originalFilename, "IMG_1.JPG")
    }

    // MARK: - Photos that return

    /// The purge is void, since the other device restored the photo.
    @Test func aRestoredPhotoHasTheChangedName() throws {
        let all = try libraries(2)
        var cloud = SimulatedStore()
        let photo = try importPhoto(all[0], "IMG_1.DNG")
        try all[0].store.write(author: "test") { transaction in
            try transaction.trashAssets([try #require(try transaction.asset(uuid: photo)).id])
        }
        try exchange(all, &cloud)
        try change(all[0], photo) { $0.originalFilename = "IMG_1.JPG" }
        try all[0].store.write(author: "test") { transaction in
            try transaction.purgeAssets([try #require(try transaction.asset(uuid: photo)).id])
        }
        try all[1].store.write(author: "test") { transaction in
            try transaction.restoreAssets([try #require(try transaction.asset(uuid: photo)).id])
        }
        try exchange(all, &cloud)
        try check(all, \.originalFilename, "IMG_1.JPG")
    }

    /// The name was changed elsewhere while the photo was gone here.
    @Test func aPhotoThatAnUndoBringsBackHasOneName() throws {
        let all = try libraries(2)
        var cloud = SimulatedStore()
        let photo = try importPhoto(all[0], "IMG_1.DNG")
        try exchange(all, &cloud)
        let (record, files) = try all[0].store.write(author: "test") { transaction in
            let record = try #require(try transaction.asset(uuid: photo))
            let files = try transaction.resources(ofAsset: record.id)
            try transaction.trashAssets([record.id])
            try transaction.purgeAssets([record.id])
            return (record, files)
        }
        try change(all[1], photo) { $0.originalFilename = "IMG_1.JPG" }
        try exchange(all, &cloud)
        let gone = try all.map { try assets($0).count }
        #expect(gone == [0, 0])
        all[0].clock.advance(by: 2 * 86_400)
        // As the redo of a refresh that splits an asset.
        try all[0].store.write(author: "test") { transaction in
            try transaction.reinsertAsset(record)
            for file in files { try transaction.insertResource(file) }
        }
        try exchange(all, &cloud)
        try check(all, \.originalFilename, "IMG_1.DNG")
    }
}
