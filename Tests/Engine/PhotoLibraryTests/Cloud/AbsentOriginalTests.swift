import CloudSync
import Foundation
import GRDB
import ImagePipeline
import LibraryService
import PhotoModel
import ProgramAccess
import RenditionFixture
import TestSupport
import Testing
import WorkerClient

@testable import EmbeddedLibrary
@testable import PhotoLibrary

/// Requests for photos whose originals are only in the cloud.
@Suite(.timeLimit(.minutes(5))) struct AbsentOriginalTests {
    private let world: ClientWorld
    private let asset: String
    private let engine: LibraryEngine
    private let session: any LibraryService

    init() throws {
        world = try ClientWorld()
        let size = PixelSize(width: 1_600, height: 1_200)
        asset = try world.library.addPhoto(1, size: size)
        engine = try LibraryEngine.open(
            at: world.path,
            configuration: EmbeddedLibrary.Configuration(
                workers: WorkerPool.Configuration(
                    executable: BuiltProducts.worker.path,
                    maximumWorkers: 2
                )
            )
        )
        session = try engine.session()
    }

    /// Moves the original away, as if it had not been downloaded; returns its bytes.
    @discardableResult
    private func takeAway() throws -> Data {
        try engine.joinCloud(library: "A", device: CloudID(1, 1))
        let path = try engine.store.read {
            try #require(try String.fetchOne($0, sql: "SELECT path FROM resource"))
        }
        try engine.store.alone { try $0.execute(sql: "UPDATE resource SET presence = 1") }
        let file = URL(fileURLWithPath: engine.store.bundle.absolutePath(of: path))
        let bytes = try Data(contentsOf: file)
        try FileManager.default.removeItem(at: file)
        return bytes
    }

    private var resource: ResourceRecord {
        get throws {
            try #require(
                try session.listResources(ResourceListRequest(assetUUID: asset)).resources.first
            )
        }
    }

    private func image(_ version: ImageRequest.Version = .current) -> ImageRequest {
        let shape = PixelShape(size: PixelSize(width: 1_600, height: 1_200))
        return ImageRequest(assetUUID: asset, version: version, shape: shape)
    }

    private func small(_ quality: ImageRequest.Quality) -> ImageRequest {
        let shape = PixelShape(size: PixelSize(width: 200, height: 150))
        return ImageRequest(assetUUID: asset, shape: shape, quality: quality)
    }

    @Test func requestsForItsFileNameThePhoto() throws {
        try takeAway()
        let uuid = try resource.uuid
        let image = image()
        let asset = asset
        let session = session
        let requests: [(String, () throws -> Void)] = [
            ("image", { _ = try session.image(image) }),
            (
                "data",
                { _ = try session.imageData(ImageDataRequest(assetUUID: asset, version: .current)) }
            ),
            ("file", { _ = try session.openResource(ResourceOpenRequest(resourceUUID: uuid)) }),
        ]
        for (name, request) in requests {
            let error = #expect(throws: LibraryError.self, "\(name)") { try request() }
            #expect(error?.code == .networkAccessRequired, "\(name): \(String(describing: error))")
            #expect(
                error?.identifiers == [LocalIdentifier(uuid: asset, kind: .asset).description],
                "\(name)"
            )
            #expect(error?.recovery?.contains("verify") == false, "\(name)")
        }
        session.close()
    }

    @Test func aMovieIsNotHereEither() throws {
        try takeAway()
        var record = LibraryWorld.record("MOV_1.MOV")
        record.mediaType = .video
        try engine.store.write(author: "test") { transaction in
            let id = try transaction.insertAsset(record)
            let uuid = UUID().uuidString
            let movie = try transaction.insertResource(
                ResourceRecord(
                    id: 0,
                    uuid: uuid,
                    assetID: id,
                    assetUUID: record.uuid,
                    type: .video,
                    originalFilename: record.originalFilename,
                    contentType: "com.apple.quicktime-movie",
                    path: FilePlacement.target(uuid: uuid, pathExtension: "mov"),
                    size: 5,
                    sha256: String(repeating: "ab", count: 32),
                    pixelSize: record.pixelSize
                )
            )
            try transaction.database.execute(
                sql: "UPDATE resource SET presence = 1 WHERE id = ?",
                arguments: [movie]
            )
        }
        let error = #expect(throws: LibraryError.self) {
            try session.movieData(MovieDataRequest(assetUUID: record.uuid, version: .current))
        }
        #expect(error?.code == .networkAccessRequired)
        session.close()
    }

    @Test func whatIsMadeFromItIsShown() throws {
        let side = RenditionStore.firstSizeClass
        let built = try session.buildRenditions(RenditionBuildRequest(side: side))
        #expect(built.failures == [])
        try takeAway()
        let thumbnail = try session.thumbnail(ThumbnailRequest(assetUUID: asset))
        #expect(thumbnail != nil)
        let shown = try session.image(small(.atHand))
        #expect(shown != nil)
        let full = try session.image(small(.full))
        #expect(full?.0.isDegraded == false)
        session.close()
    }

    @Test func nothingReportsDamage() throws {
        try takeAway()
        let findings = try session.verify(VerifyRequest(isFull: true, repairs: true)).findings
        #expect(findings == [])
        var mayContinue = true
        while mayContinue { mayContinue = try engine.scrub { true } }
        #expect(engine.damagedFileCount == 0)
        let outcome = try session.refresh(RefreshRequest(uuids: [asset])).outcomes.first
        #expect(outcome?.kind == .missing)
        #expect(outcome?.reason?.contains("cloud") == true)
        let target = world.library.folder.file("Backup.photolibrary").path
        let summary = try BackupSession(of: engine.store, to: target)
            .run(isStopped: { false }, handler: { _ in })
        #expect(summary.problems == 0)
        #expect(summary.files == 0)
        let backup = try LibraryStore.open(at: target)
        let missing = try backup.missingFileCounts().waiting
        #expect(missing == 1)
        try backup.close()
        session.close()
    }

    @Test func aBackupKeepsAFileThatItHas() throws {
        let target = world.library.folder.file("Backup.photolibrary").path
        func backUp() throws -> CopySummary {
            try BackupSession(of: engine.store, to: target)
                .run(isStopped: { false }, handler: { _ in })
        }
        let first = try backUp()
        #expect(first.copiedFiles == 1)
        let path = try resource.path
        try takeAway()
        let second = try backUp()
        #expect(second.problems == 0)
        #expect(second.removedFiles == 0)
        #expect(FileManager.default.fileExists(atPath: target + "/" + path))
        session.close()
    }

    @Test func aPhotoThatArrivedIsShownAndItsThumbnailIsQueued() throws {
        let bytes = try takeAway()
        let content = try #require(ContentID(hexadecimal: try resource.sha256))
        let missing = try engine.missingContents(limit: 10)
        #expect(missing == [content])
        let queued = engine.waitingRenditions
        let staging = try engine.cloudStaging()
        let file = try staging.createFile()
        try file.write(bytes)
        let isPlaced = try engine.placeContent(content, from: file)
        #expect(isPlaced)
        #expect(engine.waitingRenditions > queued)
        let count = try engine.missingFileCounts().waiting
        #expect(count == 0)
        let shown = try session.image(image())
        #expect(shown?.0.pixels.size == PixelSize(width: 1_600, height: 1_200))
        let opened = try engine.openContent(content)
        #expect(opened != nil)
        staging.end()
        session.close()
    }

    @Test func anEditThatIsNotHereIsRevertedWithoutItsFiles() throws {
        try takeAway()
        let path = try engine.store.write(author: "test") { transaction in
            let row = try #require(try transaction.asset(uuid: asset))
            let resource = try #require(try transaction.resources(ofAsset: row.id).first)
            try transaction.retire(resource)
            return resource.path
        }
        let isKept = try engine.store.read { try StagingRecovery.hasRow(path, in: $0) }
        #expect(!isKept)
        session.close()
    }
}

/// An import of a file whose row is here without it.
@Suite(.timeLimit(.minutes(5))) struct ImportOfAbsentFileTests {
    @Test func theImportedFileTakesThePlaceOfTheDownload() throws {
        let world = try ImportWorld()
        try world.write("a.jpg", .still())
        #expect(try world.importFiles("a.jpg").map(\.kind) == [.imported])
        let path = try #require(try ImportWorld.originals(of: world.store).first)
        try world.store.joinCloud(library: "A", device: CloudID(1, 1))
        try world.store.alone { try $0.execute(sql: "UPDATE resource SET presence = 1") }
        try FileManager.default.removeItem(atPath: world.store.bundle.absolutePath(of: path))
        let version = try world.assets().map(\.contentVersion)
        try world.write("b.jpg", .still())
        #expect(try world.importFiles("b.jpg").map(\.kind) == [.duplicate])
        let missing = try world.store.missingFileCounts().waiting
        #expect(missing == 0)
        #expect(try ImportWorld.originals(of: world.store) == [path])
        #expect(try world.inconsistencies() == [])
        #expect(try world.assets().map(\.contentVersion) == version.map { $0 + 1 })
    }
}
