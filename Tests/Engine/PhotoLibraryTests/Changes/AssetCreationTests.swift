import Foundation
import LibraryService
import PhotoModel
import Synchronization
import TestSupport
import Testing
import WorkerProtocol

@testable import PhotoLibrary

/// New assets from files.
@Suite(.timeLimit(.minutes(2))) struct AssetCreationTests {
    let world: ChangeWorld

    init() throws { world = try ChangeWorld() }

    /// Commits one creation, and returns the asset and its resources by type.
    @discardableResult
    private func create(
        _ creation: AssetCreation,
        _ facts: MediaFacts...
    ) throws -> (asset: AssetRecord, resources: [ResourceType: ResourceRecord]) {
        try world.commit(.createAsset(creation), files: facts.map(world.file))
        let asset = try #require(try world.asset(creation.uuid))
        let resources = try world.resources(creation.uuid)
        #expect(try world.findings() == [])
        return (asset, Dictionary(uniqueKeysWithValues: resources.map { ($0.type, $0) }))
    }

    @Test("An asset keeps its placeholder's identifier, and its file's facts (behaviour 144)")
    func photo() throws {
        var edit = AssetEdit()
        edit.isFavorite = true
        let creation = ChangeWorld.creation(.photo, names: ["DSC_1.JPG"], edit: edit)
        let (asset, resources) = try create(creation, .still(offset: "+02:00"))
        #expect(asset.uuid == creation.uuid)
        #expect(asset.isFavorite)
        #expect(asset.originalFilename == "DSC_1.JPG")
        #expect(asset.captureTime?.wallTime == "2023-07-15T12:30:45")
        #expect(asset.pixelSize == PixelSize(width: 40, height: 30))
        #expect(asset.addedDate == ChangeWorld.now)
        #expect(asset.camera.make == "Maker")
        #expect(resources[.photo]?.path.hasSuffix(".jpg") == true)
        #expect(resources[.photo]?.contentType == "public.jpeg")
    }

    @Test("A commit reports each file and each operation, and can be canceled before it begins")
    func progress() throws {
        let count = 12
        func creations() -> [ChangeAction] {
            (0..<count).map { index in
                var creation = ChangeWorld.creation(.photo)
                creation.resources[0].file = FileToken(Int64(index))
                return .createAsset(creation)
            }
        }
        func files() throws -> [Descriptor] {
            try (0..<count).map { _ in try world.file(.still()) }
        }
        let reports = Mutex<[CallProgress]>([])
        let context = CallContext(progress: { progress in reports.withLock { $0.append(progress) } }
        )
        _ = try context.perform { () throws in try world.commit(creations(), files: files()) }
        let steps = reports.withLock(\.self)
        #expect(steps.allSatisfy { $0.total == Int64(2 * count) })
        #expect(steps.map(\.completed).sorted() == Array(1...Int64(2 * count)))
        // The second half is that of the transaction, which is one thread.
        let last = steps.suffix(count).map(\.completed)
        #expect(last == last.sorted())
        let version = try world.store.currentVersion()
        let cancellation = CallCancellation()
        let canceled = CallContext(
            cancellation: cancellation,
            progress: { if $0.completed == 3 { cancellation.cancel() } }
        )
        let error = #expect(throws: LibraryError.self) {
            try canceled.perform { () throws in try world.commit(creations(), files: files()) }
        }
        #expect(error?.code == .cancelled)
        #expect(try world.store.currentVersion() == version)
        #expect(try world.findings() == [])
    }

    @Test("What the request sets counts more than what the file says")
    func overrides() throws {
        var edit = AssetEdit()
        let date = Date(timeIntervalSince1970: 1_000_000_000)
        edit.creationDate = .set(date)
        edit.location = .set(Location(latitude: 1, longitude: 2))
        let (asset, _) = try create(ChangeWorld.creation(.photo, edit: edit), .still())
        #expect(asset.creationDate == date)
        #expect(asset.captureTime?.instantSource == .user)
        #expect(asset.location == Location(latitude: 1, longitude: 2))
    }

    @Test("The bytes are the source's, also when the library has them already")
    func neverDeduplicates() throws {
        let data = Data("not looked at".utf8)
        let facts = MediaFacts.still()
        let file = try world.file(facts)
        let first = ChangeWorld.creation(.photo)
        let second = ChangeWorld.creation(.photo)
        try world.commit(.createAsset(first), .createAsset(second), files: [file])
        #expect(!data.isEmpty)
        let resources = try [first, second].map {
            try #require(try world.resources($0.uuid).first)
        }
        #expect(resources[0].sha256 == resources[1].sha256)
        #expect(resources[0].path != resources[1].path)
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        let source = try encoder.encode(facts)
        for resource in resources {
            let path = world.store.bundle.absolutePath(of: resource.path)
            #expect(FileManager.default.contents(atPath: path) == source)
            let sum = try ProcessRunner.run("sha256sum", [path]).text.prefix(64)
            #expect(String(sum) == resource.sha256)
        }
        let reader = ResourceFetcher(store: world.store)
        let request = FindContentRequest(digests: [
            resources[0].sha256, String(repeating: "0", count: 64),
        ])
        let expected = [first, second].map {
            ContentMatch(localIdentifier: $0.uuid + "/L0/001", isTrashed: false)
        }
        #expect(try reader.find(request).matches == [expected, []])
        try world.commit(.deleteAssets([first.uuid]))
        #expect(
            try reader.find(request).matches[0]
                == [
                    expected[1],
                    ContentMatch(localIdentifier: first.uuid + "/L0/001", isTrashed: true),
                ]
        )
        #expect(throws: LibraryError.self) {
            try reader.find(FindContentRequest(digests: ["0g"]))
        }
    }

    @Test("Creation joins nothing that is there")
    func joinsNothing() throws {
        try create(ChangeWorld.creation(.video), .movie(content: "one"))
        let (still, resources) = try create(ChangeWorld.creation(.photo), .still(content: "one"))
        #expect(still.playbackStyle == .image)
        #expect(resources.keys.map(\.self) == [.photo])
    }

    @Test("A Live Photo is a photo with its movie (behaviour 139)")
    func livePhoto() throws {
        let (asset, resources) = try create(
            ChangeWorld.creation(.photo, .pairedVideo, names: ["IMG_7.HEIC"]),
            .still(.heic, content: "one"),
            .movie(content: "one")
        )
        #expect(asset.mediaSubtypes.contains(.photoLive))
        #expect(asset.playbackStyle == .livePhoto)
        #expect(asset.mediaType == .image)
        // A file without a name uses the primary's stem (pains 4).
        #expect(resources[.pairedVideo]?.originalFilename == "IMG_7.MOV")
        let reply = try world.commit(
            {
                var edit = AssetEdit()
                edit.isLivePhotoPlaybackEnabled = false
                return .editAsset(uuid: asset.uuid, edit)
            }()
        )
        #expect(try world.asset(asset.uuid)?.playbackStyle == .image)
        #expect(reply.version == 2)
    }

    @Test("RAW and JPEG are one asset, whichever leads (behaviour 140)", arguments: [false, true])
    func rawAndProcessed(rawLeads: Bool) throws {
        let photo: MediaFormat = rawLeads ? .raw : .jpeg
        let alternate: MediaFormat = rawLeads ? .jpeg : .raw
        var edit = AssetEdit()
        edit.originalResourceChoice = 1
        let (asset, resources) = try create(
            ChangeWorld.creation(
                .photo,
                .alternatePhoto,
                names: ["a.\(photo)", "b.dng"],
                edit: edit
            ),
            .still(photo),
            .still(alternate)
        )
        #expect(asset.originalResourceChoice == 1)
        #expect(resources[.photo]?.path.hasSuffix(rawLeads ? ".dng" : ".jpg") == true)
        #expect(resources[.alternatePhoto]?.path.hasSuffix(rawLeads ? ".jpg" : ".dng") == true)
    }

    @Test("A whole copy of an edited asset looks as edited (behaviour 140)")
    func edited() throws {
        var rendered = MediaFacts.still(salt: "edited")
        rendered.displaySize = PixelSize(width: 20, height: 10)
        let (asset, resources) = try create(
            ChangeWorld.creation(.photo, .adjustmentData, .fullSizePhoto, names: ["IMG_1.JPG"]),
            .still(),
            .sidecar(.aae),
            rendered
        )
        #expect(asset.hasAdjustments)
        #expect(asset.pixelSize == PixelSize(width: 20, height: 10))
        #expect(asset.originalFilename == "IMG_1.JPG")
        #expect(resources[.photo]?.path.hasPrefix("originals/") == true)
        #expect(resources[.fullSizePhoto]?.path.hasPrefix("edits/") == true)
        #expect(resources[.adjustmentData]?.path.hasPrefix("edits/") == true)
        #expect(resources[.adjustmentData]?.originalFilename == "IMG_1.AAE")
    }

    @Test("Adjustment data are the editor's own business")
    func opaqueAdjustments() throws {
        let creation = ChangeWorld.creation(.photo, .adjustmentData)
        try world.commit(
            .createAsset(creation),
            files: [try world.file(.still()), try world.file(Data([1, 2, 3]))]
        )
        let resource = try #require(
            try world.resources(creation.uuid).first { $0.type == .adjustmentData }
        )
        #expect(resource.contentType == "public.data")
        #expect(resource.size == 3)
        #expect(try world.findings() == [])
    }

    @Test("A wrong name or type is accepted, with the true type (pains 3)")
    func sniffs() throws {
        var creation = ChangeWorld.creation(.photo, names: ["IMG_1.PNG"])
        creation.resources[0].contentType = "public.png"
        let (asset, resources) = try create(creation, .still(.heic))
        #expect(asset.contentType == "public.heic")
        #expect(resources[.photo]?.contentType == "public.heic")
        #expect(resources[.photo]?.path.hasSuffix(".heic") == true)
    }

    @Test("Names: given, the file's, or generated (behaviour 137)")
    func names() throws {
        var creation = ChangeWorld.creation(.photo, uuid: "0000002A-0000-4000-8000-000000000000")
        #expect(try create(creation, .still()).asset.originalFilename == "IMG_0042.JPG")
        creation.uuid = UUID().uuidString
        creation.resources[0].path = "/photos/Ünïcode.jpeg"
        #expect(try create(creation, .still()).asset.originalFilename == "Ünïcode.jpeg")
        creation.uuid = UUID().uuidString
        creation.resources[0].originalFilename = "../../etc/given.jpg"
        #expect(try create(creation, .still()).asset.originalFilename == "given.jpg")
    }

    @Test("Movies, sounds and proxies are assets of their own")
    func otherPrimaries() throws {
        let movie = try create(ChangeWorld.creation(.video), .movie()).asset
        #expect(movie.mediaType == .video)
        #expect(movie.duration == 2)
        var sound = MediaFacts.movie()
        sound.movie?.videoCodec = nil
        sound.movie?.audioCodec = "aac"
        #expect(try create(ChangeWorld.creation(.audio), sound).asset.mediaType == .audio)
        #expect(try create(ChangeWorld.creation(.photoProxy), .still()).asset.mediaType == .image)
    }

    @Test("Frames of a burst settle as in import")
    func bursts() throws {
        let creations = (0..<3).map { _ in ChangeWorld.creation(.photo) }
        for (index, creation) in creations.enumerated() {
            try world.commit(
                .createAsset(creation),
                files: [try world.file(.still(at: "2023:07:15 12:30:4\(index)", burst: "b"))]
            )
        }
        let frames = try creations.map { try #require(try world.asset($0.uuid)) }
        #expect(frames.map(\.representsBurst) == [false, true, false])
        #expect(frames.map(\.isVisible) == [false, true, false])
    }

    @Test("The client's file may go as soon as the commit returned, and stays untouched")
    func leavesSource() throws {
        let facts = MediaFacts.still()
        let file = try world.file(facts)
        let creation = ChangeWorld.creation(.photo)
        try world.commit(.createAsset(creation), files: [file])
        try FileManager.default.removeItem(at: world.folder.file("source"))
        #expect(try world.findings() == [])
        #expect(try world.resources(creation.uuid).count == 1)
    }

    @Test("The table of what makes an asset (behaviour 135)")
    func combinations() {
        let supported: [[ResourceType]] = [
            [.photo], [.video], [.audio], [.photoProxy], [.photo, .pairedVideo],
            [.photo, .alternatePhoto], [.alternatePhoto, .pairedVideo, .photo],
            [.photo, .adjustmentData], [.photo, .adjustmentData, .fullSizePhoto],
            [.video, .adjustmentData, .fullSizeVideo, .adjustmentBaseVideo],
            [
                .photo, .pairedVideo, .adjustmentData, .fullSizePhoto, .fullSizePairedVideo,
                .adjustmentBasePhoto, .adjustmentBasePairedVideo,
            ],
        ]
        for types in supported { #expect(ResourceCombination.problem(with: types) == nil) }
        let refused: [[ResourceType]] = [
            [], [.photo, .photo], [.photo, .video], [.pairedVideo], [.alternatePhoto],
            [.video, .pairedVideo], [.video, .alternatePhoto], [.photo, .fullSizePhoto],
            [.adjustmentData], [.video, .adjustmentData, .fullSizePhoto],
            [.audio, .adjustmentData], [.photo, .adjustmentData, .fullSizePairedVideo],
            [.photo, .sidecar], [.photo, .photoProxy], [.photo, .adjustmentBasePhoto],
        ]
        for types in refused {
            #expect(ResourceCombination.problem(with: types)?.isEmpty == false, "\(types)")
            #expect(!ResourceCombination.supports(types))
        }
    }
}
