import Foundation
import Photos
import Synchronization
import Testing

/// Caching ahead (behavior 196–200; pains 13).
@Suite(.timeLimit(.minutes(2))) struct PHCachingImageManagerTests {
    private let library: FilesLibrary

    init() throws {
        library = try FilesLibrary.shared.get()
    }

    private let size = CGSize(width: 77, height: 77)

    /// Returns whether a picture is delivered before the call returns, requested on the main
    /// thread.
    @MainActor
    private func isCached(_ asset: PHAsset, _ manager: PHImageManager, _ size: CGSize) async -> Bool
    {
        let calls = Mutex(0)
        let id = manager.requestImage(
            for: asset,
            targetSize: size,
            contentMode: .aspectFit,
            options: nil
        ) { image, _ in
            if image != nil { calls.withLock { $0 += 1 } }
        }
        let isAtOnce = calls.withLock { $0 } > 0
        manager.cancelImageRequest(id)
        return isAtOnce
    }

    @Test("What is cached is delivered at once, in every size that it covers")
    func cachedPicturesComeAtOnce() async throws {
        let manager = PHCachingImageManager()
        #expect(manager.allowsCachingHighQualityImages)
        let assets = try library.assets().filter { $0.mediaType == .image }.prefix(5)
        manager.startCachingImages(
            for: Array(assets),
            targetSize: size,
            contentMode: .aspectFit,
            options: nil
        )
        let deadline = ContinuousClock.now + .seconds(60)
        for asset in assets {
            while !(await isCached(asset, manager, size)), ContinuousClock.now < deadline {
                await Task.yield()
            }
            #expect(await isCached(asset, manager, size))
            #expect(await isCached(asset, manager, CGSize(width: 70, height: 70)))
        }
        manager.stopCachingImagesForAllAssets()
    }

    @Test("Starting and stopping cost the caller next to nothing")
    func startingIsCheap() throws {
        let manager = PHCachingImageManager()
        manager.allowsCachingHighQualityImages = false
        #expect(!manager.allowsCachingHighQualityImages)
        let assets = try library.assets()
        let many = Array(repeating: assets, count: 200).flatMap { $0 }
        let start = ContinuousClock.now
        for _ in 0..<10 {
            manager.startCachingImages(
                for: many,
                targetSize: size,
                contentMode: .aspectFill,
                options: nil
            )
            manager.stopCachingImages(
                for: many,
                targetSize: size,
                contentMode: .aspectFill,
                options: nil
            )
        }
        // Far above the usual time, since another program may use the processor in the meantime.
        #expect(ContinuousClock.now - start < .seconds(2))
    }
}
