import Foundation
import PhotosManagement

/// Measures movies against FFmpeg's programs: poster frames, metadata, copies and smaller versions.
///
/// Both sides use one process per movie, or a worker that is already running. The time that
/// FFmpeg's programs need to print their version is subtracted.
struct MoviesSuite {
    let rounds: Int

    private static let movies = 8
    private static let size = "1280x720"

    private var turns: Int { max(1, min(rounds, 5)) }

    func run(_ report: Report) throws {
        guard ThumbnailTools.has("ffmpeg"), ThumbnailTools.has("ffprobe") else { return }
        let work = try WorkFolder()
        let library = try SyntheticLibrary()
        let source = work.url.appendingPathComponent("source")
        try FileManager.default.createDirectory(at: source, withIntermediateDirectories: true)
        // Each round of each kind of request has movies of its own, so that nothing is cached.
        let count = Self.movies * turns + 2
        let files = try (0..<count).map { try Self.make($0, in: source) }
        try Self.importing(source, into: library, count: count)
        let cases: [(name: String, way: MoviesProbe.Way, program: String, options: String)] = [
            (
                "256 px poster frames of movies of 720p", .poster, "ffmpeg",
                "-frames:v 1 -vf scale=256:-2 -q:v 3 -y \"$out/$name.jpg\""
            ),
            ("duration, tracks and metadata of a movie", .facts, "ffprobe", ""),
            (
                "a movie of 4 seconds passed through", .passthrough, "ffmpeg",
                "-map 0 -c copy -y \"$out/$name.mov\""
            ),
            (
                "the same in 640 × 360, H.264", .smaller, "ffmpeg",
                "-vf scale=640:-2 -c:v libx264 -preset faster -crf 20 -c:a aac -y \"$out/$name.mov\""
            ),
        ]
        for item in cases {
            var ours: [Double] = []
            var peer: [Double] = []
            for turn in 0..<turns {
                let range = turn * Self.movies..<(turn + 1) * Self.movies
                peer.append(
                    try Self.peer(item.program, item.options, Array(files[range]), work.url)
                )
                // A poster frame that was made in the background would be measured as a rendition.
                try library.dropRenditions()
                let figure: Double = try Probe.run([
                    "probe-movies", library.url.path, item.way.rawValue, "--start",
                    "\(range.lowerBound)", "--count", "\(range.count)",
                ])
                ours.append(figure)
            }
            report.print(
                Report.Case(
                    suite: "movies",
                    name: item.name,
                    ours: median(ours) * 1_000 / Double(Self.movies),
                    peer: median(peer) * 1_000 / Double(Self.movies),
                    peerName: item.program,
                    unit: "ms per movie",
                    limit: nil
                )
            )
        }
    }

    /// Imports the movies in a process of its own, which makes no poster frames later on.
    private static func importing(
        _ source: URL,
        into library: SyntheticLibrary,
        count: Int
    ) throws {
        let imported: Int = try Probe.run(["probe-import", library.url.path, source.path])
        guard imported == count else {
            throw BenchmarkError(description: "\(imported) of \(count) movies were imported.")
        }
    }

    /// Writes a unique movie of four seconds with sound.
    private static func make(_ index: Int, in folder: URL) throws -> URL {
        let file = folder.appendingPathComponent("MVI_\(1_000 + index).mov")
        try Shell.run(
            """
            ffmpeg -v error -f lavfi -i "testsrc2=size=\(size):rate=30" -f lavfi \
            -i "sine=$(( 220 + $2 )):sample_rate=44100" -t 4 -c:a aac -c:v libx264 \
            -preset ultrafast -pix_fmt yuv420p -metadata title="$2" -y "$1"
            """,
            [file.path, "\(index)"]
        )
        return file
    }

    /// Returns the seconds that a program takes for movies, one at a time, without its start-up.
    private static func peer(
        _ program: String,
        _ options: String,
        _ files: [URL],
        _ folder: URL
    ) throws -> Double {
        let input = program == "ffprobe" ? "-show_format -show_streams" : ""
        let script = """
            out=$1; shift
            for file in "$@"; do
                name=$(basename "$file" .mov)
                \(program) -v error \(input) -i "$file" \(options) > /dev/null < /dev/null || exit 1
            done
            """
        let start = """
            shift; for file in "$@"; do name=$(basename "$file" .mov)
            \(program) -version > /dev/null; done
            """
        let output = folder.appendingPathComponent("output")
        try FileManager.default.createDirectory(at: output, withIntermediateDirectories: true)
        let arguments = [output.path] + files.map(\.path)
        let starting = try seconds { try Shell.run(start, arguments) }
        return max(0, try seconds { try Shell.run(script, arguments) } - starting)
    }
}
