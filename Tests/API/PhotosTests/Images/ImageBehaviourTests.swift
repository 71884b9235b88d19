import Dispatch
import Foundation
import Photos
import PhotosManagement
import Synchronization
import Testing

/// The remaining behaviors of image requests, on a separate library (behavior 171, 174, 177,
/// 183–186, 190–192 and 195–200; pains 4 and 13).
@Suite(.timeLimit(.minutes(3))) struct ImageBehaviourTests {
    private let world: ChangeWorld
    private let manager = PHImageManager()

    init() throws {
        world = try ChangeWorld()
    }

    /// The last answer to a request.
    private struct Answer: @unchecked Sendable {
        // Unchecked because the dictionary is only read.
        var image: UIImage?
        var info: [AnyHashable: Any]

        var error: PHPhotosError? { info[PHImageErrorKey] as? PHPhotosError }
    }

    private func options(
        _ version: PHImageRequestOptionsVersion = .current,
        delivery: PHImageRequestOptionsDeliveryMode = .highQualityFormat,
        isSynchronous: Bool = true
    ) -> PHImageRequestOptions {
        let options = PHImageRequestOptions()
        options.version = version
        options.deliveryMode = delivery
        options.isSynchronous = isSynchronous
        return options
    }

    private func image(
        _ asset: PHAsset,
        _ size: CGSize = PHImageManagerMaximumSize,
        _ options: PHImageRequestOptions
    ) -> [Answer] {
        var answers: [Answer] = []
        manager.requestImage(
            for: asset,
            targetSize: size,
            contentMode: .default,
            options: options
        ) { image, info in answers.append(Answer(image: image, info: info ?? [:])) }
        return answers
    }

    private func data(
        _ asset: PHAsset,
        _ version: PHImageRequestOptionsVersion
    ) -> (data: Data?, type: String?, info: [AnyHashable: Any]) {
        var found: (Data?, String?, [AnyHashable: Any]) = (nil, nil, [:])
        manager.requestImageDataAndOrientation(for: asset, options: options(version)) {
            data,
            type,
            _,
            info in
            found = (data, type, info ?? [:])
        }
        return found
    }

    /// Adds an asset from files.
    private func asset(_ files: [(PHAssetResourceType, URL)]) throws -> PHAsset {
        var identifier = ""
        try world.change {
            let request = PHAssetCreationRequest.forAsset()
            for (type, url) in files { request.addResource(with: type, fileURL: url, options: nil) }
            identifier = request.placeholderForCreatedAsset?.localIdentifier ?? ""
        }
        return try #require(world.assets.first { $0.localIdentifier == identifier })
    }

    /// Creates a photo of a given size in one color.
    private func png(_ name: String, _ width: Int, _ height: Int) throws -> URL {
        let url = world.folder.file(name)
        _ = try Tool.run(
            "vips",
            ["black", url.path, "\(width)", "\(height)", "--bands", "3"]
        )
        return url
    }

    // MARK: - Options

    @Test func whatOptionsSayWhenNobodySaysAnything() throws {
        let options = PHImageRequestOptions()
        #expect(PHImageContentMode.default == .aspectFit)  // 171
        #expect(options.deliveryMode == .opportunistic)
        #expect(options.resizeMode == .fast)  // 186
        #expect(options.version == .current)
        #expect(!options.isSynchronous && !options.isNetworkAccessAllowed)
        #expect(!options.preferHDR && options.targetHDRHeadroom == 0)  // 195
        #expect(!options.allowSecondaryDegradedImage && options.normalizedCropRect == .zero)
        options.preferHDR = true
        options.targetHDRHeadroom = 3
        options.allowSecondaryDegradedImage = true
        let copy = try #require(options.copy() as? PHImageRequestOptions)
        #expect(copy.preferHDR && copy.targetHDRHeadroom == 3 && copy.allowSecondaryDegradedImage)
    }

    @Test("Nothing is downloaded, so nobody hears of progress; a synchronous request is never fast")
    func synchronousRequests() throws {
        let asset = try asset([(.photo, try png("a.png", 400, 300))])
        let options = options(delivery: .fastFormat)
        let calls = Mutex(0)
        options.progressHandler = { _, _, _, _ in calls.withLock { $0 += 1 } }
        for isAllowed in [false, true] {
            options.isNetworkAccessAllowed = isAllowed
            let answers = image(asset, options)
            // 177, 178, 183
            #expect(answers.count == 1)
            #expect(answers[0].image?.size == CGSize(width: 400, height: 300))
            #expect(answers[0].info[PHImageResultIsDegradedKey] as? Bool == false)
            #expect(answers[0].info[PHImageResultIsInCloudKey] as? Bool == false)
        }
        // 185
        #expect(calls.withLock { $0 } == 0)
    }

    private func image(_ asset: PHAsset, _ options: PHImageRequestOptions) -> [Answer] {
        image(asset, PHImageManagerMaximumSize, options)
    }

    // MARK: - Versions

    @Test("A version is that one, for images and for data (190, 192; pains 4)")
    func versions() throws {
        let original = try png("IMG_1.png", 90, 60)
        let adjustments = world.folder.file("IMG_1.AAE")
        try Data(
            """
            <?xml version="1.0" encoding="UTF-8"?>
            <plist version="1.0"><dict><key>adjustmentFormatIdentifier</key>
            <string>com.example.edit</string></dict></plist>
            """.utf8
        ).write(to: adjustments)
        let edit = try png("edit.png", 40, 50)
        let edited = try asset([
            (.photo, original), (.adjustmentData, adjustments), (.fullSizePhoto, edit),
        ])
        let plain = try asset([(.photo, try png("IMG_2.png", 70, 70))])
        func size(_ asset: PHAsset, _ version: PHImageRequestOptionsVersion) -> CGSize? {
            image(asset, options(version)).last?.image?.size
        }
        #expect(size(edited, .current) == CGSize(width: 40, height: 50))
        #expect(size(edited, .unadjusted) == CGSize(width: 90, height: 60))
        #expect(size(edited, .original) == CGSize(width: 90, height: 60))
        let bytes = try (rendered: Data(contentsOf: edit), stored: Data(contentsOf: original))
        #expect(data(edited, .current).data == bytes.rendered)
        #expect(data(edited, .unadjusted).data == bytes.stored)
        #expect(data(edited, .original).data == bytes.stored)
        for version in PHImageRequestOptionsVersion.allCases {
            #expect(size(plain, version) == CGSize(width: 70, height: 70))
        }
        // Thumbnails are of the version, too.
        let small = image(edited, CGSize(width: 20, height: 20), options(.unadjusted))
        #expect((small.last?.image?.size.width ?? 0) >= (small.last?.image?.size.height ?? 0))
    }

    @Test("Of RAW and JPEG, the original is the RAW (190)")
    func rawAndJPEG() throws {
        let samples = try FilesLibrary.shared.get()
        let pair = try #require(
            try samples.assets().first { asset in
                PHAssetResource.assetResources(for: asset).contains { $0.type == .alternatePhoto }
            }
        )
        let raw = try #require(
            PHAssetResource.assetResources(for: pair).first { $0.type == .alternatePhoto }
        )
        #expect(data(pair, .original).type == raw.uniformTypeIdentifier)
        #expect(data(pair, .current).type != raw.uniformTypeIdentifier)
        #expect(data(pair, .unadjusted).type == data(pair, .current).type)
        #expect(image(pair, options(.original)).last?.image != nil)
    }

    @Test("The old form gives the same bytes, once; a movie has none (191, 192)")
    func dataOnce() async throws {
        let asset = try asset([(.photo, try png("a.png", 30, 20))])
        let calls = Mutex<[(Data?, String?, UIImage.Orientation)]>([])
        let asynchronous = options(delivery: .opportunistic, isSynchronous: false)
        await withCheckedContinuation { continuation in
            manager.requestImageData(for: asset, options: asynchronous) { data, type, turn, _ in
                calls.withLock { $0.append((data, type, turn)) }
                continuation.resume()
            }
        }
        let all = calls.withLock { $0 }
        try #require(all.count == 1)
        #expect(all[0].0 == data(asset, .current).data)
        #expect(all[0].1 == "public.png" && all[0].2 == .up)
        let samples = try FilesLibrary.shared.get()
        let movie = try #require(try samples.assets().first { $0.mediaType == .video })
        let error = try #require(data(movie, .current).info[PHImageErrorKey] as? PHPhotosError)
        #expect(error.recoverySuggestion?.contains("PHAssetResourceManager") == true)
    }

    @Test("Data belong to the program, which may write to them; the file stays as it is")
    func writtenData() throws {
        let url = try png("a.png", 300, 200)
        let bytes = try Data(contentsOf: url)
        let asset = try asset([(.photo, url)])
        var own = try #require(data(asset, .current).data)
        try #require(own == bytes && own.count > 64)
        own[0] = 0
        own.resetBytes(in: 1..<4)
        own.withUnsafeMutableBytes { (bytes: UnsafeMutableRawBufferPointer) in bytes[4] = 0 }
        own.replaceSubrange(5..<8, with: [0, 0, 0])
        #expect(own.prefix(8) == Data(count: 8) && own.dropFirst(8) == bytes.dropFirst(8))
        #expect(data(asset, .current).data == bytes)
    }

    // MARK: - Damage

    @Test("A photo that is cut short shows what there is, and says so (184; pains 2)")
    func cutShort() throws {
        let whole = try Data(contentsOf: try world.photo())
        let url = world.folder.file("half.jpg")
        try whole.prefix(whole.count * 3 / 4).write(to: url)
        let asset = try asset([(.photo, url)])
        for size in [PHImageManagerMaximumSize, CGSize(width: 50, height: 50)] {
            for _ in 0..<2 {
                let answer = try #require(image(asset, size, options()).last)
                #expect(answer.image != nil)
                let error = try #require(answer.error)
                #expect(error.localizedDescription.contains("is not complete"))
                #expect(error.failureReason?.contains("truncated") == true)
                #expect(error.recoverySuggestion?.isEmpty == false)
            }
        }
    }

    // MARK: - HDR

    @Test("HDR is light in half precision, plain otherwise (195)")
    func highDynamicRange() throws {
        let url = world.folder.file("white.png")
        _ = try Tool.run("vips", ["black", url.path + ".v", "64", "48", "--bands", "3"])
        _ = try Tool.run("vips", ["linear", url.path + ".v", url.path, "1", "255", "--uchar"])
        let asset = try asset([(.photo, url)])
        let bright = options()
        bright.preferHDR = true
        let plain = try #require(image(asset, options()).last?.image?.cgImage)
        let image = try #require(image(asset, bright).last?.image)
        let pixels = try #require(image.cgImage)
        #expect(plain.bitsPerPixel == 32 && plain.contentHeadroom == 1)
        #expect(pixels.bitsPerComponent == 16 && pixels.bitsPerPixel == 64)
        #expect(pixels.bytesPerRow == 64 * 8 && pixels.alphaInfo == .noneSkipLast)
        #expect(pixels.bitmapInfo.contains([.floatComponents, .byteOrder16Little]))
        #expect(pixels.colorSpace?.name == CGColorSpace.extendedLinearDisplayP3)
        #expect(abs(pixels.contentHeadroom - 1) < 0.002)
        let data = try #require(pixels.dataProvider?.data)
        #expect(data.count == 64 * 48 * 8)
        // The number one as a 16-bit float.
        #expect(data[0] == 0 && data[1] == 0x3c && data[6] == 0 && data[7] == 0x3c)
        // As a file it is an SDR picture again.
        let again = try #require(image.pngData().flatMap { UIImage(data: $0) })
        #expect(again.size == CGSize(width: 64, height: 48))
        #expect(again.cgImage?.dataProvider?.data?.first ?? 0 >= 200)
    }

    // MARK: - Caching

    /// Returns whether a picture is delivered before the call returns, on the main thread (174).
    @MainActor
    private static func isAtOnce(_ asset: PHAsset, _ side: Int) -> Bool {
        let manager = PHImageManager.default()
        let calls = Mutex(0)
        let id = manager.requestImage(
            for: asset,
            targetSize: CGSize(width: side, height: side),
            contentMode: .aspectFit,
            options: nil
        ) { image, _ in if image != nil { calls.withLock { $0 += 1 } } }
        defer { manager.cancelImageRequest(id) }
        return calls.withLock { $0 } > 0
    }

    @Test("What was delivered is at hand for all that it covers (174, 196, 197)")
    func deliveredPicturesAreCached() async throws {
        let asset = try asset([(.photo, try png("a.png", 900, 600))])
        #expect(await !Self.isAtOnce(asset, 200))
        _ = image(asset, CGSize(width: 200, height: 200), options())
        #expect(await Self.isAtOnce(asset, 200))
        #expect(await Self.isAtOnce(asset, 150))
        #expect(await !Self.isAtOnce(asset, 600))
    }

    @Test("The first of two caching requests for an asset counts until it is stopped (198)")
    func theFirstCachingWins() async throws {
        let asset = try asset([(.photo, try png("a.png", 900, 600))])
        let caching = PHCachingImageManager()
        #expect(caching.allowsCachingHighQualityImages)  // 200
        func start(_ side: Int) {
            caching.startCachingImages(
                for: [asset],
                targetSize: CGSize(width: side, height: side),
                contentMode: .aspectFit,
                options: nil
            )
        }
        start(600)
        start(60)
        let deadline = ContinuousClock.now + .seconds(30)
        while await !Self.isAtOnce(asset, 600), ContinuousClock.now < deadline {
            await Task.yield()
        }
        #expect(await Self.isAtOnce(asset, 600))
        #expect(await !Self.isAtOnce(asset, 60))
        caching.stopCachingImages(
            for: [asset],
            targetSize: CGSize(width: 600, height: 600),
            contentMode: .aspectFit,
            options: nil
        )
        start(60)
        while await !Self.isAtOnce(asset, 60), ContinuousClock.now < deadline { await Task.yield() }
        #expect(await Self.isAtOnce(asset, 60))
    }

    @Test("Cropping and exact sizes happen at delivery (199)")
    func cropsAreNotCachedAsTheWhole() throws {
        let asset = try asset([(.photo, try png("a.png", 300, 200))])
        let exact = options()
        exact.resizeMode = .exact
        exact.normalizedCropRect = CGRect(x: 0.5, y: 0, width: 0.5, height: 0.5)
        for _ in 0..<2 {
            let part = image(asset, CGSize(width: 33, height: 44), exact).last?.image
            #expect(part?.size == CGSize(width: 33, height: 44))
            let whole = image(asset, CGSize(width: 150, height: 100), options()).last?.image
            #expect((whole?.size.width ?? 0) >= 150)
        }
    }
}
