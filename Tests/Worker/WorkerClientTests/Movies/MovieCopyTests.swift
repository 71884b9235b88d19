import Foundation
import PhotoModel
import Synchronization
import TestSupport
import Testing
import WorkerClient

/// Movies whose packets are copied: no bit of them changes, and their metadata is kept.
@Suite(.needsProgram("ffmpeg"), .timeLimit(.minutes(3)))
struct MovieCopyTests {
    private let world: MovieWorld

    init() throws {
        world = try MovieWorld()
    }

    @Test(
        arguments: [
            ("mov", MovieConversion.Container.mov), ("mov", .mp4), ("mp4", .mov), ("mp4", .m4v),
            ("mkv", .mp4), ("mkv", .mov),
        ]
    )
    func packetsAreTheSame(_ source: String, _ container: MovieConversion.Container) throws {
        let file = try world.make("source.\(source)", seconds: 1)
        let (copy, report) = try world.convert(
            file,
            to: "copy.\(container.rawValue)",
            MovieConversion(container: container)
        )
        let wanted = try MovieWorld.packetHashes(of: file)
        #expect(try MovieWorld.packetHashes(of: copy) == wanted)
        #expect(wanted.count == 2)
        #expect(try MovieWorld.complaint(about: copy) == nil)
        #expect(report.videoCodec == "h264")
        let length = try copy.resourceValues(forKeys: [.fileSizeKey]).fileSize
        #expect(report.bytes == length.map(Int64.init))
        let before = try #require(try ProbedMovie(file))
        let after = try #require(try ProbedMovie(copy))
        #expect(abs(before.seconds - after.seconds) < 0.05)
        #expect(abs(report.duration.seconds - after.seconds) < 0.05)
        let brands = ["mov": "qt  ", "mp4": "isom", "m4v": "M4V "]
        #expect(after.format.tags?["major_brand"] == brands[container.rawValue])
    }

    @Test(.needsSharedData) func everyCamerasMovieIsCopied() throws {
        // H.263 and AV1 are not supported in QuickTime files, and the other files are incomplete.
        let others = ["star-av1.mp4", "audio-only.mov", "header-only-sony-a7-xavc.MP4"]
        let files = try ["video", "live-photo"].flatMap { folder in
            try FileManager.default.contentsOfDirectory(atPath: SharedData.file(folder).path)
                .sorted().map { "\(folder)/\($0)" }
        }.filter { path in
            let name = (path as NSString).lastPathComponent
            let isMovie = ["mov", "mp4", "mkv"]
                .contains((name as NSString).pathExtension.lowercased())
            return isMovie && !others.contains(name)
        }
        #expect(files.count > 20)
        let found = Mutex<[(path: String, result: Result<Copied, any Error>)]>([])
        DispatchQueue.concurrentPerform(iterations: files.count) { index in
            let result = Result { try copied(SharedData.file(files[index]), "copy-\(index).mov") }
            found.withLock { $0.append((files[index], result)) }
        }
        for (path, result) in found.withLock(\.self) {
            let copied = try result.get()
            #expect(copied.hashes.before == copied.hashes.after, "\(path)")
            let (before, after) = (copied.before, copied.after)
            #expect(abs(before.seconds - after.seconds) < 0.05, "\(path)")
            #expect(before.video?.rotation == after.video?.rotation, "\(path)")
            #expect(before.video?.color_transfer == after.video?.color_transfer, "\(path)")
            let isISO = !path.hasSuffix(".mkv")
            #expect(before.video?.nb_frames == after.video?.nb_frames || !isISO, "\(path)")
        }
    }

    /// The packets and metadata that FFmpeg reports for a movie and its copy.
    private struct Copied {
        var hashes: (before: [String], after: [String])
        var before: ProbedMovie
        var after: ProbedMovie
    }

    private func copied(_ file: URL, _ name: String) throws -> Copied {
        let (copy, _) = try world.convert(file, to: name, MovieConversion(container: .mov))
        guard let before = try ProbedMovie(file), let after = try ProbedMovie(copy) else {
            throw CocoaError(.fileReadCorruptFile)
        }
        return Copied(
            hashes: (
                try MovieWorld.packetHashes(of: file), try MovieWorld.packetHashes(of: copy)
            ),
            before: before,
            after: after
        )
    }

