import Foundation
import Dispatch
import Photos
import PhotosManagement
import Synchronization
import Testing

/// Requests for pictures (behavior 169–192; pains 1, 2, 8 and 9), on samples with real files.
@Suite(.timeLimit(.minutes(5))) struct PHImageManagerTests {
    private let library: FilesLibrary
    private let manager = PHImageManager()

    init() throws {
        library = try FilesLibrary.shared.get()
    }

    /// A call of a handler.
    private struct Call: @unchecked Sendable {
        // Unchecked because the dictionary is only read.
        var image: UIImage?
        var info: [AnyHashable: Any]
        var isOnMainThread: Bool

        var isDegraded: Bool? { info[PHImageResultIsDegradedKey] as? Bool }
        var isCancelled: Bool { info[PHImageCancelledKey] as? Bool ?? false }
        var error: (any Error)? { info[PHImageErrorKey] as? any Error }
        /// Whether no other call may follow.
        var isLast: Bool { isDegraded == false || isCancelled || error != nil }
        var pixels: (Int, Int)? { image?.cgImage.map { ($0.width, $0.height) } }
    }

    /// Marks the main queue, which other threads than the first serve in an asynchronous program.
    private static let mainMark: DispatchSpecificKey<Bool> = {
        let mark = DispatchSpecificKey<Bool>()
        DispatchQueue.main.setSpecific(key: mark, value: true)
        return mark
    }()

    private static var isOnMain: Bool {
        Thread.isMainThread || DispatchQueue.getSpecific(key: mainMark) == true
    }

    private final class Calls: Sendable {
        private let all = Mutex<[Call]>([])
        private let ended = DispatchSemaphore(value: 0)

        func add(_ image: UIImage?, _ info: [AnyHashable: Any]?, isLast: (Call) -> Bool) {
            let call = Call(
                image: image,
                info: info ?? [:],
                isOnMainThread: PHImageManagerTests.isOnMain
            )
            all.withLock { $0.append(call) }
            if isLast(call) { ended.signal() }
        }

        var list: [Call] { all.withLock { $0 } }

        /// Waits for the last call, off the main thread.
        func waitForEnd() async -> Bool {
            await withCheckedContinuation { continuation in
                DispatchQueue.global().async {
                    continuation.resume(
                        returning: self.ended.wait(timeout: .now() + 60) == .success
                    )
                }
            }
        }
    }

    private func still(_ index: Int = 0) throws -> PHAsset {
        let stills = try library.assets().filter {
            $0.mediaType == .image && $0.contentType == .jpeg && $0.pixelWidth > 200
        }
        try #require(stills.count > index)
        return stills[index]
    }

    private func options(
        _ delivery: PHImageRequestOptionsDeliveryMode = .highQualityFormat,
        _ resize: PHImageRequestOptionsResizeMode = .fast
    ) -> PHImageRequestOptions {
        let options = PHImageRequestOptions()
        options.deliveryMode = delivery
        options.resizeMode = resize
        return options
    }

    private func request(
        _ asset: PHAsset,
        _ size: CGSize,
        _ options: PHImageRequestOptions?
    ) async throws -> [Call] {
        let calls = Calls()
        let single = options?.deliveryMode == .fastFormat
        let id = manager.requestImage(
            for: asset,
            targetSize: size,
            contentMode: .aspectFit,
            options: options
        ) { image, info in
            calls.add(image, info) { $0.isLast || single }
        }
        #expect(id != PHInvalidImageRequestID)
        #expect(await calls.waitForEnd())
        for call in calls.list {
            #expect(call.info[PHImageResultRequestIDKey] as? PHImageRequestID == id)
            #expect(call.isDegraded != nil)
            #expect(call.info[PHImageResultIsInCloudKey] as? Bool == false)
            #expect(call.image != nil || call.error != nil || call.isCancelled)
        }
        return calls.list
    }

    private func synchronous(
        _ asset: PHAsset,
        _ size: CGSize,
        _ mode: PHImageContentMode,
        _ resize: PHImageRequestOptionsResizeMode,
        crop: CGRect = .zero
    ) throws -> UIImage {
        let options = options(.opportunistic, resize)
        options.isSynchronous = true
        options.normalizedCropRect = crop
        var calls: [Call] = []
        let id = manager.requestImage(
            for: asset,
            targetSize: size,
            contentMode: mode,
            options: options
        ) { image, info in
            calls.append(
                Call(image: image, info: info ?? [:], isOnMainThread: Self.isOnMain)
            )
        }
        // 178, 179
        #expect(id == PHInvalidImageRequestID)
        try #require(calls.count == 1)
        #expect(calls[0].isDegraded == false)
        return try #require(calls[0].image, "\(String(describing: calls[0].error))")
    }

    @Test("High quality calls once, on the main queue, with what was asked for")
    func highQualityCallsOnce() async throws {
        let asset = try still()
        let calls = try await request(asset, CGSize(width: 120, height: 120), options())
        try #require(calls.count == 1)
        #expect(calls[0].isDegraded == false && calls[0].isOnMainThread)
        let (width, height) = try #require(calls[0].pixels)
        #expect(max(width, height) >= 120)
    }

    @Test("Opportunistic calls end with a picture that is not degraded; nothing comes after it")
    func opportunisticEndsOnce() async throws {
        for asset in try library.assets() where asset.mediaType == .image {
            let calls = try await request(asset, CGSize(width: 400, height: 400), nil)
            #expect(calls.dropLast().allSatisfy { $0.isDegraded == true && $0.image != nil })
            #expect(calls.filter(\.isLast).count == 1)
            let call = try #require(calls.last)
            #expect(call.image != nil, "\(asset): \(String(describing: call.error))")
        }
    }

    @Test func fastFormatCallsOnce() async throws {
        let calls = try await request(
            try still(1),
            CGSize(width: 3000, height: 3000),
            options(.fastFormat)
        )
        #expect(calls.count == 1 && calls[0].image != nil)
    }

    @Test(
        "A target size of zero asks for all pixels, however it is asked",
        arguments: [
            CGSize.zero, CGSize(width: 0, height: 100), CGSize(width: 100, height: 0),
        ]
    )
    func zeroIsTheOriginalSize(_ size: CGSize) async throws {
        let asset = try still()
        for mode in [PHImageContentMode.aspectFit, .aspectFill] {
            for resize in PHImageRequestOptionsResizeMode.allCases {
                let image = try synchronous(asset, size, mode, resize)
                #expect(image.cgImage?.width == asset.pixelWidth)
                #expect(image.cgImage?.height == asset.pixelHeight)
            }
        }
        let last = try #require(try await request(asset, size, nil).last)
        let (width, height) = try #require(last.pixels)
        #expect((width, height) == (asset.pixelWidth, asset.pixelHeight))
    }

    @Test("Exact is exactly what was asked for, in both modes, for any aspect")
    func exactSizes() throws {
        let asset = try still()
        for (width, height) in [(100, 100), (90, 33), (33, 90), (1, 1), (2000, 1500)] {
            for mode in [PHImageContentMode.aspectFit, .aspectFill] {
                let size = CGSize(width: width, height: height)
                let pixels = try #require(try synchronous(asset, size, mode, .exact).cgImage)
                #expect(pixels.width == width && pixels.height == height)
            }
        }
    }

    @Test("Fast never gives fewer pixels than asked for, unless there are none")
    func fastSizes() throws {
        let asset = try still()
        for (width, height) in [(100, 100), (90, 33), (260, 40), (4000, 4000)] {
            let size = CGSize(width: width, height: height)
            let fit = try #require(try synchronous(asset, size, .aspectFit, .fast).cgImage)
            let scale = min(
                1,
                Double(width) / Double(asset.pixelWidth),
                Double(height) / Double(asset.pixelHeight)
            )
            #expect(fit.width >= Int(Double(asset.pixelWidth) * scale))
            #expect(fit.height >= Int(Double(asset.pixelHeight) * scale))
            let fill = try #require(try synchronous(asset, size, .aspectFill, .fast).cgImage)
            #expect(fill.width >= min(width, asset.pixelWidth))
            #expect(fill.height >= min(height, asset.pixelHeight))
        }
    }

    @Test("The maximum size is all pixels, whatever the options say")
    func maximumSize() throws {
        for asset in try library.assets().prefix(12) where asset.mediaType == .image {
            let image = try synchronous(
                asset,
                PHImageManagerMaximumSize,
                .aspectFill,
                .exact,
                crop: CGRect(x: 0, y: 0, width: 0.5, height: 0.5)
            )
            #expect(image.size == CGSize(width: asset.pixelWidth, height: asset.pixelHeight))
            let none = try synchronous(asset, CGSize(width: 9, height: 9), .aspectFit, .none)
            #expect(none.size == image.size)
        }
    }

    @Test("A crop is that part of the upright picture")
    func crops() throws {
        let asset = try still()
        let whole = try #require(
            try synchronous(asset, PHImageManagerMaximumSize, .aspectFit, .exact).cgImage
        )
        let crop = try #require(
            try synchronous(
                asset,
                CGSize(width: whole.width / 2, height: whole.height / 2),
                .aspectFill,
                .exact,
                crop: CGRect(x: 0.5, y: 0.5, width: 0.5, height: 0.5)
            )
            .cgImage
        )
        #expect(crop.width == whole.width / 2 && crop.height == whole.height / 2)
        let all = try #require(whole.dataProvider?.data)
        let part = try #require(crop.dataProvider?.data)
        var sum = 0
        for y in 0..<crop.height {
            for x in 0..<crop.width {
                let from = (y + whole.height / 2) * whole.bytesPerRow + (x + whole.width / 2) * 4
                let to = y * crop.bytesPerRow + x * 4
                for channel in 0..<3 {
                    sum += abs(Int(all[from + channel]) - Int(part[to + channel]))
                }
            }
        }
        #expect(Double(sum) / Double(crop.width * crop.height * 3) < 3)
    }

    @Test("A cancelled request ends once, as cancelled or as it was before")
    func cancellation() async throws {
        for asset in try library.assets().prefix(20) {
            let calls = Calls()
            let id = manager.requestImage(
                for: asset,
                targetSize: PHImageManagerMaximumSize,
                contentMode: .aspectFit,
                options: options()
            ) { image, info in
                calls.add(image, info) { $0.isLast }
            }
            manager.cancelImageRequest(id)
            manager.cancelImageRequest(id)
            #expect(await calls.waitForEnd())
            #expect(calls.list.count == 1)
        }
        // 181
        manager.cancelImageRequest(999_999)
        manager.cancelImageRequest(PHInvalidImageRequestID)
    }

    @Test("A movie gives a frame")
    func movies() async throws {
        let movies = try library.assets().filter { $0.mediaType == .video }
        let asset = try #require(movies.first)
        let calls = try await request(asset, CGSize(width: 100, height: 100), options())
        #expect(calls.last?.image != nil)
    }

    @Test("An asset of no library ends with a reason")
    func noLibrary() async throws {
        let calls = Calls()
        manager.requestImage(
            for: PHAsset(),
            targetSize: CGSize(width: 10, height: 10),
            contentMode: .default,
            options: nil
        ) { image, info in
            calls.add(image, info) { _ in true }
        }
        #expect(await calls.waitForEnd())
        let error = try #require(calls.list.first?.error as? PHPhotosError)
        #expect(error.recoverySuggestion != nil)
    }

    @Test("Data are the file's own bytes, with how they are turned")
    func data() async throws {
        for asset in try library.assets() where asset.mediaType == .image {
            let (data, type, orientation, info) = await withCheckedContinuation {
                (continuation: CheckedContinuation<Answer, Never>) in
                manager.requestImageDataAndOrientation(for: asset, options: nil) {
                    continuation.resume(returning: Answer($0, $1, $2, $3))
                }
            }
            .values
            let resources = PHAssetResource.assetResources(for: asset)
            let shown = resources.first { $0.type == .fullSizePhoto } ?? resources.first
            let resource = try #require(shown)
            let bytes = try #require(data)
            let size = resource.value(forKey: "fileSize") as? NSNumber
            #expect(bytes.count == size?.intValue)
            #expect(type == resource.uniformTypeIdentifier)
            #expect(info?[PHImageErrorKey] == nil)
            if asset.contentType == .jpeg {
                let image = try #require(UIImage(data: bytes))
                #expect(
                    image.size == CGSize(width: asset.pixelWidth, height: asset.pixelHeight)
                )
            }
            #expect(CGImagePropertyOrientation.allCases.contains(orientation))
        }
    }

    private struct Answer: @unchecked Sendable {
        let values: (Data?, String?, CGImagePropertyOrientation, [AnyHashable: Any]?)

        init(
            _ data: Data?,
            _ type: String?,
            _ orientation: CGImagePropertyOrientation,
            _ info: [AnyHashable: Any]?
        ) {
            values = (data, type, orientation, info)
        }
    }
}
