import Foundation
import LibraryService
import PhotoLibrary
import PhotoModel
import TestSupport
import Testing
import WorkerProtocol

/// The changes that sidecars make to the library: together with their photo, or years later.
@Suite(.timeLimit(.minutes(2))) struct ImporterSidecarTests {
    let world: ImportWorld

    init() throws { world = try ImportWorld() }

    /// Writes a photo with a title and other metadata.
    private func writePhoto(
        _ name: String = "IMG.JPG",
        metadataDate: String? = nil,
        _ change: (inout MediaFacts) -> Void = { _ in }
    ) throws {
        var facts = MediaFacts.still(offset: "+02:00", salt: name)
        facts.title = "Camera"
        facts.caption = "Camera's"
        facts.keywords = ["a", "b"]
        facts.rating = 2
        facts.location = Location(latitude: 48, longitude: 11, altitude: 500)
        facts.metadataDate = metadataDate.map { WrittenDate(source: .xmp, text: $0) }
        change(&facts)
        try world.write(name, facts)
    }

    private func writeSidecar(
        _ name: String = "IMG.JPG.xmp",
        metadataDate: String? = nil,
        _ change: (inout MediaFacts) -> Void
    ) throws {
        var facts = MediaFacts.sidecar(.xmp)
        facts.metadataDate = metadataDate.map { WrittenDate(source: .xmp, text: $0) }
        change(&facts)
        try world.write(name, facts)
    }

    private func edit(_ body: (inout AssetRecord) -> Void) throws {
        try world.store.write(author: "person") { transaction in
            var asset = try #require(try transaction.asset(id: 1))
            body(&asset)
            try transaction.updateAsset(asset, contentChanged: false)
        }
    }

    private func asset() throws -> AssetRecord { try #require(try world.assets().first) }

    /// Imports names in one batch, or each in a separate one.
    private func importAll(_ names: [String], together: Bool) throws {
        if together {
            _ = try world.importFiles(names)
        } else {
            for name in names { _ = try world.importFiles(name) }
        }
    }

    // MARK: - Precedence

    @Test("What people write is the sidecar's, also when it comes later", arguments: [true, false])
    func sidecarWins(together: Bool) throws {
        try writePhoto()
        try writeSidecar { facts in
            facts.title = "Person"
            facts.rating = 0
            facts.keywords = ["b", "c"]
            facts.location = Location(latitude: -33, longitude: 151)
            facts.dates = [WrittenDate(source: .xmp, text: "2020:01:02 03:04:05", offset: "+01:00")]
            // A camera property: the file's value remains.
            facts.camera.make = "Other"
        }
        try importAll(["IMG.JPG", "IMG.JPG.xmp"], together: together)
        let asset = try asset()
        #expect(asset.title == "Person" && asset.caption == "Camera's" && asset.rating == 0)
        #expect(asset.keywords == ["a", "b", "c"])
        #expect(asset.location == Location(latitude: -33, longitude: 151))
        #expect(asset.captureTime?.wallTime == "2020-01-02T03:04:05")
        #expect(asset.captureTime?.offset == 3_600 && asset.captureTime?.wallTimeSource == .xmp)
        #expect(asset.creationDate == asset.captureTime?.instant)
        #expect(asset.camera.make == "Maker")
    }

    @Test(
        "A file whose metadata was written later wins; the sidecar fills what it leaves open",
        arguments: [true, false]
    )
    func laterFileWins(together: Bool) throws {
        try writePhoto(metadataDate: "2024:01:02 00:00:00") { $0.caption = nil }
        try writeSidecar(metadataDate: "2024:01:01 00:00:00") { facts in
            facts.title = "Person"
            facts.caption = "Person's"
            facts.rating = -1
            facts.location = Location(latitude: 1, longitude: 2)
            facts.dates = [WrittenDate(source: .xmp, text: "2020:01:02 03:04:05")]
            facts.keywords = ["c"]
        }
        try importAll(["IMG.JPG", "IMG.JPG.xmp"], together: together)
        let asset = try asset()
        #expect(asset.title == "Camera" && asset.caption == "Person's" && asset.rating == 2)
        #expect(asset.keywords == ["a", "b", "c"] && asset.location?.latitude == 48)
        #expect(asset.captureTime?.wallTime == "2023-07-15T12:30:45")
    }

    @Test("The exact name counts before the short one, in every order", arguments: 0..<6)
    func twoSidecars(order: Int) throws {
        try writePhoto { $0.title = nil }
        try writeSidecar("IMG.xmp") { facts in
            (facts.title, facts.caption, facts.rating) = ("short", "short", 5)
            facts.keywords = ["short"]
        }
        try writeSidecar("IMG.JPG.xmp") { facts in
            (facts.title, facts.rating, facts.keywords) = ("exact", -1, ["exact"])
        }
        let sidecars = ["IMG.xmp", "IMG.JPG.xmp"]
        let names = ["IMG.JPG"] + (order % 2 == 0 ? sidecars : sidecars.reversed())
        switch order / 2 {
        case 0: try importAll(names, together: true)
        case 1: try importAll(names, together: false)
        default:
            _ = try world.importFiles(Array(names[..<2]))
            _ = try world.importFiles(names[2])
        }
        let asset = try asset()
        #expect(asset.title == "exact" && asset.caption == "short" && asset.rating == -1)
        #expect(Set(asset.keywords) == ["a", "b", "short", "exact"])
        #expect(asset.trashedDate == nil)
        #expect(try world.resources(of: asset).count == 3)
    }

    @Test("A sidecar that its program wrote anew takes the place of the former")
    func newerSidecar() throws {
        try writePhoto()
        try writeSidecar(metadataDate: "2024:01:01 00:00:00") { facts in
            (facts.title, facts.caption, facts.keywords) = ("old", "old", ["old"])
        }
        _ = try world.importFiles("IMG.JPG", "IMG.JPG.xmp")
        try writeSidecar(metadataDate: "2024:02:01 00:00:00") { $0.title = "new" }
        #expect(try world.importFiles("IMG.JPG.xmp").map(\.kind) == [.paired])
        #expect(try asset().title == "new" && asset().caption == "Camera's")
        #expect(try asset().keywords == ["a", "b"])
        // An older sidecar does not restore its values.
        try writeSidecar(metadataDate: "2024:01:15 00:00:00") { $0.title = "between" }
        _ = try world.importFiles("IMG.JPG.xmp")
        #expect(try asset().title == "new")
    }

    @Test("Each version of a changed sidecar is applied, also the 40th")
    func manyVersions() throws {
        try writePhoto()
        _ = try world.importFiles("IMG.JPG")
        for version in 1...40 {
            let date = "2024:01:01 00:00:\(version + 10)"
            try writeSidecar("IMG.xmp", metadataDate: date) { $0.title = "Title \(version)" }
            let outcomes = try world.importFiles("IMG.xmp")
            #expect(outcomes.map(\.kind) == [.paired] && outcomes[0].reason == nil)
            #expect(try asset().title == "Title \(version)")
        }
    }

    // MARK: - Dates and places

    @Test(
        "A date that is the camera's leaves it, with what it knows more exactly",
        arguments: [
            ("2023:07:15 12:30:45", nil), ("2023:07:15 12:30", nil), ("2023:07:15", nil),
            ("2023:07:15 12:30:45", "+02:00"), ("2023:07:15 10:30:45", "Z"),
            ("2023:07:15 12:30:45", "Z"), ("no date", nil), ("2023:02:30 12:00:00", nil),
        ] as [(String, String?)]
    )
    func sameDate(_ text: String, _ offset: String?) throws {
        try writePhoto { $0.dates[0].subseconds = "25" }
        try writeSidecar {
            $0.dates = [WrittenDate(source: .xmp, text: text, offset: offset)]
        }
        _ = try world.importFiles("IMG.JPG", "IMG.JPG.xmp")
        let time = try asset().captureTime
        #expect(time?.wallTime == "2023-07-15T12:30:45.25" && time?.offset == 7_200)
        #expect(time?.wallTimeSource == .exifOriginal)
    }

    @Test("A sidecar's offset completes a camera's date that has none; another offset replaces it")
    func offsets() throws {
        try writePhoto { $0.dates[0].offset = nil }
        try writeSidecar {
            $0.dates = [
                WrittenDate(source: .xmp, text: "2023:07:15 12:30:45", offset: "+05:45")
            ]
        }
        _ = try world.importFiles("IMG.JPG", "IMG.JPG.xmp")
        let time = try asset().captureTime
        #expect(time?.offset == 20_700 && time?.wallTimeSource == .exifOriginal)
        #expect(time?.instant == Date(timeIntervalSince1970: 1_689_403_545))
        try writeSidecar {
            $0.dates = [
                WrittenDate(source: .xmp, text: "2023:07:15 12:30:45", offset: "+03:00")
            ]
        }
        _ = try world.importFiles("IMG.JPG.xmp")
        #expect(try asset().captureTime?.offset == 10_800)
    }

    @Test("A photo without a date takes the sidecar's; when it was digitized only fills")
    func fillsDates() throws {
        try writePhoto { $0.dates = [] }
        try writeSidecar { facts in
            facts.dates = [WrittenDate(source: .exifDigitized, text: "1998:07:12 20:00:00")]
        }
        _ = try world.importFiles("IMG.JPG")
        #expect(try asset().captureTime?.wallTimeSource == .fileTime)
        _ = try world.importFiles("IMG.JPG.xmp")
        #expect(try asset().captureTime?.wallTime == "1998-07-12T20:00:00")
        try writePhoto("B.JPG")
        try writeSidecar("B.JPG.xmp") { facts in
            facts.dates = [WrittenDate(source: .exifDigitized, text: "1998:07:12 20:00:00")]
            facts.title = "B"
        }
        _ = try world.importFiles("B.JPG", "B.JPG.xmp")
        #expect(try world.assets().last?.captureTime?.wallTime == "2023-07-15T12:30:45")
    }

    @Test("A place that is the camera's, rounded, leaves the camera's with its altitude")
    func samePlace() throws {
        try writePhoto()
        try writeSidecar { $0.location = Location(latitude: 48.00005, longitude: 10.99995) }
        _ = try world.importFiles("IMG.JPG", "IMG.JPG.xmp")
        #expect(try asset().location == Location(latitude: 48, longitude: 11, altitude: 500))
    }

    // MARK: - Changes by the user

    @Test("What a person changed or cleared in the library stays", arguments: [true, false])
    func handChangesStay(clears: Bool) throws {
        try writePhoto()
        _ = try world.importFiles("IMG.JPG")
        let date = Date(timeIntervalSince1970: 5)
        try edit { asset in
            asset.title = clears ? nil : "Mine"
            asset.caption = clears ? nil : "Mine, too"
            asset.rating = clears ? 0 : 5
            asset.location = clears ? nil : Location(latitude: 1, longitude: 2)
            asset.creationDate = clears ? nil : date
            asset.captureTime =
                clears
                ? nil
                : CaptureTime(
                    instant: date,
                    wallTime: "1970-01-01T00:00:05",
                    offset: 0,
                    wallTimeSource: .user,
                    instantSource: .user
                )
            asset.keywords = clears ? [] : ["b", "mine"]
        }
        try writeSidecar(metadataDate: "2030:01:01 00:00:00") { facts in
            (facts.title, facts.caption, facts.rating) = ("Person", "Person's", -1)
            facts.keywords = ["a", "c"]
            facts.location = Location(latitude: -33, longitude: 151)
            facts.dates = [WrittenDate(source: .xmp, text: "2020:01:02 03:04:05")]
        }
        let before = try asset()
        #expect(try world.importFiles("IMG.JPG.xmp").map(\.kind) == [.paired])
        var after = try asset()
        // Keywords that the user did not remove are added; the user removed `a`.
        #expect(after.keywords == (clears ? ["c"] : ["b", "mine", "c"]))
        after.keywords = before.keywords
        after.modificationDate = before.modificationDate
        #expect(after == before)
    }

    @Test("A hand change between two sidecars stays")
    func handChangeBetween() throws {
        try writePhoto()
        try writeSidecar("IMG.xmp") { ($0.title, $0.caption) = ("first", "first") }
        _ = try world.importFiles("IMG.JPG", "IMG.xmp")
        try edit { $0.title = "Mine" }
        try writeSidecar { ($0.title, $0.caption) = ("second", "second") }
        _ = try world.importFiles("IMG.JPG.xmp")
        #expect(try asset().title == "Mine")
        #expect(try asset().caption == "second")
    }

    @Test("Without its original nothing is taken from a sidecar, and its line says so")
    func missingOriginal() throws {
        try writePhoto()
        _ = try world.importFiles("IMG.JPG")
        let original = try #require(try ImportWorld.originals(of: world.store).first)
        try FileManager.default.removeItem(atPath: world.store.bundle.absolutePath(of: original))
        try writeSidecar { $0.title = "Person" }
        let outcome = try #require(try world.importFiles("IMG.JPG.xmp").first)
        #expect(outcome.kind == .paired && outcome.reason?.contains("original") == true)
        #expect(try asset().title == "Camera")
    }

    // MARK: - Other folders

    /// Writes the same bytes to another folder.
    private func copy(_ name: String, to folder: String) throws {
        let data = try Data(contentsOf: URL(filePath: world.path(name)))
        try world.folder.write(data, to: "card/\(folder)/\(name)")
    }

    @Test(
        "A sidecar beside a copy of a photo applies to the photo",
        arguments: ["IMG.JPG.xmp", "IMG.xmp"],
        [false, true]
    )
    func sidecarOfACopy(name: String, hasFormer: Bool) throws {
        try writePhoto()
        try writeSidecar { $0.caption = "Former" }
        _ = try world.importFiles(hasFormer ? ["IMG.JPG", "IMG.JPG.xmp"] : ["IMG.JPG"])
        try copy("IMG.JPG", to: "other")
        try writeSidecar("other/" + name) { facts in
            (facts.title, facts.rating) = ("Person", 5)
            facts.dates = [WrittenDate(source: .xmp, text: "2020:01:02 03:04:05")]
        }
        let outcomes = try world.importFiles("other/IMG.JPG", "other/" + name)
        #expect(outcomes.map(\.kind) == [.duplicate, .paired])
        #expect(outcomes[1].reason == nil)
        #expect(try world.assets().count == 1)
        #expect(try asset().title == "Person" && asset().rating == 5)
        #expect(try asset().captureTime?.wallTime == "2020-01-02T03:04:05")
        // Of two sidecars with one name, the later one counts.
        let isReplaced = !hasFormer || name == "IMG.JPG.xmp"
        #expect(try asset().caption == (isReplaced ? "Camera's" : "Former"))
        let again = try world.importFiles("other/IMG.JPG", "other/" + name)
        #expect(again.map(\.kind) == [.duplicate, .duplicate])
    }

    @Test("The sidecar of a RAW applies when a JPEG comes with a copy of the RAW")
    func stillBesideACopy() throws {
        try writePhoto("IMG.DNG") { facts in
            (facts.format, facts.contentType) = (.raw, "com.adobe.raw-image")
        }
        try writeSidecar("IMG.DNG.xmp") { facts in
            facts.location = Location(latitude: 48.5, longitude: 11.5)
        }
        _ = try world.importFiles("IMG.DNG", "IMG.DNG.xmp")
        try copy("IMG.DNG", to: "other")
        try writePhoto("other/IMG.JPG")
        let outcomes = try world.importFiles("other/IMG.DNG", "other/IMG.JPG")
        #expect(outcomes.map(\.kind) == [.duplicate, .paired])
        #expect(try world.assets().count == 1)
        #expect(try asset().originalFilename == "IMG.JPG")
        #expect(try asset().location?.latitude == 48.5)
        #expect(try world.inconsistencies() == [])
    }

    @Test("The sidecar of a RAW that joins its JPEG applies to both")
    func sidecarOfAJoiningRAW() throws {
        try writePhoto()
        _ = try world.importFiles("IMG.JPG")
        try writePhoto("IMG.DNG") { facts in
            (facts.format, facts.contentType) = (.raw, "com.adobe.raw-image")
        }
        try writeSidecar("IMG.DNG.xmp") { $0.title = "Person" }
        let outcomes = try world.importFiles("IMG.DNG", "IMG.DNG.xmp")
        #expect(outcomes.map(\.kind) == [.paired, .paired])
        #expect(outcomes[1].reason == nil)
        #expect(try asset().title == "Person")
    }

    // MARK: - Versions

    @Test("darktable's further versions are kept with their photo and say nothing of it")
    func darktableVersions() throws {
        try writePhoto("IMG.CR2") { $0.format = .raw }
        func version(_ name: String, _ change: (inout MediaFacts) -> Void = { _ in }) throws {
            try writeSidecar(name) { facts in
                (facts.title, facts.rating, facts.hasDarktableHistory) = (name, 5, true)
                change(&facts)
            }
        }
        try version("IMG_01.CR2.xmp")
        try version("IMG_02.CR2.xmp") { $0.hasDarktableHistory = false }
        try version("IMG_1.CR2.xmp")
        let outcomes = try world.importFiles(
            "IMG.CR2",
            "IMG_01.CR2.xmp",
            "IMG_02.CR2.xmp",
            "IMG_1.CR2.xmp"
        )
        #expect(outcomes.map(\.kind) == [.imported, .paired, .unsupported, .unsupported])
        #expect(try asset().title == "Camera" && asset().rating == 2)
        // Neither does it later, when another sidecar is imported.
        try writeSidecar("IMG.CR2.xmp") { $0.caption = "Person's" }
        _ = try world.importFiles("IMG.CR2.xmp")
        #expect(try asset().title == "Camera" && asset().caption == "Person's")
        #expect(
            try world.resources(of: asset()) == [
                "photo IMG.CR2", "sidecar IMG.CR2.xmp", "sidecar IMG_01.CR2.xmp",
            ]
        )
        // A file with exactly that name has priority.
        try writePhoto("IMG_03.CR2") { $0.format = .raw }
        try version("IMG_03.CR2.xmp")
        let own = try world.importFiles("IMG_03.CR2", "IMG_03.CR2.xmp")
        #expect(own[0].localIdentifier == own[1].localIdentifier)
        #expect(try world.assets().last?.title == "IMG_03.CR2.xmp")
    }

    @Test("A RAW's own sidecar counts before the shot's")
    func sidecarOfRAW() throws {
        try writePhoto("IMG.JPG")
        try writePhoto("IMG.CR2") { $0.format = .raw }
        try writeSidecar("IMG.xmp") { ($0.title, $0.caption) = ("shot", "shot") }
        try writeSidecar("IMG.CR2.xmp") { $0.title = "raw" }
        _ = try world.importFiles("IMG.JPG", "IMG.CR2", "IMG.xmp", "IMG.CR2.xmp")
        #expect(try world.assets().count == 1)
        #expect(try asset().title == "raw" && asset().caption == "shot")
    }

    @Test(
        "A JPEG that comes after its RAW and sidecars has the values of a single import",
        arguments: [
            [["IMG.DNG", "IMG.xmp", "IMG.DNG.xmp"], ["IMG.JPG"]],
            [["IMG.DNG"], ["IMG.xmp"], ["IMG.DNG.xmp"], ["IMG.JPG"]],
            [["IMG.DNG", "IMG.DNG.xmp"], ["IMG.JPG", "IMG.xmp"]],
        ]
    )
    func stillAfterSidecars(batches: [[String]]) throws {
        func write(to world: ImportWorld) throws {
            for (name, format) in [("IMG.DNG", MediaFormat.raw), ("IMG.JPG", .jpeg)] {
                var facts = MediaFacts.still(format, offset: "+02:00")
                (facts.title, facts.rating, facts.keywords) = ("Camera", 2, ["camera"])
                facts.location = Location(latitude: 10, longitude: 20)
                try world.write(name, facts)
            }
            var shot = MediaFacts.sidecar(.xmp)
            (shot.title, shot.rating, shot.keywords) = ("shot", 0, ["shot"])
            shot.location = Location(latitude: 48.5, longitude: 11.5)
            try world.write("IMG.xmp", shot)
            var raw = MediaFacts.sidecar(.xmp)
            raw.caption = "RAW's"
            try world.write("IMG.DNG.xmp", raw)
        }
        func values(_ asset: AssetRecord) -> [String] {
            [
                asset.title ?? "", asset.caption ?? "", "\(asset.rating)",
                asset.keywords.sorted().joined(separator: ","),
                asset.location.map { "\($0.latitude) \($0.longitude)" } ?? "",
                asset.captureTime?.wallTime ?? "", asset.originalFilename,
            ]
        }
        let single = try ImportWorld()
        try write(to: single)
        _ = try single.importFiles("IMG.DNG", "IMG.JPG", "IMG.xmp", "IMG.DNG.xmp")
        let whole = try #require(try single.assets().first)
        let expected = values(whole)
        #expect(expected.contains("48.5 11.5") && expected.contains("camera,shot"))
        try write(to: world)
        for batch in batches { _ = try world.importFiles(batch) }
        #expect(try world.assets().count == 1)
        let joined = try asset()
        #expect(values(joined) == expected)
        #expect(try world.inconsistencies() == [])
        // A changed sidecar is applied as if the JPEG had been there from the start.
        try writeSidecar("IMG.xmp") { facts in
            (facts.title, facts.keywords) = ("later", ["later"])
            facts.location = Location(latitude: -33, longitude: 151)
        }
        let outcomes = try world.importFiles("IMG.xmp")
        #expect(outcomes.map(\.kind) == [.paired] && outcomes[0].reason == nil)
        let changed = try asset()
        #expect(changed.title == "later" && changed.location?.latitude == -33)
        #expect(Set(changed.keywords) == ["camera", "later"])
    }

    @Test("What a person changed stays when a JPEG joins its RAW and sidecar")
    func handChangesStayWithAStill() throws {
        try writePhoto("IMG.DNG") { facts in
            (facts.format, facts.contentType) = (.raw, "com.adobe.raw-image")
        }
        try writeSidecar("IMG.xmp") { facts in
            facts.keywords = ["c", "d"]
            facts.location = Location(latitude: 48.5, longitude: 11.5)
        }
        _ = try world.importFiles("IMG.DNG", "IMG.xmp")
        try edit { asset in
            asset.title = "Mine"
            asset.keywords.removeAll { $0 == "a" || $0 == "c" }
        }
        try writePhoto()
        _ = try world.importFiles("IMG.JPG")
        #expect(try world.assets().count == 1)
        let asset = try asset()
        #expect(asset.title == "Mine" && asset.originalFilename == "IMG.JPG")
        #expect(Set(asset.keywords) == ["b", "d"])
        #expect(asset.location?.latitude == 48.5)
    }

    @Test("A movie's sidecar goes with it when its still takes the lead")
    func sidecarOfLivePhoto() throws {
        try world.write("IMG.MOV", .movie(content: "A"))
        try world.write("IMG.HEIC", .still(.heic, content: "A"))
        _ = try world.importFiles("IMG.MOV")
        try edit { $0.caption = "Mine" }
        try writeSidecar("IMG.HEIC.xmp") { ($0.title, $0.caption) = ("Person", "Person's") }
        _ = try world.importFiles("IMG.HEIC", "IMG.HEIC.xmp")
        #expect(try asset().title == "Person" && asset().caption == "Mine")
    }
}
