import Foundation
import LibraryService
import Logging
import PhotoModel
import RenditionFixture
import TestSupport
import Testing
import WorkerClient

@testable import PhotoLibrary

/// New assets from real camera files, with the real worker.
@Suite(.needsSharedData, .timeLimit(.minutes(10))) struct SharedDataChangeTests {
    let world: ChangeWorld
    let committer: ChangeCommitter

    init() throws {
        world = try ChangeWorld()
        committer = ChangeCommitter(
            store: world.store,
            prober: WorkerPool(
                configuration: WorkerPool.Configuration(executable: BuiltProducts.worker.path)
            ),
            renditions: world.renditions,
            logger: Logger(label: "test")
        )
    }

    /// The SHA-256 of every camera file, by the bytes of its name, because some names differ only
    /// in their Unicode normalization.
    private static let expected = Result {
        Dictionary(
            try SharedData.rows(of: "expected.tsv").map { row in
                (Array((row["file"] ?? "").utf8), row["sha256"] ?? "")
            },
            uniquingKeysWith: { first, _ in first }
        )
    }

    /// Creates an asset from camera files, and returns its UUID.
    private func create(_ files: [(ResourceType, String)]) throws -> String {
        let uuid = UUID().uuidString
        let creation = AssetCreation(
            uuid: uuid,
            resources: files.enumerated().map { index, file in
                ResourceCreation(
                    type: file.0,
                    file: FileToken(Int64(index)),
                    path: SharedData.file(file.1).path
                )
            }
        )
        let operation = ChangeOperation(request: "create", action: .createAsset(creation))
        try CommitterClient(committer: committer).commit(
            ChangeSet(operations: [operation]),
            files: files.map { file in
                Descriptor(owning: open(SharedData.file(file.1).path, O_RDONLY | O_CLOEXEC))
            }
        )
        let expected = try Self.expected.get()
        let sums = try world.resources(uuid).map(\.sha256)
        for (_, name) in files {
            #expect(sums.contains(expected[Array(name.utf8)] ?? ""), "\(name)")
        }
        return uuid
    }

    @Test(
        "Live Photos of iPhones come in whole (behaviour 139)",
        arguments: [
            ("IMG_3582.HEIC", "IMG_3582.mov"), ("IMG_7943.HEIC", "IMG_7943_HEVC.MOV"),
            ("IMG_D001.JPG", "IMG_D001.MOV"),
        ]
    )
    func livePhotos(_ photo: String, _ movie: String) throws {
        let uuid = try create([
            (.photo, "live-photo/" + photo), (.pairedVideo, "live-photo/" + movie),
        ])
        let asset = try #require(try world.asset(uuid))
        #expect(asset.mediaSubtypes.contains(.photoLive))
        #expect(asset.playbackStyle == .livePhoto)
        #expect(asset.originalFilename == photo)
        #expect(try world.findings() == [])
    }

    @Test("Halves of two Live Photos do not become one")
    func notAPair() throws {
        let error = try #require(throws: LibraryError.self) {
            try create([
                (.photo, "live-photo/IMG_D002.JPG"), (.pairedVideo, "live-photo/IMG_D002.MOV"),
            ])
        }
        #expect(error.reason?.contains("content identifier") == true)
        #expect(try world.version() == 0)
    }

    @Test("RAW and JPEG of one shot, and an edited photo, come in whole (behaviour 140)")
    func pairs() throws {
        let raw = try create([(.photo, "raw/pixel7.JPG"), (.alternatePhoto, "raw/pixel7.dng")])
        #expect(try world.asset(raw)?.contentType == "public.jpeg")
        let edited = try create([
            (.photo, "adjusted/IMG_1853.HEIC"), (.adjustmentData, "adjusted/IMG_1853.AAE"),
            (.fullSizePhoto, "adjusted/IMG_E1853.HEIC"),
        ])
        #expect(try world.asset(edited)?.hasAdjustments == true)
        #expect(try world.findings() == [])
    }

    @Test("Every camera file makes an asset, or an error that says why")
    func everything() throws {
        var made = 0
        var refused = 0
        for row in try SharedData.rows(of: "expected.tsv") {
            guard let name = row["file"] else { continue }
            let isMovie = row["mime"]?.hasPrefix("video/") == true
            do {
                _ = try create([(isMovie ? .video : .photo, name)])
                made += 1
            } catch let error as LibraryError {
                refused += 1
                #expect(error.code == .invalidResource, "\(name): \(error)")
                #expect(error.reason?.isEmpty == false, "\(name): \(error)")
                #expect(error.message.contains(name), "\(error)")
                let isOdd =
                    name.hasPrefix("malformed/") || row["decodes"] != "yes"
                    || ["AAE", "XMP"].contains(row["type"] ?? "")
                #expect(isOdd, "\(name): \(error)")
            }
        }
        #expect(made > 350, "\(made) made, \(refused) refused")
        #expect(refused > 40, "\(made) made, \(refused) refused")
        #expect(try world.version() == Int64(made))
        #expect(try world.findings() == [])
    }
}
