import Foundation
import PhotoModel
import PhotosCompanions
import SamplePhotos
import TestSupport
import Testing

/// A movie as programs see it, read and exported by a worker.
@Suite(.timeLimit(.minutes(1))) struct AVAssetTests {
    private let folder: TemporaryFolder
    private let asset: AVURLAsset

    init() throws {
        folder = try TemporaryFolder("photos-assets")
        var movie = SampleMovie(
            Picture(.sea, seed: 1),
            size: PixelSize(width: 96, height: 64),
            duration: 2,
            frameRate: 10,
            metadata: SampleMetadata(make: "Maker", orientation: .right)
        )
        movie.quality = 95
        let url = try folder.write(SampleFile.quickTime(movie), to: "a.mov")
        asset = AVURLAsset(url: url)
    }

    @Test func propertiesAreLoaded() async throws {
        let (duration, tracks) = try await asset.load(.duration, .tracks)
        #expect(abs(duration.seconds - 2) < 0.001 && tracks.count == 1)
        let track = try #require(tracks.first)
        #expect(track.mediaType == .video && track.isPlayable)
        let (size, rate, transform) = try await track.load(
            .naturalSize,
            .nominalFrameRate,
            .preferredTransform
        )
        // The movie is stored as it was taken, and turned for display.
        #expect(size == CGSize(width: 64, height: 96) && abs(rate - 10) < 0.01)
        let shown = CGRect(origin: .zero, size: size).applying(transform)
        #expect(shown.size == CGSize(width: 96, height: 64))
        let metadata = try await asset.load(.metadata)
        #expect(metadata.contains { $0.stringValue == "Maker" })
        let (isPlayable, isProtected) = try await asset.load(.isPlayable, .hasProtectedContent)
        #expect(isPlayable && !isProtected)
    }

    @Test func otherFilesCannotBeLoaded() async throws {
        let url = try folder.write(Data("no movie".utf8), to: "b.mov")
        await #expect(throws: (any Error).self) { try await AVURLAsset(url: url).load(.duration) }
        let missing = AVURLAsset(url: folder.file("missing.mov"))
        await #expect(throws: (any Error).self) { try await missing.load(.tracks) }
        #expect(AVURLAsset(url: url).duration == .invalid)
    }

    @Test func framesAreShownUpright() async throws {
        let generator = AVAssetImageGenerator(asset: asset)
        generator.appliesPreferredTrackTransform = true
        let time = CMTime(seconds: 1, preferredTimescale: 600)
        let (image, actual) = try await generator.image(at: time)
        #expect(image.width == 96 && image.height == 64 && abs(actual.seconds - 1) < 0.11)
        generator.maximumSize = CGSize(width: 48, height: 48)
        let small = try await generator.image(at: .zero).image
        #expect(small.width == 48 && small.height == 32)
        var times: [Double] = []
        let wanted = [0.0, 0.5, 1.5].map { CMTime(seconds: $0, preferredTimescale: 600) }
        for await result in generator.images(for: wanted) {
            times.append(result.requestedTime.seconds)
            #expect(try result.image.width == 48)
        }
        #expect(times == [0, 0.5, 1.5])
    }

    @Test func aMovieIsExported() async throws {
        let name = AVAssetExportPresetPassthrough
        let session = try #require(AVAssetExportSession(asset: asset, presetName: name))
        let target = folder.file("copy.mov")
        try await session.export(to: target, as: .mov)
        let copy = AVURLAsset(url: target)
        let (duration, metadata) = try await copy.load(.duration, .metadata)
        #expect(abs(duration.seconds - 2) < 0.01)
        #expect(metadata.contains { $0.stringValue == "Maker" })
        // A session exports once, and never over another file.
        let again = try #require(AVAssetExportSession(asset: asset, presetName: name))
        await #expect(throws: (any Error).self) { try await again.export(to: target, as: .mov) }
        #expect(AVAssetExportSession(asset: asset, presetName: "no preset") == nil)
    }

    @Test func aMovieIsEncodedAndCut() async throws {
        let name = AVAssetExportPresetMediumQuality
        let session = try #require(AVAssetExportSession(asset: asset, presetName: name))
        session.timeRange = CMTimeRange(
            start: CMTime(seconds: 0.5, preferredTimescale: 600),
            duration: CMTime(seconds: 1, preferredTimescale: 600)
        )
        let target = folder.file("cut.mp4")
        try await session.export(to: target, as: .mp4)
        let cut = AVURLAsset(url: target)
        let duration = try await cut.load(.duration)
        #expect(abs(duration.seconds - 1) < 0.11)
        #expect(AVAssetExportSession.allExportPresets().contains(name))
    }
}
