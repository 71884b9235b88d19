import CloudSync
import EmbeddedLibrary
import Foundation
import GRDB
import Glibc
import LibraryService
import Logging
import PhotoModel
import Photos
import RemoteLibrary
import RenditionFixture
import SamplePhotos
import TestSupport
import Testing
import WorkerClient

@testable import PhotoLibrary

/// A library with a Live Photo and a movie that is part of a cloud library.
final class CloudWorld: Sendable {
    let library: RenditionWorld
    let engine: LibraryEngine
    let connection: LibraryConnection
    /// The UUIDs of the assets.
    let photo: String
    let movie: String

    /// The bytes of files, as the cloud library would deliver them.
    let contents: [ContentID: Data]

    init() throws {
        let folder = FileManager.default.temporaryDirectory.path + "/photos-test-state"
        setenv("XDG_STATE_HOME", folder, 1)
        library = try RenditionWorld()
        let samples = try Self.samples.get()
        photo = try Self.add(
            [
                (.photo, "IMG_1.JPG", samples.still),
                (.pairedVideo, "IMG_1.MOV", samples.clip),
            ],
            to: library
        )
        movie = try Self.add([(.video, "MOV_2.MOV", samples.movie)], to: library)
        engine = try LibraryEngine.open(
            at: library.folder.file("Test.photolibrary").path,
            configuration: EmbeddedLibrary.Configuration(
                workers: WorkerPool.Configuration(
                    executable: BuiltProducts.worker.path,
                    maximumWorkers: 2
                ),
                makesRenditionsWhenIdle: false
            )
        )
        contents = try Self.contents(of: library.store)
        let session = try engine.session()
        let isLoopback = ProcessInfo.processInfo.environment["PHOTOS_DAEMON"] == "loopback"
        connection = LibraryConnection(
            to: isLoopback ? LoopbackLibrary(session) : session,
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        )
        try engine.joinCloud(library: "A", device: CloudID(1, 1))
    }

    /// The files, which are drawn once.
    private static let samples = Result {
        let identifier = UUID().uuidString
        var still = SamplePhoto(
            Picture(.hills, seed: 1),
            size: PixelSize(width: 1_600, height: 1_200)
        )
        still.metadata.contentIdentifier = identifier
        var clip = SampleMovie(duration: 0.4)
        clip.metadata.contentIdentifier = identifier
        clip.stillTime = 0.2
        return (
            still: try SampleFile.jpeg(still),
            clip: try SampleFile.quickTime(clip),
            movie: try SampleFile.quickTime(SampleMovie(duration: 0.6))
        )
    }

    private static func add(
        _ files: [(type: ResourceType, name: String, data: Data)],
        to library: RenditionWorld
    ) throws -> String {
        let uuid = UUID().uuidString
        let descriptors = try files.map { file in
            let url = try library.folder.write(file.data, to: "source/" + file.name)
            return Descriptor(owning: open(url.path, O_RDONLY | O_CLOEXEC))
        }
        let resources = files.enumerated().map { index, file in
            ResourceCreation(
                type: file.type,
                file: FileToken(Int64(index)),
                originalFilename: file.name
            )
        }
        try library.change(
            .createAsset(AssetCreation(uuid: uuid, resources: resources)),
            files: descriptors
        )
        return uuid
    }

    private static func contents(of store: LibraryStore) throws -> [ContentID: Data] {
        let rows = try store.read { database in
            try Row.fetchAll(database, sql: "SELECT lower(hex(sha256)), path FROM resource")
                .map { (digest: $0[0] as String, path: $0[1] as String) }
        }
        var contents: [ContentID: Data] = [:]
        for row in rows {
            let content = try #require(ContentID(hexadecimal: row.digest))
            let path = store.bundle.absolutePath(of: row.path)
            contents[content] = try Data(contentsOf: URL(fileURLWithPath: path))
        }
        return contents
    }

    /// Moves files away, as if they had not been downloaded.
    ///
    /// - Parameter uuid: The resource; nil for all.
    /// - Throws: When a file cannot be removed.
    func takeAway(only uuid: String? = nil) throws {
        let paths = try library.store.read { database in
            try String.fetchAll(
                database,
                sql: "SELECT path FROM resource WHERE presence = 0 AND (?1 IS NULL OR uuid = ?1)",
                arguments: [uuid]
            )
        }
        try library.store.alone { database in
            for path in paths {
                try database.execute(
                    sql: "UPDATE resource SET presence = 1 WHERE path = ?",
                    arguments: [path]
                )
            }
        }
        for path in paths {
            try FileManager.default.removeItem(
                atPath: library.store.bundle.absolutePath(of: path)
            )
        }
    }

    /// Removes all originals, as a host does after the store was found to have them.
    func removeOriginals() async throws {
        while let export = try engine.exportChanges() { try engine.markExported(export) }
        let pictured = try await engine.makeRemainingPictures(of: [photo, movie])
        guard pictured == [photo, movie] else { throw CocoaError(.fileWriteUnknown) }
        let removed = try engine.removeOriginals(contents.keys.sorted())
        guard removed == contents.keys.sorted() else { throw CocoaError(.fileWriteUnknown) }
    }

    func asset(_ uuid: String) throws -> PHAsset {
        let identifier = LocalIdentifier(uuid: uuid, kind: .asset).description
        let found = PHPhotoLibrary.using(connection) {
            PHAsset.fetchAssets(withLocalIdentifiers: [identifier], options: nil).firstObject
        }
        return try #require(found)
    }

    func resource(of uuid: String) throws -> PHAssetResource {
        try #require(PHAssetResource.assetResources(for: try asset(uuid)).first)
    }

    /// Places the bytes of a file as a host does after a download.
    func place(_ content: ContentID) throws(LibraryError) {
        guard let data = contents[content] else {
            throw LibraryError(.networkAccessRequired, "The content is unknown.")
        }
        let staging = try engine.cloudStaging()
        defer { staging.end() }
        let file = try staging.createFile()
        let written = data.withUnsafeBytes {
            pwrite(file.descriptor.number, $0.baseAddress, $0.count, 0)
        }
        guard written == data.count else {
            throw LibraryError(.inputOutput, "The file could not be written.")
        }
        _ = try engine.placeContent(content, from: file)
    }
}

/// A host that downloads in a certain way.
final class FakeDownloader: ContentDownloading {
    enum Way: String, CaseIterable {
        case succeeds
        /// The connection breaks in the middle.
        case breaks
        /// Half of each file arrives, and then nothing.
        case stalls
        /// The host cancels the download in the middle, as it does when it stops syncing.
        case ends
    }

    /// The world, whose engine owns the downloader.
    private weak let world: CloudWorld?
    private let way: Way
    /// Never signaled.
    private let never = DispatchSemaphore(value: 0)

    init(_ way: Way, in world: CloudWorld) {
        self.way = way
        self.world = world
    }

    func download(
        _ content: ContentID,
        progress: @Sendable (_ received: Int64, _ size: Int64) -> Bool
    ) throws(LibraryError) {
        guard let world else { throw .cancelled }
        let size = Int64(world.contents[content]?.count ?? 0)
        guard progress(size / 2, size) else { throw .cancelled }
        switch way {
        case .succeeds:
            try world.place(content)
            _ = progress(size, size)
        case .breaks: throw LibraryError(.networkError, "The connection is broken.")
        case .stalls:
            // A host reports about once a second while nothing arrives.
            while progress(size / 2, size) {
                _ = never.wait(timeout: .now() + .milliseconds(20))
            }
            throw .cancelled
        case .ends: throw .cancelled
        }
    }
}
