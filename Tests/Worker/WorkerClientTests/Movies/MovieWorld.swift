import Foundation
import Glibc
import PhotoModel
import Synchronization
import TestSupport
import Testing
import WorkerClient
import WorkerProtocol

/// Movies made by FFmpeg's command, workers that read and convert them, and FFmpeg's results.
struct MovieWorld {
    let pool = WorkerPool.shared
    let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    // MARK: - Making

    /// Makes a movie of a changing picture and a tone with FFmpeg.
    func make(
        _ name: String,
        seconds: Double = 2,
        size: String = "320x180",
        rate: Int = 30,
        audio: [String] = ["-c:a", "aac"],
        _ options: [String] = []
    ) throws -> URL {
        let file = folder.file(name)
        var arguments = [
            "-v", "error", "-f", "lavfi", "-i", "testsrc2=size=\(size):rate=\(rate)",
        ]
        if !audio.isEmpty { arguments += ["-f", "lavfi", "-i", "sine=440:sample_rate=44100"] }
        arguments += ["-t", "\(seconds)"] + audio
        if !options.contains("-c:v") {
            arguments += ["-c:v", "libx264", "-preset", "ultrafast", "-g", "\(rate)"]
        }
        try Self.ffmpeg(arguments + options + ["-y", file.path])
        return file
    }

    static func ffmpeg(_ arguments: [String]) throws {
        let output = try ProcessRunner.run("ffmpeg", arguments)
        guard output.status == 0 else {
            throw CocoaError(
                .executableLoad,
                userInfo: [NSDebugDescriptionErrorKey: output.errorText]
            )
        }
    }

    // MARK: - Requests to the worker

    func facts(of file: URL) throws -> MovieFacts {
        let descriptor = open(file.path, O_RDONLY)
        try #require(descriptor >= 0)
        defer { close(descriptor) }
        return try pool.movieFacts(of: descriptor, filename: file.lastPathComponent)
    }

    /// Converts a file into a new one.
    func convert(
        _ file: URL,
        to name: String,
        _ conversion: MovieConversion,
        pool: WorkerPool? = nil,
        cancellation: WorkCancellation? = nil,
        progress: @Sendable (Double) -> Void = { _ in },
        draw: FrameDrawing = { _ in .unchanged }
    ) throws -> (file: URL, report: MovieConversionReport) {
        let result = folder.file(name)
        let input = open(file.path, O_RDONLY)
        let output = open(result.path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        try #require(input >= 0 && output >= 0)
        defer {
            close(input)
            close(output)
        }
        let report = try (pool ?? self.pool).convertMovie(
            from: input,
            filename: file.lastPathComponent,
            into: output,
            conversion,
            cancellation: cancellation,
            progress: progress,
            draw: draw
        )
        return (result, report)
    }

    /// Returns the reason that a conversion fails, or nil if it succeeds.
    func failure(
        _ file: URL,
        _ conversion: MovieConversion,
        pool: WorkerPool? = nil,
        progress: @Sendable (Double) -> Void = { _ in }
    ) -> WorkerError? {
        do {
            _ = try convert(
                file,
                to: "\(UUID().uuidString).mov",
                conversion,
                pool: pool,
                progress: progress
            )
            return nil
        } catch {
            return error as? WorkerError
        }
    }

    // MARK: - FFmpeg's results

    /// Returns the hash of each stream's packets, by the kind of stream and its number (`v0`,
    /// `a0`).
    static func packetHashes(of file: URL, _ options: [String] = ["-c", "copy"]) throws -> [String]
    {
        let output = try ProcessRunner.run(
            "ffmpeg",
            ["-v", "error", "-i", file.path, "-map", "0:v?", "-map", "0:a?"] + options
                + ["-f", "streamhash", "-hash", "md5", "-"]
        )
        guard output.status == 0 else { return ["\(file.lastPathComponent): \(output.errorText)"] }
        return output.lines.map { line in
            String(line[(line.firstIndex(of: ",") ?? line.startIndex)...])
        }
    }

    /// Returns FFmpeg's complaint about a file, or nil if it decodes all of it without one.
    static func complaint(about file: URL) throws -> String? {
        let output = try ProcessRunner.run(
            "ffmpeg",
            [
                "-v", "error", "-i", file.path, "-map", "0:v?", "-map", "0:a?", "-f", "null", "-",
            ]
        )
        return output.status == 0 && output.errorText.isEmpty ? nil : output.errorText
    }

    /// Returns the types of the top-level boxes, in order.
    static func boxes(of file: URL) throws -> [String] {
        let data = try Data(contentsOf: file)
        var names: [String] = []
        var at = 0
        while at + 8 <= data.count {
            let length = data[at..<at + 4].reduce(0) { $0 << 8 | Int($1) }
            names.append(String(decoding: data[at + 4..<at + 8], as: UTF8.self))
            guard length >= 8 else { break }
            at += length
        }
        return names
    }
}

/// The facts that `ffprobe` reports.
struct ProbedMovie: Decodable {
    struct Stream: Decodable {
        var codec_type: String?
        var codec_name: String?
        var codec_tag_string: String?
        var profile: String?
        var pix_fmt: String?
        var width: Int?
        var height: Int?
        var time_base: String?
        var start_pts: Int64?
        var duration_ts: Int64?
        var duration: String?
        var avg_frame_rate: String?
        var nb_frames: String?
        var sample_rate: String?
        var channels: Int?
        var color_range: String?
        var color_space: String?
        var color_transfer: String?
        var color_primaries: String?
        var id: String?
        var tags: [String: String]?
        var side_data_list: [SideData]?
        var disposition: [String: Int]?

        var rotation: Int? { side_data_list?.lazy.compactMap(\.rotation).first }
        var seconds: Double { duration.flatMap(Double.init) ?? 0 }
        var rate: Double {
            let parts = (avg_frame_rate ?? "").split(separator: "/").compactMap { Double($0) }
            return parts.count == 2 && parts[1] > 0 ? parts[0] / parts[1] : 0
        }
    }

    struct SideData: Decodable {
        var rotation: Int?
    }

    struct Format: Decodable {
        var duration: String?
        var tags: [String: String]?
    }

    var streams: [Stream]
    var format: Format

    var seconds: Double { format.duration.flatMap(Double.init) ?? 0 }
    var video: Stream? { streams.first { $0.codec_type == "video" } }
    var audio: Stream? { streams.first { $0.codec_type == "audio" } }

    /// Fails with nil if ffprobe cannot read the file.
    init?(_ file: URL) throws {
        let output = try ProcessRunner.run(
            "ffprobe",
            ["-v", "error", "-show_streams", "-show_format", "-of", "json", file.path]
        )
        guard output.status == 0,
            let movie = try? JSONDecoder().decode(Self.self, from: output.standardOutput)
        else { return nil }
        self = movie
    }
}

/// The progress that conversions reported.
final class ProgressRecord: Sendable {
    private let told = Mutex<[Double]>([])
    var values: [Double] { told.withLock { $0 } }
    func record(_ value: Double) { told.withLock { $0.append(value) } }
}
