import Foundation
import Glibc
import PhotoModel
import SamplePhotos
import TestSupport
import Testing
import WorkerClient
import WorkerProtocol

/// Movies of camcorders, discs and Windows: their detection, facts and conversion.
@Suite(.needsProgram("ffmpeg"), .timeLimit(.minutes(2)))
struct DiscMovieTests {
    /// A recipe for a movie, and its expected facts.
    struct Kind: Sendable, CustomTestStringConvertible {
        var name: String
        var options: [String]
        var type: String
        var format: MediaFormat
        var codec: String
        /// The audio codec.
        var sound: String

        var testDescription: String { name }
    }

    static let kinds = [
        Kind(
            name: "00001.MTS",
            options: ["-f", "mpegts", "-mpegts_m2ts_mode", "1", "-c:a", "ac3"],
            type: "public.avchd-mpeg-2-transport-stream",
            format: .mpegTS,
            codec: "avc1",
            sound: "ac-3"
        ),
        Kind(
            name: "television.ts",
            options: ["-f", "mpegts", "-c:v", "mpeg2video", "-c:a", "mp2"],
            type: "public.mpeg-2-transport-stream",
            format: .mpegTS,
            codec: "mp2v",
            sound: ".mp2"
        ),
        Kind(
            name: "disc.mpg",
            options: ["-f", "vob", "-c:v", "mpeg2video", "-c:a", "mp2"],
            type: "public.mpeg",
            format: .mpegPS,
            codec: "mp2v",
            sound: ".mp2"
        ),
        Kind(
            name: "older.mpg",
            options: ["-f", "mpeg", "-c:v", "mpeg1video", "-c:a", "mp2"],
            type: "public.mpeg",
            format: .mpegPS,
            codec: "mp1v",
            sound: ".mp2"
        ),
        Kind(
            name: "windows.wmv",
            options: ["-f", "asf", "-c:v", "wmv2", "-c:a", "wmav2"],
            type: "com.microsoft.windows-media-wmv",
            format: .asf,
            codec: "WMV2",
            sound: "a\u{1}\0\0"
        ),
    ]

    private let world: MovieWorld

    init() throws {
        world = try MovieWorld()
    }

    private func made(_ kind: Kind, _ more: [String] = []) throws -> URL {
        try world.make(kind.name, size: "320x240", rate: 25, kind.options + more)
    }

