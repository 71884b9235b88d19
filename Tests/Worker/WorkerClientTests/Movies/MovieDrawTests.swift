import Foundation
import Glibc
import PhotoModel
import SamplePhotos
import TestSupport
import Testing
import WorkerClient
import WorkerProtocol

/// Movies whose frames the host draws: times, rotations, colors, audio and ends, as FFmpeg reads
/// them.
@Suite(.needsProgram("ffmpeg"), .timeLimit(.minutes(4)))
struct MovieDrawTests {
    private let world: MovieWorld

    init() throws {
        world = try MovieWorld()
    }

    private static func draw(
        _ codec: MovieConversion.VideoCodec = .h264,
        width: Int? = nil,
        height: Int? = nil,
        audio: MovieConversion.AudioTreatment = .copy
    ) -> MovieConversion {
        MovieConversion(
            container: .mov,
            video: .draw(codec: codec, maximumWidth: width, maximumHeight: height, isShown: true),
            audio: audio
        )
    }

    /// Returns a picture of one color.
    private static func picture(_ size: PixelSize, _ color: [UInt8]) throws -> SealedPixels {
        let description = PixelBufferDescription(size: size, layout: .rgba)
        let length = try #require(description.length)
        let memory = SealedMemory.make(length: length) { buffer in
            for index in buffer.indices { buffer[index] = color[index % 4] }
            return true
        }
        return SealedPixels(description: description, owning: try #require(memory))
    }

    /// Returns a pixel of a frame, counted from the top.
    private static func pixel(_ x: Int, _ y: Int, of frame: ShownFrame) throws -> [UInt8] {
        let memory = try #require(frame.pixels.mapped())
        return memory.withBytes { bytes in
            let start = (y * frame.facts.size.width + x) * 4
            return Array(bytes[start..<start + 4])
        }
    }

    /// Returns the color in the center of a frame, as FFmpeg decodes it.
    private static func middle(of file: URL, at second: Double) throws -> [UInt8] {
        let output = try ProcessRunner.run(
            "ffmpeg",
            [
                "-v", "error", "-ss", "\(second)", "-i", file.path, "-frames:v", "1", "-vf",
                "crop=2:2,format=rgb24", "-f", "rawvideo", "-",
            ]
        )
        return Array(output.standardOutput.prefix(3))
    }

    @Test(arguments: [MovieConversion.VideoCodec.h264, .hevc])
    func framesComeInOrderAndTimesStay(_ codec: MovieConversion.VideoCodec) throws {
        // Frames that depend on later ones, and audio that is copied.
        let file = try world.make(
            "source.mov",
            seconds: 1.5,
            size: "160x120",
            ["-c:v", "libx264", "-preset", "medium", "-bf", "3"]
        )
        var times: [Double] = []
        var sizes: Set<PixelSize> = []
        let (result, report) = try world.convert(file, to: "drawn.mov", Self.draw(codec)) { _ in
        } draw: { frame in
            times.append(frame.facts.time.seconds)
            sizes.insert(frame.facts.size)
            return .unchanged
        }
        #expect(sizes == [PixelSize(width: 160, height: 120)])
        #expect(times.count == 45)
        for (index, time) in times.enumerated() { #expect(abs(time - Double(index) / 30) < 1e-4) }
        let probed = try #require(try ProbedMovie(result))
        #expect(probed.video?.nb_frames == "45")
        #expect(probed.video?.codec_name == codec.rawValue)
        #expect(abs((probed.video?.seconds ?? 0) - 1.5) < 0.001)
        #expect(abs(report.duration.seconds - 1.5) < 0.02)
        #expect(try MovieWorld.complaint(about: result) == nil)
        #expect(
            try MovieWorld.packetHashes(of: result).last
                == MovieWorld.packetHashes(of: file).last,
            "The sound is another."
        )
    }

    @Test func whatIsDrawnIsEncoded() throws {
        let file = try world.make("source.mov", seconds: 1, size: "128x96", rate: 10, audio: [])
        let size = PixelSize(width: 64, height: 80)
        let colors: [[UInt8]] = [[200, 40, 40, 255], [40, 200, 40, 0], [40, 40, 200, 255]]
        var count = 0
        let (result, _) = try world.convert(file, to: "drawn.mov", Self.draw()) { _ in
        } draw: { _ in
            defer { count += 1 }
            // Alpha is ignored.
            guard let picture = try? Self.picture(size, colors[count / 4]) else { return .stopped }
            return .picture(picture)
        }
        #expect(count == 10)
        let probed = try #require(try ProbedMovie(result))
        #expect(probed.video?.width == 64 && probed.video?.height == 80)
        #expect(probed.video?.color_space == "bt709" && probed.audio == nil)
        for (second, color) in [(0.15, colors[0]), (0.55, colors[1]), (0.85, colors[2])] {
            let found = try Self.middle(of: result, at: second)
            try #require(found.count == 3)
            for (one, other) in zip(found, color) { #expect(abs(Int(one) - Int(other)) <= 6) }
        }
    }

    /// Frames are passed and written upright (behavior 156).
    @Test(arguments: Orientation.allCases)
    func framesAreUpright(_ orientation: Orientation) throws {
        var movie = SampleMovie(
            Picture(.sea, seed: 5),
            size: PixelSize(width: 96, height: 64),
            duration: 0.2,
            frameRate: 10
        )
        movie.drawnFrames = 1
        let upright = try world.folder.write(SampleFile.quickTime(movie), to: "upright.mov")
        movie.metadata.orientation = orientation
        let turned = try world.folder.write(SampleFile.quickTime(movie), to: "turned.mov")

        func frame(_ file: URL, _ name: String) throws -> (ShownFrame, URL) {
            var shown: ShownFrame?
            let (result, _) = try world.convert(file, to: name, Self.draw()) { _ in
            } draw: { frame in
                shown = shown ?? frame
                return .unchanged
            }
            return (try #require(shown), result)
        }
        let (expected, _) = try frame(upright, "a.mov")
        let (found, result) = try frame(turned, "b.mov")
        #expect(found.facts.size == PixelSize(width: 96, height: 64))
        for (x, y) in [(3, 3), (90, 5), (48, 32), (5, 60), (92, 61)] {
            let one = try Self.pixel(x, y, of: expected)
            let other = try Self.pixel(x, y, of: found)
            for (left, right) in zip(one, other) {
                #expect(abs(Int(left) - Int(right)) <= 24, "\(x),\(y): \(one) and \(other)")
            }
            #expect(other[3] == 255)
        }
        let video = try #require(try ProbedMovie(result)?.video)
        #expect(video.width == 96 && video.height == 64 && (video.rotation ?? 0) == 0)
    }

    @Test func boundsMakeFramesSmaller() throws {
        let file = try world.make("source.mov", seconds: 0.3, size: "320x180", audio: [])
        var sizes: Set<PixelSize> = []
        let (result, _) = try world.convert(
            file,
            to: "drawn.mov",
            Self.draw(width: 160, height: 90)
        ) { _ in
        } draw: { frame in
            sizes.insert(frame.facts.size)
            return .unchanged
        }
        #expect(sizes == [PixelSize(width: 160, height: 90)])
        let video = try #require(try ProbedMovie(result)?.video)
        #expect(video.width == 160 && video.height == 90)
    }

    @Test func soundIsMadeQuieter() throws {
        let file = try world.make("source.mov", seconds: 1, size: "64x64", rate: 5)
        func level(_ file: URL) throws -> Double {
            let output = try ProcessRunner.run(
                "ffmpeg",
                ["-hide_banner", "-i", file.path, "-af", "volumedetect", "-f", "null", "-"]
            )
            let words = output.errorText.split(separator: " ").map(String.init)
            let place = try #require(words.firstIndex(of: "mean_volume:"))
            return try #require(Double(words[place + 1]))
        }
        let whole = try level(file)
        for (volume, decibels) in [(0.5, -6.02), (0.1, -20)] {
            let audio = MovieConversion.AudioTreatment.encodeAAC(volume: volume)
            let (result, _) = try world.convert(
                file,
                to: "quiet-\(volume).mov",
                MovieConversion(container: .mov, video: .copy, audio: audio)
            )
            #expect(abs(try level(result) - whole - decibels) < 0.7)
        }
        let (silent, _) = try world.convert(
            file,
            to: "silent.mov",
            Self.draw(audio: .encodeAAC(volume: 0))
        )
        #expect(try level(silent) < -85)
        #expect(abs((try ProbedMovie(silent)?.audio?.seconds ?? 0) - 1) < 0.05)
    }

    // MARK: - Ends

    @Test func sizesThatChangeAreRefused() throws {
        let file = try world.make("source.mov", seconds: 0.5, size: "64x64", audio: [])
        var count = 0
        #expect {
            try world.convert(file, to: "drawn.mov", Self.draw()) { _ in
            } draw: { _ in
                count += 1
                let side = count < 4 ? 64 : 32
                guard
                    let picture = try? Self.picture(
                        PixelSize(width: side, height: side),
                        [9, 9, 9, 255]
                    )
                else { return .stopped }
                return .picture(picture)
            }
        } throws: { error in
            guard let error = error as? WorkerError, error.kind == .file else { return false }
            return error.message.contains("32x32") && error.message.contains("64x64")
        }
        #expect(count == 4)
    }

    @Test func aStoppedMovieEndsAtOnce() throws {
        let file = try world.make("source.mov", seconds: 3, size: "64x64", audio: [])
        for isCancelled in [false, true] {
            let cancellation = WorkCancellation()
            var count = 0
            #expect {
                try world.convert(
                    file,
                    to: "drawn-\(isCancelled).mov",
                    Self.draw(),
                    cancellation: cancellation
                ) { _ in
                } draw: { _ in
                    count += 1
                    guard count == 3 else { return .unchanged }
                    if isCancelled { cancellation.cancel() }
                    return isCancelled ? .unchanged : .stopped
                }
            } throws: { ($0 as? WorkerError)?.kind == .cancelled }
            #expect(count == 3)
        }
    }

    /// A worker that dies during the conversion causes an error, and the pool continues.
    @Test func damagedMoviesCostAnError() throws {
        let file = try world.make("source.mov", seconds: 2, size: "160x120")
        var data = try Data(contentsOf: file)
        data = data.prefix(data.count / 3)
        let short = try world.folder.write(data, to: "short.mov")
        #expect {
            try world.convert(short, to: "drawn.mov", Self.draw())
        } throws: { ($0 as? WorkerError)?.kind == .file }
        _ = try world.convert(file, to: "again.mov", Self.draw())
    }

