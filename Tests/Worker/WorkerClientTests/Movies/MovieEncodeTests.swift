import Foundation
import Glibc
import PhotoModel
import TestSupport
import Testing
import WorkerClient
import WorkerProtocol

/// Movies that are re-encoded: codec, size, duration, rotation and colors, as FFmpeg reads them.
@Suite(.needsProgram("ffmpeg"), .timeLimit(.minutes(4)))
struct MovieEncodeTests {
    private let world: MovieWorld

    init() throws {
        world = try MovieWorld()
    }

    private static func encode(
        _ codec: MovieConversion.VideoCodec = .h264,
        _ container: MovieConversion.Container = .mp4,
        width: Int? = nil,
        height: Int? = nil
    ) -> MovieConversion {
        MovieConversion(
            container: container,
            video: .encode(codec: codec, maximumWidth: width, maximumHeight: height),
            audio: .encodeAAC()
        )
    }

    @Test(
        arguments: [
            (MovieConversion.VideoCodec.h264, MovieConversion.Container.mp4),
            (.h264, .mov), (.hevc, .mov), (.hevc, .m4v),
        ]
    )
    func pictureAndSoundAreEncoded(
        _ codec: MovieConversion.VideoCodec,
        _ container: MovieConversion.Container
    ) throws {
        let file = try world.make("source.mov", seconds: 2, audio: ["-c:a", "pcm_s16le"])
        let progress = ProgressRecord()
        let (result, report) = try world.convert(
            file,
            to: "encoded.\(container.rawValue)",
            Self.encode(codec, container, width: 200, height: 200),
            progress: progress.record
        )
        let probed = try #require(try ProbedMovie(result))
        #expect(probed.video?.codec_name == codec.rawValue)
        #expect(probed.video?.codec_tag_string == (codec == .hevc ? "hvc1" : "avc1"))
        #expect(probed.video?.width == 200 && probed.video?.height == 112)
        #expect(probed.audio?.codec_name == "aac")
        #expect(abs((probed.video?.seconds ?? 0) - 2) < 1 / 30)
        #expect(abs((probed.audio?.seconds ?? 0) - 2) < 1 / 30)
        #expect(probed.video?.nb_frames == "60")
        #expect(report.videoCodec == codec.rawValue)
        #expect(abs(report.duration.seconds - 2) < 1 / 30)
        #expect(try MovieWorld.complaint(about: result) == nil)
        let values = progress.values
        #expect(values == values.sorted())
        #expect(values.last == 1)
        #expect(values.allSatisfy { (0...1).contains($0) })
    }

    @Test func nothingIsEnlargedAndSidesAreEven() throws {
        let file = try world.make(
            "source.mov",
            seconds: 0.5,
            size: "101x67",
            ["-pix_fmt", "yuv444p"]
        )
        let (result, _) = try world.convert(
            file,
            to: "encoded.mp4",
            Self.encode(width: 1920, height: 1080)
        )
        let probed = try #require(try ProbedMovie(result))
        #expect(probed.video?.width == 100 && probed.video?.height == 66)
        #expect(probed.video?.pix_fmt == "yuv420p")
    }

    @Test func theBoxIsTurnedForUprightPictures() throws {
        let file = try world.make("source.mov", seconds: 0.5, size: "180x320")
        let (result, _) = try world.convert(
            file,
            to: "encoded.mp4",
            Self.encode(width: 160, height: 90)
        )
        let video = try #require(try ProbedMovie(result)?.video)
        #expect(video.width == 90 && video.height == 160)
    }

    @Test(.needsSharedData, arguments: ["rotation-90", "rotation-180", "rotation-270"])
    func theTurnIsKept(_ name: String) throws {
        let file = SharedData.file("video/\(name).mov")
        let (result, _) = try world.convert(
            file,
            to: "encoded.mov",
            Self.encode(.h264, .mov, width: 160)
        )
        let before = try #require(try ProbedMovie(file)?.video)
        let after = try #require(try ProbedMovie(result)?.video)
        #expect(after.rotation == before.rotation && after.rotation != nil)
        #expect(after.width == 160 && after.height == 90)
        // The translation scales with the size, so that the picture stays in place.
        let old = try #require(try world.facts(of: file).tracks.first?.transform)
        let new = try #require(try world.facts(of: result).tracks.first?.transform)
        #expect(new.tx == old.tx / 2 && new.ty == old.ty / 2)
    }

