import Foundation
import TestSupport

/// The properties of a movie that ffprobe reports.
struct MovieProbe {
    struct Stream {
        var kind: String
        var values: [String: Any]
        /// The rotation of a display matrix, clockwise in degrees.
        var turn: Int

        func number(_ key: String) -> Double? {
            (values[key] as? NSNumber)?.doubleValue ?? (values[key] as? String).flatMap(Double.init)
        }

        func text(_ key: String) -> String? { values[key] as? String }
    }

    var format: [String: Any] = [:]
    var streams: [Stream] = []

    init(_ file: URL) throws {
        let text = try MediaTool.run(
            "ffprobe",
            ["-v", "error", "-of", "json", "-show_format", "-show_streams", file.path]
        )
        let all =
            try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any] ?? [:]
        format = all["format"] as? [String: Any] ?? [:]
        streams = (all["streams"] as? [[String: Any]] ?? []).map { values in
            let sides = values["side_data_list"] as? [[String: Any]] ?? []
            let turn = sides.lazy.compactMap { $0["rotation"] as? NSNumber }.first?.intValue ?? 0
            return Stream(
                kind: values["codec_type"] as? String ?? "",
                values: values,
                turn: (360 - turn) % 360
            )
        }
    }

    func streams(_ kind: String) -> [Stream] { streams.filter { $0.kind == kind } }

    var duration: Double { (format["duration"] as? String).flatMap(Double.init) ?? 0 }

    var tags: [String: String] { format["tags"] as? [String: String] ?? [:] }
}

/// Programs that make movies and check them.
enum MediaTool {
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    /// Returns the standard output of a program; throws if it fails.
    static func run(_ program: String, _ arguments: [String]) throws -> String {
        let output = try ProcessRunner.run(program, arguments)
        guard output.status == 0 else {
            throw Failure(description: "\(program): \(output.errorText)")
        }
        return output.text
    }
}

/// The camera files that are movies.
enum SharedMovies {
    /// Returns the names of the movies in a folder.
    static func names(in folder: String) -> [String] {
        let names =
            (try? FileManager.default.contentsOfDirectory(atPath: SharedData.file(folder).path))
            ?? []
        let extensions: Set = ["mov", "mp4", "m4v", "3gp", "avi", "mkv"]
        return names.filter { extensions.contains(($0 as NSString).pathExtension.lowercased()) }
            .sorted().map { folder + "/" + $0 }
    }
}
