import CloudSync
import Foundation
import GRDB
import PhotoModel
import Testing

@testable import PhotoLibrary

/// The files that a device has of a photo that two devices imported.
@Suite(.timeLimit(.minutes(1))) struct TwinFileTests {
    private let pair: TwinTests.Pair
    /// The asset that both libraries show.
    private let shown: AssetRecord
    /// The UUID of its twin.
    private let other: String

    init() throws {
        var pair = try TwinTests.Pair()
        let uuids = try pair.importTwins()
        try pair.exchange()
        let shown = try #require(try pair.assets(0).first)
        other = try #require(uuids.first { $0 != shown.uuid })
        self.shown = shown
        self.pair = pair
    }

    /// Returns a purge of the shown asset by a device that does not know of its twin, and its end.
    private func departure() throws -> [CloudTransaction] {
        let id = try CloudID.of(shown.uuid)
        let time = HybridTime(rawValue: 1 << 61)
        let device = CloudID(9, 9)
        var trashed = shown
        trashed.trashedDate = Date(timeIntervalSinceReferenceDate: 0)
        let purge = CloudOperation.purge(
            id,
            trash: ChangeStamp(time: time, device: device),
            date: try CloudObjects.value(of: RegisterKey(.trash), in: trashed, [])
        )
        return [
            CloudTransaction(time: time, author: device, operations: [purge]),
            CloudTransaction(
                time: HybridTime(rawValue: time.rawValue + 1),
                author: device,
                operations: [.final(id)]
            ),
        ]
    }

    /// A device that was away for long receives both transactions at once.
    ///
    /// One that reads a snapshot may receive the end alone.
    @Test(arguments: 0..<2, 0..<2)
    func theOtherTwinContinuesWithTheFiles(library: Int, first: Int) throws {
        let library = pair.libraries[library]
        let content = try library.content(of: shown.uuid)
        try library.store.write(author: "test") { transaction in
            var record = try #require(try transaction.asset(uuid: shown.uuid))
            // As after edits that were reverted.
            record.contentVersion = 5
            try transaction.updateAsset(record, contentChanged: false)
        }
        try library.store.importChanges(Array(departure()[first...]))
        let (assets, isFinal) = try library.store.read { database in
            (
                try Row.fetchAll(database, sql: AssetRecord.map.selectSQL)
                    .map(AssetRecord.init(row:)),
                try CloudStampTable(database: database).isFinal(shown.uuid)
            )
        }
        #expect(assets.map(\.uuid) == [other])
        // Otherwise, the renditions of the former row could be taken for those of another picture.
        #expect(assets.map(\.contentVersion) == [5])
        #expect(isFinal)
        // So the renditions of the former row become those of the twin.
        let shownTwins = try library.store.shownTwins(of: [shown.uuid])
        #expect(shownTwins.map(\.shown) == [other])
        #expect(shownTwins.map(\.contentVersion) == [5])
        #expect(try library.presence(of: other) == [0])
        #expect(try library.bytes(of: content) == Data([1, 2, 3]))
        #expect(try library.findings() == [])
    }

    /// A file that is gone or was cut is downloaded for the twin that is shown.
    @Test(arguments: [false, true]) func aDamagedFileIsNotAdopted(isGone: Bool) throws {
        var pair = try TwinTests.Pair()
        let record = LibraryWorld.record("IMG_1.JPG")
        try pair.libraries[0].insertWithFile(record, bytes: [4, 5, 6])
        let library = pair.libraries[1]
        // The clocks differ by less than a day.
        library.clock.advance(by: 2 * 86_400)
        try library.insertWithFile(LibraryWorld.record("IMG_1.JPG"), bytes: [4, 5, 6])
        let path = try #require(
            try library.store.read { try String.fetchOne($0, sql: "SELECT path FROM resource") }
        )
        let file = URL(fileURLWithPath: library.store.bundle.absolutePath(of: path))
        if isGone {
            try FileManager.default.removeItem(at: file)
        } else {
            try Data([4]).write(to: file)
        }
        try pair.exchange()
        #expect(try pair.assets(1).map(\.uuid) == [record.uuid])
        #expect(try library.presence(of: record.uuid) == [1])
        try library.download(from: [pair.libraries[0]])
        #expect(try library.presence(of: record.uuid) == [0])
        let content = try library.content(of: record.uuid)
        #expect(try library.bytes(of: content) == Data([4, 5, 6]))
    }
}
