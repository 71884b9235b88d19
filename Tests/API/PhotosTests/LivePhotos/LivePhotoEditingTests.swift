import Foundation
import Photos
import PhotosManagement
import Synchronization
import Testing

/// Behavior 167: Live Photos that are edited frame by frame, checked by FFmpeg and exiftool.
@Suite(.timeLimit(.minutes(5))) struct LivePhotoEditingTests {
    private let editing: EditingWorld
    private var world: ChangeWorld { editing.world }

    init() throws { editing = try EditingWorld() }

    /// The arguments of a block's calls.
    private final class Calls: Sendable {
        struct Call: Sendable {
            var type: PHLivePhotoFrameType
            var time: Double
            var size: CGSize
            var scale: CGFloat
        }

        private let all = Mutex<[Call]>([])
        var list: [Call] { all.withLock { $0 } }
        var movie: [Call] { list.filter { $0.type == .video } }

        func record(_ frame: any PHLivePhotoFrame) {
            #expect(frame.image.extent.origin == .zero)
            let call = Call(
                type: frame.type,
                time: frame.time.seconds,
                size: frame.image.extent.size,
                scale: frame.renderScale
            )
            all.withLock { $0.append(call) }
        }
    }

    private static func noir(_ calls: Calls = Calls()) -> PHLivePhotoFrameProcessingBlock {
        { frame, _ in
            calls.record(frame)
            return frame.image.applyingFilter("CIPhotoEffectNoir")
        }
    }

    /// Draws Noir, saves it, and compares everything with the originals.
    private func noir(of files: LiveFiles) async throws {
        let asset = try editing.add(files)
        let original = try #require(editing.data(asset))
        let digest = try editing.originalsDigest()
        let before = try FFProbe(files.movie)
        let (context, input) = try editing.context(asset)
        #expect(abs(context.duration.seconds - before.duration) < 0.02)
        #expect(context.audioVolume == 1)
        let calls = Calls()
        context.frameProcessor = Self.noir(calls)
        let output = PHContentEditingOutput(contentEditingInput: input)
        output.adjustmentData = EditingWorld.adjustments()
        try await context.saveLivePhoto(to: output)

        // The still comes first, then the movie in its order.
        #expect(calls.list.first?.type == .photo && calls.list.first?.scale == 1)
        #expect(calls.list.first?.time == context.photoTime.seconds)
        let upright = context.fullSizeImage.oriented(context.orientation).extent.size
        #expect(calls.list.first?.size == upright)
        #expect(calls.list.count { $0.type == .photo } == 1)
        let pictures = try #require(before.streams("video").first)
        #expect(pictures.number("nb_frames").map { Int($0) } == calls.movie.count)
        #expect(calls.movie.map(\.time) == calls.movie.map(\.time).sorted())
        for call in calls.movie {
            #expect(abs(call.scale - call.size.width / upright.width) < 1e-6)
            #expect((call.size.width > call.size.height) == (upright.width > upright.height))
        }

        try world.change { PHAssetChangeRequest(for: asset).contentEditingOutput = output }
        let edited = try world.now(asset)
        #expect(edited.hasAdjustments && edited.mediaSubtypes.contains(.photoLive))
        #expect(edited.playbackStyle == .livePhoto)
        #expect(
            edited.pixelWidth == Int(upright.width) && edited.pixelHeight == Int(upright.height)
        )
        let result = LiveFiles(
            still: try editing.file(.fullSizePhoto, of: edited),
            movie: try editing.file(.fullSizePairedVideo, of: edited)
        )
        try compare(result, with: files, before, frames: calls.movie.count)

        // Every version through requests.
        #expect(try await editing.movie(of: edited, .current) == result.movie)
        let unedited = try await editing.movie(of: edited, .original)
        #expect(try Data(contentsOf: unedited) == Data(contentsOf: files.movie))
        #expect(editing.data(edited) == (try Data(contentsOf: result.still)))
        #expect(editing.data(edited, .unadjusted) == original)
        #expect(try LiveFiles.saturations(of: files.movie).max() ?? 0 > 5)
        #expect(try editing.originalsDigest() == digest)

        try world.change { PHAssetChangeRequest(for: edited).revertAssetContentToOriginal() }
        let reverted = try world.now(asset)
        #expect(!reverted.hasAdjustments && reverted.mediaSubtypes.contains(.photoLive))
        #expect(editing.data(reverted) == original)
        #expect(try await editing.movie(of: reverted, .current) == unedited)
        #expect(try editing.originalsDigest() == digest)
        #expect(try editing.findings() == [])
    }

    /// Expects gray throughout, and no other change than the colors.
    private func compare(
        _ result: LiveFiles,
        with files: LiveFiles,
        _ before: FFProbe,
        frames: Int
    ) throws {
        #expect(try LiveFiles.saturations(of: result.still).allSatisfy { $0 < 1 })
        let saturations = try LiveFiles.saturations(of: result.movie)
        #expect(saturations.count == frames && saturations.allSatisfy { $0 < 1 }, "\(saturations)")
        let after = try FFProbe(result.movie)
        #expect(abs(after.duration - before.duration) < 0.05)
        let (old, new) = (before.streams("video").first, after.streams("video").first)
        #expect(new?.turn == 0)
        #expect(
            abs((new?.number("duration") ?? 0) - (old?.number("duration") ?? -1)) < 0.02
        )
        #expect(before.streams("audio").count == after.streams("audio").count)
        if !before.streams("audio").isEmpty {
            #expect(
                try LiveFiles.packets("a", of: result.movie)
                    == LiveFiles.packets("a", of: files.movie)
            )
        }
        let (one, other) = (
            try LiveFiles.stillTime(of: files.movie), try LiveFiles.stillTime(of: result.movie)
        )
        #expect(one.map { abs($0 - (other ?? -1)) < 0.001 } ?? (other == nil))
        let identifiers = try files.identifiers()
        #expect(try result.identifiers()[1] == identifiers[1])
        #expect(try result.identifiers()[0] == identifiers[0])
    }

    // MARK: - Saving

    @Test func noirOfADrawnLivePhoto() async throws {
        let files = try LiveFiles.sample()
        #expect(try LiveFiles.stillTime(of: files.movie) == 1.8)
        try await noir(of: files)
    }

    @Test func noirOfAMadeLivePhoto() async throws {
        try await noir(of: LiveFiles.made(in: world.folder))
    }

    @Test(
        .needsCameraFiles,
        arguments: [
            ("IMG_7943.HEIC", "IMG_7943_HEVC.MOV"), ("IMG_D001.JPG", "IMG_D001.MOV"),
        ]
    )
    func noirOfARealLivePhoto(_ names: (String, String)) async throws {
        try await noir(
            of: LiveFiles(
                still: CameraFiles.file("live-photo/" + names.0),
                movie: CameraFiles.file("live-photo/" + names.1)
            )
        )
    }

    /// A rotated 4:3 movie in HEVC with uncompressed audio.
    ///
    /// It takes half a minute, so it runs only on request.
    @Test(
        .needsCameraFiles,
        .enabled(
            if: ProcessInfo.processInfo.environment["PHOTOS_TEST_LARGE_LIVE"] != nil,
            "Set PHOTOS_TEST_LARGE_LIVE to edit a Live Photo of 24 megapixels."
        )
    )
    func noirOfALargeLivePhoto() async throws {
        try await noir(
            of: LiveFiles(
                still: CameraFiles.file("live-photo/IMG_3582.HEIC"),
                movie: CameraFiles.file("live-photo/IMG_3582.mov")
            )
        )
    }

    @Test func photoTimeIsWhatTheMovieSays() throws {
        let (context, _) = try editing.context(editing.add(LiveFiles.sample()))
        #expect(context.photoTime == CMTime(value: 1080, timescale: 600))
        // The default is the middle if the time is not declared.
        let made = try LiveFiles.made(in: world.folder, seconds: 1)
        let (other, _) = try editing.context(editing.add(made))
        #expect(abs(other.photoTime.seconds - 0.5) < 0.02)
    }

    @Test func withoutABlockTheMovieIsCopied() async throws {
        let files = try LiveFiles.made(in: world.folder)
        let asset = try editing.add(files)
        let (context, input) = try editing.context(asset)
        let output = PHContentEditingOutput(contentEditingInput: input)
        output.adjustmentData = EditingWorld.adjustments()
        try await context.saveLivePhoto(to: output)
        try world.change { PHAssetChangeRequest(for: asset).contentEditingOutput = output }
        let movie = try editing.file(.fullSizePairedVideo, of: asset)
        for kind in ["v", "a"] {
            #expect(
                try LiveFiles.packets(kind, of: movie) == LiveFiles.packets(kind, of: files.movie)
            )
        }
    }

    @Test func soundIsAsLoudAsItIsSet() async throws {
        let files = try LiveFiles.made(in: world.folder)
        let asset = try editing.add(files)
        let (context, input) = try editing.context(asset)
        for (volume, expected) in [(Float(-3), Float(0)), (7, 1), (.nan, 1), (0.25, 0.25)] {
            context.audioVolume = volume
            #expect(context.audioVolume == expected)
        }
        let output = PHContentEditingOutput(contentEditingInput: input)
        output.adjustmentData = EditingWorld.adjustments()
        try await context.saveLivePhoto(to: output)
        try world.change { PHAssetChangeRequest(for: asset).contentEditingOutput = output }
        let movie = try editing.file(.fullSizePairedVideo, of: asset)
        let change = try LiveFiles.level(of: movie) - LiveFiles.level(of: files.movie)
        #expect(abs(change + 12.04) < 1)
        // The edit had no reason to change its frames.
        #expect(try LiveFiles.packets("v", of: movie) == LiveFiles.packets("v", of: files.movie))
    }

    /// A crop with odd sides, and extents without an end.
    @Test func sizesAreThoseThatAreDrawn() async throws {
        let files = try LiveFiles.made(in: world.folder, seconds: 0.3)
        let asset = try editing.add(files)
        let (context, input) = try editing.context(asset)
        let whole = context.fullSizeImage.extent
        #expect(whole.size == CGSize(width: 256, height: 192))
        for isEndless in [false, true] {
            context.frameProcessor = { frame, _ in
                if isEndless { return frame.image.clampedToExtent() }
                let scale = frame.renderScale * 2
                return frame.image.cropped(
                    to: CGRect(x: 10 * scale, y: 4 * scale, width: 75 * scale, height: 92 * scale)
                )
            }
            let output = PHContentEditingOutput(contentEditingInput: input)
            output.adjustmentData = EditingWorld.adjustments()
            _ = try output.renderedContentURL(for: .heic)
            try await context.saveLivePhoto(to: output)
            try world.change { PHAssetChangeRequest(for: asset).contentEditingOutput = output }
            let edited = try world.now(asset)
            #expect(edited.pixelWidth == (isEndless ? 256 : 150))
            #expect(edited.pixelHeight == (isEndless ? 192 : 184))
            let resources = PHAssetResource.assetResources(for: edited)
            #expect(resources.first { $0.type == .fullSizePhoto }?.contentType == .heic)
            let movie = try editing.file(.fullSizePairedVideo, of: edited)
            let video = try #require(try FFProbe(movie).streams("video").first)
            #expect(video.number("width") == (isEndless ? 128 : 74))
            #expect(video.number("height") == (isEndless ? 96 : 92))
        }
    }

    /// A block may draw by itself and return pixels; the file keeps the still's metadata.
    @Test func drawnPixelsKeepTheIdentifier() async throws {
        let files = try LiveFiles.made(in: world.folder, seconds: 0.3)
        let asset = try editing.add(files)
        let (context, input) = try editing.context(asset)
        let drawing = CIContext()
        context.frameProcessor = { frame, _ in
            drawing.createCGImage(
                frame.image.applyingFilter("CIColorInvert"),
                from: frame.image.extent
            ).map { CIImage(cgImage: $0) }
        }
        let output = PHContentEditingOutput(contentEditingInput: input)
        output.adjustmentData = EditingWorld.adjustments()
        try await context.saveLivePhoto(to: output)
        try world.change { PHAssetChangeRequest(for: asset).contentEditingOutput = output }
        let result = LiveFiles(
            still: try editing.file(.fullSizePhoto, of: asset),
            movie: try editing.file(.fullSizePairedVideo, of: asset)
        )
        #expect(try result.identifiers() == files.identifiers())
        #expect(Set(try result.identifiers()).count == 1)
    }

    /// The movie of the original may show what the edit of the still removed.
    @Test func stillsStayStillsHoweverOftenTheyAreEdited() throws {
        let asset = try editing.add(LiveFiles.sample())
        #expect(try editing.save(EditingWorld.rendering(), of: asset) == nil)
        for turns in 1...2 {
            var edit = try PhotoEdit(of: world.now(asset))
            #expect(edit.continuesPresentEdit == (turns == 2))
            #expect(edit.input.playbackStyle == .image && edit.input.livePhoto == nil)
            edit.adjustments.quarterTurns = turns
            let output = try edit.output()
            try world.change { PHAssetChangeRequest(for: asset).contentEditingOutput = output }
            let edited = try world.now(asset)
            #expect(!edited.mediaSubtypes.contains(.photoLive))
            let types = PHAssetResource.assetResources(for: edited).map(\.type)
            #expect(types.contains(.adjustmentBasePhoto) && !types.contains(.fullSizePairedVideo))
        }
        #expect(try editing.findings() == [])
    }

    /// Edits that are migrated from other programs have a base, but no movie of it.
    @Test func editsWithoutTheMovieOfTheirBaseAreContinuedWithTheOriginalMovie() throws {
        let files = try LiveFiles.sample()
        let members: [String: Any] = [
            "adjustmentData": Data("noir".utf8), "adjustmentFormatIdentifier": "test.editor",
            "adjustmentFormatVersion": "1", "adjustmentBaseVersion": 0,
        ]
        let envelope = world.folder.file("Adjustments.plist")
        try PropertyListSerialization.data(fromPropertyList: members, format: .xml, options: 0)
            .write(to: envelope)
        let base = try EditingWorld.rendering(8)
        let asset = try editing.add([
            (.photo, files.still), (.pairedVideo, files.movie), (.adjustmentData, envelope),
            (.fullSizePhoto, EditingWorld.rendering()), (.adjustmentBasePhoto, base),
            (.fullSizePairedVideo, LiveFiles.made(in: world.folder).movie),
        ])
        let input = try editing.input(asset, handling: "test.editor")
        #expect(input.adjustmentData?.data == Data("noir".utf8))
        let still = try #require(input.fullSizeImageURL)
        #expect(try Data(contentsOf: still) == Data(contentsOf: base))
        #expect(input.playbackStyle == .livePhoto)
        let photo = try #require(input.livePhoto)
        let movie = PHAssetResource.assetResources(for: photo).first { $0.type == .pairedVideo }
        let url = try #require(movie?.value(forKey: "fileURL") as? URL)
        #expect(try Data(contentsOf: url) == Data(contentsOf: files.movie))
    }

    // MARK: - Playing

    @Test func previewsFitAndGoWithTheirOwner() async throws {
        let files = try LiveFiles.made(in: world.folder, seconds: 0.4)
        let (context, _) = try editing.context(editing.add(files))
        let calls = Calls()
        context.frameProcessor = Self.noir(calls)
        let deferred = PHLivePhotoEditingOption.shouldRenderAtPlaybackTime
        #expect(deferred.rawValue == "LivePhotoShouldRenderAtPlaybackTime")
        var urls: [URL] = []
        do {
            let photo = try await context.livePhotoForPlayback(
                targetSize: CGSize(width: 64, height: 64),
                options: [deferred.rawValue: true]
            )
            #expect(max(photo.size.width, photo.size.height) == 64)
            let resources = PHAssetResource.assetResources(for: photo)
            #expect(resources.map(\.type) == [.photo, .pairedVideo])
            urls = try resources.map { try #require($0.value(forKey: "fileURL") as? URL) }
            let video = try #require(try FFProbe(urls[1]).streams("video").first)
            #expect(video.number("width") == 64 && video.number("height") == 48)
            #expect(try LiveFiles.saturations(of: urls[1]).allSatisfy { $0 < 1 })
            let still = try #require(calls.list.first)
            #expect(still.type == .photo && still.scale < 1 && max(still.size.width, 1) == 64)
        }
        #expect(urls.count == 2)
        for url in urls { #expect(!FileManager.default.fileExists(atPath: url.path)) }

        // Zero requests all pixels, and the handler is called on the main queue.
        let found = Mutex<CGSize?>(nil)
        context.prepareLivePhotoForPlayback(withTargetSize: .zero) { photo, error in
            #expect(error == nil)
            found.withLock { $0 = photo?.size ?? .zero }
            Signals.send()
        }
        wait(for: "There is a Live Photo.", seconds: 60) { found.withLock { $0 } != nil }
        #expect(found.withLock { $0 } == context.fullSizeImage.extent.size)
    }
}
