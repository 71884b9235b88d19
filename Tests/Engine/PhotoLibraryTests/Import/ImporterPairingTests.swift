import Foundation
import LibraryService
import PhotoLibrary
import PhotoModel
import Testing
import TestSupport
import WorkerProtocol

@Suite(.timeLimit(.minutes(10))) struct ImporterPairingTests {
    let world: ImportWorld

    init() throws { world = try ImportWorld() }

    /// Imports files in this order, each in a separate batch.
    private func importEach(_ names: String...) throws -> [ImportOutcome] {
        try names.flatMap { try world.importFiles($0) }
    }

    private func writeLive() throws {
        try world.write("IMG_1.HEIC", .still(.heic, content: "A"))
        try world.write("IMG_1_HEVC.MOV", .movie(content: "A"))
    }

    // MARK: - Live Photos

    @Test("A Live Photo in one batch: the still is imported, the movie paired, in either order")
    func livePhotoInOneBatch() throws {
        try writeLive()
        let outcomes = try world.importFiles("IMG_1_HEVC.MOV", "IMG_1.HEIC")
        #expect(outcomes.map(\.kind) == [.paired, .imported])
        try expectLivePhoto(outcomes)
    }

    @Test("A Live Photo whose movie comes later")
    func livePhotoStillFirst() throws {
        try writeLive()
        let outcomes = try importEach("IMG_1.HEIC", "IMG_1_HEVC.MOV")
        #expect(outcomes.map(\.kind) == [.imported, .paired])
        try expectLivePhoto(outcomes)
    }

    @Test("A Live Photo whose still comes later: the movie's asset keeps its identifier")
    func livePhotoMovieFirst() throws {
        try writeLive()
        let outcomes = try importEach("IMG_1_HEVC.MOV", "IMG_1.HEIC")
        #expect(outcomes.map(\.kind) == [.imported, .paired])
        try expectLivePhoto(outcomes)
        #expect(try world.assets().first?.contentVersion == 2)
    }

    private func expectLivePhoto(_ outcomes: [ImportOutcome]) throws {
        #expect(outcomes[0].localIdentifier == outcomes[1].localIdentifier)
        let assets = try world.assets()
        #expect(assets.count == 1)
        let asset = try #require(assets.first)
        #expect(asset.localIdentifier == outcomes[0].localIdentifier)
        #expect(asset.mediaType == .image)
        #expect(asset.mediaSubtypes == .photoLive)
        #expect(asset.playbackStyle == .livePhoto)
        #expect(asset.duration == 0)
        #expect(asset.frameRate == nil)
        #expect(asset.originalFilename == "IMG_1.HEIC")
        #expect(asset.contentType == "public.heic")
        #expect(asset.pixelSize == PixelSize(width: 40, height: 30))
        #expect(asset.captureTime?.wallTime == "2023-07-15T12:30:45")
        #expect(
            try world.resources(of: asset) == ["photo IMG_1.HEIC", "pairedVideo IMG_1_HEVC.MOV"]
        )
        #expect(try world.inconsistencies() == [])
    }

    @Test("Names never join halves; a second movie of one identifier stays alone")
    func keepsStrangersApart() throws {
        try writeLive()
        try world.write("IMG_2.JPG", .still(content: "B"))
        try world.write("IMG_2.MOV", .movie(content: "A", salt: "other bytes"))
        let outcomes = try importEach("IMG_1.HEIC", "IMG_1_HEVC.MOV", "IMG_2.JPG", "IMG_2.MOV")
        #expect(outcomes.map(\.kind) == [.imported, .paired, .imported, .imported])
        #expect(try world.assets().count == 3)
    }

    @Test("A still with its movie does not take the place of a movie that has another")
    func keepsPairs() throws {
        try world.write("a.MOV", .movie(content: "A", salt: "1"))
        try world.write("b.HEIC", .still(.heic, content: "A"))
        try world.write("b.MOV", .movie(content: "A", salt: "2"))
        _ = try world.importFiles("a.MOV")
        let outcomes = try world.importFiles("b.HEIC", "b.MOV")
        #expect(outcomes.map(\.kind) == [.imported, .paired])
        #expect(try world.assets().map(\.mediaType) == [.video, .image])
    }

    @Test("Of several movies that wait, the one of the still's name joins")
    func prefersNameAmongMovies() throws {
        try world.write("a.MOV", .movie(content: "A", salt: "1"))
        try world.write("b.MOV", .movie(content: "A", salt: "2"))
        try world.write("b.HEIC", .still(.heic, content: "A"))
        let movies = try world.importFiles("a.MOV", "b.MOV")
        let still = try #require(try world.importFiles("b.HEIC").first)
        #expect(still.kind == .paired)
        #expect(still.localIdentifier == movies[1].localIdentifier)
    }

    @Test("An edited movie stays a movie, also if it has the still's name; another one joins")
    func leavesEditedMoviesAlone() throws {
        try world.write("a.MOV", .movie(content: "A", salt: "1"))
        try world.write("b.MOV", .movie(content: "A", salt: "2"))
        try world.write("a.HEIC", .still(.heic, content: "A"))
        let movies = try world.importFiles("a.MOV", "b.MOV")
        try world.store.write(author: "tests") { transaction in
            var asset = try #require(try transaction.asset(id: 1))
            asset.hasAdjustments = true
            try transaction.updateAsset(asset, contentChanged: true)
        }
        let still = try #require(try world.importFiles("a.HEIC").first)
        #expect(still.kind == .paired)
        #expect(still.localIdentifier == movies[1].localIdentifier)
        #expect(try world.assets().map(\.mediaType) == [.video, .image])
    }

    @Test("A still joins the older of a RAW and a movie that came alone, and says so")
    func joinsOneOfTwo() throws {
        try world.write("IMG_1.DNG", .still(.raw))
        try world.write("IMG_1.MOV", .movie(content: "A"))
        try world.write("IMG_1.JPG", .still(content: "A"))
        let outcomes = try importEach("IMG_1.DNG", "IMG_1.MOV", "IMG_1.JPG")
        #expect(outcomes.map(\.kind) == [.imported, .imported, .paired])
        #expect(outcomes[2].localIdentifier == outcomes[0].localIdentifier)
        #expect(outcomes[2].reason?.contains("IMG_1.MOV") == true)
        #expect(try world.assets().count == 2)
    }

    @Test("A sidecar finds its own among hundreds of files of one name")
    func findsSidecarAmongMany() throws {
        let names = (1000..<1250).map { "scan.\($0)" }
        for name in names { try world.write(name, .still(salt: name)) }
        let outcomes = try world.importFiles(names)
        try world.write("scan.1240.xmp", .sidecar(.xmp, title: "Mine"))
        let sidecar = try #require(try world.importFiles("scan.1240.xmp").first)
        #expect(sidecar.kind == .paired)
        #expect(sidecar.localIdentifier == outcomes[240].localIdentifier)
    }

    @Test("A partner does not follow an asset into Recently Deleted")
    func leavesTrashAlone() throws {
        try writeLive()
        _ = try world.importFiles("IMG_1.HEIC")
        try world.store.write(author: "tests") { transaction in
            var asset = try #require(try transaction.asset(id: 1))
            asset.trashedDate = transaction.now
            try transaction.updateAsset(asset, contentChanged: false)
        }
        #expect(try world.importFiles("IMG_1_HEVC.MOV").map(\.kind) == [.imported])
    }

    @Test("What a person set survives when a still takes the lead")
    func keepsUserValues() throws {
        try writeLive()
        _ = try world.importFiles("IMG_1_HEVC.MOV")
        try world.store.write(author: "tests") { transaction in
            var asset = try #require(try transaction.asset(id: 1))
            asset.isFavorite = true
            asset.title = "Mine"
            asset.creationDate = Date(timeIntervalSince1970: 5)
            asset.captureTime = CaptureTime(
                instant: Date(timeIntervalSince1970: 5),
                wallTime: "1970-01-01T00:00:05",
                offset: 0,
                wallTimeSource: .user,
                instantSource: .user
            )
            try transaction.updateAsset(asset, contentChanged: false)
        }
        _ = try world.importFiles("IMG_1.HEIC")
        let asset = try #require(try world.assets().first)
        #expect(asset.isFavorite)
        #expect(asset.title == "Mine")
        #expect(asset.creationDate == Date(timeIntervalSince1970: 5))
        #expect(asset.captureTime?.wallTimeSource == .user)
    }

    // MARK: - RAW

    @Test(
        "RAW and JPEG in one batch or in two runs, in either order, are one asset",
        arguments: [
            ["IMG_1.JPG IMG_1.DNG"], ["IMG_1.DNG IMG_1.JPG"], ["IMG_1.JPG", "IMG_1.DNG"],
            ["IMG_1.DNG", "IMG_1.JPG"],
        ]
    )
    func pairsRAW(batches: [String]) throws {
        try world.write("IMG_1.JPG", .still())
        try world.write("IMG_1.DNG", .still(.raw))
        let names = batches.flatMap { $0.split(separator: " ").map(String.init) }
        let outcomes = try batches.flatMap { batch in
            try world.importFiles(batch.split(separator: " ").map(String.init))
        }
        let imported = batches.count == 1 ? "IMG_1.JPG" : names[0]
        for (name, outcome) in zip(names, outcomes) {
            #expect(outcome.kind == (name == imported ? .imported : .paired))
        }
        let assets = try world.assets()
        #expect(assets.count == 1)
        let asset = try #require(assets.first)
        #expect(Set(outcomes.map(\.localIdentifier)) == [asset.localIdentifier])
        #expect(asset.contentType == "public.jpeg")
        #expect(asset.originalFilename == "IMG_1.JPG")
        #expect(
            try world.resources(of: asset) == ["photo IMG_1.JPG", "alternatePhoto IMG_1.DNG"]
        )
        #expect(try world.inconsistencies() == [])
    }

    @Test("Another shot under an old name does not join: cards count from the start again")
    func keepsShotsApart() throws {
        try world.write("IMG_1.JPG", .still())
        try world.write("IMG_1.DNG", .still(.raw, at: "2024:01:01 00:00:00"))
        #expect(try importEach("IMG_1.JPG", "IMG_1.DNG").map(\.kind) == [.imported, .imported])
        #expect(try world.assets().count == 2)
    }

    @Test("RAW, movie and JPEG of one shot come together in every order", arguments: 0..<6)
    func pairsThree(order: Int) throws {
        try world.write("IMG_1.JPG", .still(content: "A"))
        try world.write("IMG_1.DNG", .still(.raw, content: "A"))
        try world.write("IMG_1.MOV", .movie(content: "A"))
        var names = ["IMG_1.JPG", "IMG_1.DNG", "IMG_1.MOV"]
        let first = names.remove(at: order / 2)
        if order % 2 == 1 { names.swapAt(0, 1) }
        let outcomes = try ([first] + names).flatMap { try world.importFiles($0) }
        #expect(outcomes.map(\.kind) == [.imported, .paired, .paired])
        let asset = try #require(try world.assets().first)
        #expect(try world.assets().count == 1)
        #expect(asset.playbackStyle == .livePhoto)
        #expect(
            try world.resources(of: asset) == [
                "photo IMG_1.JPG", "alternatePhoto IMG_1.DNG", "pairedVideo IMG_1.MOV",
            ]
        )
    }

    // MARK: - Sidecars

    @Test("Sidecars join by name, in the batch or later; without their asset they wait")
    func joinsSidecars() throws {
        try world.write("IMG_1853.HEIC", .still(.heic))
        try world.write("IMG_1853.AAE", .sidecar(.aae))
        try world.write("IMG_1853.HEIC.xmp", .sidecar(.xmp, title: "From the sidecar"))
        let alone = try world.importFiles("IMG_1853.AAE", "IMG_1853.HEIC.xmp")
        #expect(alone.map(\.kind) == [.unsupported, .unsupported])
        #expect(alone[0].reason?.contains("sidecar") == true)
        let outcomes = try world.importFiles("IMG_1853.AAE", "IMG_1853.HEIC")
        #expect(outcomes.map(\.kind) == [.paired, .imported])
        #expect(try world.importFiles("IMG_1853.HEIC.xmp").map(\.kind) == [.paired])
        #expect(
            try world.importFiles("IMG_1853.AAE", "IMG_1853.HEIC.xmp").map(\.kind) == [
                .duplicate, .duplicate,
            ]
        )
        let asset = try #require(try world.assets().first)
        #expect(asset.title == "From the sidecar")
        #expect(
            try world.resources(of: asset) == [
                "photo IMG_1853.HEIC", "adjustmentData IMG_1853.AAE",
                "sidecar IMG_1853.HEIC.xmp",
            ]
        )
        #expect(try world.inconsistencies() == [])
    }

    @Test("The adjustments of the person come before those of the camera, `IMG_O…`")
    func knowsOriginalAdjustments() throws {
        try world.write("IMG_5747.HEIC", .still(.heic))
        try world.write("IMG_O5747.aae", .sidecar(.aae, salt: "camera"))
        try world.write("IMG_5747.AAE", .sidecar(.aae, salt: "person"))
        let outcomes = try world.importFiles("IMG_O5747.aae", "IMG_5747.AAE", "IMG_5747.HEIC")
        #expect(outcomes.map(\.kind) == [.unsupported, .paired, .imported])
        try world.write("IMG_6000.HEIC", .still(.heic, salt: "other"))
        try world.write("IMG_O6000.aae", .sidecar(.aae, salt: "camera"))
        #expect(
            try world.importFiles("IMG_6000.HEIC", "IMG_O6000.aae").map(\.kind) == [
                .imported, .paired,
            ]
        )
    }

    @Test("The camera's adjustments do not go to an earlier photo of the name", arguments: 1...3)
    func leavesEarlierPhotosAlone(batches: Int) throws {
        try world.write("IMG_1853.JPG", .still(salt: "earlier"))
        _ = try world.importFiles("IMG_1853.JPG")
        try FileManager.default.removeItem(atPath: world.path("IMG_1853.JPG"))
        try world.write("IMG_1853.PNG", .still(.png))
        try world.write("IMG_1853.AAE", .sidecar(.aae, salt: "person"))
        try world.write("IMG_O1853.AAE", .sidecar(.aae, salt: "camera"))
        let names = ["IMG_1853.PNG", "IMG_1853.AAE", "IMG_O1853.AAE"]
        let ends = batches == 1 ? [3] : batches == 2 ? [2, 3] : [1, 2, 3]
        var (outcomes, start): ([ImportOutcome], Int) = ([], 0)
        for end in ends {
            outcomes += try world.importFiles(Array(names[start..<end]))
            start = end
        }
        #expect(outcomes.map(\.kind) == [.imported, .paired, .unsupported])
        #expect(outcomes[1].localIdentifier == outcomes[0].localIdentifier)
        #expect(outcomes[2].reason?.contains("already has other adjustments") == true)
        let earlier = try #require(try world.assets().first)
        #expect(try world.resources(of: earlier) == ["photo IMG_1853.JPG"])
    }

    @Test("Changed adjustments do not go to another photo of the name", arguments: [true, false])
    func leavesOtherPhotosAlone(withPhotos: Bool) throws {
        try world.write("IMG_1853.JPG", .still(salt: "other"))
        try world.write("IMG_1853.PNG", .still(.png))
        try world.write("IMG_1853.AAE", .sidecar(.aae, salt: "first"))
        let names = ["IMG_1853.JPG", "IMG_1853.PNG", "IMG_1853.AAE"]
        let first = try world.importFiles(names)
        #expect(first[2].localIdentifier == first[1].localIdentifier)
        try world.write("IMG_1853.AAE", .sidecar(.aae, salt: "second"))
        let later = try world.importFiles(withPhotos ? names : ["IMG_1853.AAE"])
        #expect(later.last?.kind == .unsupported)
        #expect(later.last?.reason?.contains("already has other adjustments") == true)
        let other = try #require(try world.assets().first)
        #expect(try world.resources(of: other) == ["photo IMG_1853.JPG"])
    }

    @Test("Adjustments go to the new photo when a card reuses a name")
    func prefersPhotosThatAreThere() throws {
        try world.write("IMG_1853.JPG", .still(salt: "earlier"))
        try world.write("IMG_1853.AAE", .sidecar(.aae, salt: "earlier"))
        _ = try world.importFiles("IMG_1853.JPG", "IMG_1853.AAE")
        try FileManager.default.removeItem(atPath: world.path("IMG_1853.JPG"))
        try world.write("IMG_1853.HEIC", .still(.heic))
        try world.write("IMG_1853.AAE", .sidecar(.aae, salt: "new"))
        let outcomes = try world.importFiles("IMG_1853.HEIC") + world.importFiles("IMG_1853.AAE")
        #expect(outcomes.map(\.kind) == [.imported, .paired])
        #expect(outcomes[0].localIdentifier == outcomes[1].localIdentifier)
    }

    @Test("Equal sidecars of two photos are kept for each")
    func keepsEqualSidecars() throws {
        for number in 1...2 {
            try world.write("IMG_\(number).JPG", .still(salt: "\(number)"))
            try world.write("IMG_\(number).AAE", .sidecar(.aae))
        }
        let outcomes = try world.importFiles("IMG_1.AAE", "IMG_1.JPG", "IMG_2.JPG", "IMG_2.AAE")
        #expect(outcomes.map(\.kind) == [.paired, .imported, .imported, .paired])
        #expect(outcomes[0].localIdentifier == outcomes[1].localIdentifier)
        #expect(outcomes[3].localIdentifier == outcomes[2].localIdentifier)
    }

    // MARK: - Bursts

    @Test(
        "One frame stands for a burst, the same one however the frames arrive",
        arguments: [
            ["1 2 3 4 5"], ["5", "3 1", "4 2"], ["1", "2", "3", "4", "5"],
        ]
    )
    func settlesBursts(batches: [String]) throws {
        for frame in 1...5 {
            try world.write(
                "\(frame)",
                .still(at: "2023:07:15 12:30:4\(frame)", burst: "B", salt: "\(frame)")
            )
        }
        for batch in batches {
            _ = try world.importFiles(batch.split(separator: " ").map(String.init))
            // A single frame is not a burst.
            let assets = try world.assets()
            #expect(assets.count(where: \.representsBurst) == (assets.count > 1 ? 1 : 0))
            #expect(assets.allSatisfy { $0.isLoneFrame == (assets.count == 1) })
        }
        let assets = try world.assets()
        #expect(assets.count == 5)
        let key = try #require(assets.first { $0.representsBurst })
        #expect(key.originalFilename == "3")
        #expect(key.burstSelectionTypes == .autoPick)
        #expect(assets.filter { $0.burstSelectionTypes != [] }.count == 1)
        #expect(Set(assets.map(\.burstIdentifier)) == ["B"])
    }
}