    // MARK: - Live Photos

    @Test func stillTimeIsReadAndKept() throws {
        var movie = SampleMovie(
            Picture(.sea, seed: 2),
            size: PixelSize(width: 64, height: 48),
            duration: 1,
            frameRate: 20
        )
        movie.drawnFrames = 2
        movie.stillTime = 0.35
        movie.hasSound = true
        movie.metadata.contentIdentifier = "602FEBB7-1234-4123-8123-123456789ABC"
        let file = try world.folder.write(SampleFile.quickTime(movie), to: "live.mov")
        #expect(try world.facts(of: file).stillImageTime == MovieTime(value: 210, timescale: 600))
        let (result, _) = try world.convert(file, to: "drawn.mov", Self.draw())
        let facts = try world.facts(of: result)
        #expect(facts.stillImageTime?.seconds == 0.35)
        #expect(
            facts.metadata.contains {
                $0.key == "com.apple.quicktime.content.identifier"
                    && $0.value == movie.metadata.contentIdentifier
            }
        )
        #expect(try world.facts(of: world.make("other.mov", seconds: 0.2)).stillImageTime == nil)
    }

    @Test(.needsSharedData)
    func realStillTimes() throws {
        for (name, time) in [("IMG_3582.mov", 799), ("IMG_7943_HEVC.MOV", 880)] {
            let facts = try world.facts(of: SharedData.file("live-photo/" + name))
            #expect(facts.stillImageTime == MovieTime(value: Int64(time), timescale: 600))
        }
    }
}
