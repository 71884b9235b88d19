import Foundation
import PhotosCompanions
import TestSupport
import Testing

/// Thumbnails of movies, as programs create them.
@Suite(.timeLimit(.minutes(3))) struct ImageGeneratorTests {
    private let folder: TemporaryFolder
    private let movie: URL

    init() throws {
        folder = try TemporaryFolder()
        movie = folder.file("movie.mov")
        // A second each of black, green and white, with a key frame at the start only; stored
        // rotated.
        let colors = ["black", "0x00ff00", "white"].map { "color=\($0):s=64x48:r=25:d=1" }
        let made = try ProcessRunner.run(
            "ffmpeg",
            ["-v", "error"] + colors.flatMap { ["-f", "lavfi", "-i", $0] } + [
                "-filter_complex", "concat=n=3", "-c:v", "libx264", "-g", "1000", "-bf", "2",
                "-sc_threshold", "0", "-pix_fmt", "yuv420p", folder.file("plain.mov").path,
            ]
        )
        try #require(made.status == 0, "\(made.errorText)")
        let turned = try ProcessRunner.run(
            "ffmpeg",
            [
                "-v", "error", "-i", folder.file("plain.mov").path, "-c", "copy",
                "-metadata:s:v:0", "rotate=90", movie.path,
            ]
        )
        try #require(turned.status == 0, "\(turned.errorText)")
    }

    private func thumbnail(of url: URL, at seconds: Double) throws -> CGImage {
        let asset = AVAsset(url: url)
        let generator = AVAssetImageGenerator(asset: asset)
        generator.appliesPreferredTrackTransform = true
        let time = CMTime(seconds: seconds, preferredTimescale: 600)
        return try generator.copyCGImage(at: time, actualTime: nil)
    }

    @Test(
        arguments: [
            (0.0, [0, 0, 0]), (0.98, [0, 0, 0]), (1.0, [0, 255, 0]), (2.5, [255, 255, 255]),
        ] as [(Double, [UInt8])]
    )
    func aFrameIsTheOneShownThen(_ row: (Double, [UInt8])) throws {
        let image = try thumbnail(of: movie, at: row.0)
        #expect(image.width == 48 && image.height == 64)
        #expect(Pictures.isNear(try Pictures.pixel(20, 20, of: image), row.1, within: 20))
    }

    @Test func settingsAreKept() throws {
        let generator = AVAssetImageGenerator(asset: AVURLAsset(url: movie))
        generator.maximumSize = CGSize(width: 32, height: 0)
        generator.requestedTimeToleranceBefore = .zero
        generator.requestedTimeToleranceAfter = .zero
        var actual = CMTime.invalid
        let time = CMTime(value: 61, timescale: 60)
        let image = try generator.copyCGImage(at: time, actualTime: &actual)
        #expect(image.width == 32 && image.height == 24)
        // Frames are a 25th of a second apart.
        #expect(abs(actual.seconds - 1) < 0.001, "\(actual.seconds)")
        #expect(throws: AVError.self) {
            try generator.copyCGImage(at: CMTime(value: 100, timescale: 1), actualTime: nil)
        }
        generator.requestedTimeToleranceBefore = .positiveInfinity
        let last = try generator.copyCGImage(
            at: CMTime(value: 100, timescale: 1),
            actualTime: &actual
        )
        #expect(Pictures.isNear(try Pictures.pixel(5, 5, of: last), [255, 255, 255], within: 20))
    }

    @Test func largeLimitsChangeNothing() throws {
        let generator = AVAssetImageGenerator(asset: AVURLAsset(url: movie))
        for side: CGFloat in [1e6, 1e19, .greatestFiniteMagnitude, .infinity] {
            generator.maximumSize = CGSize(width: side, height: side)
            let image = try generator.copyCGImage(at: .zero, actualTime: nil)
            #expect(image.width == 64 && image.height == 48, "\(side)")
        }
    }

    @Test func manyFramesComeInTheirOrder() async throws {
        let generator = AVAssetImageGenerator(asset: AVURLAsset(url: movie))
        let times = [0.5, 1.5, 2.5, 90].map {
            NSValue(time: CMTimeMakeWithSeconds($0, preferredTimescale: 600))
        }
        generator.requestedTimeToleranceBefore = .zero
        let results = AsyncStream<(CMTime, AVAssetImageGenerator.Result)> { continuation in
            nonisolated(unsafe) var remaining = times.count
            generator.generateCGImagesAsynchronously(forTimes: times) {
                requested,
                image,
                actual,
                result,
                error in
                #expect((image != nil) == (result == .succeeded))
                continuation.yield((requested, result))
                remaining -= 1
                if remaining == 0 { continuation.finish() }
            }
        }
        var found: [AVAssetImageGenerator.Result] = []
        for await (time, result) in results {
            #expect(time == times[found.count].timeValue)
            found.append(result)
        }
        #expect(found == [.succeeded, .succeeded, .succeeded, .failed])
        let (image, _) = try await generator.image(
            at: CMTime(seconds: 1.2, preferredTimescale: 600)
        )
        #expect(image.width == 64)
        var count = 0
        for await result in generator.images(for: [.zero, CMTime(value: 1, timescale: 1)]) {
            #expect(try result.image.height == 48)
            count += 1
        }
        #expect(count == 2)
    }

    @Test func whatIsNoMovieHasNoFrames() throws {
        let url = folder.file("text.mov")
        try Data("no movie".utf8).write(to: url)
        #expect(throws: AVError.self) { try thumbnail(of: url, at: 0) }
    }

    // MARK: - Sessions

    private final class Session: AVAssetExportSession, @unchecked Sendable {
        override func determineCompatibleFileTypes(
            completionHandler handler: @escaping ([AVFileType]) -> Void
        ) {
            handler([.mov])
        }

        override var supportedFileTypes: [AVFileType] { [.mov] }
    }

    @Test func compatibleTypesAreAskedForAndOverridden() async throws {
        let asset = AVURLAsset(url: movie)
        let session = try #require(
            AVAssetExportSession(asset: asset, presetName: AVAssetExportPresetHighestQuality)
        )
        let types = await withCheckedContinuation { continuation in
            session.determineCompatibleFileTypes { continuation.resume(returning: $0) }
        }
        #expect(types.contains(.mp4) && types.contains(.mov))
        let mine = try #require(
            Session(asset: asset, presetName: AVAssetExportPresetHighestQuality)
        )
        #expect(await mine.compatibleFileTypes == [.mov])
        #expect(mine.supportedFileTypes == [.mov])
        #expect(AVFileType.avci.rawValue == "public.avci")
        #expect(AVFileType.heic as CFString == "public.heic")
    }
}
