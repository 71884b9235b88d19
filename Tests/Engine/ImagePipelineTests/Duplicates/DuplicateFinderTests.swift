import Foundation
import ImagePipeline
import LibraryService
import Logging
import PhotoLibrary
import PhotoModel
import RenditionFixture
import SamplePhotos
import TestSupport
import Testing
import WorkerClient

/// The same picture in other bytes, found in a library.
@Suite(.timeLimit(.minutes(2))) struct DuplicateFinderTests {
    private let world: RenditionWorld

    init() throws {
        world = try RenditionWorld()
    }

    private var view: LibraryView { LibraryView(store: world.store) }

    private func finder(
        _ renditions: RenditionStore? = nil,
        _ images: ImageLoader? = nil
    ) -> DuplicateFinder {
        DuplicateFinder(
            view: view,
            renditions: renditions ?? world.renditions,
            images: images ?? world.loader
        )
    }

    /// Adds two versions of one picture, the better one last, and another picture.
    ///
    /// - Returns: The row ids of the two, the better one first.
    private func addTwins() throws -> [Int64] {
        var uuids: [String] = []
        for (width, quality) in [(400, 60), (600, 90)] {
            let photo = SamplePhoto(
                Picture(.hills, seed: 4),
                size: PixelSize(width: width, height: width * 3 / 4),
                quality: quality
            )
            uuids.append(try world.add(try SampleFile.jpeg(photo), named: "\(width).jpg"))
        }
        try world.addPhoto(9)
        let ids = try DuplicateCandidate.all(view).map { ($0.uuid, $0.id) }
        let byUUID = Dictionary(uniqueKeysWithValues: ids)
        return uuids.reversed().compactMap { byUUID[$0] }
    }

    @Test func theSamePictureIsFoundWithTheBetterOneFirst() throws {
        let twins = try addTwins()
        let reply = try finder().duplicates(DuplicatesRequest(patience: 60))
        #expect(reply.remaining == 0)
        #expect(reply.groups.map(Array.init) == [twins])
        // The second time, only fingerprints are read.
        #expect(world.renditions.fingerprints().count == 3)
        world.sweeper.drop()
    }

    @Test func impatientCallsEndAfterOnePhotoEach() throws {
        let twins = try addTwins()
        var remaining: [Int] = []
        var reply = try finder().duplicates(DuplicatesRequest(patience: 0))
        while reply.remaining > 0, remaining.count < 10 {
            #expect(reply.groups.isEmpty)
            remaining.append(reply.remaining)
            reply = try finder().duplicates(DuplicatesRequest(patience: 0))
        }
        #expect(remaining == [2, 1])
        #expect(reply.groups.map(Array.init) == [twins])
    }

    @Test func callsEndWhereNothingCanBeStored() throws {
        let twins = try addTwins()
        let nowhere = RenditionStore(
            path: world.folder.path + "/missing/renditions.sqlite",
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        )
        var calls = 0
        var reply: DuplicatesReply
        repeat {
            reply = try finder(nowhere).duplicates(DuplicatesRequest(patience: 0))
            calls += 1
        } while reply.remaining > 0 && calls < 10
        #expect(calls == 3)
        #expect(reply.groups.map(Array.init) == [twins])
    }

    @Test("Photos that no worker can read now are not taken for unreadable ones later")
    func aMissingWorkerIsNoProperty() throws {
        let twins = try addTwins()
        let none = WorkerPool(
            configuration: .init(executable: world.folder.file("no worker").path)
        )
        let images = ImageLoader(
            store: world.store,
            resources: ResourceFetcher(view),
            renditions: world.renditions,
            workers: none,
            work: ImageWork(files: ResourceFetcher(store: world.store))
        )
        let error = #expect(throws: LibraryError.self) {
            try finder(nil, images).duplicates(DuplicatesRequest(patience: 60))
        }
        #expect(error?.code == .workerUnavailable)
        let reply = try finder().duplicates(DuplicatesRequest(patience: 60))
        #expect(reply.groups.map(Array.init) == [twins])
    }

    @Test func unreadablePhotosAreLookedAtOnce() throws {
        let twins = try addTwins()
        // A picture of one color has nothing to compare.
        let size = PixelSize(width: 320, height: 240)
        let gray = [UInt8](repeating: 90, count: size.width * size.height * 4)
        let blank = try world.add(try world.png(gray, size: size), named: "blank.png")
        let reply = try finder().duplicates(DuplicatesRequest(patience: 60))
        #expect(reply.groups.map(Array.init) == [twins])
        let known = try #require(world.renditions.fingerprints()[blank])
        #expect(known.print == nil)
    }

    @Test func aCanceledSearchStoresNothing() throws {
        _ = try addTwins()
        let cancellation = RequestCancellation()
        cancellation.cancel()
        let error = #expect(throws: LibraryError.self) {
            try finder().duplicates(DuplicatesRequest(patience: 60), cancellation: cancellation)
        }
        #expect(error?.code == .cancelled)
        #expect(world.renditions.fingerprints().isEmpty)
    }
}
