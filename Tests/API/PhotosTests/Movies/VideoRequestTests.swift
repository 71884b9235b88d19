import Foundation
import Photos
import PhotosManagement
import Synchronization
import Testing

/// Requests for movies (behavior 193, 201–204), on samples with real files.
@Suite(.timeLimit(.minutes(5))) struct VideoRequestTests {
    private let library: FilesLibrary
    private let manager = PHImageManager()

    init() throws {
        library = try FilesLibrary.shared.get()
    }

    /// The answer to a request.
    private struct Answer<Value>: @unchecked Sendable {
        // Unchecked because it has a single owner.
        var value: Value?
        var info: [AnyHashable: Any]
        var calls: Int

        var error: PHPhotosError? { info[PHImageErrorKey] as? PHPhotosError }
        var isCancelled: Bool { info[PHImageCancelledKey] as? Bool ?? false }
    }

    /// Counts the calls of a handler and keeps the last result.
    private final class Box<Value>: Sendable {
        private let last = Mutex<Answer<Value>?>(nil)
        private let came = DispatchSemaphore(value: 0)

        func take(_ value: Value?, _ info: [AnyHashable: Any]?) {
            let answer = Answer(value: value, info: info ?? [:], calls: 1)
            last.withLock { last in
                var answer = answer
                answer.calls += last?.calls ?? 0
                last = answer
            }
            came.signal()
        }

        func wait() async throws -> Answer<Value> {
            let isThere = await withCheckedContinuation { continuation in
                DispatchQueue.global().async {
                    continuation.resume(
                        returning: self.came.wait(timeout: .now() + 60) == .success
                    )
                }
            }
            try #require(isThere)
            return try #require(last.withLock { $0 })
        }

        var calls: Int { last.withLock { $0?.calls ?? 0 } }
    }

    private func videos() throws -> [PHAsset] {
        try library.assets().filter { $0.mediaType == .video }
    }

    private func movie(
        _ asset: PHAsset,
        _ options: PHVideoRequestOptions? = nil
    ) async throws -> Answer<AVAsset> {
        let box = Box<AVAsset>()
        let id = manager.requestAVAsset(forVideo: asset, options: options) { movie, mix, info in
            #expect(mix == nil)
            box.take(movie, info)
        }
        #expect(id != PHInvalidImageRequestID)
        let answer = try await box.wait()
        #expect(answer.info[PHImageResultRequestIDKey] as? PHImageRequestID == id)
        #expect(answer.info[PHImageResultIsInCloudKey] as? Bool == false)
        #expect(answer.calls == 1)
        return answer
    }

    @Test("Videos arrive as URL-based assets of the original, in every mode (202, 204)")
    func videosAreFiles() async throws {
        for asset in try videos() {
            for mode: PHVideoRequestOptionsDeliveryMode in [
                .automatic, .highQualityFormat, .mediumQualityFormat, .fastFormat,
            ] {
                for version: PHVideoRequestOptionsVersion in [.current, .original] {
                    let options = PHVideoRequestOptions()
                    options.deliveryMode = mode
                    options.version = version
                    let answer = try await movie(asset, options)
                    let file = try #require(answer.value as? AVURLAsset)
                    let resource = try #require(PHAssetResource.assetResources(for: asset).first)
                    try expectSameFile(file, resource)
                }
            }
            let answer = try await movie(asset)
            let value = try #require(answer.value)
            let duration = try await value.load(.duration)
            #expect(abs(duration.seconds - asset.duration) < 0.1)
            let track = try #require(try await value.loadTracks(withMediaType: .video).first)
            let upright = CGRect(origin: .zero, size: track.naturalSize)
                .applying(track.preferredTransform)
            #expect(Int(upright.width.rounded()) == asset.pixelWidth)
            #expect(Int(upright.height.rounded()) == asset.pixelHeight)
        }
    }

    @Test func optionsHaveTheirDefaults() {
        let options = PHVideoRequestOptions()
        #expect(options.version == .current && options.deliveryMode == .automatic)
        #expect(!options.isNetworkAccessAllowed && options.progressHandler == nil)
        #expect(PHVideoRequestOptionsDeliveryMode(rawValue: 3) == .fastFormat)
        #expect(PHVideoRequestOptionsVersion(rawValue: 1) == .original)
    }

    @Test("A handler may wait for another request (201)")
    func handlersMayBlock() async throws {
        let assets = try videos()
        let asset = try #require(assets.first)
        let done = Box<Int>()
        let manager = manager
        for _ in 0..<6 {
            manager.requestAVAsset(forVideo: asset, options: nil) { _, _, _ in
                let inner = DispatchSemaphore(value: 0)
                manager.requestAVAsset(forVideo: asset, options: nil) { _, _, _ in inner.signal() }
                if inner.wait(timeout: .now() + 30) == .success { done.take(1, nil) }
            }
        }
        for _ in 0..<6 { _ = try await done.wait() }
        #expect(done.calls == 6)
    }

    @Test("Player items and export sessions are of the same file (203)")
    func itemsAndSessions() async throws {
        let asset = try #require(try videos().first)
        let items = Box<AVPlayerItem>()
        manager.requestPlayerItem(forVideo: asset, options: nil) { items.take($0, $1) }
        let item = try #require(try await items.wait().value)
        #expect(item.asset is AVURLAsset && item.status == .unknown)
        _ = try await item.asset.load(.tracks)
        #expect(item.status == .readyToPlay)
        #expect(abs(item.duration.seconds - asset.duration) < 0.1)

        let folder = try Folder()
        let sessions = Box<AVAssetExportSession>()
        manager.requestExportSession(
            forVideo: asset,
            options: nil,
            exportPreset: AVAssetExportPresetPassthrough
        ) { sessions.take($0, $1) }
        let session = try #require(try await sessions.wait().value)
        let url = folder.file("out.mov")
        try await session.export(to: url, as: .mov)
        #expect(abs(try FFProbe(url).duration - asset.duration) < 0.2)

        let wrong = Box<AVAssetExportSession>()
        manager.requestExportSession(forVideo: asset, options: nil, exportPreset: "Best") {
            wrong.take($0, $1)
        }
        let answer = try await wrong.wait()
        #expect(answer.value == nil && answer.error?.recoverySuggestion != nil)
    }

    @Test("A Live Photo answers with the movie beside its still; a photo with a reason")
    func photos() async throws {
        let assets = try library.assets()
        let live = try #require(assets.first { $0.mediaSubtypes.contains(.photoLive) })
        let answer = try await movie(live)
        let resource = PHAssetResource.assetResources(for: live).first { $0.type == .pairedVideo }
        try expectSameFile(#require(answer.value as? AVURLAsset), #require(resource))
        let plain = try #require(
            assets.first { $0.mediaType == .image && !$0.mediaSubtypes.contains(.photoLive) }
        )
        let refused = try await movie(plain)
        #expect(refused.value == nil && refused.error?.code == .requestNotSupportedForAsset)
        let nothing = try await movie(PHAsset())
        #expect(nothing.value == nil && nothing.error != nil)
    }

    @Test("The current movie is the edited one, the original is the original")
    func versions() async throws {
        let world = try ChangingLibrary(assets: 0)
        let folder = try Folder()
        let files = [folder.file("a.mov"), folder.file("b.mov")]
        for (file, seconds) in zip(files, ["1", "2"]) {
            _ = try Tool.run(
                "ffmpeg",
                [
                    "-v", "error", "-f", "lavfi", "-i", "testsrc=s=160x90:r=10:d=\(seconds)",
                    file.path,
                ]
            )
        }
        try world.change {
            let request = PHAssetCreationRequest.forAsset()
            request.addResource(with: .video, fileURL: files[0], options: nil)
            request.addResource(with: .fullSizeVideo, fileURL: files[1], options: nil)
            request.addResource(with: .adjustmentData, data: Data("edit".utf8), options: nil)
        }
        let assets = world.assets { $0.predicate = NSPredicate(format: "mediaType == 2") }
        let asset = try #require(assets.firstObject)
        let options = PHVideoRequestOptions()
        for (version, seconds) in [(PHVideoRequestOptionsVersion.current, 2.0), (.original, 1)] {
            options.version = version
            let value = try #require(try await movie(asset, options).value)
            #expect(abs(value.duration.seconds - seconds) < 0.05)
        }
    }

    @Test("A cancelled request ends once, as cancelled or as it was before")
    func cancellation() async throws {
        let asset = try #require(try videos().first)
        for _ in 0..<50 {
            let box = Box<AVAsset>()
            let id = manager.requestAVAsset(forVideo: asset, options: nil) { movie, _, info in
                box.take(movie, info)
            }
            manager.cancelImageRequest(id)
            manager.cancelImageRequest(id)
            let answer = try await box.wait()
            #expect(answer.isCancelled == (answer.value == nil) && answer.error == nil)
            #expect(box.calls == 1)
        }
    }

    @Test("A movie whose file is gone says so")
    func missingFiles() async throws {
        let own = try Folder()
        let sample = own.file("sample.mov")
        try FileManager.default.copyItem(
            at: try #require(try FilesLibrary.shared.get().sampleMovie()),
            to: sample
        )
        let url = own.file("Own.photolibrary")
        try PhotoLibraryBundle.create(at: url)
        let bundle = try PhotoLibraryBundle.open(at: url)
        _ = try LibraryImport(library: bundle, paths: [SourcePath(sample.path)]).run { _ in }
        let asset = try #require(try bundle.fetchAssets(with: nil).firstObject)
        let kept = try #require(try await movie(asset).value)
        let resource = try #require(PHAssetResource.assetResources(for: asset).first)
        let file = try #require(resource.value(forKey: "fileURL") as? URL)
        try FileManager.default.removeItem(at: file)
        let answer = try await movie(asset)
        #expect(answer.value == nil && answer.error?.code == .missingResource)
        // An asset that was returned before keeps the file open.
        #expect(try await !kept.load(.tracks).isEmpty)
    }

    @Test("A poster frame is upright, and a frame of the movie (193)")
    func posterFrames() async throws {
        let folder = try Folder()
        for asset in try videos() {
            let options = PHImageRequestOptions()
            options.isSynchronous = true
            options.resizeMode = .none
            var poster: UIImage?
            manager.requestImage(
                for: asset,
                targetSize: PHImageManagerMaximumSize,
                contentMode: .aspectFit,
                options: options
            ) { image, _ in poster = image }
            let image = try #require(poster?.cgImage)
            #expect(image.width == asset.pixelWidth && image.height == asset.pixelHeight)
            // Its URL may be valid as long as it exists.
            let value = try #require(try await movie(asset).value as? AVURLAsset)
            defer { withExtendedLifetime(value) {} }
            let file = value.url
            let reference = folder.file("\(UUID().uuidString).png")
            _ = try Tool.run(
                "ffmpeg",
                ["-v", "error", "-i", file.path, "-frames:v", "1", reference.path]
            )
            let frame = try #require(UIImage(contentsOfFile: reference.path)?.cgImage)
            try #require(frame.width == image.width && frame.height == image.height)
            let one = try #require(image.dataProvider?.data)
            let other = try #require(frame.dataProvider?.data)
            var sum = 0
            for y in stride(from: 0, to: frame.height, by: 4) {
                for x in 0..<frame.width {
                    for channel in 0..<3 {
                        sum += abs(
                            Int(one[y * image.bytesPerRow + x * 4 + channel])
                                - Int(other[y * frame.bytesPerRow + x * 4 + channel])
                        )
                    }
                }
            }
            let samples = (frame.height + 3) / 4 * frame.width * 3
            #expect(Double(sum) / Double(samples) < 6, "\(asset)")
        }
    }

    /// Expects that the URLs of a movie and of a resource are those of one file.
    private func expectSameFile(_ movie: AVURLAsset, _ resource: PHAssetResource) throws {
        let url = try #require(resource.value(forKey: "fileURL") as? URL)
        #expect(try Data(contentsOf: movie.url) == Data(contentsOf: url))
    }
}
