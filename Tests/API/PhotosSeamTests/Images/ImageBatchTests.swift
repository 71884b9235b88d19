import Dispatch
import Foundation
import LibraryService
import PhotoModel
import Photos
import RemoteLibrary
import Synchronization
import Testing

/// Image requests to a library at the other end of a connection, which share its calls.
@Suite(.timeLimit(.minutes(2))) struct ImageBatchTests {
    private typealias Calls = ImageContractTests.Calls

    private let library = FakeLibrary(assets: 80)
    private let connection: LibraryConnection
    private let manager = PHImageManager()
    /// Blocks the first call until a test opens it.
    private let gate = DispatchSemaphore(value: 0)

    init() {
        connection = LibraryConnection(to: LoopbackLibrary(library), logger: library.log.logger)
        library.state.withLock { state in
            for index in state.assets.indices {
                state.assets[index].pixelSize = PixelSize(width: 4_000, height: 4_000)
            }
            state.picture = { _ throws(LibraryError) in
                FakeImage(size: PixelSize(width: 16, height: 16))
            }
            state.whileReading = { [gate] (number) throws(LibraryError) in
                if number == 1 { gate.wait() }
            }
        }
    }

    private var assets: [PHAsset] {
        PHPhotoLibrary.using(connection) {
            let all = PHAsset.fetchAssets(with: nil)
            return (0..<all.count).map { all.object(at: $0) }
        }
    }

    private var calls: [[String]] {
        library.state.withLock { $0.readyRequests.map { $0.map(\.assetUUID) } }
    }

    @discardableResult
    private func request(
        _ asset: PHAsset,
        _ calls: Calls,
        _ delivery: PHImageRequestOptionsDeliveryMode = .opportunistic
    ) -> PHImageRequestID {
        let options = PHImageRequestOptions()
        options.deliveryMode = delivery
        return manager.requestImage(
            for: asset,
            targetSize: CGSize(width: 100, height: 100),
            contentMode: .aspectFit,
            options: options
        ) { image, info in calls.add(image, info) }
    }

    private func until(_ condition: () -> Bool) async -> Bool {
        let deadline = ContinuousClock.now + .seconds(30)
        while !condition(), ContinuousClock.now < deadline { await Task.yield() }
        return condition()
    }

    /// Requests an image of each asset, while the call for the first is under way.
    private func requestAll(_ assets: [PHAsset]) async -> (ids: [PHImageRequestID], all: [Calls]) {
        let all = assets.map { _ in Calls() }
        var ids = [request(assets[0], all[0])]
        #expect(await until { calls.count == 1 })
        for (asset, calls) in zip(assets, all).dropFirst() { ids.append(request(asset, calls)) }
        return (ids, all)
    }

    // MARK: - Calls

    @Test func requestsOfAPageShareACall() async throws {
        let assets = assets
        let (_, all) = await requestAll(assets)
        gate.signal()
        #expect(await until { all.allSatisfy { $0.list.count == 1 } })
        #expect(calls == [[FakeLibrary.uuid(1)], (2...80).map(FakeLibrary.uuid)])
        #expect(all.allSatisfy { $0.list[0].hasImage && $0.list[0].isDegraded == false })
        #expect(library.state.withLock { $0.imageRequests.isEmpty && $0.cancelledTickets.isEmpty })
        // They are in the cache now.
        let again = Calls()
        request(assets[7], again)
        #expect(await until { again.list.count == 1 })
        #expect(calls.count == 2)
    }

    @Test func requestsOnTheMainQueueShareACallFromTheFirst() async throws {
        gate.signal()
        let assets = Mutex(assets)
        let all = (0..<80).map { _ in Calls() }
        await MainActor.run {
            for (asset, calls) in zip(assets.withLock { $0 }, all) { request(asset, calls) }
        }
        #expect(await until { all.allSatisfy { $0.list.count == 1 } })
        // A busy machine may divide them after a while.
        #expect(calls.count <= 3)
        #expect(calls.flatMap(\.self) == (1...80).map(FakeLibrary.uuid))
    }

    @Test func shortReplyIsContinued() async {
        library.state.withLock { $0.readyCount = 30 }
        let (_, all) = await requestAll(assets)
        gate.signal()
        #expect(await until { all.allSatisfy { $0.list.count == 1 } })
        #expect(calls.map(\.count) == [1, 79, 49, 19])
        #expect(all.allSatisfy { $0.list[0].hasImage })
    }

    @Test func emptyReplyIsAnError() async {
        library.state.withLock { $0.readyCount = 0 }
        gate.signal()
        let calls = Calls()
        request(assets[0], calls)
        #expect(await until { calls.list.count == 1 })
        #expect(calls.list[0].error != nil)
    }

    @Test func synchronousRequestIsOneCall() {
        library.state.withLock { $0.hasWholeRenditions = true }
        gate.signal()
        let options = PHImageRequestOptions()
        options.isSynchronous = true
        var found: UIImage?
        manager.requestImage(
            for: assets[0],
            targetSize: CGSize(width: 100, height: 100),
            contentMode: .aspectFit,
            options: options
        ) { image, _ in found = image }
        #expect(found != nil && calls.count == 1)
        #expect(library.state.withLock { $0.imageRequests.isEmpty })
    }

    // MARK: - Requests by themselves

    @Test func oneFailureIsThatOfItsRequest() async {
        library.state.withLock { state in
            state.picture = { (request) throws(LibraryError) in
                guard request.assetUUID != FakeLibrary.uuid(5) else {
                    throw LibraryError(.identifierNotFound, "It was deleted.", reason: "Truly.")
                }
                return FakeImage(size: PixelSize(width: 16, height: 16))
            }
        }
        let (_, all) = await requestAll(Array(assets.prefix(10)))
        gate.signal()
        #expect(await until { all.allSatisfy { $0.list.count == 1 } })
        for (index, calls) in all.enumerated() {
            #expect((calls.list[0].error != nil) == (index == 4))
            #expect(calls.list[0].hasImage == (index != 4))
        }
    }

    @Test func failedCallEndsItsRequests() async {
        library.state.withLock { state in
            state.whileReading = { [gate] (number) throws(LibraryError) in
                if number == 1 { gate.wait() }
                throw LibraryError(.connectionLost, "It is gone.", reason: "Truly.")
            }
        }
        let (_, all) = await requestAll(Array(assets.prefix(10)))
        gate.signal()
        #expect(await until { all.allSatisfy { $0.list.count == 1 } })
        #expect(all.allSatisfy { $0.list[0].error != nil })
    }

    @Test func canceledRequestDoesNotDepart() async throws {
        let (ids, all) = await requestAll(Array(assets.prefix(10)))
        // Under way, and waiting.
        manager.cancelImageRequest(ids[0])
        manager.cancelImageRequest(ids[3])
        gate.signal()
        #expect(await until { all.allSatisfy { $0.list.count == 1 } })
        for (index, calls) in all.enumerated() {
            #expect(calls.list[0].isCancelled == [0, 3].contains(index))
        }
        #expect(calls.map(\.count) == [1, 8] && !calls[1].contains(FakeLibrary.uuid(4)))
        // Nothing was made whose ticket it would have to know.
        #expect(library.state.withLock { $0.cancelledTickets.isEmpty })
        await withCheckedContinuation { continuation in
            DispatchQueue.main.async { continuation.resume() }
        }
        #expect(all.allSatisfy { $0.list.count == 1 })
    }

    @Test func imageThatIsReadyDoesNotWaitForOthers() async {
        let decoding = DispatchSemaphore(value: 0)
        library.state.withLock { state in
            state.picture = { (request) throws(LibraryError) in
                // The first five have no rendition.
                let isCold = (1...5).map(FakeLibrary.uuid).contains(request.assetUUID)
                if request.quality != .full, isCold { return nil }
                if request.quality == .full {
                    decoding.wait()
                    decoding.signal()
                }
                return FakeImage(size: PixelSize(width: 16, height: 16))
            }
        }
        let (_, all) = await requestAll(Array(assets.prefix(10)))
        gate.signal()
        #expect(await until { all.suffix(5).allSatisfy { $0.list.count == 1 } })
        #expect(all.prefix(5).allSatisfy { $0.list.isEmpty })
        decoding.signal()
        #expect(await until { all.allSatisfy { $0.list.count == 1 } })
        #expect(all.allSatisfy { $0.list[0].hasImage })
        let decoded = library.state.withLock { $0.imageRequests }
        #expect(Set(decoded.map(\.assetUUID)) == Set((1...5).map(FakeLibrary.uuid)))
        #expect(decoded.allSatisfy { $0.quality == .full && $0.ticket != nil })
    }

    /// Without a size, no rendition is the whole image.
    @Test func fullSizeIsAskedForByItself() async {
        gate.signal()
        let calls = Calls()
        let options = PHImageRequestOptions()
        options.deliveryMode = .highQualityFormat
        manager.requestImage(
            for: assets[0],
            targetSize: PHImageManagerMaximumSize,
            contentMode: .aspectFit,
            options: options
        ) { image, info in calls.add(image, info) }
        #expect(await until { calls.list.count == 1 })
        #expect(self.calls.isEmpty)
        #expect(library.state.withLock { $0.imageRequests.map(\.quality) } == [.full])
    }

    // MARK: - Caching

    @Test func cachingSharesCalls() async {
        library.state.withLock { $0.hasWholeRenditions = true }
        let caching = PHCachingImageManager()
        let (assets, size) = (assets, CGSize(width: 100, height: 100))
        caching.startCachingImages(
            for: assets,
            targetSize: size,
            contentMode: .aspectFit,
            options: nil
        )
        #expect(await until { calls.count == 1 })
        // Those that have not departed need no call to be stopped, and nothing has to be canceled.
        caching.stopCachingImages(
            for: Array(assets[70...]),
            targetSize: size,
            contentMode: .aspectFit,
            options: nil
        )
        gate.signal()
        let first = Set((1...70).map(FakeLibrary.uuid))
        #expect(await until { first.isSubset(of: calls.flatMap(\.self)) })
        #expect(calls.count <= 3)
        let priorities = library.state.withLock { $0.readyRequests.flatMap { $0.map(\.priority) } }
        #expect(Set(priorities) == [.prefetch])
        #expect(library.state.withLock { $0.imageRequests.isEmpty && $0.cancelledTickets.isEmpty })
    }

    @Test func cachingMakesByItselfWhatNoRenditionServes() async {
        gate.signal()
        let caching = PHCachingImageManager()
        caching.startCachingImages(
            for: Array(assets.prefix(5)),
            targetSize: CGSize(width: 100, height: 100),
            contentMode: .aspectFit,
            options: nil
        )
        #expect(await until { library.state.withLock { $0.imageRequests.count == 5 } })
        let requests = library.state.withLock { $0.imageRequests }
        #expect(requests.allSatisfy { $0.quality == .full && $0.priority == .prefetch })
        #expect(Set(requests.map(\.assetUUID)) == Set((1...5).map(FakeLibrary.uuid)))
    }
}