    @Test func aRangeIsExactToTheFrame() throws {
        let file = try world.make(
            "source.mov",
            seconds: 3,
            ["-c:v", "libx264", "-preset", "medium", "-g", "90"]
        )
        let (result, _) = try world.convert(
            file,
            to: "encoded.mov",
            MovieConversion(
                container: .mov,
                video: .encode(codec: .h264),
                audio: .encodeAAC(),
                start: MovieTime(value: 37, timescale: 30),
                duration: MovieTime(value: 20, timescale: 30)
            )
        )
        let probed = try #require(try ProbedMovie(result))
        #expect(probed.video?.nb_frames == "20")
        #expect(abs((probed.video?.seconds ?? 0) - 20.0 / 30) < 0.001)
        #expect(abs((probed.audio?.seconds ?? 0) - 20.0 / 30) < 0.03)
        // The first frame is the 37th: no other is as similar.
        let likeness = try [36, 37, 38].map { try psnr(file, frame: $0, result) }
        #expect(likeness[1] > likeness[0] + 3 && likeness[1] > likeness[2] + 3, "\(likeness)")
    }

    /// Returns the similarity of a movie's first frame to a frame of another, in dB.
    private func psnr(_ file: URL, frame: Int, _ result: URL) throws -> Double {
        let output = try ProcessRunner.run(
            "ffmpeg",
            [
                "-v", "info", "-i", result.path, "-i", file.path, "-lavfi",
                "[0:v]trim=end_frame=1,setpts=0[a];[1:v]trim=start_frame=\(frame):"
                    + "end_frame=\(frame + 1),setpts=0[b];[a][b]psnr",
                "-f", "null", "-",
            ]
        )
        let text = output.errorText
        guard let found = text.range(of: "average:") else { return 0 }
        return Double(text[found.upperBound...].prefix { !$0.isWhitespace }) ?? 1000
    }

    @Test func soundIsResampledAndMixedToWhatAACHas() throws {
        for (rate, channels) in [(7000, 1), (96000, 6), (192_000, 2)] {
            let file = try world.make(
                "source.mov",
                seconds: 1,
                audio: ["-c:a", "pcm_s16le", "-ar", "\(rate)", "-ac", "\(channels)"]
            )
            let (result, _) = try world.convert(file, to: "encoded.m4a", Self.encode(.h264, .m4a))
            let audio = try #require(try ProbedMovie(result)?.audio)
            #expect(audio.codec_name == "aac" && audio.channels == channels, "\(rate)")
            #expect(abs(audio.seconds - 1) < 0.04, "\(rate)")
            #expect(Int(audio.sample_rate ?? "") ?? 0 <= 96000, "\(rate)")
            #expect(try MovieWorld.complaint(about: result) == nil, "\(rate)")
        }
    }

    @Test func aFileStaysBelowItsLimit() throws {
        let file = try world.make("source.mov", seconds: 4, size: "640x360")
        for codec in [MovieConversion.VideoCodec.h264, .hevc] {
            var conversion = Self.encode(codec, .mov)
            conversion.maximumBytes = 200_000
            let (_, report) = try world.convert(file, to: "encoded.mov", conversion)
            #expect(report.bytes <= 200_000 && report.bytes > 40_000, "\(codec)")
        }
        var copy = MovieConversion(container: .mov)
        copy.maximumBytes = 100_000
        let failure = try #require(world.failure(file, copy))
        #expect(failure.kind == .file)
        #expect(failure.message.contains("larger than the 100000 bytes"))
    }

