import Foundation
import Glibc
import PhotoModel
import SamplePhotos
import TestSupport
import Testing
import WorkerProtocol

@testable import Media
@testable import PhotosWorker

/// Movies that are read and converted in this process, checked by FFmpeg's programs.
@Suite(.needsProgram("ffmpeg"), .timeLimit(.minutes(2))) struct MovieWorkTests {
    private static let size = PixelSize(width: 96, height: 64)
    private let folder: TemporaryFolder

    init() throws {
        _ = Codecs.open()
        folder = try TemporaryFolder("photos-movies")
    }

    /// A movie as a phone writes it.
    private func sample(orientation: Orientation? = nil, stillTime: Double? = nil) throws -> URL {
        var metadata = SampleMetadata(
            date: SampleDate(text: "2024:02:29 12:00:00", offset: "+01:00"),
            location: Location(latitude: 47.5, longitude: 8.25, altitude: 400),
            make: "Maker",
            model: "Model",
            orientation: orientation
        )
        metadata.contentIdentifier = "8D7B2D3A-6E0A-4B8C-9C1E-2F3A4B5C6D7E"
        var movie = SampleMovie(
            Picture(.sea, seed: 1),
            size: Self.size,
            duration: 2,
            frameRate: 10,
            metadata: metadata
        )
        movie.stillTime = stillTime
        movie.keys = ["com.example.mood": .text("fröhlich")]
        return try folder.write(SampleFile.quickTime(movie), to: "\(UUID().uuidString).mov")
    }

    /// A compressed movie with sound, made by FFmpeg.
    private func compressed(_ ending: String) throws -> URL {
        let url = folder.file("\(UUID().uuidString).\(ending)")
        let output = try ProcessRunner.run(
            "ffmpeg",
            [
                "-v", "error", "-f", "lavfi", "-i", "testsrc2=size=160x120:rate=20", "-f", "lavfi",
                "-i", "sine=440:sample_rate=44100", "-t", "1.5", "-c:v", "libx264", "-preset",
                "ultrafast", "-g", "10", "-c:a", "aac", url.path,
            ]
        )
        try #require(output.status == 0, "\(output.errorText)")
        return url
    }

    private func facts(of url: URL) throws -> MovieFacts {
        let file = try FileHandle(forReadingFrom: url)
        guard
            case .movieFacts(let facts) = MovieWork(limits: .standard).facts(
                of: file.fileDescriptor
            )
        else { throw CocoaError(.fileReadCorruptFile) }
        return facts
    }

    private func convert(
        _ url: URL,
        _ conversion: MovieConversion,
        progress: @escaping (Double) -> Bool = { _ in false },
        draw: @escaping (MovieConverter.Frame) -> MovieConverter.Drawing = { _ in .unchanged }
    ) throws -> (url: URL, reply: WorkerReply) {
        let result = try folder.write(Data(), to: "\(UUID()).\(conversion.container.rawValue)")
        let input = try FileHandle(forReadingFrom: url)
        let output = try FileHandle(forUpdating: result)
        let reply = MovieWork(limits: .standard).convert(
            input.fileDescriptor,
            to: output.fileDescriptor,
            conversion,
            processors: 2,
            progress: progress,
            draw: draw
        )
        return (result, reply)
    }

    private func converted(
        _ url: URL,
        _ conversion: MovieConversion,
        draw: @escaping (MovieConverter.Frame) -> MovieConverter.Drawing = { _ in .unchanged }
    ) throws -> (url: URL, report: MovieConversionReport) {
        let (result, reply) = try convert(url, conversion, draw: draw)
        guard case .converted(let report) = reply else {
            Issue.record("\(reply)")
            throw CocoaError(.fileWriteUnknown)
        }
        let length = try FileManager.default.attributesOfItem(atPath: result.path)[.size] as? Int64
        #expect(report.bytes == length)
        return (result, report)
    }

    /// Returns what FFprobe says of the first stream of a kind, and of the file.
    private func probed(_ url: URL, _ entries: String, of kind: String = "v:0") throws -> [String] {
        let output = try ProcessRunner.run(
            "ffprobe",
            [
                "-v", "error", "-select_streams", kind, "-show_entries", entries, "-of",
                "default=nokey=1:noprint_wrappers=1", url.path,
            ]
        )
        return output.lines.map { String($0) }.filter { !$0.isEmpty }
    }

    /// Returns FFmpeg's hash of the packets of a kind.
    private func hash(_ url: URL, _ kind: String) throws -> String {
        let output = try ProcessRunner.run(
            "ffmpeg",
            [
                "-v", "error", "-i", url.path, "-map", "0:\(kind)", "-c", "copy", "-f", "md5", "-",
            ]
        )
        return output.lines.first.map { String($0) } ?? output.errorText
    }

    private static func values(_ facts: MovieFacts, _ key: String) -> [String] {
        facts.metadata.filter { $0.key == key }.map(\.value)
    }

    // MARK: - Facts

    @Test func aPhonesMovieIsRead() throws {
        let facts = try facts(of: sample(stillTime: 0.5))
        #expect(facts.containerType == "com.apple.quicktime-movie")
        #expect(abs(facts.duration.seconds - 2) < 0.001 && !facts.hasProtectedContent)
        let video = try #require(facts.tracks.first { $0.kind == .video })
        #expect(video.width == 96 && video.height == 64 && video.isDecodable && !video.isHDR)
        #expect(abs(video.nominalFrameRate - 10) < 0.01 && video.transform == .identity)
        #expect(abs(video.duration.seconds - 2) < 0.001 && video.totalSampleDataLength > 0)
        #expect(Self.values(facts, "com.apple.quicktime.make") == ["Maker"])
        #expect(Self.values(facts, "com.example.mood") == ["fröhlich"])
        #expect(facts.creationDate == "2024-02-29T12:00:00+0100")
        #expect(abs((facts.stillImageTime?.seconds ?? 0) - 0.5) < 0.01)
        #expect(try self.facts(of: sample()).stillImageTime == nil)
    }

    @Test(arguments: ["mov", "mp4", "mkv", "avi"])
    func tracksAreThoseOfAnotherReader(_ ending: String) throws {
        let url = try compressed(ending)
        let facts = try facts(of: url)
        let video = try #require(facts.tracks.first { $0.kind == .video })
        #expect(try probed(url, "stream=width,height") == ["\(video.width)", "\(video.height)"])
        let audio = try #require(facts.tracks.first { $0.kind == .audio })
        let sound = try probed(url, "stream=sample_rate,channels", of: "a:0")
        #expect(sound == ["\(Int(audio.sampleRate))", "\(audio.channels)"])
        #expect(abs(facts.duration.seconds - 1.5) < 0.06)
    }

    @Test func otherFilesHaveAReason() throws {
        let photo = try SampleFile.jpeg(SamplePhoto(size: Self.size))
        let files: [(Data, WorkerReply)] = [
            (photo, .unsupported(reason: "It is an image, not a movie."))
        ]
        for (data, expected) in files {
            let file = try FileHandle(forReadingFrom: folder.write(data, to: "other"))
            #expect(MovieWork(limits: .standard).facts(of: file.fileDescriptor) == expected)
        }
        let text = try FileHandle(forReadingFrom: folder.write(Data("text".utf8), to: "text"))
        guard case .unsupported = MovieWork(limits: .standard).facts(of: text.fileDescriptor) else {
            Issue.record("A text was read as a movie.")
            return
        }
        let place = open(folder.path, O_RDONLY | O_CLOEXEC)
        defer { close(place) }
        guard case .failed = MovieWork(limits: .standard).facts(of: place) else {
            Issue.record("A folder was read as a movie.")
            return
        }
    }

    // MARK: - Copies

    /// No packet changes, and everything that the phone wrote stays.
    @Test(arguments: [
        ("mov", MovieConversion.Container.mov, true), ("mov", .m4v, false), ("mkv", .mp4, true),
        ("mkv", .mov, false), ("", .mov, false), ("", .mp4, true),
    ])
    func copiesAreTheSame(
        _ ending: String,
        _ container: MovieConversion.Container,
        isIndexInFront: Bool
    ) throws {
        let url =
            ending.isEmpty ? try sample(orientation: .right) : try compressed(ending)
        let before = try facts(of: url)
        let (copy, report) = try converted(
            url,
            MovieConversion(container: container, movesIndexToFront: isIndexInFront)
        )
        #expect(try hash(copy, "v") == hash(url, "v"))
        let after = try facts(of: copy)
        let hasSound = before.tracks.contains { $0.kind == .audio }
        if hasSound { #expect(try hash(copy, "a") == hash(url, "a")) }
        #expect(abs(after.duration.seconds - before.duration.seconds) < 0.06)
        #expect(abs(report.duration.seconds - before.duration.seconds) < 0.06)
        #expect(after.tracks.first?.transform == before.tracks.first?.transform)
        guard url.pathExtension == "mov" else { return }
        for key in ["com.apple.quicktime.content.identifier", "com.example.mood"] {
            #expect(Self.values(after, key) == Self.values(before, key), "\(container)")
        }
        let data = try Data(contentsOf: copy)
        let index = try #require(data.firstRange(of: Data("moov".utf8))).lowerBound
        let media = try #require(data.firstRange(of: Data("mdat".utf8))).lowerBound
        #expect((index < media) == isIndexInFront)
    }

    @Test func metadataIsAddedReplacedAndDropped() throws {
        let url = try sample(stillTime: 0.5)
        let added = [
            MovieMetadataItem(keySpace: "mdta", key: "com.apple.quicktime.make", value: "New"),
            MovieMetadataItem(keySpace: "mdta", key: "com.example.more", value: "ü"),
        ]
        let (kept, _) = try converted(url, MovieConversion(container: .mov, metadata: added))
        let facts = try facts(of: kept)
        #expect(Self.values(facts, "com.apple.quicktime.make") == ["New"])
        #expect(Self.values(facts, "com.example.more") == ["ü"])
        #expect(Self.values(facts, "com.apple.quicktime.model") == ["Model"])
        #expect(abs((facts.stillImageTime?.seconds ?? 0) - 0.5) < 0.01)
        let (bare, _) = try converted(
            url,
            MovieConversion(container: .mov, keepsMetadata: false, metadata: [added[1]])
        )
        #expect(try self.facts(of: bare).metadata == [added[1]])
    }

    @Test func aRangeIsCut() throws {
        let start = MovieTime(value: 300, timescale: 600)
        let length = MovieTime(value: 450, timescale: 600)
        for (url, video) in [
            (try sample(), MovieConversion.VideoTreatment.copy),
            (try compressed("mov"), .encode(codec: .h264)),
        ] {
            let (cut, report) = try converted(
                url,
                MovieConversion(container: .mov, video: video, start: start, duration: length)
            )
            #expect(abs(report.duration.seconds - 0.75) < 0.11)
            #expect(abs(try facts(of: cut).duration.seconds - 0.75) < 0.11)
        }
        let beyond = MovieConversion(
            container: .mov,
            video: .encode(codec: .h264),
            start: MovieTime(value: 100, timescale: 1)
        )
        guard case .failed = try convert(sample(), beyond).reply else {
            Issue.record("A range beyond the end was converted.")
            return
        }
    }

    @Test func tracksAreDropped() throws {
        let url = try compressed("mov")
        let (sound, report) = try converted(url, MovieConversion(container: .m4a, video: .drop))
        #expect(report.videoCodec == nil)
        #expect(try facts(of: sound).tracks.map(\.kind) == [.audio])
        let (pictures, _) = try converted(url, MovieConversion(container: .mp4, audio: .drop))
        #expect(try facts(of: pictures).tracks.map(\.kind) == [.video])
    }

    // MARK: - Encoding

    @Test(arguments: [MovieConversion.VideoCodec.h264, .hevc])
    func picturesAreEncodedWithinTheirBounds(_ codec: MovieConversion.VideoCodec) throws {
        let (result, report) = try converted(
            compressed("mov"),
            MovieConversion(
                container: .mp4,
                video: .encode(codec: codec, maximumWidth: 80, maximumHeight: 60),
                audio: .encodeAAC(bitRate: 64_000, volume: 0.5)
            )
        )
        #expect(report.videoCodec == codec.rawValue)
        #expect(
            try probed(result, "stream=codec_name,width,height") == [codec.rawValue, "80", "60"]
        )
        #expect(try probed(result, "stream=codec_name", of: "a:0") == ["aac"])
        #expect(abs(report.duration.seconds - 1.5) < 0.1)
    }

    /// The time of a Live Photo's still is in a track that FFmpeg does not write.
    @Test(arguments: [
        MovieConversion.VideoTreatment.encode(codec: .h264), .draw(codec: .h264, isShown: false),
    ])
    func theTimeOfTheStillIsKept(_ video: MovieConversion.VideoTreatment) throws {
        for isIndexInFront in [true, false] {
            let (result, _) = try converted(
                sample(stillTime: 0.5),
                MovieConversion(container: .mov, video: video, movesIndexToFront: isIndexInFront)
            )
            let facts = try facts(of: result)
            #expect(abs((facts.stillImageTime?.seconds ?? 0) - 0.5) < 0.01)
            #expect(Self.values(facts, "com.example.mood") == ["fröhlich"])
            #expect(facts.tracks.filter { $0.kind == .video }.map(\.mediaSubtypeName).count == 1)
        }
    }

    /// Each frame is shown upright, in order, and replaced by the picture that is drawn.
    @Test func framesAreDrawn() throws {
        let red = [UInt8]((0..<48 * 32).flatMap { _ in [UInt8(220), 20, 20, 255] })
        let pixels = UnsafeMutableRawBufferPointer.allocate(byteCount: red.count, alignment: 16)
        defer { pixels.deallocate() }
        pixels.copyBytes(from: red)
        let picture = UnsafeRawPointer(try #require(pixels.baseAddress))
        var times: [Double] = []
        var sizes: Set<PixelSize> = []
        let (result, _) = try converted(
            sample(orientation: .right),
            MovieConversion(container: .mov, video: .draw(codec: .h264, isShown: true))
        ) { frame in
            times.append(frame.facts.time.seconds)
            sizes.insert(frame.facts.size)
            return .picture(PixelSize(width: 48, height: 32), picture)
        }
        #expect(times.count == 20 && times == times.sorted() && sizes == [Self.size])
        #expect(try probed(result, "stream=width,height") == ["48", "32"])
        let frame = folder.file("frame.rgb")
        let output = try ProcessRunner.run(
            "ffmpeg",
            [
                "-v", "error", "-i", result.path, "-frames:v", "1", "-f", "rawvideo", "-pix_fmt",
                "rgb24", frame.path,
            ]
        )
        #expect(output.status == 0)
        let color = try Data(contentsOf: frame).prefix(3).map { Int($0) }
        #expect(zip(color, [220, 20, 20]).allSatisfy { abs($0 - $1) < 12 })
    }

    // MARK: - Ends

    @Test func aConversionIsCanceled() throws {
        for conversion in [
            MovieConversion(container: .mov),
            MovieConversion(container: .mp4, video: .encode(codec: .h264)),
        ] {
            for limit in [0.0, 0.3] {
                let reply = try convert(compressed("mov"), conversion) { $0 >= limit }.reply
                #expect(reply == .cancelled, "\(limit)")
            }
        }
        let draw = MovieConversion(container: .mov, video: .draw(codec: .h264, isShown: true))
        #expect(try convert(sample(), draw, draw: { _ in .stopped }).reply == .cancelled)
        guard case .failed = try convert(sample(), draw, draw: { _ in .failed }).reply else {
            Issue.record("A frame without memory was drawn.")
            return
        }
    }

    @Test func progressNeverFalls() throws {
        for conversion in [
            MovieConversion(container: .mov),
            MovieConversion(container: .mp4, video: .encode(codec: .h264)),
        ] {
            var values: [Double] = []
            _ = try convert(compressed("mkv"), conversion) { done in
                values.append(done)
                return false
            }
            #expect(values == values.sorted() && values.last == 1)
            #expect(values.allSatisfy { (0...1).contains($0) })
        }
    }

    @Test func anUnwritableResultIsSaid() throws {
        for conversion in [
            MovieConversion(container: .mov),
            MovieConversion(container: .mp4, video: .encode(codec: .h264)),
        ] {
            let url = try compressed("mov")
            let input = try FileHandle(forReadingFrom: url)
            let output = try FileHandle(forReadingFrom: folder.write(Data(), to: "read-only"))
            let reply = MovieWork(limits: .standard).convert(
                input.fileDescriptor,
                to: output.fileDescriptor,
                conversion,
                processors: 1,
                progress: { _ in false },
                draw: { _ in .unchanged }
            )
            guard case .unwritable(let reason) = reply else {
                Issue.record("\(reply)")
                continue
            }
            #expect(reason.hasPrefix("The converted movie cannot be written"))
        }
        let tiny = MovieConversion(container: .mov, maximumBytes: 500)
        guard case .converted = try convert(sample(), tiny).reply else { return }
        Issue.record("The result is longer than its limit.")
    }

    /// A movie that is cut short, or that has other bytes, is converted or refused.
    @Test func damagedMoviesAreHarmless() throws {
        let whole = try Data(contentsOf: sample(stillTime: 0.5))
        let index = try #require(whole.firstRange(of: Data("moov".utf8))).lowerBound
        var answers = 0
        for step in 0..<60 {
            var bytes = whole
            if step % 3 == 0 {
                bytes = whole.prefix(index + step * (whole.count - index) / 60)
            } else {
                let place = index + 4 + step * 37 % max(1, whole.count - index - 4)
                bytes[place] = UInt8(truncatingIfNeeded: step &* 77)
            }
            let url = try folder.write(bytes, to: "damaged.mov")
            switch try convert(url, MovieConversion(container: .mov)).reply {
            case .converted, .failed, .unsupported: answers += 1
            case let other: Issue.record("\(other)")
            }
        }
        #expect(answers == 60)
    }

    @Test(
        arguments: [
            (nil, nil), (MovieTime(value: 1, timescale: 3), 333_333),
            (MovieTime(value: -1, timescale: 3), -333_333),
            (MovieTime(value: 90_000, timescale: 90_000), 1_000_000),
            (MovieTime(value: .max, timescale: 1), .max / 4),
            (MovieTime(value: .min, timescale: 1), -1),
            (MovieTime(value: 5, timescale: 0), 5_000_000),
        ] as [(MovieTime?, Int64?)]
    )
    func timesAreMicroseconds(_ time: MovieTime?, _ expected: Int64?) {
        #expect(MovieConverter.microseconds(time) == expected)
    }
}
