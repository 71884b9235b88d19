import Foundation
import Photos
import PhotosManagement
import Testing

/// The management module's additions to image requests (pains 1, 2, 4 and 13).
@Suite(.timeLimit(.minutes(3))) struct AsyncImageTests {
    private let library: FilesLibrary
    private let manager = PHImageManager()

    init() throws {
        library = try FilesLibrary.shared.get()
    }

    private func still() throws -> PHAsset {
        try #require(
            try library.assets().first { $0.mediaType == .image && $0.pixelWidth > 200 }
        )
    }

    @Test("One picture, once, whatever the options say of delivery")
    func singlePicture() async throws {
        let asset = try still()
        for delivery in PHImageRequestOptionsDeliveryMode.allCases {
            let options = PHImageRequestOptions()
            options.deliveryMode = delivery
            options.isSynchronous = true
            let size = CGSize(width: 90, height: 90)
            let found = try await manager.image(for: asset, targetSize: size, options: options)
            #expect(!found.isDegraded && found.damage == nil)
            #expect(max(found.image.size.width, found.image.size.height) >= 90)
            // The client's own options remain unchanged.
            #expect(options.deliveryMode == delivery && options.isSynchronous)
        }
        await #expect(throws: PHPhotosError.self) { try await manager.image(for: PHAsset()) }
    }

    @Test("Ever better pictures, the last not degraded")
    func sequence() async throws {
        for asset in try library.assets().prefix(12) {
            var all: [DeliveredImage] = []
            let size = CGSize(width: 310, height: 310)
            for try await image in manager.images(for: asset, targetSize: size) {
                all.append(image)
            }
            #expect(all.last?.isDegraded == false)
            #expect(all.dropLast().allSatisfy { $0.isDegraded })
            #expect(all.filter { !$0.isDegraded }.count == 1)
        }
    }

    @Test("Cancelling the task cancels the request")
    func cancellation() async throws {
        let asset = try still()
        // An image can be ready before its task is cancelled, and is returned then.
        var wasCancelled = false
        for _ in 0..<50 where !wasCancelled {
            PHImageManager.removeCachedImages()
            let task = Task { [manager] in try await manager.image(for: asset) }
            task.cancel()
            do {
                #expect(try await !task.value.isDegraded)
            } catch is CancellationError { wasCancelled = true }
        }
        #expect(wasCancelled)
    }

    @Test("A cancelled task requests nothing, also if the image is in memory")
    func cancellationBeforehand() async throws {
        let asset = try still()
        _ = try await manager.image(for: asset)
        let task = Task { [manager] in
            withUnsafeCurrentTask { $0?.cancel() }
            return try await manager.image(for: asset)
        }
        await #expect(throws: CancellationError.self) { try await task.value }
    }

    @Test("Memory is given back over the limit, and hits are counted")
    func cache() async throws {
        let world = try ChangeWorld()
        for number in 0..<7 {
            let url = world.folder.file("\(number).png")
            _ = try Tool.run("vips", ["black", url.path, "2700", "2700", "--bands", "3"])
            try world.change {
                _ = PHAssetChangeRequest.creationRequestForAssetFromImage(atFileURL: url)
            }
        }
        let before = PHImageManager.cacheStatistics
        #expect(before.limitInBytes == 128 << 20)
        for asset in world.assets {
            let found = try await manager.image(for: asset)
            #expect(found.image.size == CGSize(width: 2700, height: 2700))
            #expect(PHImageManager.cacheStatistics.bytes <= before.limitInBytes)
        }
        let last = try #require(world.assets.last)
        let first = try #require(world.assets.first)
        let hits = PHImageManager.cacheStatistics.hits
        _ = try await manager.image(for: last)
        #expect(PHImageManager.cacheStatistics.hits > hits)
        let misses = PHImageManager.cacheStatistics.misses
        _ = try await manager.image(for: first)
        #expect(PHImageManager.cacheStatistics.misses > misses)
        #expect(PHImageManager.cacheStatistics.bytes >= 2700 * 2700 * 4)
        PHImageManager.removeCachedImages()
        #expect(PHImageManager.cacheStatistics.bytes < 2700 * 2700 * 4)
    }

    @Test("The file of a version, in one call")
    func primaryResources() throws {
        for asset in try library.assets() {
            let all = PHAssetResource.assetResources(for: asset)
            let current = try #require(PHAssetResource.primaryResource(for: asset))
            let shown = asset.hasAdjustments ? .fullSizePhoto : all.first?.type
            #expect(current.type == shown && current.isLocallyAvailable)
            let original = try #require(
                PHAssetResource.primaryResource(for: asset, version: .original)
            )
            let hasRAW = all.contains {
                $0.type == .alternatePhoto && $0.uniformTypeIdentifier.contains("raw")
            }
            #expect((original.type == .alternatePhoto) == hasRAW)
        }
        #expect(PHAssetResource.primaryResource(for: PHAsset()) == nil)
        #expect(!PHAssetResource().isLocallyAvailable)
    }
}
