import EmbeddedLibrary
import Foundation
import LibraryService
import PhotoModel
import Photos
import RenditionFixture
import Synchronization
import TestSupport
import Testing

/// Requests for files that are here, or only in the cloud, with and without permission to use the
/// network.
@Suite(.timeLimit(.minutes(5))) struct DownloadTests {
    private let world: CloudWorld

    init() throws { world = try CloudWorld() }

    @Test(arguments: CloudCall.allCases, [false, true])
    func aFileThatIsHereIsDelivered(_ call: CloudCall, isAllowed: Bool) async throws {
        world.engine.downloader = FakeDownloader(.breaks, in: world)
        let outcome = try await call.run(in: world, isAllowed: isAllowed)
        #expect(outcome.hasResult)
        #expect(outcome.code == nil)
        #expect(outcome.isInCloud != true)
        #expect(outcome.ends == 1)
    }

    /// Why a file is only in the cloud.
    enum Absence: CaseIterable {
        case notYet
        case removed

        func begin(in world: CloudWorld) async throws {
            switch self {
            case .notYet: try world.takeAway()
            case .removed: try await world.removeOriginals()
            }
        }
    }

    @Test(arguments: CloudCall.allCases, Absence.allCases)
    func withoutPermissionNothingIsDownloaded(_ call: CloudCall, _ absence: Absence) async throws {
        world.engine.downloader = FakeDownloader(.succeeds, in: world)
        try await absence.begin(in: world)
        let outcome = try await call.run(in: world, isAllowed: false)
        #expect(!outcome.hasResult)
        #expect(outcome.code == .networkAccessRequired)
        #expect(outcome.isInCloud != false)
        #expect(outcome.ends == 1)
        let missing = try world.engine.missingFileCounts()
        #expect(missing.waiting + missing.removed == world.contents.count)
        #expect(missing.removed == (absence == .removed ? world.contents.count : 0))
    }

    @Test(arguments: CloudCall.allCases, Absence.allCases)
    func withPermissionTheFileIsDownloadedAndDelivered(_ call: CloudCall, _ absence: Absence)
        async throws
    {
        world.engine.downloader = FakeDownloader(.succeeds, in: world)
        try await absence.begin(in: world)
        let outcome = try await call.run(in: world, isAllowed: true)
        #expect(outcome.hasResult, "\(outcome)")
        #expect(outcome.code == nil)
        #expect(outcome.ends == 1)
        #expect(outcome.progress.first == 0)
        #expect(outcome.progress.last == 1)
        #expect(outcome.progress.count >= 3)
        #expect(zip(outcome.progress, outcome.progress.dropFirst()).allSatisfy { $0 < $1 })
    }

    @Test(arguments: CloudCall.allCases, Absence.allCases)
    func aBrokenConnectionIsTheError(_ call: CloudCall, _ absence: Absence) async throws {
        world.engine.downloader = FakeDownloader(.breaks, in: world)
        try await absence.begin(in: world)
        let outcome = try await call.run(in: world, isAllowed: true)
        #expect(!outcome.hasResult)
        #expect(outcome.code == .networkError)
        #expect(outcome.ends == 1)
        #expect(outcome.failures == (Self.isTold.contains(call) ? [.networkError] : []))
    }

    /// The requests whose progress handlers receive errors.
    private static let isTold: Set<CloudCall> = [
        .image, .synchronousImage, .imageData, .movie, .livePhoto,
    ]

    /// The client canceled nothing, so the request fails, and its handler learns why.
    @Test(arguments: CloudCall.allCases, Absence.allCases)
    func aDownloadThatTheHostCancelsIsAnError(_ call: CloudCall, _ absence: Absence) async throws {
        world.engine.downloader = FakeDownloader(.ends, in: world)
        try await absence.begin(in: world)
        let outcome = try await call.run(in: world, isAllowed: true)
        #expect(!outcome.hasResult)
        #expect(!outcome.isCancelled)
        #expect(outcome.code == .networkError)
        #expect(outcome.ends == 1)
        #expect(outcome.failures == (Self.isTold.contains(call) ? [.networkError] : []))
    }

    @Test(arguments: CloudCall.allCases, Absence.allCases)
    func aRequestIsStoppedDuringItsDownload(_ call: CloudCall, _ absence: Absence) async throws {
        world.engine.downloader = FakeDownloader(.stalls, in: world)
        try await absence.begin(in: world)
        let outcome = try await call.run(in: world, isAllowed: true, stops: true)
        #expect(!outcome.hasResult)
        #expect(outcome.isCancelled, "\(outcome)")
        #expect(outcome.ends == 1)
    }

    @Test(arguments: CloudCall.allCases, Absence.allCases)
    func withoutADownloaderTheFileStaysAway(_ call: CloudCall, _ absence: Absence) async throws {
        try await absence.begin(in: world)
        let outcome = try await call.run(in: world, isAllowed: true)
        #expect(outcome.code == .networkAccessRequired)
        #expect(outcome.isInCloud != false)
        #expect(outcome.ends == 1)
    }

    @Test func aPreviewSaysThatItsFileIsInTheCloud() async throws {
        let service = try world.connection.service()
        let built = try service.buildRenditions(RenditionBuildRequest(side: 256))
        #expect(built.failures == [])
        try world.takeAway()
        let asset = try world.asset(world.photo)
        let calls = Mutex<[(hasImage: Bool, isDegraded: Bool, isInCloud: Bool)]>([])
        await withCheckedContinuation { continuation in
            PHImageManager().requestImage(
                for: asset,
                targetSize: CGSize(width: 1_600, height: 1_200),
                contentMode: .aspectFit,
                options: nil
            ) { image, info in
                let isDegraded = info?[PHImageResultIsDegradedKey] as? Bool ?? false
                let isInCloud = info?[PHImageResultIsInCloudKey] as? Bool ?? false
                calls.withLock { $0.append((image != nil, isDegraded, isInCloud)) }
                if !isDegraded { continuation.resume() }
            }
        }
        let list = calls.withLock(\.self)
        #expect(list.map(\.hasImage) == [true, false])
        #expect(list.map(\.isDegraded) == [true, false])
        #expect(list.map(\.isInCloud) == [true, true])
    }

    /// More requests than threads for downloads wait, and a request for a file that is here does
    /// not.
    @Test func waitingDownloadsDelayNoOtherRequest() async throws {
        world.engine.downloader = FakeDownloader(.stalls, in: world)
        let movie = try world.asset(world.movie)
        let photo = try world.asset(world.photo)
        let content = try #require(try world.resource(of: world.movie).record?.uuid)
        try world.takeAway(only: content)
        let ends = Mutex(0)
        let options = PHVideoRequestOptions()
        options.isNetworkAccessAllowed = true
        let manager = PHImageManager()
        let ids = (0..<20).map { _ in
            manager.requestAVAsset(forVideo: movie, options: options) { _, _, _ in
                ends.withLock { $0 += 1 }
                Signals.send()
            }
        }
        let isThere = await withCheckedContinuation { continuation in
            let options = PHImageRequestOptions()
            options.isNetworkAccessAllowed = true
            manager.requestImageDataAndOrientation(for: photo, options: options) { data, _, _, _ in
                continuation.resume(returning: data != nil)
            }
        }
        #expect(isThere)
        let endedEarly = ends.withLock(\.self)
        #expect(endedEarly == 0)
        for id in ids { manager.cancelImageRequest(id) }
        wait(for: "the cancellations") { ends.withLock(\.self) == 20 }
    }
}

/// The cloud state of assets.
@Suite(.timeLimit(.minutes(1))) struct CloudStateTests {
    @Test func theStateFollowsTheFiles() throws {
        let world = try CloudWorld()
        let service = try world.connection.service()
        let request = CloudStatesRequest(assetUUIDs: [world.photo, world.movie, "none"])
        let before = try service.cloudStates(request)
        #expect(before == CloudStatesReply(isCloudLibrary: true, states: [.here, .here, nil]))
        let paired = try #require(
            try service.listResources(ResourceListRequest(assetUUID: world.photo)).resources
                .first { $0.type == .pairedVideo }
        )
        try world.takeAway(only: paired.uuid)
        let partly = try service.cloudStates(request)
        #expect(partly.states == [.partial, .here, nil])
        try world.takeAway()
        let after = try service.cloudStates(request)
        #expect(after.states == [.away, .away, nil])
        let resource = try world.resource(of: world.photo)
        #expect(resource.value(forKey: "isInCloud") as? Bool == true)
    }
}