    @Test(arguments: kinds)
    func itsFactsAreRead(_ kind: Kind) throws {
        let file = try made(kind)
        let answer = try world.pool.probe(path: file.path, renditionSide: 0)
        let facts = try #require(answer.facts)
        #expect(facts.contentType == kind.type)
        #expect(facts.format == kind.format)
        #expect(facts.displaySize == PixelSize(width: 320, height: 240))
        let movie = try #require(facts.movie)
        #expect(abs(movie.duration - 2) < 0.2)
        #expect(abs((movie.frameRate ?? 0) - 25) < 0.1)
        #expect(!movie.isCutShort)

        let tracks = try world.facts(of: file)
        #expect(tracks.containerType == kind.type)
        #expect(tracks.tracks.map(\.kind) == [.video, .audio])
        let codecs = tracks.tracks.map { track in
            let bytes = [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: track.codec >> $0) }
            return String(decoding: bytes, as: UTF8.self)
        }
        #expect(codecs == [kind.codec, kind.sound])
        #expect(tracks.tracks.map(\.fitsQuickTime).contains(false) == (kind.format == .asf))
    }

    @Test(arguments: kinds)
    func itHasAPoster(_ kind: Kind) throws {
        let file = try made(kind)
        let descriptor = open(file.path, O_RDONLY)
        try #require(descriptor >= 0)
        defer { close(descriptor) }
        let answer = try world.pool.decode(
            DecodeRequest(shape: PixelShape(), layout: .rgb),
            descriptor: descriptor
        )
        guard case .pixels(_, let pixels) = answer else {
            Issue.record("\(answer)")
            return
        }
        let image = try #require(pixels.mapped()).image
        #expect(image.size == PixelSize(width: 320, height: 240))
        #expect(Set(image.bytes).count > 100)
    }

    @Test(
        "A picture of pixels that are not square has the shape that it is shown in",
        arguments: ["disc.mpg", "tape.mov", "tape.mp4", "tape.mkv"]
    )
    func pixelsAreMadeSquare(_ name: String) throws {
        let disc = Self.kinds[2]
        let file =
            name == disc.name
            ? try made(disc, ["-aspect", "16:9"])
            : try world.make(name, size: "320x240", rate: 25, ["-vf", "setsar=4/3"])
        let facts = try #require(
            try world.pool.probe(path: file.path, renditionSide: 0).facts
        )
        #expect(facts.displaySize == PixelSize(width: 427, height: 240))
        let descriptor = open(file.path, O_RDONLY)
        try #require(descriptor >= 0)
        defer { close(descriptor) }
        let answer = try world.pool.decode(
            DecodeRequest(shape: PixelShape(), layout: .rgb),
            descriptor: descriptor
        )
        guard case .pixels(let decoded, _) = answer else {
            Issue.record("\(answer)")
            return
        }
        #expect(decoded.fullSize == facts.displaySize)
    }

    /// The ratio that a header implies which counts 1080 of 1088 rows.
    @Test func nearlySquarePixelsAreSquare() throws {
        let options = ["-vf", "setsar=136/135"]
        let file = try world.make("camera.mov", size: "320x240", rate: 25, options)
        let facts = try #require(
            try world.pool.probe(path: file.path, renditionSide: 0).facts
        )
        #expect(facts.displaySize == PixelSize(width: 320, height: 240))
    }

    @Test func aCamcordersDateIsRead() throws {
        // One hour east of Greenwich, 2012-05-06 07:08:59, as two digits per byte.
        let packs = "MDPM\u{2}\u{18}\u{2}\u{20}\u{12}\u{5}\u{19}\u{6}\u{7}\u{8}\u{59}"
        let filter = "h264_metadata=sei_user_data=17ee8c60-f84d-11d9-8cd6-0800200c9a66+" + packs
        let file = try made(Self.kinds[0], ["-bsf:v", filter])
        let facts = try #require(
            try world.pool.probe(path: file.path, renditionSide: 0).facts
        )
        let date = try #require(facts.dates.first)
        #expect(date.text == "2012:05:06 07:08:59")
        #expect(date.offset == "+01:00")
    }

    @Test func theDateOfAWindowsMovieIsRead() throws {
        let file = try made(
            Self.kinds[4],
            ["-metadata", "creation_time=2012-05-06T07:08:09Z"]
        )
        let facts = try #require(
            try world.pool.probe(path: file.path, renditionSide: 0).facts
        )
        let date = try #require(facts.dates.first)
        #expect(date.text == "2012:05:06 07:08:09")
        #expect(date.offset == "Z")
    }

    @Test(arguments: kinds.dropLast())
    func packetsCanBeCopied(_ kind: Kind) throws {
        let (copy, report) = try world.convert(
            try made(kind),
            to: "copy.mov",
            MovieConversion(container: .mov)
        )
        #expect(abs(report.duration.seconds - 2) < 0.2)
        #expect(try MovieWorld.complaint(about: copy) == nil)
    }

    @Test(arguments: kinds)
    func itCanBeEncoded(_ kind: Kind) throws {
        let (movie, report) = try world.convert(
            try made(kind),
            to: "encoded.mp4",
            MovieConversion(container: .mp4, video: .encode(codec: .h264), audio: .encodeAAC())
        )
        #expect(abs(report.duration.seconds - 2) < 0.25)
        #expect(try MovieWorld.complaint(about: movie) == nil)
    }

    @Test func whatQuickTimeCantHoldIsRefused() throws {
        let failure = world.failure(try made(Self.kinds[4]), MovieConversion(container: .mov))
        #expect(failure?.message.contains("wmv2") == true)
    }

    @Test func soundAloneIsNoMovie() throws {
        let file = world.folder.file("sound.wma")
        try MovieWorld.ffmpeg([
            "-v", "error", "-f", "lavfi", "-i", "sine=duration=1", "-c:a", "wmav2", "-f", "asf",
            file.path,
        ])
        guard
            case .unsupported(let reason) = try world.pool.probe(
                path: file.path,
                renditionSide: 0
            )
        else {
            Issue.record("It is read.")
            return
        }
        #expect(reason.contains("audio"))
    }
}
