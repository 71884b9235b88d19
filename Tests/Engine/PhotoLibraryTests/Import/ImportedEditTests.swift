import Foundation
import LibraryService
import PhotoLibrary
import PhotoModel
import Testing
import WorkerProtocol

/// Edits from other programs that are imported with their originals: which files form one asset.
@Suite(.timeLimit(.minutes(3))) struct ImportedEditTests {
    let world: ImportWorld

    init() throws { world = try ImportWorld() }

    /// Returns a still of another size than the original's.
    private static func edit(at time: String? = "2023:07:15 12:30:45", camera: String? = "One")
        -> MediaFacts
    {
        var facts = MediaFacts.still(.heic, at: time, salt: "edit")
        facts.displaySize = PixelSize(width: 20, height: 30)
        facts.camera.model = camera
        return facts
    }

    private func writePhoto(
        _ original: String = "IMG_1853.HEIC",
        _ adjustments: String? = "IMG_1853.AAE",
        _ edit: String = "IMG_E1853.HEIC",
        _ facts: MediaFacts = Self.edit(at: nil)
    ) throws {
        try world.write(original, .still(.heic))
        if let adjustments { try world.write(adjustments, .sidecar(.aae)) }
        try world.write(edit, facts)
    }

    /// Returns the resources of the only asset.
    private func resourcesOfOne() throws -> [String] {
        let assets = try world.assets()
        #expect(assets.count == 1, "\(assets.map(\.originalFilename))")
        return try world.resources(of: #require(assets.first))
    }

    private static let whole = [
        "photo IMG_1853.HEIC", "fullSizePhoto IMG_E1853.HEIC", "adjustmentData IMG_1853.AAE",
    ]

    // MARK: - Pairing

    @Test("Adjustments of the original's name make the edit a part of it, in any order of a batch")
    func adjustmentsJoin() throws {
        try writePhoto()
        let outcomes = try world.importFiles("IMG_1853.AAE", "IMG_E1853.HEIC", "IMG_1853.HEIC")
        #expect(outcomes.map(\.kind) == [.paired, .paired, .imported])
        #expect(try resourcesOfOne() == Self.whole)
        let asset = try #require(try world.assets().first)
        #expect(asset.hasAdjustments)
        #expect(asset.pixelSize == PixelSize(width: 20, height: 30))
        #expect(asset.originalFilename == "IMG_1853.HEIC")
        #expect(try world.inconsistencies() == [])
    }

    @Test("Files that come one after the other join, in each order that begins with the original")
    func laterFilesJoin() throws {
        for order in [
            ["IMG_1853.HEIC", "IMG_1853.AAE", "IMG_E1853.HEIC"],
            ["IMG_1853.HEIC", "IMG_E1853.HEIC", "IMG_1853.AAE"],
        ] {
            let world = try ImportWorld()
            try world.write("IMG_1853.HEIC", .still(.heic))
            try world.write("IMG_1853.AAE", .sidecar(.aae))
            try world.write("IMG_E1853.HEIC", Self.edit())
            for name in order { _ = try world.importFiles(name) }
            let asset = try #require(try world.assets().first)
            #expect(try world.assets().count == 1)
            #expect(try world.resources(of: asset) == Self.whole)
            #expect(asset.hasAdjustments)
            // Everything that a revert removes is stored apart from the originals.
            let originals = try ImportWorld.originals(of: world.store)
            #expect(originals.count { $0.hasSuffix(".heic") } == 1)
            let again = try order.map { try world.importFiles($0)[0].kind }
            #expect(again == [.duplicate, .duplicate, .duplicate])
        }
    }

    @Test("One camera in one second is enough, also for name_edited")
    func oneShotJoins() throws {
        try writePhoto("name.jpg", nil, "name_edited.jpg", Self.edit())
        _ = try world.importFiles("name.jpg", "name_edited.jpg")
        #expect(try resourcesOfOne() == ["photo name.jpg", "fullSizePhoto name_edited.jpg"])
    }

    @Test("The name that this library gives to a rendering joins its original again")
    func ownNameJoins() throws {
        try writePhoto("IMG_1853.HEIC", "IMG_1853.AAE", "IMG_1853-edited.HEIC")
        _ = try world.importFiles("IMG_1853.HEIC", "IMG_1853.AAE", "IMG_1853-edited.HEIC")
        #expect(
            try resourcesOfOne() == [
                "photo IMG_1853.HEIC", "fullSizePhoto IMG_1853-edited.HEIC",
                "adjustmentData IMG_1853.AAE",
            ]
        )
    }

    static let strangers: [(String?, String, MediaFacts)] = [
        (nil, "IMG_E1853.HEIC", edit(at: "2023:07:15 12:30:46")),
        (nil, "IMG_E1853.HEIC", edit(camera: "Two")),
        (nil, "IMG_E1853.HEIC", edit(camera: nil)),
        ("other/IMG_1853.AAE", "IMG_E1853.HEIC", edit(at: nil)),
        ("IMG_O1853.AAE", "IMG_E1853.HEIC", edit(at: nil)),
        ("IMG_1853.AAE", "other/IMG_E1853.HEIC", edit(at: nil)),
        ("IMG_1853.AAE", "IMG_X1853.HEIC", edit(at: nil)),
    ]

    @Test("A name alone says nothing", arguments: strangers)
    func namesAloneDoNotJoin(_ stranger: (String?, String, MediaFacts)) throws {
        let (adjustments, edit, facts) = stranger
        try writePhoto("IMG_1853.HEIC", adjustments, edit, facts)
        _ = try world.importFiles(
            ["IMG_1853.HEIC", edit] + [adjustments].compactMap(\.self)
        )
        let assets = try world.assets()
        #expect(assets.count == 2)
        #expect(assets.allSatisfy { !$0.hasAdjustments })
    }

    @Test("An edit that was an asset before its original came stays one")
    func earlierAssetStays() throws {
        try writePhoto()
        _ = try world.importFiles("IMG_E1853.HEIC")
        let outcomes = try world.importFiles("IMG_1853.HEIC", "IMG_E1853.HEIC", "IMG_1853.AAE")
        #expect(outcomes.map(\.kind) == [.imported, .duplicate, .paired])
        #expect(try world.assets().count == 2)
    }

    @Test("An asset has one edit: another rendered file is an asset of its own")
    func secondEditStaysApart() throws {
        try writePhoto()
        try world.write("IMG_E1853.JPG", .still(.jpeg, at: nil, salt: "second"))
        _ = try world.importFiles(
            "IMG_1853.HEIC",
            "IMG_1853.AAE",
            "IMG_E1853.HEIC",
            "IMG_E1853.JPG"
        )
        #expect(try world.assets().map(\.hasAdjustments) == [true, false])
    }

    @Test("A RAW of that name is no rendered file")
    func rawIsNoEdit() throws {
        try writePhoto("IMG_1853.HEIC", "IMG_1853.AAE", "IMG_E1853.DNG", .still(.raw, at: nil))
        _ = try world.importFiles("IMG_1853.HEIC", "IMG_1853.AAE", "IMG_E1853.DNG")
        #expect(try world.assets().count == 2)
    }

    // MARK: - Movies

    @Test("Both halves of an edited Live Photo join it; with one it is shown as a still")
    func livePhotoHalves() throws {
        try world.write("IMG_1853.HEIC", .still(.heic, content: "A"))
        try world.write("IMG_1853.MOV", .movie(content: "A"))
        try world.write("IMG_1853.AAE", .sidecar(.aae))
        var edit = Self.edit()
        edit.contentIdentifier = "B"
        try world.write("IMG_E1853.HEIC", edit)
        try world.write("IMG_E1853.MOV", .movie(content: "B", salt: "edit"))
        _ = try world.importFiles(
            "IMG_1853.HEIC",
            "IMG_E1853.HEIC",
            "IMG_1853.MOV",
            "IMG_1853.AAE"
        )
        let still = try #require(try world.assets().first)
        #expect(still.playbackStyle == .image && !still.mediaSubtypes.contains(.photoLive))
        #expect(try world.importFiles("IMG_E1853.MOV").map(\.kind) == [.paired])
        let live = try #require(try world.assets().first)
        #expect(live.playbackStyle == .livePhoto && live.mediaSubtypes.contains(.photoLive))
        #expect(live.pixelSize == PixelSize(width: 20, height: 30))
        #expect(
            try resourcesOfOne() == [
                "photo IMG_1853.HEIC", "fullSizePhoto IMG_E1853.HEIC",
                "adjustmentData IMG_1853.AAE", "pairedVideo IMG_1853.MOV",
                "fullSizePairedVideo IMG_E1853.MOV",
            ]
        )
    }

    @Test("The halves of an edit find their Live Photo by the camera's second, without adjustments")
    func livePhotoWithoutAdjustments() throws {
        try world.write("IMG_1853.HEIC", .still(.heic, content: "A"))
        try world.write("IMG_1853.MOV", .movie(content: "A"))
        var edit = Self.edit()
        edit.contentIdentifier = "B"
        try world.write("IMG_E1853.HEIC", edit)
        try world.write("IMG_E1853.MOV", .movie(content: "B", salt: "edit"))
        let outcomes = try world.importFiles(
            "IMG_1853.HEIC",
            "IMG_E1853.HEIC",
            "IMG_1853.MOV",
            "IMG_E1853.MOV"
        )
        #expect(outcomes.map(\.kind) == [.imported, .paired, .paired, .paired])
        #expect(try world.assets().map(\.playbackStyle) == [.livePhoto])
    }

    @Test("An edited video shows its edit")
    func editedVideo() throws {
        try world.write("IMG_1854.MOV", .movie())
        try world.write("IMG_1854.AAE", .sidecar(.aae))
        try world.write("IMG_E1854.MOV", .movie(frameRate: 24, salt: "edit"))
        _ = try world.importFiles("IMG_1854.MOV", "IMG_1854.AAE", "IMG_E1854.MOV")
        #expect(
            try resourcesOfOne() == [
                "video IMG_1854.MOV", "fullSizeVideo IMG_E1854.MOV",
                "adjustmentData IMG_1854.AAE",
            ]
        )
        #expect(try world.assets().first?.frameRate == 24)
    }

    @Test("The movie of a Live Photo that was edited as a still comes later: it stays a still")
    func movieOfAnEditedStill() throws {
        try world.write("IMG_1853.HEIC", .still(.heic, content: "A"))
        try world.write("IMG_1853.AAE", .sidecar(.aae))
        try world.write("IMG_E1853.HEIC", Self.edit())
        _ = try world.importFiles("IMG_1853.HEIC", "IMG_1853.AAE", "IMG_E1853.HEIC")
        try world.write("IMG_1853.MOV", .movie(content: "A"))
        #expect(try world.importFiles("IMG_1853.MOV").map(\.kind) == [.paired])
        let asset = try #require(try world.assets().first)
        #expect(asset.playbackStyle == .image && !asset.mediaSubtypes.contains(.photoLive))
    }

    // MARK: - Parts of an Apple library

    @Test("UUID_5.xmp and UUID_5.aae belong to UUID.heic")
    func partsOfAnItem() throws {
        let item = "5C9E3B50-9F0A-4D1B-8C7B-0B6C2A6E7D11"
        try world.write("\(item).heic", .still(.heic))
        try world.write("\(item)_5.xmp", .sidecar(.xmp, title: "Sea"))
        try world.write("\(item)_5.aae", .sidecar(.aae))
        let outcomes = try world.importFiles("\(item)_5.xmp", "\(item)_5.aae", "\(item).heic")
        #expect(outcomes.map(\.kind) == [.paired, .paired, .imported])
        #expect(try world.assets().map(\.title) == ["Sea"])
        // An effect applied by the camera is not an edit.
        #expect(try world.assets().map(\.hasAdjustments) == [false])
        try world.write("name_5.xmp", .sidecar(.xmp, title: "Other"))
        try world.write("name.heic", .still(.heic, salt: "name"))
        let others = try world.importFiles("name.heic", "name_5.xmp")
        #expect(others.map(\.kind) == [.imported, .unsupported])
    }
}
