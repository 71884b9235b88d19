import Foundation
import LibraryService
import Logging
import PhotoModel
import Photos
import PhotosCompanions
import RemoteLibrary
import Synchronization
import TestSupport
import Testing
import WorkerClient

/// The images of a grid whose program uses the daemon.
@Suite(.timeLimit(.minutes(5))) struct ImageBatchProgramTests {
    /// The cells of a page.
    private static let cells = 80

    private let home: DaemonHome

    init() throws {
        home = try DaemonHome()
        try home.succeed("create", daemon: "0")
    }

    /// Adds photos with renditions, and starts the daemon.
    private func start(
        _ count: Int,
        variables: [String: String] = [:]
    ) throws -> (daemon: ChildProcess, owner: RemoteLibrary) {
        let photo = try DaemonHome.photo(1, side: 280)
        for number in 0..<count {
            // Bytes after the end of a JPEG make another file of it.
            try home.folder.write(photo + Data([UInt8(number)]), to: "source/\(number).jpg")
        }
        try home.succeed("import", home.folder.file("source").path, daemon: "0")
        let daemon = try home.startDaemon(variables: variables)
        let owner = try home.client()
        let build = RenditionBuildRequest(side: 256, limit: count)
        #expect(try owner.buildRenditions(build).failures.isEmpty)
        return (daemon, owner)
    }

    private func uuids(_ library: some LibraryService) throws -> [String] {
        let ids = try library.fetch(AssetFetchRequest()).ids
        return try library.loadAssets(AssetLoadRequest(ids: ids)).assets.map(\.uuid)
    }

    private func request(
        _ uuid: String,
        _ side: Int,
        _ quality: ImageRequest.Quality = .atHand
    ) -> ImageRequest {
        let shape = PixelShape(size: PixelSize(width: side, height: side))
        return ImageRequest(assetUUID: uuid, shape: shape, quality: quality)
    }

    // MARK: - A grid

    /// A program that shows a grid.
    private final class Grid: Sendable {
        private let connection: LibraryConnection
        private let pictures = Monitor(0)
        private let failures = Mutex<[String]>([])

        init(_ library: RemoteLibrary) {
            connection = LibraryConnection(
                to: library,
                logger: Logger(label: "test"),
                watchInterval: .seconds(600)
            )
        }

        var errors: [String] { failures.withLock { $0 } }

        /// Requests an image of a size for each cell.
        func show(_ side: Int) {
            let manager = PHImageManager()
            let options = PHImageRequestOptions()
            options.resizeMode = .exact
            PHPhotoLibrary.using(connection) {
                let assets = PHAsset.fetchAssets(with: nil)
                for index in 0..<assets.count {
                    manager.requestImage(
                        for: assets.object(at: index),
                        targetSize: CGSize(width: side, height: side),
                        contentMode: .aspectFit,
                        options: options
                    ) { [self] image, info in
                        if image?.cgImage?.width != side {
                            failures.withLock { $0.append("\(String(describing: info))") }
                        }
                        pictures.update { $0 += 1 }
                    }
                }
            }
        }

        /// Waits until a number of images were delivered.
        func waits(for count: Int) -> Bool {
            pictures.wait(before: .now + .seconds(60)) { $0 >= count ? true : nil } == true
        }
    }

    @Test("A page of a grid takes at most three calls")
    func calls() async throws {
        let (_, owner) = try start(Self.cells)
        let client = try home.client()
        let grid = Grid(client)
        let pages = 6
        var shown = 0
        for isOnMain in [true, false] {
            let before = try owner.daemonStatus().counters.calls
            for _ in 0..<pages {
                // No image in the cache has this size.
                let side = 100 + shown
                if isOnMain { await MainActor.run { grid.show(side) } } else { grid.show(side) }
                shown += 1
                #expect(grid.waits(for: Self.cells * shown))
            }
            // The question about the state is a call, too; each page is fetched and loaded.
            let calls = try owner.daemonStatus().counters.calls - before - 1
            #expect(calls - 2 * pages <= 3 * pages, "\(calls)")
            #expect(calls >= 3 * pages)
        }
        #expect(grid.errors.isEmpty)
        client.close()
    }

    @Test func pageIsShownAlthoughTheDaemonIsKilled() throws {
        let (daemon, _) = try start(Self.cells)
        let client = try home.client()
        let grid = Grid(client)
        grid.show(100)
        daemon.kill()
        daemon.wait()
        try home.startDaemon()
        #expect(grid.waits(for: Self.cells))
        #expect(grid.errors.isEmpty)
        client.close()
    }

    // MARK: - The call

    @Test func imagesAreThoseOfSingleCalls() throws {
        let (_, owner) = try start(8)
        let requests = try uuids(owner).enumerated().map { request($1, 60 + 20 * $0) }
        let answers = try owner.readyImages(ReadyImagesRequest(requests)).answers
        #expect(answers.count == requests.count)
        for (answer, request) in zip(answers, requests) {
            let (reply, pixels) = try #require(try answer.image(for: request))
            let (single, others) = try #require(try owner.image(request))
            #expect(reply == single)
            let both = [(pixels, reply), (others, single)].map { pixels, reply in
                CGImage(
                    pixels: pixels,
                    description: reply.pixels,
                    hasAlpha: reply.hasAlpha
                )?.memory.withBytes { Array($0) }
            }
            #expect(both[0] != nil && both[0] == both[1])
        }
    }

    @Test func oneFailureAndOneCancellationAmongOthers() throws {
        let (_, owner) = try start(4)
        let uuids = try uuids(owner)
        let ticket = CallTicket()
        try owner.cancel(CancelRequest(tickets: [ticket]))
        var canceled = request(uuids[1], 90, .full)
        canceled.ticket = ticket
        let requests = [
            request(uuids[0], 90), canceled, request("gone", 90), request(uuids[2], 900, .ready),
            request(uuids[3], 90),
        ]
        let answers = try owner.readyImages(ReadyImagesRequest(requests)).answers
        let words = answers.map { answer in
            switch answer {
            case .rendition: "rendition"
            case .unready: "unready"
            case .failed(let error): error.code.rawValue
            }
        }
        #expect(
            words == ["rendition", "cancelled", "identifierNotFound", "unready", "rendition"]
        )
    }

    @Test func limitedProgramReceivesSelectedImagesOnly() throws {
        let dialog = try FakeDialog(home)
        let (_, owner) = try start(6, variables: dialog.variables)
        let uuids = try uuids(owner)
        let client = try home.client(role: .program)
        let status = Monitor<AccessStatus?>(nil)
        _ = NamedThread.start("request") {
            let reply = try? client.requestAuthorization(AuthorizationRequest(level: .readWrite))
            status.update { $0 = reply?.status }
        }
        dialog.answer("Select Photos…", home)
        dialog.answer(uuids[4], home)
        #expect(status.wait { $0 } == .limited)
        let requests = uuids.map { request($0, 90) }
        let answers = try client.readyImages(ReadyImagesRequest(requests)).answers
        for (index, answer) in answers.enumerated() {
            if case .rendition(let stored) = answer {
                #expect(index == 4 && stored.path == nil)
            } else if case .failed(let error) = answer {
                #expect(index != 4 && error.code == .identifierNotFound)
            } else {
                Issue.record("\(answer)")
            }
        }
        #expect(answers.count == 6)
    }

    @Test func replyIsLimitedInNumberAndLength() throws {
        let (_, owner) = try start(2)
        let photo = try DaemonHome.photo(99, side: 1_400)
        try home.succeed("import", home.folder.write(photo, to: "large.jpg").path)
        _ = try owner.buildRenditions(RenditionBuildRequest(side: 1_024, limit: 8))
        let ids = try owner.fetch(AssetFetchRequest()).ids
        let assets = try owner.loadAssets(AssetLoadRequest(ids: ids)).assets
        #expect(assets.count == 3)
        for (uuid, isLarge) in assets.map({ ($0.uuid, $0.pixelSize.width > 1_000) }) {
            let requests = (0..<300).map { _ in request(uuid, isLarge ? 900 : 90) }
            let answers = try owner.readyImages(ReadyImagesRequest(requests)).answers
            let lengths = answers.map { answer in
                if case .rendition(let stored) = answer { stored.length } else { 0 }
            }
            #expect(!lengths.contains(0) && Set(lengths).count == 1)
            let longest = ReadyImagesReply.lengthLimit / max(1, lengths.first ?? 1)
            #expect(answers.count == min(ReadyImagesRequest.maximumCount, longest))
            #expect((answers.count < ReadyImagesRequest.maximumCount) == isLarge)
        }
        #expect(try owner.readyImages(ReadyImagesRequest([])).answers.isEmpty)
    }
}
