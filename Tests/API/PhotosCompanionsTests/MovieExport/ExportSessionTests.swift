import Foundation
import PhotosCompanions
import Synchronization
import TestSupport
import Testing

/// Exports, compared with ffprobe's report of their results.
@Suite(.serialized, .timeLimit(.minutes(10))) struct ExportSessionTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    /// Creates half a second of video and audio with ffmpeg.
    private func clip(
        _ name: String = "clip.mov",
        size: String = "640x360",
        arguments: [String] = []
    ) throws -> AVURLAsset {
        let url = folder.file(name)
        _ = try MediaTool.run(
            "ffmpeg",
            [
                "-v", "error", "-f", "lavfi", "-i", "testsrc2=s=\(size):r=12:d=0.5", "-f", "lavfi",
                "-i", "sine=d=0.5:r=44100", "-c:v", "libx264", "-preset", "ultrafast", "-pix_fmt",
                "yuv420p", "-c:a", "aac", "-shortest", "-metadata",
                "com.apple.quicktime.make=Maker", "-movflags", "use_metadata_tags",
            ] + arguments + [url.path]
        )
        return AVURLAsset(url: url)
    }

    private func export(
        _ asset: AVAsset,
        _ preset: String,
        _ type: AVFileType = .mov,
        _ change: (AVAssetExportSession) -> Void = { _ in }
    ) async throws -> (session: AVAssetExportSession, probe: FFProbe, url: URL) {
        let session = try #require(AVAssetExportSession(asset: asset, presetName: preset))
        let url = folder.file("\(UUID().uuidString).out")
        session.outputURL = url
        session.outputFileType = type
        change(session)
        #expect(session.status == .unknown && session.progress == 0)
        await session.export()
        #expect(session.status == .completed, "\(preset): \(String(describing: session.error))")
        #expect(session.progress == 1 && session.error == nil)
        return (session, try FFProbe(url), url)
    }

    /// The files in the folder, including hidden ones.
    private var files: Set<String> {
        Set((try? FileManager.default.contentsOfDirectory(atPath: folder.url.path)) ?? [])
    }

    @Test(arguments: [
        (AVAssetExportPresetLowQuality, "h264", 224.0, 126.0),
        (AVAssetExportPresetMediumQuality, "h264", 568, 320),
        (AVAssetExportPresetHighestQuality, "h264", 640, 360),
        (AVAssetExportPresetHEVCHighestQuality, "hevc", 640, 360),
        (AVAssetExportPreset640x480, "h264", 640, 360),
        (AVAssetExportPreset960x540, "h264", 640, 360),
        (AVAssetExportPresetHEVC1920x1080, "hevc", 640, 360),
        (AVAssetExportPresetPassthrough, "h264", 640, 360),
    ])
    func presetsMakeWhatTheySay(_ row: (String, String, Double, Double)) async throws {
        let (preset, codec, width, height) = row
        let (session, probe, url) = try await export(try clip(), preset, .mp4)
        let picture = try #require(probe.streams("video").first)
        #expect(picture.text("codec_name") == codec)
        let size = (picture.number("width") ?? 0, picture.number("height") ?? 0)
        #expect(abs(size.0 - width) <= 2 && abs(size.1 - height) <= 2, "\(size)")
        #expect(probe.streams("audio").first?.text("codec_name") == "aac")
        #expect(abs(probe.duration - 0.5) < 0.15, "\(probe.duration)")
        let length = try url.resourceValues(forKeys: [.fileSizeKey]).fileSize ?? 0
        let estimate = Double(session.estimatedOutputFileLength)
        #expect(estimate > Double(length) / 12 && estimate < Double(length) * 12, "\(estimate)")
        _ = try MediaTool.run(
            "ffmpeg",
            ["-v", "error", "-xerror", "-i", url.path, "-f", "null", "-"]
        )
    }

    @Test("Movies larger than a preset's bounds are brought into them")
    func largeMoviesAreMadeSmaller() async throws {
        // Two frames are sufficient, and more of this size would take needlessly long.
        let asset = try clip("large.mov", size: "4096x2304", arguments: ["-frames:v", "2"])
        for (preset, codec, width, height) in [
            (AVAssetExportPreset1280x720, "h264", 1280.0, 720.0),
            (AVAssetExportPreset1920x1080, "h264", 1920, 1080),
            (AVAssetExportPreset3840x2160, "h264", 3840, 2160),
            (AVAssetExportPresetHEVC1920x1080, "hevc", 1920, 1080),
            (AVAssetExportPresetHEVC3840x2160, "hevc", 3840, 2160),
        ] {
            let (_, probe, _) = try await export(asset, preset, .mp4)
            let picture = try #require(probe.streams("video").first)
            #expect(picture.text("codec_name") == codec, "\(preset)")
            let size = (picture.number("width"), picture.number("height"))
            #expect(size.0 == width && size.1 == height, "\(preset): \(size)")
            #expect(probe.streams("audio").count == 1, "\(preset)")
        }
    }

    @Test("Bounds turn with the picture, and nothing is enlarged")
    func boundsTurn() async throws {
        let asset = try clip("high.mov", size: "540x960")
        let (_, probe, _) = try await export(asset, AVAssetExportPreset640x480)
        let picture = try #require(probe.streams("video").first)
        #expect(picture.number("height") == 640 && picture.number("width") == 360)
    }

    @Test("Passing through copies the samples")
    func passthroughCopies() async throws {
        let asset = try clip()
        let (_, _, url) = try await export(asset, AVAssetExportPresetPassthrough)
        func sums(_ file: URL) throws -> String {
            try MediaTool.run(
                "ffmpeg",
                ["-v", "error", "-i", file.path, "-map", "0:v", "-c", "copy", "-f", "md5", "-"]
            )
        }
        #expect(try sums(url) == sums(asset.url))
    }

    @Test func soundAloneBecomesM4A() async throws {
        let (session, probe, _) = try await export(try clip(), AVAssetExportPresetAppleM4A, .m4a)
        #expect(session.supportedFileTypes == [.m4a])
        #expect(probe.streams("video").isEmpty && probe.streams("audio").count == 1)
    }

    @Test func rangesAreCutOut() async throws {
        let range = CMTimeRange(
            start: CMTime(value: 125, timescale: 1000),
            duration: CMTime(value: 250, timescale: 1000)
        )
        let (_, probe, _) = try await export(try clip(), AVAssetExportPreset640x480) {
            $0.timeRange = range
        }
        #expect(abs(probe.duration - 0.25) < 0.1, "\(probe.duration)")
    }

    @Test("The index goes to the front when it is wanted")
    func networkUse() async throws {
        for wanted in [true, false] {
            let (_, _, url) = try await export(
                try clip("\(wanted).mov"),
                AVAssetExportPreset640x480
            ) {
                $0.shouldOptimizeForNetworkUse = wanted
            }
            let bytes = try Data(contentsOf: url)
            let index = try #require(bytes.range(of: Data("moov".utf8)))
            let samples = try #require(bytes.range(of: Data("mdat".utf8)))
            #expect((index.lowerBound < samples.lowerBound) == wanted)
        }
    }

    @Test("Metadata are kept, or replaced by what is given")
    func metadata() async throws {
        let asset = try clip()
        let (_, kept, _) = try await export(asset, AVAssetExportPresetPassthrough)
        #expect(kept.tags["com.apple.quicktime.make"] == "Maker")
        let title = AVMutableMetadataItem()
        title.identifier = .commonIdentifierTitle
        title.value = NSString(string: "A title")
        let (_, replaced, url) = try await export(asset, AVAssetExportPresetPassthrough) {
            $0.metadata = [title]
        }
        #expect(replaced.tags["com.apple.quicktime.make"] == nil)
        let items = try await AVURLAsset(url: url).load(.commonMetadata)
        #expect(items.first { $0.commonKey == .commonKeyTitle }?.stringValue == "A title")
    }

    @Test func lengthsAreLimited() async throws {
        let (_, _, url) = try await export(try clip(), AVAssetExportPresetHighestQuality) {
            $0.fileLengthLimit = 60_000
        }
        let length = try url.resourceValues(forKeys: [.fileSizeKey]).fileSize ?? .max
        #expect(length <= 60_000)
    }

    // MARK: - Failures

    @Test("Nothing that is there is replaced, and nothing is left behind")
    func existingFilesStay() async throws {
        let asset = try clip()
        let url = folder.file("there.mov")
        try Data("mine".utf8).write(to: url)
        let before = files
        let session = try #require(
            AVAssetExportSession(asset: asset, presetName: AVAssetExportPresetPassthrough)
        )
        do {
            try await session.export(to: url, as: .mov)
            Issue.record("It is there.")
        } catch {
            #expect((error as? AVError)?.code == .fileAlreadyExists)
        }
        #expect(session.status == .failed && session.error != nil)
        #expect(try Data(contentsOf: url) == Data("mine".utf8) && files == before)
        // A session exports once.
        await #expect(throws: AVError.self) {
            try await session.export(to: folder.file("other.mov"), as: .mov)
        }
        #expect(files == before)
    }

    @Test func whatCanNotBeMadeSaysWhy() async throws {
        let asset = try clip()
        let before = files
        #expect(AVAssetExportSession(asset: asset, presetName: "AVAssetExportPresetNone") == nil)
        func failure(
            _ asset: AVAsset,
            _ preset: String,
            _ change: (AVAssetExportSession) -> Void
        ) async throws -> AVError {
            let session = try #require(AVAssetExportSession(asset: asset, presetName: preset))
            session.outputURL = folder.file("never.mov")
            session.outputFileType = .mov
            change(session)
            await session.export()
            #expect(session.status == .failed)
            let error = try #require(session.error as? AVError)
            #expect(!error.localizedDescription.isEmpty)
            return error
        }
        let passthrough = AVAssetExportPresetPassthrough
        _ = try await failure(asset, passthrough) { $0.outputURL = nil }
        _ = try await failure(asset, passthrough) { $0.outputFileType = nil }
        _ = try await failure(asset, passthrough) { $0.outputFileType = .m4a }
        _ = try await failure(asset, passthrough) {
            $0.outputURL = URL(fileURLWithPath: "/nowhere/at/all.mov")
        }
        _ = try await failure(asset, passthrough) {
            $0.timeRange = CMTimeRange(
                start: CMTime(value: 9, timescale: 1),
                duration: .positiveInfinity
            )
        }
        _ = try await failure(AVURLAsset(url: folder.file("none.mov")), passthrough) { _ in }
        #expect(files == before)
    }

    @Test("A cancelled export leaves nothing, and calls back once")
    func cancellation() async throws {
        let url = folder.file("long.mov")
        _ = try MediaTool.run(
            "ffmpeg",
            [
                "-v", "error", "-f", "lavfi", "-i", "testsrc2=s=640x360:r=30:d=20", "-c:v",
                "libx264", "-preset", "ultrafast", url.path,
            ]
        )
        let before = files
        let asset = AVURLAsset(url: url)
        let calls = Atomic(0)
        let session = try #require(
            AVAssetExportSession(asset: asset, presetName: AVAssetExportPresetHEVCHighestQuality)
        )
        session.outputURL = folder.file("cancelled.mov")
        session.outputFileType = .mov
        let states = session.states(updateInterval: 0)
        async let seen = states.reduce(into: [Double]()) { list, state in
            if case .exporting(let progress) = state { list.append(progress.fractionCompleted) }
            if list.count == 2 { session.cancelExport() }
        }
        await withCheckedContinuation { continuation in
            session.exportAsynchronously {
                if calls.add(1, ordering: .relaxed).newValue == 1 { continuation.resume() }
            }
        }
        let progress = await seen
        #expect(session.status == .cancelled && session.progress < 1)
        #expect((session.error as? AVError)?.code == .operationCancelled)
        #expect(progress == progress.sorted() && files == before)
        session.cancelExport()
        #expect(calls.load(ordering: .relaxed) == 1)
        // A session that waits for its turn, and one that never began.
        let early = try #require(
            AVAssetExportSession(asset: asset, presetName: AVAssetExportPresetPassthrough)
        )
        early.cancelExport()
        await #expect(throws: AVError.self) {
            try await early.export(to: folder.file("early.mov"), as: .mov)
        }
        #expect(early.status == .cancelled && files == before)
    }

    @Test("What QuickTime can't hold is not offered to be passed through, and all else works")
    func passingThroughIsOfferedWhereItWorks() async throws {
        let camcorder = try clip(
            "00001.MTS",
            arguments: ["-c:a", "ac3", "-f", "mpegts", "-mpegts_m2ts_mode", "1"]
        )
        let passthrough = AVAssetExportPresetPassthrough
        let (session, probe, _) = try await export(camcorder, passthrough, .mp4)
        #expect(session.supportedFileTypes == [.mov, .mp4, .m4v])
        #expect(probe.streams("video").first?.text("codec_name") == "h264")
        #expect(probe.streams("audio").first?.text("codec_name") == "ac3")
        let windows = try clip(
            "clip.wmv",
            arguments: ["-c:v", "wmv2", "-c:a", "wmav2", "-f", "asf"]
        )
        let presets = AVAssetExportSession.exportPresets(compatibleWith: windows)
        #expect(!presets.contains(passthrough) && presets.contains(AVAssetExportPreset640x480))
        let fits = await AVAssetExportSession.compatibility(
            ofExportPreset: passthrough,
            with: windows,
            outputFileType: .mov
        )
        #expect(!fits)
        let encoded = try await export(windows, AVAssetExportPreset640x480, .mp4).probe
        #expect(encoded.streams("video").first?.text("codec_name") == "h264")
    }

    @Test func presetsFitWhatThereIs() async throws {
        let asset = try clip()
        let presets = AVAssetExportSession.exportPresets(compatibleWith: asset)
        #expect(Set(presets) == Set(AVAssetExportSession.allExportPresets()))
        let fits = await AVAssetExportSession.compatibility(
            ofExportPreset: AVAssetExportPreset1280x720,
            with: asset,
            outputFileType: .mp4
        )
        #expect(fits)
        let sound = folder.file("sound.mov")
        _ = try MediaTool.run(
            "ffmpeg",
            ["-v", "error", "-i", asset.url.path, "-vn", "-c", "copy", sound.path]
        )
        #expect(
            AVAssetExportSession.exportPresets(compatibleWith: AVURLAsset(url: sound)) == [
                AVAssetExportPresetPassthrough, AVAssetExportPresetAppleM4A,
            ]
        )
        let missing = AVURLAsset(url: folder.file("missing.mov"))
        #expect(AVAssetExportSession.exportPresets(compatibleWith: missing).isEmpty)
        let session = try #require(
            AVAssetExportSession(asset: asset, presetName: AVAssetExportPresetMediumQuality)
        )
        #expect(session.maxDuration == asset.duration)
        session.fileLengthLimit = session.estimatedOutputFileLength / 2
        #expect(session.maxDuration < asset.duration && session.maxDuration > .zero)
    }
}
