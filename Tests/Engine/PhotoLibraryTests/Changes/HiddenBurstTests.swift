import Foundation
import GRDB
import LibraryService
import PhotoModel
import Testing

@testable import PhotoLibrary

/// Bursts whose key frames are hidden: the unpicked frames stay hidden with them.
@Suite(.timeLimit(.minutes(2))) struct HiddenBurstTests {
    private let world: ChangeWorld
    private let uuids: [String]

    /// Creates a burst of three frames, of which the second is the best.
    init() throws {
        world = try ChangeWorld()
        let frames = (0..<3).map { Self.frame($0) }
        uuids = frames.map(\.uuid)
        for (frame, score) in zip(frames, [0.2, 0.9, 0.4]) {
            try Self.add(frame, score: score, to: world)
        }
    }

    private static func frame(_ index: Int) -> AssetRecord {
        var frame = LibraryWorld.record("IMG_\(index).JPG")
        frame.burstIdentifier = "B"
        frame.creationDate = Date(timeIntervalSinceReferenceDate: 600_000_000 + Double(index))
        return frame
    }

    /// Adds a frame as an import does.
    private static func add(_ frame: AssetRecord, score: Double, to world: ChangeWorld) throws {
        try world.store.write(author: "tests") { transaction in
            let id = try transaction.insertAsset(frame)
            try transaction.database.execute(
                sql: "INSERT INTO frameQuality VALUES (?, ?)",
                arguments: [id, score]
            )
            try transaction.resolveBurst("B")
        }
    }

    private func hide(_ index: Int, _ isHidden: Bool = true) throws {
        var edit = AssetEdit()
        edit.isHidden = isHidden
        try world.commit(.editAsset(uuid: uuids[index], edit))
    }

    private func undo() throws {
        _ = try world.store.undo(UndoRequest(), author: "tests")
    }

    /// Returns the indexes of the hidden frames.
    private func hidden() throws -> [Int] {
        try uuids.indices.filter { try world.asset(uuids[$0])?.isHidden == true }
    }

    private func isKey(_ uuid: String) throws -> Bool {
        try world.asset(uuid)?.representsBurst == true
    }

    /// Returns the row ids of the assets in the default list.
    private func shown() throws -> RowIDBuffer {
        try AssetFetcher(store: world.store).fetch(AssetFetchRequest()).ids
    }

    @Test("The unpicked frames are hidden and unhidden with the key frame, also by undo")
    func hidesWithKeyFrame() throws {
        #expect(try isKey(uuids[1]))
        try hide(1)
        #expect(try hidden() == [0, 1, 2])
        #expect(try shown().count == 0)
        try undo()
        #expect(try hidden() == [])
        #expect(try shown() == world.rowIDs([uuids[1]]))
        try hide(1)
        try hide(1, false)
        #expect(try hidden() == [])
        #expect(try shown() == world.rowIDs([uuids[1]]))
    }

    @Test("Another frame is hidden alone, and frames that a person picked stay as they are")
    func hidesOthersAlone() throws {
        try hide(0)
        #expect(try hidden() == [0])
        var edit = AssetEdit()
        edit.isBurstPick = true
        try world.commit(.editAsset(uuid: uuids[2], edit), .editAsset(uuid: uuids[1], edit))
        try hide(1)
        #expect(try hidden() == [0, 1])
        #expect(try shown() == world.rowIDs([uuids[2]]))
    }

    @Test("No frame appears when a hidden key frame is deleted, and undo restores it")
    func deletesHiddenKeyFrame() throws {
        try hide(1)
        try world.commit(.deleteAssets([uuids[1]]))
        #expect(try hidden() == [0, 1, 2])
        #expect(try shown().count == 0)
        try undo()
        #expect(try hidden() == [0, 1, 2])
        #expect(try isKey(uuids[1]))
        try undo()
        #expect(try hidden() == [])
        #expect(try shown() == world.rowIDs([uuids[1]]))
        #expect(try world.findings(hasBareAssets: true) == [])
    }

    @Test("In libraries of earlier versions, only the key frame is hidden; none appears either")
    func deletesKeyFrameHiddenAlone() throws {
        let uuid = uuids[1]
        try world.store.write(author: "tests") { transaction in
            var key = try #require(try transaction.asset(uuid: uuid))
            key.isHidden = true
            try transaction.updateAsset(key, contentChanged: false)
        }
        try world.commit(.deleteAssets([uuid]))
        #expect(try hidden() == [0, 1, 2])
        #expect(try shown().count == 0)
        try undo()
        #expect(try hidden() == [1])
        #expect(try isKey(uuid))
    }

    @Test("A frame that joins a hidden burst is hidden, also if it becomes the key frame")
    func arrives() throws {
        try hide(1)
        let better = Self.frame(3)
        try Self.add(better, score: 2, to: world)
        #expect(try world.asset(better.uuid)?.isHidden == true)
        #expect(try isKey(better.uuid))
        #expect(try shown().count == 0)
        try undo()
        #expect(try hidden() == [0, 1, 2])
        #expect(try isKey(uuids[1]))
        #expect(try shown().count == 0)
    }

    @Test("A hidden frame that joins a burst does not take it out of the library")
    func arrivesHidden() throws {
        var better = Self.frame(3)
        better.isHidden = true
        try Self.add(better, score: 2, to: world)
        #expect(try isKey(uuids[1]))
        #expect(try shown() == world.rowIDs([uuids[1]]))
    }

    @Test("A frame that is restored to a hidden burst is hidden")
    func restores() throws {
        try world.commit(.deleteAssets([uuids[0]]))
        try hide(1)
        #expect(try hidden() == [1, 2])
        try world.commit(.restoreAssets([uuids[0]]))
        #expect(try hidden() == [0, 1, 2])
        #expect(try shown().count == 0)
    }
}
