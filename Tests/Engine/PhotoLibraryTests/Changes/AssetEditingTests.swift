import Foundation
import LibraryService
import PhotoModel
import Testing

@testable import PhotoLibrary

@Suite(.timeLimit(.minutes(2))) struct AssetEditingTests {
    private let editing: AssetEditing

    init() throws { editing = AssetEditing(timeZone: try ImportWorld.zone("Europe/Berlin")) }

    private func edited(
        _ record: AssetRecord = LibraryWorld.record(),
        hasAlternate: Bool = false,
        _ body: (inout AssetEdit) -> Void
    ) throws -> AssetRecord {
        var edit = AssetEdit()
        body(&edit)
        var record = record
        try editing.apply(edit, to: &record) { hasAlternate }
        return record
    }

    @Test("A date without a known offset gets the machine's wall time")
    func dates() throws {
        // 2023-07-15 10:30:45 UTC is 12:30:45 in Berlin's summer.
        let date = Date(timeIntervalSince1970: 1_689_417_045)
        let record = try edited { $0.creationDate = .set(date) }
        #expect(record.creationDate == date)
        #expect(
            record.captureTime
                == CaptureTime(
                    instant: date,
                    wallTime: "2023-07-15T12:30:45",
                    offset: nil,
                    wallTimeSource: .user,
                    instantSource: .user
                )
        )
        let cleared = try edited(record) { $0.creationDate = .clear }
        #expect(cleared.creationDate == nil)
        #expect(cleared.captureTime == nil)
    }

    @Test("A known offset is kept")
    func offsets() throws {
        let date = Date(timeIntervalSince1970: 1_689_417_045)
        var record = LibraryWorld.record()
        record.captureTime = CaptureTime(
            instant: Date(timeIntervalSince1970: 0),
            wallTime: "1969-12-31T19:00:00",
            offset: -18_000,
            wallTimeSource: .exifOriginal,
            instantSource: .offsetTag
        )
        record.creationDate = Date(timeIntervalSince1970: 0)
        let new = try edited(record) { $0.creationDate = .set(date) }
        #expect(new.captureTime?.offset == -18_000)
        #expect(new.captureTime?.wallTime == "2023-07-15T05:30:45")
        // Setting the current date again keeps its sources.
        let same = try edited(record) { $0.creationDate = .set(Date(timeIntervalSince1970: 0)) }
        #expect(same == record)
    }

    @Test("An offset of the machine's time zone follows its daylight saving time")
    func offsetsOfMachine() throws {
        // 12:00 in Berlin's summer.
        let summer = Date(timeIntervalSince1970: 1_720_605_600)
        var record = LibraryWorld.record()
        record.captureTime = CaptureTime(
            instant: summer,
            wallTime: "2024-07-10T12:00:00",
            offset: 7_200,
            wallTimeSource: .exifOriginal,
            instantSource: .offsetTag
        )
        record.creationDate = summer
        // 23:30 in Berlin's winter.
        let winter = Date(timeIntervalSince1970: 1_705_357_800)
        let new = try edited(record) { $0.creationDate = .set(winter) }
        #expect(new.creationDate == winter)
        #expect(new.captureTime?.offset == 3_600)
        #expect(new.captureTime?.wallTime == "2024-01-15T23:30:00")
        let back = try edited(new) { $0.creationDate = .set(summer) }
        #expect(back.captureTime?.offset == 7_200)
        #expect(back.captureTime?.wallTime == "2024-07-10T12:00:00")
    }

    @Test("Setting what is there changes nothing")
    func equalValues() throws {
        var record = LibraryWorld.record()
        record.title = "Title"
        record.location = Location(latitude: 1, longitude: 2, altitude: 3)
        record.rating = 3
        record.keywords = ["a", "b"]
        let same = try edited(record) { edit in
            edit.creationDate = record.creationDate.map { .set($0) } ?? .clear
            edit.title = .set("Title")
            edit.caption = .set("")
            edit.location = .set(Location(latitude: 1, longitude: 2, altitude: 3))
            edit.rating = 3
            edit.isFavorite = false
            edit.isHidden = false
            edit.addedKeywords = ["b", "a", ""]
            edit.removedKeywords = ["c"]
        }
        #expect(same == record)
    }

    @Test("Texts, keywords and places (behaviour 146)")
    func texts() throws {
        let record = try edited { edit in
            edit.title = .set("Title")
            edit.caption = .set("Caption")
            edit.addedKeywords = ["a", "b", "a", ""]
            edit.removedKeywords = ["b"]
            edit.location = .set(Location(latitude: -90, longitude: 180, altitude: .nan))
            edit.rating = 5
        }
        #expect(record.title == "Title")
        #expect(record.caption == "Caption")
        #expect(record.keywords == ["a"])
        #expect(record.location == Location(latitude: -90, longitude: 180))
        #expect(record.rating == 5)
        let cleared = try edited(record) { edit in
            edit.title = .set("")
            edit.caption = .clear
            edit.location = .clear
            edit.removedKeywords = ["a"]
        }
        #expect(cleared.title == nil)
        #expect(cleared.caption == nil)
        #expect(cleared.location == nil)
        #expect(cleared.keywords == [])
    }

    @Test("Only Live Photos have a movie to turn off (behaviour 147)")
    func livePhotos() throws {
        var live = LibraryWorld.record()
        live.mediaSubtypes = .photoLive
        live.playbackStyle = .livePhoto
        #expect(try edited(live) { $0.isLivePhotoPlaybackEnabled = false }.playbackStyle == .image)
        let error = try #require(throws: LibraryError.self) {
            try edited { $0.isLivePhotoPlaybackEnabled = true }
        }
        #expect(error.code == .changeNotSupported)
    }

    @Test("Only pairs of RAW and JPEG have a choice")
    func choices() throws {
        let record = try edited(hasAlternate: true) { $0.originalResourceChoice = 1 }
        #expect(record.originalResourceChoice == 1)
        for (choice, hasAlternate) in [(1, false), (2, true)] {
            #expect(throws: LibraryError.self) {
                try edited(hasAlternate: hasAlternate) { $0.originalResourceChoice = choice }
            }
        }
    }

    @Test(
        "Values that cannot be are refused, and say why",
        arguments: [
            { $0.rating = 6 }, { $0.rating = -2 },
            { $0.location = .set(Location(latitude: 90.1, longitude: 0)) },
            { $0.location = .set(Location(latitude: 0, longitude: .nan)) },
            { $0.creationDate = .set(Date(timeIntervalSince1970: .infinity)) },
            { $0.creationDate = .set(Date(timeIntervalSince1970: -1e12)) },
        ] as [@Sendable (inout AssetEdit) -> Void]
    )
    func refused(_ body: @Sendable (inout AssetEdit) -> Void) throws {
        let error = try #require(throws: LibraryError.self) { try edited { body(&$0) } }
        #expect(error.code == .invalidRequest)
        #expect(error.reason?.isEmpty == false)
        #expect(error.recovery?.isEmpty == false)
    }
}
