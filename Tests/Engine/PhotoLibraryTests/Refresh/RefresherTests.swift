import CloudSync
import Foundation
import GRDB
import LibraryService
import PhotoModel
import Synchronization
import TestSupport
import Testing
import WorkerClient
import WorkerProtocol

@testable import PhotoLibrary

/// Originals that a later reader reads again.
@Suite(.timeLimit(.minutes(1))) struct RefresherTests {
    private let world: ImportWorld
    private let later = LaterProber()
    private let refresher: Refresher

    init() throws {
        world = try ImportWorld()
        var configuration = ImportConfiguration()
        configuration.timeZone = try ImportWorld.zone("America/New_York")
        refresher = Refresher(store: world.store, prober: later, configuration: configuration)
    }

    // MARK: - Helpers

    /// Imports a file, and sets its asset to the values of an earlier reader.
    private func imported(
        _ name: String,
        _ facts: MediaFacts,
        _ earlier: (inout AssetRecord) -> Void = { _ in }
    ) throws -> AssetRecord {
        try world.write(name, facts)
        let outcome = try #require(try world.importFiles(name).first)
        let asset = try #require(try world.asset(outcome))
        return try readEarlier(asset.id, earlier)
    }

    @discardableResult
    private func readEarlier(_ id: Int64, _ body: (inout AssetRecord) -> Void = { _ in }) throws
        -> AssetRecord
    {
        try world.store.write(author: "tests", batch: "import") { transaction in
            var record = try #require(try transaction.asset(id: id))
            record.readerVersion = 0
            body(&record)
            try transaction.updateAsset(record, contentChanged: false)
            return try #require(try transaction.asset(id: id))
        }
    }

    private func set(_ id: Int64, _ body: (inout AssetEdit) -> Void) throws {
        try Self.set(id, in: world.store, body)
    }

    private static func set(
        _ id: Int64,
        in store: LibraryStore,
        _ body: (inout AssetEdit) -> Void
    ) throws {
        var edit = AssetEdit()
        body(&edit)
        let made = edit
        try store.write(author: "person") { transaction in
            var record = try #require(try transaction.asset(id: id))
            try AssetEditing(timeZone: .current).apply(made, to: &record) { false }
            try transaction.updateAsset(record, contentChanged: false)
        }
    }

    private func asset(_ id: Int64) throws -> AssetRecord {
        try #require(try world.assets().first { $0.id == id })
    }

    private func refreshAll(isDryRun: Bool = false) throws -> [RefreshOutcome] {
        try refresher.refresh(RefreshRequest(isDryRun: isDryRun)).outcomes
    }

    private func undo(redoes: Bool = false) throws {
        _ = try world.store.undo(UndoRequest(redoes: redoes), author: "person")
    }

    private func expectWhole() throws {
        #expect(try SchemaTests.verify(world.store) == [])
        #expect(try world.inconsistencies() == [])
    }

    private func original(_ name: String) throws -> URL {
        let path = try world.store.read { database in
            try String.fetchOne(
                database,
                sql: "SELECT path FROM resource WHERE originalFilename = ?",
                arguments: [name]
            )
        }
        return URL(fileURLWithPath: world.store.bundle.absolutePath(of: try #require(path)))
    }

    // MARK: - Values

    /// Readers before version 3 did not use the codes, so pictures made with them are not current.
    @Test(
        arguments: [
            (2, ["pq"], true), (2, [], false), (3, ["pq"], false),
        ] as [(Int, Set<String>, Bool)]
    )
    func colorCodesOfPNGFilesMakeNewPictures(
        _ version: Int,
        _ marks: Set<String>,
        _ isNew: Bool
    ) throws {
        var facts = MediaFacts.still(.png)
        facts.hdr = marks
        let old = try imported("a.png", facts) { $0.readerVersion = version }
        _ = try refreshAll()
        #expect(try asset(old.id).contentVersion == old.contentVersion + (isNew ? 1 : 0))
        #expect(try asset(old.id).readerVersion == ReaderVersion.current)
        try expectWhole()
    }

    @Test func whatAnEarlierReaderGaveIsReadAgain() throws {
        let old = try imported("a.jpg", .still(at: "2023:07:15 12:30:45")) { record in
            record.location = Location(latitude: 0, longitude: 0)
            record.camera.aperture = 99
            record.captureTime?.offset = 0
            record.captureTime?.instantSource = .offsetTag
            record.captureTime?.instant = Date(timeIntervalSince1970: 1_689_424_245)
            record.creationDate = record.captureTime?.instant
            record.isFavorite = true
        }
        #expect(try refresher.status().earlierAssets == 1)
        let before = try world.store.currentVersion()
        let planned = try refreshAll(isDryRun: true)
        #expect(try world.store.currentVersion() == before)
        #expect(try asset(old.id) == old)

        let outcomes = try refreshAll()
        #expect(outcomes == planned)
        let outcome = try #require(outcomes.first)
        #expect(outcome.kind == .refreshed)
        #expect(
            outcome.changes.map(\.property) == [
                "aperture", "captureTime", "creationDate", "location",
            ]
        )
        #expect(outcome.changes.first == RefreshChange("aperture", .number(99), nil))
        let new = try asset(old.id)
        #expect(new.location == nil)
        #expect(new.camera.aperture == nil)
        #expect(new.captureTime?.offset == nil)
        #expect(new.captureTime?.instantSource == .machineTimeZone)
        // 12:30 in New York.
        #expect(new.creationDate == Date(timeIntervalSince1970: 1_689_438_645))
        #expect(new.isFavorite)
        #expect(new.contentVersion == old.contentVersion)
        #expect(try refresher.status().earlierAssets == 0)
        #expect(try refreshAll() == [])
        let authors = try world.store.read {
            try String.fetchAll($0, sql: "SELECT author FROM journalVersion ORDER BY version")
        }
        #expect(authors.last == "refresh")
        try expectWhole()

        try undo()
        #expect(try asset(old.id).location == old.location)
        #expect(try asset(old.id).captureTime == old.captureTime)
        #expect(try refresher.status().earlierAssets == 1)
        try undo(redoes: true)
        #expect(try asset(old.id).location == nil)
        #expect(try refresher.status().earlierAssets == 0)
        try expectWhole()
    }

    @Test func whatIsRightIsNoChange() throws {
        let old = try imported("a.jpg", .still())
        let version = try world.store.currentVersion()
        #expect(try refreshAll().map(\.kind) == [.unchanged])
        #expect(try world.store.currentVersion() == version)
        #expect(try asset(old.id).modificationDate == old.modificationDate)
        #expect(try refresher.status().earlierAssets == 0)
        // A named asset is read again, whatever its reader version.
        let outcomes = try refresher.refresh(RefreshRequest(uuids: [old.uuid, "no"])).outcomes
        #expect(outcomes.map(\.kind) == [.unchanged, .missing])
    }

    @Test func whatPeopleSetStays() throws {
        var facts = MediaFacts.still()
        facts.title = "Camera"
        facts.caption = "Camera"
        facts.keywords = ["camera"]
        facts.rating = 1
        facts.location = Location(latitude: 48, longitude: 11)
        let old = try imported("a.jpg", facts) { $0.camera.make = "Wrong" }
        try set(old.id) { edit in
            edit.title = .set("Mine")
            edit.caption = .clear
            edit.removedKeywords = ["camera"]
            edit.rating = 5
            edit.location = .clear
            edit.creationDate = .set(Date(timeIntervalSince1970: 1))
        }
        let other = try imported("b.jpg", .still(salt: "b"))
        try set(other.id) { $0.creationDate = .clear }
        // After the undo, no user edit protects the value.
        let third = try imported("c.jpg", .still(salt: "c")) { $0.title = "Earlier reader's" }
        try set(third.id) { $0.title = .set("Mine") }
        try undo()

        #expect(try refreshAll().map(\.kind) == [.refreshed, .unchanged, .refreshed])
        let new = try asset(old.id)
        #expect(new.camera.make == "Maker")
        #expect(new.title == "Mine")
        #expect(new.caption == nil)
        #expect(new.keywords == [])
        #expect(new.rating == 5)
        #expect(new.location == nil)
        #expect(new.creationDate == Date(timeIntervalSince1970: 1))
        #expect(try asset(other.id).creationDate == nil)
        #expect(try asset(third.id).title == nil)
        try expectWhole()
    }

    /// The machine that refreshes may differ from the one that imported.
    @Test func instantsOfAnImportingMachineStay() throws {
        let old = try imported("a.jpg", .still()) { record in
            record.captureTime?.instant += 3_600
            record.creationDate = record.captureTime?.instant
            record.rating = 3
        }
        #expect(try refreshAll().map(\.kind) == [.refreshed])
        #expect(try asset(old.id).creationDate == old.creationDate)
    }

    @Test func newSizeIsNewContent() throws {
        let old = try imported("a.jpg", .still()) { record in
            record.pixelSize = PixelSize(width: 30, height: 40)
        }
        _ = try refreshAll()
        let new = try asset(old.id)
        #expect(new.pixelSize == PixelSize(width: 40, height: 30))
        #expect(new.contentVersion == old.contentVersion + 1)
    }

    @Test func burstsAreSettledAgain() throws {
        let first = try imported("a.jpg", .still(burst: "burst"))
        let second = try imported("b.jpg", .still(burst: "burst", salt: "b"))
        later.facts["a.jpg"] = .still()
        later.facts["b.jpg"] = .still()
        _ = try refreshAll()
        for id in [first.id, second.id] {
            let asset = try asset(id)
            #expect(asset.burstIdentifier == nil)
            #expect(asset.isVisible)
            #expect(!asset.representsBurst)
        }
        try expectWhole()
        try undo()
        #expect(try asset(first.id).burstIdentifier == "burst")
        try expectWhole()
    }

    // MARK: - Files

    @Test func missingAndDamagedOriginalsAreTold() throws {
        for name in ["missing.jpg", "short.jpg", "flipped.jpg", "good.jpg"] {
            _ = try imported(name, .still(salt: name)) { $0.title = "Wrong" }
        }
        try FileManager.default.removeItem(at: original("missing.jpg"))
        for (name, change) in [("short.jpg", 1), ("flipped.jpg", 0)] {
            let file = try original(name)
            var data = try Data(contentsOf: file)
            // Within a text, so that the facts remain readable.
            let place = try #require(data.firstRange(of: Data("Maker".utf8))).lowerBound
            data[place] = UInt8(ascii: "B")
            try FileManager.default.removeItem(at: file)
            try data.dropLast(change).write(to: file)
        }
        let outcomes = try refreshAll()
        #expect(outcomes.map(\.kind) == [.missing, .failed, .failed, .refreshed])
        #expect(outcomes[0].reason?.contains("missing.jpg is missing") == true)
        #expect(outcomes[2].reason?.contains("flipped.jpg is damaged") == true)
        let assets = try world.assets()
        #expect(assets.map(\.title) == ["Wrong", "Wrong", "Wrong", nil])
        // They are tried again.
        #expect(try refresher.status().earlierAssets == 3)
    }

    @Test func anotherWritersChangeStays() throws {
        let old = try imported("a.jpg", .still()) { record in
            record.title = "Wrong"
            record.rating = 3
        }
        let gone = try imported("b.jpg", .still(salt: "b")) { $0.rating = 3 }
        let path = world.libraryPath
        later.onFirstProbe = {
            do {
                let other = try LibraryStore.open(at: path)
                try Self.set(old.id, in: other) { $0.title = .set("Mine") }
                try other.write(author: "other") { transaction in
                    try transaction.trashAssets([gone.id])
                    try transaction.purgeAssets([gone.id])
                }
                try other.close()
            } catch {
                Issue.record(error)
            }
        }
        #expect(try refreshAll().map(\.kind) == [.refreshed])
        #expect(try asset(old.id).title == "Mine")
        #expect(try asset(old.id).rating == 0)
        try expectWhole()
    }

    @Test func moreThanABatchIsRefused() throws {
        let error = #expect(throws: LibraryError.self) {
            try refresher.refresh(
                RefreshRequest(uuids: (0...RefreshRequest.largestBatch).map(String.init))
            )
        }
        #expect(error?.code == .invalidRequest)
    }

    // MARK: - Wrong pairs

    /// Returns a photo and the file that an earlier reader mistook for its sidecar.
    private func wrongPair(_ name: String) throws -> AssetRecord {
        try world.write("a.jpg", .still())
        try world.write(name, .sidecar(.xmp, title: "The neighbor's"))
        let outcomes = try world.importFiles("a.jpg", name)
        #expect(outcomes.map(\.kind) == [.imported, .paired])
        let asset = try #require(try world.asset(outcomes[0]))
        #expect(asset.title == "The neighbor's")
        return try readEarlier(asset.id)
    }

    @Test func picturesThatWereSidecarsBecomeAssets() throws {
        let old = try wrongPair("a.psd")
        try set(old.id) { $0.isHidden = true }
        var facts = MediaFacts.still(.tiff, at: "2020:01:01 00:00:00")
        facts.title = "The neighbor's"
        later.facts["a.psd"] = facts
        let planned = try refreshAll(isDryRun: true)
        let outcomes = try refreshAll()
        #expect(outcomes == planned)
        #expect(
            outcomes.first?.reason == "a.psd was attached as a sidecar, but is an asset of its own."
        )
        let assets = try world.assets()
        #expect(assets.map(\.title) == [nil, "The neighbor's"])
        #expect(assets.map(\.isHidden) == [true, true])
        #expect(try world.resources(of: assets[0]) == ["photo a.jpg"])
        let split = try #require(assets.last)
        #expect(try world.resources(of: split) == ["photo a.psd"])
        #expect(split.contentType == "public.tiff")
        try expectWhole()

        for _ in 0..<2 {
            try undo()
            let before = try world.assets()
            #expect(before.map(\.uuid) == [old.uuid])
            #expect(before.map(\.title) == ["The neighbor's"])
            #expect(try world.resources(of: before[0]) == ["photo a.jpg", "sidecar a.psd"])
            try expectWhole()
            try undo(redoes: true)
            #expect(try world.assets().map(\.uuid) == [old.uuid, split.uuid])
            #expect(try world.resources(of: split) == ["photo a.psd"])
            try expectWhole()
        }
        // Its file moves with it, and not with the one that it was attached to.
        try world.store.write(author: "person") { transaction in
            try transaction.trashAssets([old.id])
            try transaction.purgeAssets([old.id])
        }
        #expect(try world.assets().map(\.uuid) == [split.uuid])
        #expect(try world.inconsistencies() == [])
    }

    /// All computers of the cloud library ignore the asset from then on.
    @Test func aFinalPurgeStopsTheRedo() throws {
        let old = try wrongPair("a.psd")
        later.facts["a.psd"] = .still(.tiff)
        _ = try refreshAll()
        let split = try #require(try world.assets().last)
        try world.store.joinCloud(library: "A", device: CloudID(1, 1))
        try undo()
        let purge = CloudTransaction(
            time: HybridTime(rawValue: 1),
            author: CloudID(2, 2),
            operations: [.final(try CloudID.of(split.uuid))]
        )
        try world.store.importChanges([purge])
        let error = #expect(throws: LibraryError.self) { try undo(redoes: true) }
        #expect(error?.code == .changeNotSupported)
        #expect(error?.message.contains("was permanently deleted") == true)
        #expect(try world.assets().map(\.uuid) == [old.uuid])
    }

    /// An undo that would revert more than the refresh does nothing.
    @Test func undoStopsWhereTheNewAssetIsUsed() throws {
        _ = try wrongPair("a.psd")
        later.facts["a.psd"] = .still(.tiff)
        _ = try refreshAll()
        let split = try #require(try world.assets().last)
        try world.store.write(author: Maintenance.author) { transaction in
            var record = split
            record.isFavorite = true
            try transaction.updateAsset(record, contentChanged: false)
        }
        let error = #expect(throws: LibraryError.self) { try undo() }
        #expect(error?.code == .changeNotSupported)
        #expect(try world.assets().count == 2)
    }

    @Test func rawOfTheSameShotJoins() throws {
        let old = try wrongPair("a.raf")
        later.facts["a.raf"] = .still(.raw)
        let outcomes = try refreshAll()
        #expect(outcomes.first?.reason?.hasSuffix("is the RAW file of this shot.") == true)
        #expect(try world.assets().count == 1)
        #expect(try world.resources(of: old) == ["photo a.jpg", "alternatePhoto a.raf"])
        try expectWhole()
        try undo()
        #expect(try world.resources(of: old) == ["photo a.jpg", "sidecar a.raf"])
        try expectWhole()
    }

    @Test func whatNobodyKnowsStaysAttached() throws {
        let old = try wrongPair("a.svg")
        later.unsupported = ["a.svg"]
        #expect(try refreshAll().map(\.kind) == [.refreshed])
        #expect(try asset(old.id).title == nil)
        #expect(try world.resources(of: old) == ["photo a.jpg", "sidecar a.svg"])
        let types = try world.store.read { database in
            try String.fetchAll(database, sql: "SELECT contentType FROM resource ORDER BY id")
        }
        #expect(types == ["public.jpeg", "public.data"])
        // A further refresh changes nothing.
        #expect(
            try refresher.refresh(RefreshRequest(uuids: [old.uuid])).outcomes.map(\.kind)
                == [.unchanged]
        )
        try expectWhole()
        try undo()
        #expect(try asset(old.id).title == "The neighbor's")
        try expectWhole()
    }
}

