import Foundation
import LibraryService
import PhotoModel
import Photos
import Synchronization
import Testing

/// The remaining cost of a canceled request.
@Suite(.timeLimit(.minutes(1))) struct ImageCancellationTests {
    /// An object that lives as long as the request's handler.
    private final class Sentinel: Sendable {}

    private final class Shared: Sendable {
        let number = Mutex<PHImageRequestID?>(nil)
        let calls = ImageContractTests.Calls()
    }

    @Test("A request cancelled during its second preview decodes nothing more")
    func cancelledDuringTheSecondPreview() async throws {
        let library = FakeLibrary(assets: 2)
        let manager = PHImageManager()
        let shared = Shared()
        library.state.withLock { state in
            for index in state.assets.indices {
                state.assets[index].pixelSize = PixelSize(width: 4_000, height: 4_000)
            }
            state.picture = { (request) throws(LibraryError) in
                guard request.quality == .full else { return nil }
                while true {
                    guard let id = shared.number.withLock({ $0 }) else {
                        sched_yield()
                        continue
                    }
                    manager.cancelImageRequest(id)
                    return FakeImage(size: PixelSize(width: 16, height: 16))
                }
            }
        }
        let options = PHImageRequestOptions()
        options.allowSecondaryDegradedImage = true
        let asset = try #require(library.use { PHAsset.fetchAssets(with: nil).lastObject })
        weak var request: Sentinel?
        do {
            let sentinel = Sentinel()
            request = sentinel
            let id = manager.requestImage(
                for: asset,
                targetSize: CGSize(width: 2_000, height: 2_000),
                contentMode: .aspectFit,
                options: options
            ) { image, info in
                withExtendedLifetime(sentinel) { shared.calls.add(image, info) }
            }
            shared.number.withLock { $0 = id }
        }
        let deadline = ContinuousClock.now + .seconds(30)
        while request != nil, ContinuousClock.now < deadline { await Task.yield() }
        let decoded = library.state.withLock { $0.imageRequests.filter { $0.quality == .full } }
        #expect(request == nil && decoded.count == 1)
        #expect(shared.calls.list.map(\.isCancelled) == [true])
        #expect(library.state.withLock { $0.cancelledTickets.count } == 1)
    }
}