    @Test(.needsSharedData) func whatAnIPhoneWritesIsKept() throws {
        let file = SharedData.file("live-photo/IMG_3582.mov")
        let (copy, _) = try world.convert(file, to: "copy.mov", MovieConversion(container: .mov))
        let before = try world.facts(of: file)
        let after = try world.facts(of: copy)
        #expect(Set(after.metadata).isSuperset(of: before.metadata))
        #expect(after.creationDate == before.creationDate)
        #expect(after.tracks.map(\.kind) == before.tracks.map(\.kind))
        #expect(after.tracks.map(\.transform) == before.tracks.map(\.transform))
    }

    @Test func theIndexIsWhereItIsWanted() throws {
        let file = try world.make("source.mov", seconds: 1)
        for isInFront in [true, false] {
            let (copy, _) = try world.convert(
                file,
                to: "copy.mov",
                MovieConversion(container: .mov, movesIndexToFront: isInFront)
            )
            let boxes = try MovieWorld.boxes(of: copy)
            let index = try #require(boxes.firstIndex(of: "moov"))
            let data = try #require(boxes.firstIndex(of: "mdat"))
            #expect((index < data) == isInFront)
        }
    }

    @Test func metadataIsKeptDroppedAndAdded() throws {
        let file = try world.make(
            "source.mov",
            seconds: 1,
            [
                "-movflags", "use_metadata_tags", "-metadata",
                "com.apple.quicktime.content.identifier=1234", "-metadata",
                "com.apple.quicktime.title=Old", "-metadata", "creation_time=2021-02-03T04:05:06Z",
            ]
        )
        let added = [
            MovieMetadataItem(keySpace: "mdta", key: "com.apple.quicktime.title", value: "New"),
            MovieMetadataItem(keySpace: "mdta", key: "com.example.mood", value: "fröhlich"),
        ]
        for container in [MovieConversion.Container.mov, .mp4] {
            let (kept, _) = try world.convert(
                file,
                to: "kept.\(container.rawValue)",
                MovieConversion(container: container, metadata: added)
            )
            let facts = try world.facts(of: kept)
            func value(_ key: String) -> [String] {
                facts.metadata.filter { $0.key == key }.map(\.value)
            }
            #expect(value("com.apple.quicktime.content.identifier") == ["1234"])
            #expect(value("com.apple.quicktime.title") == ["New"])
            #expect(value("com.example.mood") == ["fröhlich"])
            #expect(facts.creationDate?.hasPrefix("2021-02-03T04:05:06") == true)
        }
        let (bare, _) = try world.convert(
            file,
            to: "bare.mov",
            MovieConversion(container: .mov, keepsMetadata: false, metadata: [added[1]])
        )
        let facts = try world.facts(of: bare)
        #expect(facts.metadata == [added[1]])
        #expect(facts.creationDate == nil)
    }

    @Test func aRangeIsCutAtFramesByItsEditList() throws {
        let file = try world.make("source.mov", seconds: 3, ["-g", "60"])
        let (cut, report) = try world.convert(
            file,
            to: "cut.mov",
            MovieConversion(
                container: .mov,
                start: MovieTime(value: 700, timescale: 600),
                duration: MovieTime(value: 600, timescale: 600)
            )
        )
        let probed = try #require(try ProbedMovie(cut))
        #expect(abs((probed.video?.seconds ?? 0) - 1) < 2.5 / 30)
        #expect(abs(report.duration.seconds - 1) < 0.01)
        // The displayed frames are those of the range.
        let seen = try MovieWorld.packetHashes(of: cut, ["-an", "-frames:v", "25", "-vsync", "0"])
        let wanted = try MovieWorld.packetHashes(
            of: file,
            ["-an", "-vf", "select=gte(n\\,35)", "-frames:v", "25", "-vsync", "0"]
        )
        #expect(seen == wanted)
    }

    @Test func soundAloneAndPicturesAlone() throws {
        let file = try world.make("source.mov", seconds: 1)
        let (sound, report) = try world.convert(
            file,
            to: "sound.m4a",
            MovieConversion(container: .m4a, video: .drop)
        )
        #expect(try ProbedMovie(sound)?.streams.map(\.codec_name) == ["aac"])
        #expect(report.videoCodec == nil)
        let (pictures, _) = try world.convert(
            file,
            to: "pictures.mp4",
            MovieConversion(container: .mp4, audio: .drop)
        )
        #expect(try ProbedMovie(pictures)?.streams.map(\.codec_name) == ["h264"])
    }

    @Test func whatAContainerCannotHoldIsSaid() throws {
        let file = try world.make("source.mov", seconds: 1, audio: ["-c:a", "pcm_s16le"])
        let failure = try #require(world.failure(file, MovieConversion(container: .mp4)))
        #expect(failure.kind == .file)
        #expect(failure.message.contains("can't hold pcm_s16le"))
    }
}
