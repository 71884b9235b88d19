import Foundation
import Photos
import PhotosManagement
import Testing

/// Rendered videos: valid ones, and clear errors that change nothing.
@Suite(.timeLimit(.minutes(3))) struct RenderedMovieTests {
    private let editing: EditingWorld
    private let asset: PHAsset
    private var world: ChangeWorld { editing.world }

    init() throws {
        editing = try EditingWorld()
        let file = try Self.clip("testsrc2=s=320x180:r=12:d=0.5", editing.world, "Clip.MOV")
        asset = try editing.add([(.video, file)])
    }

    /// Creates a movie with one of ffmpeg's pictures.
    private static func clip(
        _ source: String,
        _ world: ChangeWorld,
        _ name: String,
        _ arguments: [String] = []
    ) throws -> URL {
        let url = world.folder.file(name)
        let codec = ["-c:v", "libx264", "-preset", "ultrafast", "-pix_fmt", "yuv420p"]
        _ = try Tool.run(
            "ffmpeg",
            ["-v", "error", "-f", "lavfi", "-i", source] + codec + arguments + [url.path]
        )
        return url
    }

    private func clip(_ name: String) throws -> URL {
        try Self.clip("smptebars=s=240x180:r=12:d=0.75", world, name)
    }

    private func refused(
        _ file: URL?,
        _ code: PHPhotosError.Code = .invalidResource,
        as type: UTType? = nil,
        saying words: String
    ) throws {
        try editing.expectRefusal(of: file, for: asset, code, as: type, saying: words)
    }

    @Test func wrongMoviesFail() throws {
        try refused(nil, .missingResource, saying: "no rendered file")
        let picture = try EditingWorld.rendering()
        try refused(picture, saying: "com.apple.quicktime-movie")
        let text = world.folder.file("text.mov")
        try Data("No movie".utf8).write(to: text)
        try refused(text, saying: "FullSizeRender.mov")
        let movie = try clip("whole.mov")
        // Each kind of movie in place of the other.
        try refused(movie, as: .mpeg4Movie, saying: "public.mpeg-4")
        try refused(clip("whole.mp4"), saying: "com.apple.quicktime-movie")
        let whole = try Data(contentsOf: movie)
        for part in [0.2, 0.7, 0.98] {
            let cut = world.folder.file("cut-\(part).mov")
            try whole.prefix(Int(Double(whole.count) * part)).write(to: cut)
            try refused(cut, saying: "FullSizeRender.mov")
        }
        // The index comes first, so that only frames are missing.
        let streamed = try Self.clip(
            "smptebars=s=240x180:r=12:d=0.75",
            world,
            "streamed.mov",
            ["-movflags", "+faststart"]
        )
        let cut = world.folder.file("cut.mov")
        try Data(contentsOf: streamed).dropLast(500).write(to: cut)
        try refused(cut, saying: "truncated")
    }

    @Test func soundAloneIsNoVideo() throws {
        let sound = world.folder.file("sound.mov")
        _ = try Tool.run(
            "ffmpeg",
            ["-v", "error", "-f", "lavfi", "-i", "sine=d=0.3", "-c:a", "aac", sound.path]
        )
        try refused(sound, saying: "FullSizeRender.mov")
    }

    /// Behaviors 43, 158, 168 and 190.
    @Test func savedMovieIsShownAndRevertingGoesBack() throws {
        let digest = try editing.originalsDigest()
        let rendering = try clip("rendering.mov")
        #expect(try editing.save(rendering, of: asset) == nil)
        let edited = try world.now(asset)
        #expect(edited.hasAdjustments)
        #expect(edited.pixelWidth == 240 && edited.pixelHeight == 180)
        #expect(abs(edited.duration - 0.75) < 0.1)
        #expect(
            PHAssetResource.assetResources(for: edited).map(\.type)
                == [.video, .fullSizeVideo, .adjustmentData]
        )
        let movie = try clip("other.mp4")
        #expect(try editing.save(movie, of: asset, as: .mpeg4Movie) == nil)
        let resource = PHAssetResource.assetResources(for: asset).first {
            $0.type == .fullSizeVideo
        }
        #expect(resource?.uniformTypeIdentifier == "public.mpeg-4")
        #expect(resource?.originalFilename == "Clip-edited.MP4")
        #expect(try editing.originalsDigest() == digest)
        try world.change { PHAssetChangeRequest(for: asset).revertAssetContentToOriginal() }
        let reverted = try world.now(asset)
        #expect(!reverted.hasAdjustments)
        #expect(reverted.pixelWidth == 320 && abs(reverted.duration - asset.duration) < 0.01)
        #expect(try editing.originalsDigest() == digest)
        #expect(try editing.findings() == [])
    }
}
