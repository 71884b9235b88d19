import Foundation
import LibraryService
import PhotoModel
import TestSupport
import Testing

@testable import PhotoLibrary

/// Files are read again, a sample each day.
@Suite(.timeLimit(.minutes(2))) struct ScrubberTests {
    let world: LibraryWorld
    let clock = TestClock()
    let store: LibraryStore
    let records = LogRecords()

    init() throws {
        world = try LibraryWorld()
        clock.advance(by: 1_200_000_000)
        let clock = clock
        let records = records
        store = try LibraryStore.open(
            at: world.path,
            loggers: LibraryLoggers { records.logger($0) },
            clock: { clock.now }
        )
    }

    private func damages(_ scrubber: Scrubber, days: Int) throws -> [LastScrub.Damage] {
        for _ in 0..<days {
            while try scrubber.step(while: { true }) {}
            clock.advance(by: 86_400)
        }
        return try #require(ScrubRecord.read(of: store.bundle)).summary.damages
    }

    private func insert(_ count: Int) throws -> [ResourceRecord] {
        try (0..<count).map { index in
            try world.insertWithFile(
                LibraryWorld.record("\(index)"),
                bytes: [UInt8](repeating: UInt8(index & 0xFF), count: 100)
            )
        }
    }

    @Test func aSampleIsReadEachDay() throws {
        let resources = try insert(200)
        let scrubber = Scrubber(store: store)
        var steps = 0
        while try scrubber.step(while: { true }) { steps += 1 }
        // 1 % of 20,000 bytes.
        #expect(steps == 2)
        #expect(ScrubRecord.read(of: store.bundle)?.bytes == 200)
        #expect(try !scrubber.step(while: { true }))
        // A damaged file is found within 100 days, also by another process that continues.
        let path = store.bundle.absolutePath(of: resources[150].path)
        chmod(path, 0o600)
        try Data([UInt8](repeating: 7, count: 100)).write(to: URL(fileURLWithPath: path))
        clock.advance(by: 86_400)
        let found = try damages(Scrubber(store: store), days: 99)
        #expect(found.map(\.path) == [resources[150].path])
        #expect(found.first?.kind == "wrongBytes")
        #expect(records.all.contains { $0.level == "error" && $0.message.contains("damaged") })
        let inspection = try LibraryInspector.inspect(at: world.path, waitsForSizes: false)
        #expect(inspection.lastScrub?.damages == found)
        // It is forgotten when it is whole again.
        try Data([UInt8](repeating: 150, count: 100)).write(to: URL(fileURLWithPath: path))
        #expect(try damages(Scrubber(store: store), days: 1) == [])
    }

    @Test func aStoppedFileIsReadAgain() throws {
        let resource = try #require(try insert(1).first)
        try FileManager.default.removeItem(atPath: store.bundle.absolutePath(of: resource.path))
        let scrubber = Scrubber(store: store)
        #expect(try damages(scrubber, days: 1).map(\.kind) == ["missingFile"])
        try Data([UInt8](repeating: 0, count: 100)).write(
            to: URL(fileURLWithPath: store.bundle.absolutePath(of: resource.path))
        )
        #expect(try scrubber.step(while: { false }))
        #expect(scrubber.damageCount == 1)
        #expect(try damages(scrubber, days: 1) == [])
    }

    @Test func nothingIsRecordedInALibraryThatReplacedThisOne() throws {
        let resource = try #require(try insert(1).first)
        let database = store.bundle.database
        let manager = FileManager.default
        try manager.moveItem(atPath: database, toPath: database + ".old")
        try manager.copyItem(atPath: database + ".old", toPath: database)
        try manager.removeItem(atPath: store.bundle.absolutePath(of: resource.path))
        let error = #expect(throws: LibraryError.self) {
            try Scrubber(store: store).step(while: { true })
        }
        #expect(error?.code == .libraryMissing)
        #expect(ScrubRecord.read(of: store.bundle) == nil)
        #expect(!records.all.contains { $0.message.contains("damaged") })
    }

    @Test func anUnreadableRecordCountsAsMissing() throws {
        _ = try insert(3)
        try Data("{\"position\":".utf8).write(to: URL(fileURLWithPath: store.bundle.scrubbed))
        let scrubber = Scrubber(store: store)
        while try scrubber.step(while: { true }) {}
        #expect(ScrubRecord.read(of: store.bundle)?.position == 1)
    }
}