/// A prober that reads some files differently from the previous one.
private final class LaterProber: MediaProber {
    private struct State {
        var facts: [String: MediaFacts] = [:]
        var unsupported: Set<String> = []
        var onFirstProbe: (@Sendable () -> Void)?
    }

    private let state = Mutex(State())

    var facts: [String: MediaFacts] {
        get { state.withLock(\.facts) }
        set { state.withLock { $0.facts = newValue } }
    }

    var unsupported: Set<String> {
        get { state.withLock(\.unsupported) }
        set { state.withLock { $0.unsupported = newValue } }
    }

    /// Called once, during the reading of the first file.
    var onFirstProbe: (@Sendable () -> Void)? {
        get { state.withLock(\.onFirstProbe) }
        set { state.withLock { $0.onFirstProbe = newValue } }
    }

    func probe(_ request: ProbeRequest, descriptor: Int32) throws(WorkerError) -> ProbeAnswer {
        let hook = state.withLock { state in
            defer { state.onFirstProbe = nil }
            return state.onFirstProbe
        }
        hook?()
        if let facts = facts[request.filename] { return .facts(facts, firstRendition: nil) }
        if unsupported.contains(request.filename) { return .unsupported(reason: "It is text.") }
        return try TableProber().probe(request, descriptor: descriptor)
    }

    func decodePreview(side: Int, descriptor: Int32) throws(WorkerError) -> DecodeAnswer {
        try TableProber().decodePreview(side: side, descriptor: descriptor)
    }
}
