import Foundation
import GRDB
import LibraryService
import PhotoModel
import Testing

@testable import PhotoLibrary

/// Bursts under changes: picks, and the key frame (pains 16).
@Suite(.timeLimit(.minutes(2))) struct BurstChangeTests {
    private let world: ChangeWorld
    private let uuids: [String]

    /// Creates a burst of five frames, of which the fourth is the best.
    init() throws {
        world = try ChangeWorld()
        let frames = (0..<5).map { index in
            var frame = LibraryWorld.record("IMG_\(index).JPG")
            frame.burstIdentifier = "B"
            frame.creationDate = Date(timeIntervalSinceReferenceDate: 600_000_000 + Double(index))
            return frame
        }
        uuids = frames.map(\.uuid)
        try world.store.write(author: "tests") { transaction in
            for (frame, score) in zip(frames, [0.2, 0.4, 0.1, 0.9, 0.3]) {
                let id = try transaction.insertAsset(frame)
                try transaction.database.execute(
                    sql: "INSERT INTO frameQuality VALUES (?, ?)",
                    arguments: [id, score]
                )
            }
            try transaction.resolveBurst("B")
        }
    }

    /// Returns the key frame of the burst, or nil if there is not exactly one.
    private func key() throws -> Int? {
        let keys = try uuids.indices.filter { try world.asset(uuids[$0])?.representsBurst == true }
        return keys.count == 1 ? keys[0] : nil
    }

    private func pick(_ index: Int, _ isPick: Bool = true) throws {
        var edit = AssetEdit()
        edit.isBurstPick = isPick
        try world.commit(.editAsset(uuid: uuids[index], edit))
    }

    private func count(all: Bool) throws -> Int {
        var request = AssetFetchRequest(scope: .burst("B"))
        request.includesAllBurstMembers = all
        return try AssetFetcher(store: world.store).fetch(request).ids.count
    }

    @Test("A burst of n is n with all its frames, and one without (behaviours 53, 54)")
    func counts() throws {
        #expect(try key() == 3)
        #expect(try count(all: false) == 1)
        #expect(try count(all: true) == 5)
        #expect(try world.asset(uuids[3])?.burstSelectionTypes == .autoPick)
    }

    @Test("Frames that a person picks show, and the best of them stands for the burst")
    func picks() throws {
        try pick(0)
        #expect(try key() == 0)
        try pick(1)
        #expect(try key() == 1)
        // The system's pick stays visible beside the user's.
        #expect(try count(all: false) == 3)
        #expect(try world.asset(uuids[1])?.burstSelectionTypes == .userPick)
        #expect(try world.asset(uuids[0])?.burstSelectionTypes == .userPick)
        #expect(try world.asset(uuids[3])?.burstSelectionTypes == .autoPick)
        try pick(3)
        #expect(try world.asset(uuids[3])?.burstSelectionTypes == [.autoPick, .userPick])
        #expect(try key() == 3)
        try pick(3, false)
        try pick(1, false)
        try pick(0, false)
        #expect(try key() == 3)
        #expect(try count(all: false) == 1)
    }

    @Test("When the key frame is deleted another one stands for the burst")
    func deletion() throws {
        try world.commit(.deleteAssets([uuids[3]]))
        let shown = try AssetFetcher(store: world.store).fetch(AssetFetchRequest()).ids
        #expect(shown == (try world.rowIDs([uuids[1]])))
        #expect(try count(all: true) == 4)
        try world.commit(.restoreAssets([uuids[3]]))
        #expect(try count(all: false) == 1)
        #expect(try count(all: true) == 5)
    }

    @Test("The automatic pick is one frame's, also when that is deleted beside a person's pick")
    func deletesAutomaticPick() throws {
        try pick(0)
        func automatic() throws -> [Int] {
            try uuids.indices.filter {
                let asset = try world.asset(uuids[$0])
                return asset?.trashedDate == nil
                    && asset?.burstSelectionTypes.contains(.autoPick) == true
            }
        }
        try world.commit(.deleteAssets([uuids[3]]))
        #expect(try automatic() == [1])
        #expect(try key() == 0)
        try world.commit(.restoreAssets([uuids[3]]))
        #expect(try automatic() == [3])
        #expect(try key() == 0)
    }

    @Test("What is no frame of a burst cannot be picked")
    func refusesOthers() throws {
        let other = try #require(try world.assets(1).first)
        var edit = AssetEdit()
        edit.isBurstPick = true
        let error = try #require(throws: LibraryError.self) {
            try world.commit(.editAsset(uuid: other, edit))
        }
        #expect(error.code == .changeNotSupported)
    }
}