    @Test(.needsSharedData) func brightPicturesKeepTheirColorsInHEVCAndAreMappedInH264() throws {
        let file = SharedData.file("video/hdr-hlg-10bit-hevc.mov")
        let (deep, _) = try world.convert(file, to: "deep.mov", Self.encode(.hevc, .mov))
        let bright = try #require(try ProbedMovie(deep)?.video)
        #expect(bright.pix_fmt == "yuv420p10le")
        #expect(bright.color_transfer == "arib-std-b67")
        #expect(bright.color_primaries == "bt2020" && bright.color_space == "bt2020nc")
        #expect(try world.facts(of: deep).tracks.first?.isHDR == true)

        let (plain, _) = try world.convert(file, to: "plain.mp4", Self.encode(.h264, .mp4))
        let mapped = try #require(try ProbedMovie(plain)?.video)
        #expect(mapped.pix_fmt == "yuv420p" && mapped.profile == "High")
        #expect(mapped.color_transfer == "bt709")
        #expect(mapped.color_primaries == "bt709" && mapped.color_space == "bt709")
        // The poster of the mapped movie equals that of the original, which lcms maps.
        let original = try poster(of: file)
        let made = try poster(of: plain)
        let sum = zip(original, made).reduce(0) { $0 + abs(Int($1.0) - Int($1.1)) }
        #expect(original.count == made.count && sum / original.count < 6, "\(sum / original.count)")
    }

    /// The position of a Live Photo's still, and other timed metadata.
    @Test(.needsSharedData) func timedMetadataIsKept() throws {
        let file = SharedData.file("live-photo/IMG_3582.mov")
        let (result, _) = try world.convert(
            file,
            to: "encoded.mov",
            Self.encode(.h264, .mov, width: 320, height: 240)
        )
        let before = try world.facts(of: file)
        let after = try world.facts(of: result)
        #expect(after.tracks.map(\.kind) == before.tracks.map(\.kind))
        #expect(after.tracks.map(\.start.seconds) == before.tracks.map(\.start.seconds))
        #expect(Set(after.metadata).isSuperset(of: before.metadata))
        let hashes = try [file, result].map { movie in
            try ProcessRunner.run(
                "ffprobe",
                [
                    "-v", "error", "-select_streams", "d", "-show_entries",
                    "packet=stream_index,pts_time,size,data_hash", "-show_data_hash", "md5",
                    "-of", "csv", movie.path,
                ]
            ).lines.sorted()
        }
        #expect(hashes[0] == hashes[1] && hashes[0].count > 3)
        let described = try ProcessRunner.run(
            "exiftool",
            ["-s3", "-Track5:ContentDescribes", result.path]
        )
        #expect(described.status != 0 || described.text.hasPrefix("Track 1"))
    }

    /// Paper white (203 cd/m²) is nearly white in SDR, in posters and in H.264.
    @Test(arguments: [("arib-std-b67", 721), ("smpte2084", 573)])
    func paperIsWhite(_ transfer: String, _ signal: Int) throws {
        let file = world.folder.file("white.mov")
        try MovieWorld.ffmpeg([
            "-v", "error", "-f", "lavfi", "-i", "color=gray:size=128x64:rate=10:duration=0.5",
            "-vf", "format=yuv420p10le,geq=lum=\(signal):cb=512:cr=512", "-c:v", "libx265",
            "-x265-params",
            "log-level=none:colorprim=bt2020:transfer=\(transfer):colormatrix=bt2020nc",
            "-color_primaries", "bt2020", "-color_trc", transfer, "-colorspace", "bt2020nc",
            "-tag:v", "hvc1", file.path,
        ])
        // 0.9 of the light by sRGB's curve, which leaves the rest to brighter areas.
        let wanted = 243
        let white = try poster(of: file)
        #expect(white.count == 128 * 64 * 3)
        #expect(white.allSatisfy { abs(Int($0) - wanted) <= 3 }, "\(white.first ?? 0)")
        let (plain, _) = try world.convert(file, to: "plain.mp4", Self.encode())
        let mapped = try poster(of: plain)
        #expect(mapped.count == white.count)
        #expect(mapped.allSatisfy { abs(Int($0) - wanted) <= 4 }, "\(mapped.first ?? 0)")
    }

    private func poster(of file: URL) throws -> [UInt8] {
        let descriptor = open(file.path, O_RDONLY)
        try #require(descriptor >= 0)
        defer { close(descriptor) }
        let request = DecodeRequest(shape: PixelShape(), layout: .rgb)
        guard case .pixels(_, let pixels) = try world.pool.decode(request, descriptor: descriptor)
        else { return [] }
        return try #require(pixels.mapped()).withBytes { Array($0) }
    }
}
