import Foundation
import PhotoModel
import TestSupport
import Testing
import WorkerClient
import WorkerProtocol

/// Movies of fewer frames than an encoder holds back, encoded by workers whose new memory is filled
/// with a pattern: x265 takes a value that it never sets from there.
@Suite(.needsProgram("ffmpeg"), .timeLimit(.minutes(4)))
struct ShortMovieTests {
    private let world: MovieWorld

    init() throws {
        world = try MovieWorld()
    }

    /// Returns workers that start with each byte of new memory set.
    private func workersWithFilledMemory() throws -> WorkerPool {
        let script = world.folder.file("worker")
        try """
        #!/bin/sh
        MALLOC_PERTURB_=165 exec '\(BuiltProducts.worker.path)' "$@"
        """.write(to: script, atomically: true, encoding: .utf8)
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: script.path)
        return WorkerPool(
            configuration: .init(executable: script.path, maximumWorkers: 1)
        )
    }

    @Test(
        arguments: [MovieConversion.VideoCodec.h264, .hevc],
        [1, 2, 3, 7]
    )
    func fewFramesKeepTheirTimes(
        _ codec: MovieConversion.VideoCodec,
        _ frames: Int
    ) throws {
        let pool = try workersWithFilledMemory()
        let file = try world.make("source.mov", rate: 10, ["-frames:v", "\(frames)"])
        let (result, _) = try world.convert(
            file,
            to: "encoded.mp4",
            MovieConversion(
                container: .mp4,
                video: .encode(codec: codec, maximumWidth: nil, maximumHeight: nil),
                audio: .encodeAAC()
            ),
            pool: pool
        )
        let output = try ProcessRunner.run(
            "ffprobe",
            [
                "-v", "error", "-select_streams", "v", "-show_entries", "frame=pts_time", "-of",
                "csv=p=0", result.path,
            ]
        )
        let times = output.lines.compactMap { Double($0.prefix { $0 != "," }) }
        #expect(times.count == frames)
        for (index, time) in times.enumerated() {
            #expect(abs(time - Double(index) / 10) < 0.001, "\(times)")
        }
        #expect(try MovieWorld.complaint(about: result) == nil)
    }
}
