package import Foundation
import Glibc
package import ImagePipeline
package import LibraryService
import Logging
package import PhotoLibrary
package import PhotoModel
import SamplePhotos
package import TestSupport
import Testing
package import WorkerClient
import WorkerProtocol

/// A library with pictures, and the parts of the engine that manage their renditions.
package final class RenditionWorld: Sendable {
    package let folder: TemporaryFolder
    package let store: LibraryStore
    package var workers: WorkerPool { Self.sharedWorkers }
    /// Shared, because starting them takes longer than most tests.
    private static let sharedWorkers = WorkerPool(
        configuration: .init(executable: BuiltProducts.worker.path)
    )
    package let renditions: RenditionStore
    package let loader: ImageLoader
    package let builder: RenditionBuilder
    package let sweeper: RenditionSweeper
    private let committer: ChangeCommitter

    package init() throws {
        folder = try TemporaryFolder("photos-renditions")
        let path = folder.file("Test.photolibrary").path
        try LibraryStore.create(at: path)
        store = try LibraryStore.open(at: path)
        let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        let workers = Self.sharedWorkers
        renditions = RenditionStore(path: store.bundle.renditions, logger: logger)
        loader = ImageLoader(
            store: store,
            resources: ResourceFetcher(LibraryView(store: store)),
            renditions: renditions,
            workers: workers,
            work: ImageWork(files: ResourceFetcher(store: store))
        )
        sweeper = RenditionSweeper(store: store, renditions: renditions)
        builder = RenditionBuilder(
            store: store,
            renditions: renditions,
            sweeper: sweeper,
            loader: loader,
            width: 2
        )
        committer = ChangeCommitter(
            store: store,
            prober: workers,
            renditions: nil,
            logger: logger
        )
    }

    // MARK: - Assets

    /// Adds an asset from a file with these bytes.
    @discardableResult
    package func add(_ data: Data, named name: String) throws -> String {
        let uuid = UUID().uuidString
        let file = try folder.write(data, to: "source/" + name)
        let descriptor = Descriptor(owning: open(file.path, O_RDONLY | O_CLOEXEC))
        let creation = AssetCreation(
            uuid: uuid,
            resources: [ResourceCreation(type: .photo, file: FileToken(0), originalFilename: name)]
        )
        try change(.createAsset(creation), files: [descriptor])
        return uuid
    }

    /// Adds a drawn photo.
    @discardableResult
    package func addPhoto(
        _ number: Int,
        size: PixelSize = PixelSize(width: 320, height: 240)
    ) throws -> String {
        let photo = SamplePhoto(Picture(.hills, seed: UInt64(number)), size: size)
        return try add(try SampleFile.jpeg(photo), named: "IMG_\(number).jpg")
    }

    package func change(_ action: ChangeAction, files: [Descriptor] = []) throws {
        let changes = ChangeSet(operations: [
            ChangeOperation(request: "the test's", action: action)
        ])
        try CommitterClient(committer: committer).commit(changes, files: files)
    }

    // MARK: - Pictures

    package func image(
        _ uuid: String,
        side: Int,
        fitting: PixelShape.Fitting = .fit,
        quality: ImageRequest.Quality = .full
    ) throws -> (ImageReply, [UInt8])? {
        let shape = PixelShape(size: PixelSize(width: side, height: side), fitting: fitting)
        let request = ImageRequest(assetUUID: uuid, shape: shape, quality: quality)
        guard let (reply, pixels) = try loader.image(request) else { return nil }
        let memory = try #require(PixelMemory(reply.pixels, pixels, maximumSide: 10_000))
        return (reply, memory.withBytes { Array($0) })
    }

    /// Returns a PNG of RGBA pixels, encoded by a worker.
    package func png(_ bytes: [UInt8], size: PixelSize) throws -> Data {
        let memory = try #require(
            SealedMemory.make(length: bytes.count) {
                $0.copyBytes(from: bytes)
                return true
            }
        )
        defer { close(memory) }
        let request = EncodeRequest(
            format: .png,
            pixels: PixelBufferDescription(size: size, layout: .rgba),
            hasAlpha: true
        )
        guard case .file(let file) = try workers.encode(request, descriptor: memory) else {
            throw CocoaError(.fileWriteUnknown)
        }
        return file.withBytes { Data($0) }
    }
}
