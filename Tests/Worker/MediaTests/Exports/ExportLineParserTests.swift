import Foundation
import Media
import PhotoModel
import TestSupport
import Testing
import WorkerProtocol

/// Lines of exports, whose every byte may be anything.
@Suite(.timeLimit(.minutes(1))) struct ExportLineParserTests {
    private static let uuid = "8D7B2D3A-6E0A-4B8C-9C1E-2F3A4B5C6D7E"
    private static let other = "0A000000-6E0A-4B8C-9C1E-2F3A4B5C6D7E"

    private static func parse(_ object: [String: Any]) throws -> ExportLine {
        let data = try JSONSerialization.data(withJSONObject: object)
        return data.withUnsafeBytes { ExportLineParser.parse(ByteView($0)) }
    }

    private static func parse(text: String) -> ExportLine {
        Array(text.utf8).withUnsafeBytes { ExportLineParser.parse(ByteView($0)) }
    }

    private static var file: [String: Any] {
        [
            "type": 1, "uuid": other.lowercased(), "path": "originals/a.jpg", "size": 12,
            "sha256": String(repeating: "0a", count: 32), "originalFilename": "a.jpg",
            "contentType": "public.jpeg", "pixelWidth": 4, "pixelHeight": 3,
        ]
    }

    private static var whole: [String: Any] {
        [
            "kind": "asset", "uuid": uuid.lowercased(), "mediaType": 1, "mediaSubtypes": 4,
            "playbackStyle": 1, "sourceType": 2, "pixelWidth": 40, "pixelHeight": 30,
            "duration": 1.5,
            "frameRate": 30, "originalFilename": "IMG_1.HEIC", "contentType": "public.heic",
            "creationDate": "2024-02-29T12:00:00.25Z", "addedDate": "2024-03-01T00:00:00Z",
            "modificationDate": "2024-03-02T00:00:00Z",
            "captureWallTime": "2024-02-29T13:00:00.250",
            "captureOffset": 3_600, "captureWallTimeSource": "exifOriginal",
            "captureInstantSource": "offsetTag", "title": "Títle", "caption": "Words", "rating": 4,
            "keywords": ["one", "two", "one", ""], "isFavorite": true, "isHidden": true,
            "location": ["latitude": 47.5, "longitude": -8.25, "altitude": 400],
            "burstIdentifier": "burst", "representsBurst": true, "burstSelectionTypes": 1,
            "contentIdentifier": "live", "hasAdjustments": true,
            "adjustmentFormatIdentifier": "com.example",
            "adjustmentTimestamp": "2024-03-03T00:00:00Z",
            "originalResourceChoice": 1, "readerVersion": 7, "personFacts": 3,
            "camera": [
                "make": "Maker", "model": "Model", "lens": "Lens", "software": "1", "aperture": 2.8,
                "exposureTime": 0.01, "isoSpeed": 200, "focalLength": 5.5,
                "focalLengthIn35mmFilm": 28,
            ],
            "xmp": "sidecars/a.xmp", "files": [file],
        ]
    }

    private static func asset(_ changes: [String: Any?] = [:]) throws -> ForeignAsset {
        var object = whole
        for (key, value) in changes { object[key] = value }
        guard case .asset(let asset) = try parse(object) else {
            throw CocoaError(.fileReadCorruptFile)
        }
        return asset
    }

    private static func record(_ changes: [String: Any?] = [:]) throws -> (AssetRecord, [String]) {
        let asset = try asset(changes)
        return (try #require(asset.exact), asset.notes.map(\.code))
    }

    private static func date(_ text: String) throws -> Date {
        try Date.ISO8601FormatStyle(includingFractionalSeconds: text.contains(".")).parse(text)
    }

    // MARK: - Assets

    @Test func anAssetHasAllItsValues() throws {
        let asset = try Self.asset()
        let record = try #require(asset.exact)
        #expect(asset.notes == [] && asset.item == Self.uuid && asset.uuid == Self.uuid)
        #expect(!asset.isVideo && asset.descriptions == ["sidecars/a.xmp"])
        #expect(record.mediaType == .image && record.mediaSubtypes == .photoScreenshot)
        #expect(record.playbackStyle.rawValue == 1 && record.sourceType.rawValue == 2)
        #expect(record.pixelSize == PixelSize(width: 40, height: 30))
        #expect(record.duration == 1.5 && record.frameRate == 30)
        #expect(record.originalFilename == "IMG_1.HEIC" && record.contentType == "public.heic")
        #expect(record.creationDate == (try Self.date("2024-02-29T12:00:00.250Z")))
        #expect(record.addedDate == (try Self.date("2024-03-01T00:00:00Z")))
        #expect(record.modificationDate == (try Self.date("2024-03-02T00:00:00Z")))
        #expect(record.adjustmentTimestamp == (try Self.date("2024-03-03T00:00:00Z")))
        #expect(record.captureTime?.wallTime == "2024-02-29T13:00:00.250")
        #expect(record.captureTime?.offset == 3_600)
        #expect(record.captureTime?.wallTimeSource == .exifOriginal)
        #expect(record.captureTime?.instantSource == .offsetTag)
        #expect(record.title == "Títle" && record.caption == "Words" && record.rating == 4)
        #expect(record.keywords == ["one", "two"] && record.isFavorite && record.isHidden)
        #expect(record.location == Location(latitude: 47.5, longitude: -8.25, altitude: 400))
        #expect(record.burstIdentifier == "burst" && record.representsBurst)
        #expect(record.contentIdentifier == "live" && record.hasAdjustments)
        #expect(record.adjustmentFormatIdentifier == "com.example")
        #expect(record.originalResourceChoice == 1 && record.readerVersion == 7)
        #expect(record.personFacts.rawValue == 3 && record.trashedDate == nil)
        #expect(record.camera.make == "Maker" && record.camera.isoSpeed == 200)
        #expect(record.camera.aperture == 2.8 && record.camera.focalLengthIn35mmFilm == 28)
    }

    /// An invalid value counts as absent, with a note.
    @Test(arguments: [
        "playbackStyle", "pixelWidth", "duration", "frameRate", "captureWallTime", "captureOffset",
        "rating", "location", "burstIdentifier", "contentIdentifier", "adjustmentFormatIdentifier",
        "originalResourceChoice", "readerVersion", "personFacts", "originalFilename", "title",
        "mediaSubtypes", "burstSelectionTypes",
    ])
    func impossibleValuesAreLeftOut(_ key: String) throws {
        let (valid, none) = try Self.record()
        #expect(none == [])
        for value in ["x\u{0}" as Any, -5_000_000_000, [1], 1e300] {
            let (record, notes) = try Self.record([key: value])
            #expect(notes.contains("factRejected") || key == "captureWallTime", "\(key) \(value)")
            // The style of a photo follows from its media type.
            #expect(record != valid || key == "playbackStyle", "\(key) \(value)")
        }
    }

    @Test(arguments: ["creationDate", "addedDate", "modificationDate", "adjustmentTimestamp"])
    func impossibleDatesAreLeftOut(_ key: String) throws {
        for value in [
            "2024-02-30", "2024-13-01T00:00:00Z", "2024-00-01T00:00:00Z", "2024-01-32T00:00:00Z",
            "2024-01-01T24:00:00Z", "2024-01-01T00:60:00Z", "2024-01-01T00:00:60Z",
            "0000-01-01T00:00:00Z", "2024-01-01T00:00:00", "2024-01-01T00:00:00.Z",
            "2024-01-01T00:00:00,5Z", "2024-01-01T00:00:00.5xZ", "2024/01/01T00:00:00Z",
            "2024-01-01 00:00:00Z", "2024-01-01T00.00:00Z",
        ] {
            #expect(try Self.record([key: value]).1.contains("dateRejected"), "\(value)")
        }
    }

    /// The calendar is that of Foundation, which has another one before October of 1582.
    @Test func datesAreThoseOfTheCalendar() throws {
        let seed = TestSeed()
        var generator = seed.generator
        for _ in 0..<300 {
            let seconds = Double(
                Int64.random(in: -13_190_000_000...200_000_000_000, using: &generator)
            )
            let date = Date(timeIntervalSinceReferenceDate: seconds)
            let text = date.formatted(.iso8601)
            guard text.utf8.count == 20 else { continue }
            let record = try Self.record(["creationDate": text, "captureWallTime": nil]).0
            #expect(record.creationDate == date, "\(seed) \(text)")
        }
    }

    @Test func missingDatesFollowFromOthers() throws {
        let (bare, notes) = try Self.record(["addedDate": nil])
        #expect(bare.addedDate == bare.modificationDate && notes == ["factRejected"])
        let trashed = try Self.record(["trashedDate": "2024-05-01T00:00:00Z"]).0
        #expect(trashed.trashedDate == (try Self.date("2024-05-01T00:00:00Z")))
        // What is in Recently Deleted stays there, even if its date is impossible.
        let (odd, oddNotes) = try Self.record(["trashedDate": "yesterday"])
        #expect(odd.trashedDate == odd.modificationDate && oddNotes == ["dateRejected"])
        let kept = try Self.record(["trashedDate": NSNull()]).0
        #expect(kept.trashedDate == nil)
        let undated = try Self.record(["creationDate": nil]).0
        #expect(undated.creationDate == nil && undated.captureTime == nil)
    }

    @Test func longTextsAreCutWithNotice() throws {
        let long = String(repeating: "ä", count: 200_000)
        let (record, notes) = try Self.record(["caption": long])
        #expect(notes == ["textTooLong"])
        #expect(record.caption.map { long.hasPrefix($0) && $0.utf8.count <= 256 << 10 } == true)
        let many = (0..<200).map { "\($0)" + String(repeating: "k", count: 5_000) }
        let (tagged, tagNotes) = try Self.record(["keywords": many])
        #expect(tagNotes == ["factRejected"] && (1..<200).contains(tagged.keywords.count))
        #expect(try Self.record(["keywords": "no list"]).0.keywords == [])
        let bits = try Self.record(["mediaSubtypes": (1 << 40) | 4])
        #expect(bits.0.mediaSubtypes == .photoScreenshot && bits.1 == ["unknownType"])
    }

    @Test func namesOfThingsThatAreNotThereAreDropped() throws {
        let plain = try Self.record(["burstIdentifier": nil, "hasAdjustments": false]).0
        #expect(!plain.representsBurst && plain.adjustmentFormatIdentifier == nil)
        let video = try Self.asset(["mediaType": 2, "playbackStyle": 99])
        #expect(video.isVideo && video.exact?.playbackStyle == .video)
        // One source at a time.
        #expect(try Self.record(["sourceType": 3]).0.sourceType == .userLibrary)
    }

    @Test(arguments: [
        "/etc/passwd", "../a.xmp", "a/../b.xmp", "./a.xmp", "a//b.xmp", "", "a\u{0}b",
    ])
    func pathsStayInTheExport(_ path: String) throws {
        #expect(try Self.asset(["xmp": path]).descriptions == [])
        var file = Self.file
        file["path"] = path
        let resource = try #require(try Self.asset(["files": [file]]).resources.first)
        #expect(resource.locations == [] && resource.isExpected)
    }

    // MARK: - Files

    @Test func aFileHasItsValues() throws {
        let resource = try #require(try Self.asset().resources.first)
        #expect(resource.role == .original && resource.locations == [.path("originals/a.jpg")])
        let stated = try #require(resource.stated)
        #expect(stated.uuid == Self.other && stated.type == .photo && !stated.isOfEdit)
        #expect(stated.size == 12 && stated.sha256 == String(repeating: "0a", count: 32))
        #expect(stated.originalFilename == "a.jpg" && stated.contentType == "public.jpeg")
        #expect(stated.pixelSize == PixelSize(width: 4, height: 3))
    }

    /// Files that editing makes are of an edit, whatever they say; adjustments say so themselves.
    @Test(arguments: ResourceType.allCases) func everyTypeHasItsRole(_ type: ResourceType) throws {
        let roles: [ResourceType: ForeignResource.Role] = [
            .photo: .original, .video: .original, .audio: .original, .photoProxy: .original,
            .alternatePhoto: .alternatePhoto, .pairedVideo: .pairedVideo, .fullSizePhoto: .render,
            .fullSizeVideo: .render, .fullSizePairedVideo: .renderPairedVideo,
            .adjustmentBasePhoto: .adjustmentBase, .adjustmentBaseVideo: .adjustmentBase,
            .adjustmentBasePairedVideo: .adjustmentBase, .sidecar: .sidecar,
        ]
        for isOfEdit in [false, true] {
            var file = Self.file
            file["type"] = type.rawValue
            file["isOfEdit"] = isOfEdit
            let resource = try #require(try Self.asset(["files": [file]]).resources.first)
            if type == .adjustmentData {
                #expect(resource.role == (isOfEdit ? .adjustments : .cameraAdjustments))
                #expect(resource.stated?.isOfEdit == isOfEdit)
            } else {
                #expect(resource.role == roles[type])
                #expect(resource.stated?.isOfEdit == type.isMadeByEditing)
            }
        }
    }

    @Test func unusableFilesAreLeftOut() throws {
        let changes: [[String: Any]] = [
            ["type": 999], ["type": "x"], ["size": 0], ["size": -1], ["size": NSNull()],
            ["sha256": "00"], ["sha256": String(repeating: "A", count: 64)],
        ]
        for change in changes {
            let file = Self.file.merging(change) { $1 }
            let asset = try Self.asset(["files": [file, Self.file]])
            #expect(asset.resources.count == 1 && asset.notes.map(\.code) == ["unknownType"])
        }
        let many = try Self.asset(["files": Array(repeating: Self.file, count: 70)])
        #expect(many.resources.count == 64 && many.notes.count == 1)
        let noisy = try Self.asset(["files": (0..<64).map { ["type": 500 + $0] }])
        #expect(noisy.resources.isEmpty && noisy.notes.count == 20, "notes are limited")
    }

    // MARK: - Collections

    @Test func collectionsHaveTheirMembers() throws {
        let album: [String: Any] = [
            "kind": "album", "uuid": Self.uuid, "title": "Trip", "parent": Self.other,
            "creationDate": "2001-01-01T00:00:01Z", "modificationDate": "no date",
            "members": [Self.other, Self.other.lowercased(), "no UUID", 5, Self.uuid],
        ]
        guard case .collection(let found, let members) = try Self.parse(album) else {
            Issue.record("It is no album.")
            return
        }
        #expect(found.kind == .album && found.uuid == Self.uuid && found.title == "Trip")
        #expect(found.parent == Self.other && found.creationDate == 1)
        #expect(found.modificationDate == nil && members == [Self.other, Self.uuid])
        #expect(found.notes.map(\.code) == ["membersLeftOut"])
        #expect(found.notes.first?.text.hasPrefix("3 members") == true)
        let folder = album.merging(["kind": "folder"]) { $1 }
        guard case .collection(let other, []) = try Self.parse(folder) else {
            Issue.record("It is no folder.")
            return
        }
        #expect(other.kind == .folder && other.notes == [])
    }

    // MARK: - Headers and broken lines

    @Test func theHeaderSaysWhatTheExportLacks() throws {
        let header: [String: Any] = [
            "kind": "library", "format": 1, "libraryIdentifier": Self.uuid, "version": 12,
            "assets": 7, "hidden": 2, "includesHidden": false, "deleted": 3,
        ]
        guard case .header(let counts, let assets) = try Self.parse(header) else {
            Issue.record("It is no header.")
            return
        }
        #expect(assets == 7 && counts.identifier == Self.uuid && counts.version == 12)
        #expect(counts.model == 1 && counts.notes.map(\.code) == ["notExported", "notExported"])
        #expect(counts.notes.first?.text.hasPrefix("2 hidden photos") == true)
        let complete = header.merging(["includesHidden": true, "deleted": 0, "assets": -5]) { $1 }
        guard case .header(let all, 0) = try Self.parse(complete) else {
            Issue.record("It is no header.")
            return
        }
        #expect(all.notes == [])
    }

    @Test(arguments: [
        ("", true), ("[]", true), ("{\"kind\":\"asset\"", true), ("{}", true),
        (#"{"kind":"asset"}"#, true), (#"{"kind":"asset","uuid":"8D7B"}"#, true),
        (#"{"kind":"asset","uuid":"\#(uuid)"}"#, true),
        (#"{"kind":"asset","uuid":"\#(uuid)","mediaType":9}"#, true),
        (#"{"kind":"asset","uuid":"8D7B2D3A-6E0A-4B8C-9C1E2-F3A4B5C6D7E","mediaType":1}"#, true),
        (#"{"kind":"comet"}"#, false), (#"{"kind":"album","uuid":"x"}"#, false),
        (#"{"kind":"folder"}"#, false), (#"{"kind":"library"}"#, false),
        (#"{"kind":"library","format":2}"#, false), (#"{"kind":"library","format":0}"#, false),
    ])
    func brokenLinesHaveAReason(_ text: String, _ isAsset: Bool) {
        guard case .broken(let problem) = Self.parse(text: text) else {
            Issue.record("\(text) was read.")
            return
        }
        #expect(!problem.reason.isEmpty && problem.isAsset == isAsset)
    }

    /// Identifiers of built-in collections belong to no export.
    @Test func reservedIdentifiersAreRefused() throws {
        let reserved = CollectionRecord.builtInPrefix + String(repeating: "0", count: 12)
        for kind in ["asset", "album"] {
            let line = try Self.parse(["kind": kind, "uuid": reserved, "mediaType": 1])
            guard case .broken = line else {
                Issue.record("\(kind) was read.")
                continue
            }
        }
    }
}
