import Foundation
import GRDB
import PhotoModel
import TestSupport
import Testing

@testable import PhotoLibrary

@Suite(.timeLimit(.minutes(2))) struct LibraryTransactionTests {
    let world: LibraryWorld

    init() throws { world = try LibraryWorld() }

    @Test func recordComesBackWithEveryValue() throws {
        var record = LibraryWorld.record("Zoë \"1\".HEIC")
        record.mediaSubtypes = [.photoLive, .photoHDR, .spatialMedia]
        record.playbackStyle = .livePhoto
        record.duration = 2.0 / 3.0
        record.frameRate = 29.97
        record.captureTime = CaptureTime(
            instant: Date(timeIntervalSinceReferenceDate: 123_456_789.123_456_7),
            wallTime: "2004-11-29T22:33:09.123",
            offset: -12_600,
            wallTimeSource: .exifOriginal,
            instantSource: .offsetTag
        )
        record.creationDate = record.captureTime?.instant
        record.location = Location(latitude: -33.856_78, longitude: 151.215_3, altitude: -3.5)
        record.isFavorite = true
        record.isHidden = true
        record.trashedDate = Date(timeIntervalSinceNow: -0.1)
        record.burstIdentifier = "B"
        record.burstSelectionTypes = [.autoPick, .userPick]
        record.representsBurst = true
        record.contentIdentifier = "C"
        record.hasAdjustments = true
        record.adjustmentFormatIdentifier = "com.example"
        record.adjustmentTimestamp = Date(timeIntervalSinceReferenceDate: -1)
        record.title = "x:title"
        record.caption = "two\nlines\u{2028}\u{1}"
        record.keywords = ["a, b", "\"c\"", "日本"]
        record.rating = 4
        record.camera.make = "Apple"
        record.camera.aperture = 1.78
        record.camera.exposureTime = 1.0 / 3.0
        record.camera.isoSpeed = 64
        record.contentVersion = 7
        record.id = try #require(try world.insert(record).first)
        let read = try world.store.write(author: "test") { try $0.asset(id: record.id) }
        #expect(read == record)
    }

    @Test func failingBlockLeavesNothing() throws {
        struct Stop: Error {}
        var undone: [Int] = []
        #expect(throws: Stop.self) {
            try world.store.write(author: "test") { transaction in
                try transaction.insertAsset(LibraryWorld.record())
                transaction.onFailure { undone.append(1) }
                transaction.onFailure { undone.append(2) }
                throw Stop()
            }
        }
        #expect(undone == [2, 1])
        #expect(try world.store.currentVersion() == 0)
        let count = try world.store.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM asset") }
        #expect(count == 0)
    }

    /// A failed COMMIT may still be on disk; a failed block is not.
    @Test func failureSaysWhetherTheCommitIsUncertain() throws {
        struct Stop: Error {}
        var answers: [Bool] = []
        func attempt(_ body: (LibraryTransaction) throws -> Void) {
            try? world.store.write(author: "test") { transaction in
                transaction.onFailure { answers.append(transaction.isCommitUncertain) }
                try body(transaction)
            }
        }
        attempt { _ in throw Stop() }
        attempt { transaction in
            // Checked at COMMIT, so the block itself succeeds.
            try transaction.database.execute(sql: "PRAGMA defer_foreign_keys = ON")
            try transaction.database.execute(
                sql: """
                    INSERT INTO journalEntry (version, kind, objectId, uuid, change, contentChanged)
                    VALUES (99, 1, 1, 'U', 1, 0)
                    """
            )
        }
        #expect(answers == [false, true])
    }

    @Test func unchangedUpdateHasNoVersion() throws {
        let id = try #require(try world.insert(LibraryWorld.record()).first)
        try world.store.write(author: "test") { transaction in
            let record = try #require(try transaction.asset(id: id))
            try transaction.updateAsset(record, contentChanged: false)
        }
        #expect(try world.store.currentVersion() == 1)
    }

    @Test func journalHoldsOldAndNewOfWhatDiffers() throws {
        let id = try #require(try world.insert(LibraryWorld.record()).first)
        try world.store.write(author: "somebody") { transaction in
            var record = try #require(try transaction.asset(id: id))
            record.isFavorite = true
            try transaction.updateAsset(record, contentChanged: false)
        }
        let row = try world.store.read { database in
            try Row.fetchOne(
                database,
                sql: """
                    SELECT oldValues, newValues, change, author FROM journalEntry
                    JOIN journalVersion USING (version) WHERE version = 2
                    """
            )
        }
        let entry = try #require(row)
        #expect(entry[0] == #"{"isFavorite":0}"#)
        #expect(entry[1] == #"{"isFavorite":1}"#)
        #expect(entry[2] == JournalChange.update.rawValue)
        #expect(entry[3] == "somebody")
    }

    @Test func burstFrameThatNobodyPickedIsMarked() throws {
        var frame = LibraryWorld.record()
        frame.burstIdentifier = "B"
        var key = LibraryWorld.record()
        key.burstIdentifier = "B"
        key.representsBurst = true
        try world.insert(frame, key)
        let hidden = try world.store.read { database in
            try Int.fetchAll(database, sql: "SELECT isBurstHidden FROM asset ORDER BY id")
        }
        #expect(hidden == [1, 0])
    }
}
