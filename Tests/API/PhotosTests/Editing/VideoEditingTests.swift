import Foundation
import Photos
import PhotosManagement
import Testing

/// Edits of videos: a rendered movie next to the original, in every available version (behaviors
/// 149–158, 190 and 202).
@Suite(.timeLimit(.minutes(3))) struct VideoEditingTests {
    private let editing: EditingWorld
    private var world: ChangeWorld { editing.world }

    init() throws { editing = try EditingWorld() }

    /// Creates a movie of colors and a tone.
    private func movie(_ seconds: Double, _ options: [String] = []) throws -> URL {
        let file = world.folder.file("Movie-\(UUID().uuidString).mov")
        _ = try Tool.run(
            "ffmpeg",
            [
                "-v", "error", "-f", "lavfi", "-i", "testsrc2=size=160x90:rate=10", "-f", "lavfi",
                "-i", "sine=440:sample_rate=44100", "-t", "\(seconds)", "-c:v", "libx264",
                "-preset", "ultrafast", "-pix_fmt", "yuv420p", "-c:a", "aac",
            ] + options + [file.path]
        )
        return file
    }

    @Test func renderedMoviesAreShownAndTheOriginalStays() async throws {
        let file = try movie(1)
        let asset = try editing.add([(.video, file)])
        let digest = try editing.originalsDigest()
        let input = try editing.input(asset)
        #expect(input.mediaType == .video && input.fullSizeImageURL == nil)
        #expect(input.livePhoto == nil && input.playbackStyle == .video)
        let source = try #require(input.audiovisualAsset)
        #expect(input.avAsset === source)
        #expect(abs(source.duration.seconds - 1) < 0.05)

        let output = PHContentEditingOutput(contentEditingInput: input)
        #expect(output.defaultRenderedContentType == .quickTimeMovie)
        #expect(output.supportedRenderedContentTypes == [.quickTimeMovie, .mpeg4Movie])
        output.adjustmentData = EditingWorld.adjustments("grey")
        _ = try Tool.run(
            "ffmpeg",
            [
                "-v", "error", "-i", file.path, "-t", "0.6", "-vf", "hue=s=0,scale=80:46",
                output.renderedContentURL.path,
            ]
        )
        let rendered = try Data(contentsOf: output.renderedContentURL)
        try world.change { PHAssetChangeRequest(for: asset).contentEditingOutput = output }

        let edited = try world.now(asset)
        #expect(edited.hasAdjustments && edited.adjustmentFormatIdentifier == "test.editor")
        #expect(edited.pixelWidth == 80 && edited.pixelHeight == 46)
        #expect(abs(edited.duration - 0.6) < 0.05)
        let current = try await editing.movie(of: edited, .current)
        #expect(try Data(contentsOf: current) == rendered)
        #expect(try LiveFiles.saturations(of: current).allSatisfy { $0 < 1 })
        let original = try await editing.movie(of: edited, .original)
        #expect(try Data(contentsOf: original) == Data(contentsOf: file))
        // The frames of all versions.
        for version: PHImageRequestOptionsVersion in [.current, .unadjusted, .original] {
            let image = try #require(frame(of: edited, version))
            #expect(image.size.width == (version == .current ? 80 : 160))
        }
        let types = PHAssetResource.assetResources(for: edited).map(\.type)
        #expect(types == [.video, .fullSizeVideo, .adjustmentData])

        // An editor that supports the adjustments continues from the original.
        for (format, seconds) in [("test.editor", 1.0), ("other.editor", 0.6)] {
            let next = try editing.input(edited, handling: format)
            #expect((next.adjustmentData != nil) == (format == "test.editor"))
            #expect(abs((next.audiovisualAsset?.duration.seconds ?? 0) - seconds) < 0.05)
        }

        try world.change { PHAssetChangeRequest(for: edited).revertAssetContentToOriginal() }
        let reverted = try world.now(asset)
        #expect(!reverted.hasAdjustments && reverted.pixelWidth == 160)
        #expect(abs(reverted.duration - 1) < 0.05)
        #expect(try await editing.movie(of: reverted, .current) == original)
        #expect(try editing.originalsDigest() == digest)
        #expect(try editing.findings() == [])
    }

    /// A program exports the input's asset to the output's URL.
    @Test(arguments: [UTType.quickTimeMovie, .mpeg4Movie])
    func exportsAreRenderings(_ type: UTType) async throws {
        let asset = try editing.add([(.video, movie(1))])
        let input = try editing.input(asset)
        let output = PHContentEditingOutput(contentEditingInput: input)
        output.adjustmentData = EditingWorld.adjustments("trim")
        let source = try #require(input.audiovisualAsset)
        let session = try #require(
            AVAssetExportSession(asset: source, presetName: AVAssetExportPresetHighestQuality)
        )
        session.timeRange = CMTimeRange(
            start: CMTime(value: 2, timescale: 10),
            duration: CMTime(value: 5, timescale: 10)
        )
        try await session.export(
            to: try output.renderedContentURL(for: type),
            as: type == .quickTimeMovie ? .mov : .mp4
        )
        try world.change { PHAssetChangeRequest(for: asset).contentEditingOutput = output }
        let edited = try world.now(asset)
        #expect(abs(edited.duration - 0.5) < 0.05)
        let resources = PHAssetResource.assetResources(for: edited)
        #expect(resources.first { $0.type == .fullSizeVideo }?.contentType == type)
        let url = try await editing.movie(of: edited, .current)
        #expect(try FFProbe(url).streams("audio").count == 1)
    }

    private func frame(
        of asset: PHAsset,
        _ version: PHImageRequestOptionsVersion
    ) -> UIImage? {
        let options = PHImageRequestOptions()
        options.isSynchronous = true
        options.version = version
        var found: UIImage?
        PHImageManager.default().requestImage(
            for: asset,
            targetSize: PHImageManagerMaximumSize,
            contentMode: .aspectFit,
            options: options
        ) { image, _ in found = image }
        return found
    }
}
