import Foundation
import GRDB
import LibraryService
import PhotoModel
import TestSupport
import Testing

@testable import PhotoLibrary

/// Edits that were replaced or reverted: how long they are kept, and how they return.
@Suite(.timeLimit(.minutes(2))) struct EarlierEditTests {
    private typealias State = EditFailureTests.State

    private let clock = TestClock()
    private let world: ChangeWorld
    private let uuid: String
    private static let day = 86_400.0

    init() throws {
        let clock = clock
        world = try ChangeWorld(clock: { clock.now })
        uuid = try EditFailureTests.edited(in: world)
    }

    private func formerFiles() throws -> Int {
        try world.store.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM formerFile") ?? 0 }
    }

    /// Runs the maintenance of the next writer, at a time that the journal confirms.
    private func maintain() throws {
        // A clock is trusted up to a change that is a day old.
        try world.store.write(author: "test") { transaction in
            var record = LibraryWorld.record(UUID().uuidString)
            record.creationDate = nil
            try transaction.insertAsset(record)
        }
        clock.advance(by: Self.day + 1)
        try world.store.pruneHistory()
    }

    @Test("Two edits from one beginning: the later is shown, and undoing brings the earlier back")
    func laterCommitWins() throws {
        let first = try State(world, uuid)
        // The other program started from the original, too, and does not know the first edit.
        try EditFailureTests.edit(uuid, in: world, "other")
        let second = try State(world, uuid)
        #expect(second.resources.map(\.type) == first.resources.map(\.type))
        #expect(second.resources.map(\.uuid) != first.resources.map(\.uuid))
        #expect(try formerFiles() == 2)
        #expect(second.edits.count == 4)
        _ = try world.store.undo(UndoRequest(), author: "owner")
        let back = try State(world, uuid)
        #expect(back.resources == first.resources)
        #expect(back.record?.adjustmentTimestamp == first.record?.adjustmentTimestamp)
        // The later one is not lost either: an undo can be undone.
        #expect(back.edits.count == 4)
        #expect(try formerFiles() == 2)
        #expect(try world.findings() == [])
    }

    @Test("An edit whose kept file has another size is not restored")
    func damagedFilesAreNotRestored() throws {
        try world.commit(.revertContent(uuid: uuid, choice: nil))
        let path = try world.store.read {
            try String.fetchOne($0, sql: "SELECT path FROM formerFile")
        }
        let file = URL(
            fileURLWithPath: world.store.bundle.absolutePath(of: try #require(path))
        )
        let bytes = try Data(contentsOf: file)
        chmod(file.path, 0o600)
        try (bytes + Data([0])).write(to: file)
        let state = try State(world, uuid)
        let error = #expect(throws: LibraryError.self) {
            try world.store.undo(UndoRequest(), author: "owner")
        }
        #expect(error?.code == .changeNotSupported)
        #expect(error?.recovery?.contains("photos verify --repair") == true)
        #expect(try State(world, uuid).resources == state.resources)
        try bytes.write(to: file)
        _ = try world.store.undo(UndoRequest(), author: "owner")
        #expect(try formerFiles() == 0)
        #expect(try world.findings() == [])
    }

    @Test("Earlier edits stay as long as the journal remembers, and no longer")
    func earlierEditsGoWithTheJournal() throws {
        let originals = try State(world, uuid).originals
        try EditFailureTests.edit(uuid, in: world, "second")
        clock.advance(by: 60 * Self.day)
        try world.commit(.revertContent(uuid: uuid, choice: nil))
        #expect(try formerFiles() == 4)
        try maintain()
        #expect(try formerFiles() == 4)
        #expect(try State(world, uuid).edits.count == 4)

        // The first was replaced 91 days ago, the second reverted 31 days ago.
        clock.advance(by: 30 * Self.day)
        try maintain()
        #expect(try formerFiles() == 2)
        #expect(try State(world, uuid).edits.count == 2)
        #expect(try world.findings(hasBareAssets: true) == [])

        clock.advance(by: 90 * Self.day)
        try maintain()
        #expect(try formerFiles() == 0)
        let last = try State(world, uuid)
        #expect(last.edits == [:])
        #expect(last.originals == originals)
        #expect(last.resources.map(\.type) == [.photo])
        #expect(try world.findings(hasBareAssets: true) == [])
    }

    @Test("What is shown now stays, however old it is")
    func presentEditStays() throws {
        let before = try State(world, uuid)
        clock.advance(by: 400 * Self.day)
        try maintain()
        try maintain()
        #expect(try State(world, uuid) == before)
        #expect(try world.findings(hasBareAssets: true) == [])
    }

    @Test("An earlier edit whose file is gone says so, and nothing is changed")
    func missingEarlierEdit() throws {
        try EditFailureTests.edit(uuid, in: world, "second")
        try world.store.write(author: "test") { transaction in
            try transaction.discardFormerFiles(ofAsset: transaction.asset(uuid: uuid)?.id ?? 0)
        }
        let before = try State(world, uuid)
        let error = try #require(throws: LibraryError.self) {
            try world.store.undo(UndoRequest(), author: "owner")
        }
        #expect(error.code == .changeNotSupported)
        #expect(error.description.contains("has been removed"), "\(error)")
        #expect(try State(world, uuid) == before)
    }
}
