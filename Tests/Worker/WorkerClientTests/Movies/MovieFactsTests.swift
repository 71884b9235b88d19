import Foundation
import PhotoModel
import TestSupport
import Testing
import WorkerClient

/// The facts that the worker reads from movies, compared with `ffprobe`, which reads them in
/// another way.
@Suite(.needsProgram("ffprobe"), .timeLimit(.minutes(3)))
struct MovieFactsTests {
    private let world: MovieWorld

    init() throws {
        world = try MovieWorld()
    }

    /// Compares facts with those of `ffprobe`.
    private func compare(_ file: URL) throws {
        let name = file.lastPathComponent
        guard let probed = try ProbedMovie(file) else {
            #expect(throws: WorkerError.self, "\(name)") { try world.facts(of: file) }
            return
        }
        let facts = try world.facts(of: file)
        #expect(abs(facts.duration.seconds - probed.seconds) < 0.001, "\(name)")
        #expect(facts.tracks.count == probed.streams.count, "\(name)")
        for (track, stream) in zip(facts.tracks, probed.streams) {
            compare(track, stream, "\(name) \(track.id)")
        }
    }

    private func compare(_ track: MovieTrack, _ stream: ProbedMovie.Stream, _ name: String) {
        switch stream.codec_type {
        case "video":
            #expect(track.kind == .video, "\(name)")
            #expect(track.width == stream.width && track.height == stream.height, "\(name)")
            #expect(abs(track.nominalFrameRate - stream.rate) < 0.001, "\(name)")
            let isHDR = ["arib-std-b67", "smpte2084"].contains(stream.color_transfer)
            #expect(track.isHDR == isHDR, "\(name)")
            #expect(track.isDecodable, "\(name)")
            let transform = track.transform
            // FFmpeg counts counterclockwise.
            let degrees = -atan2(transform.b, transform.a) * 180 / .pi
            let wanted = Double(stream.rotation ?? 0)
            #expect(abs(remainder(degrees - wanted, 360)) < 0.5, "\(name)")
        case "audio":
            #expect(track.kind == .audio, "\(name)")
            #expect(track.channels == stream.channels, "\(name)")
            #expect("\(Int(track.sampleRate))" == stream.sample_rate, "\(name)")
        default:
            #expect(track.kind != .video && track.kind != .audio, "\(name)")
        }
        if let tag = stream.codec_tag_string, !tag.hasPrefix("[") {
            let letters = withUnsafeBytes(of: track.codec.bigEndian) {
                String(decoding: $0, as: UTF8.self)
            }
            #expect(letters == tag, "\(name)")
        }
        let parts = (stream.time_base ?? "").split(separator: "/").compactMap { Int32($0) }
        if parts.count == 2, parts[0] == 1 {
            #expect(track.timescale == parts[1], "\(name)")
            #expect(track.start.value == stream.start_pts ?? 0, "\(name)")
            if let duration = stream.duration_ts {
                #expect(track.duration.value == duration, "\(name)")
            }
        }
        let language = stream.tags?["language"].flatMap { $0 == "und" ? nil : $0 }
        #expect(track.language == language, "\(name)")
    }

    @Test(.needsSharedData) func everyCamerasMovieIsReadAsFFprobeReadsIt() throws {
        var count = 0
        for folder in ["video", "live-photo"] {
            let names = try FileManager.default.contentsOfDirectory(
                atPath: SharedData.file(folder).path
            )
            let endings = ["mov", "mp4", "m4v", "3gp", "avi", "mkv"]
            for name in names.sorted()
            where endings.contains((name as NSString).pathExtension.lowercased()) {
                try compare(SharedData.file("\(folder)/\(name)"))
                count += 1
            }
        }
        #expect(count > 20)
    }

    @Test(.needsProgram("ffmpeg"), arguments: ["mov", "mp4", "mkv", "avi", "m4a"])
    func madeMoviesAreReadAsFFprobeReadsThem(_ ending: String) throws {
        let options = ending == "m4a" ? ["-vn"] : []
        let file = try world.make("made.\(ending)", options)
        try compare(file)
        let facts = try world.facts(of: file)
        let types = [
            "mov": "com.apple.quicktime-movie", "mp4": "public.mpeg-4",
            "mkv": "org.matroska.mkv", "avi": "public.avi", "m4a": "com.apple.m4a-audio",
        ]
        #expect(facts.containerType == types[ending])
        #expect(!facts.hasProtectedContent)
        guard ending == "mov", let video = facts.tracks.first(where: { $0.kind == .video }) else {
            return
        }
        #expect(video.minFrameDuration.map { abs($0.seconds - 1 / 30) < 0.000_01 } == true)
        let hashes = try ProcessRunner.run(
            "ffprobe",
            [
                "-v", "error", "-select_streams", "v", "-show_entries", "packet=size", "-of",
                "csv=p=0", file.path,
            ]
        )
        let bytes = hashes.lines.compactMap { Int64($0.prefix { $0.isNumber }) }.reduce(0, +)
        #expect(video.totalSampleDataLength == bytes)
        #expect(abs(video.estimatedDataRate - Double(bytes) * 8 / 2) < 1000)
    }

    @Test(.needsSharedData) func whatAMovieSaysOfItselfIsRead() throws {
        let facts = try world.facts(of: SharedData.file("live-photo/IMG_3582.mov"))
        func value(_ key: String) -> String? {
            facts.metadata.first {
                $0.keySpace == "mdta" && $0.key == "com.apple.quicktime.\(key)"
            }?
            .value
        }
        #expect(value("content.identifier") == "602FEBB7-6B59-4799-96E6-9C8484D873C7")
        #expect(value("live-photo.auto") == "1")
        #expect(value("make") == "Apple")
        #expect(facts.creationDate == "2025-05-26T09:27:06-0500")
        #expect(facts.tracks.map(\.kind) == [.video, .audio, .metadata, .metadata, .metadata])
        // The position of the still, between the frames.
        #expect(abs((facts.tracks.last?.start.seconds ?? 0) - 799.0 / 600) < 0.01)
    }

    @Test(.needsProgram("ffmpeg"), arguments: [("mov", "udta"), ("mp4", "itsk")])
    func otherEntriesAndLanguagesAreRead(_ ending: String, _ space: String) throws {
        let file = try world.make(
            "said.\(ending)",
            [
                "-metadata", "title=A title", "-metadata:s:a:0", "language=eng",
                "-metadata", "creation_time=2021-02-03T04:05:06Z",
            ]
        )
        let facts = try world.facts(of: file)
        let title = facts.metadata.first { $0.value == "A title" }
        #expect(title?.keySpace == space && title?.key == "\u{A9}nam")
        #expect(facts.tracks.first { $0.kind == .audio }?.language == "eng")
        #expect(facts.creationDate?.hasPrefix("2021-02-03T04:05:06") == true)
    }

    @Test(.needsProgram("ffmpeg")) func aPictureIsNoMovie() throws {
        let picture = world.folder.file("picture.png")
        try MovieWorld.ffmpeg(
            ["-v", "error", "-f", "lavfi", "-i", "testsrc2", "-frames:v", "1", picture.path]
        )
        do {
            _ = try world.facts(of: picture)
            Issue.record("A picture was read as a movie.")
        } catch let error as WorkerError {
            #expect(error.kind == .unsupported)
            #expect(error.message == "picture.png: It is an image, not a movie.")
        }
    }
}
