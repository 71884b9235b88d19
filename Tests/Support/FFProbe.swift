package import Foundation

/// The properties of a movie that ffprobe reports.
package struct FFProbe {
    package struct Stream {
        package var kind: String
        package var values: [String: Any]
        /// The rotation of a display matrix, clockwise in degrees.
        package var turn: Int

        package func number(_ key: String) -> Double? {
            (values[key] as? NSNumber)?.doubleValue ?? (values[key] as? String).flatMap(Double.init)
        }

        package func text(_ key: String) -> String? { values[key] as? String }
    }

    /// The reason why ffprobe cannot read a file.
    package struct Failure: Error { package let reason: String }

    package var format: [String: Any] = [:]
    package var streams: [Stream] = []

    package init(_ file: URL) throws {
        let output = try ProcessRunner.run(
            "ffprobe",
            ["-v", "error", "-of", "json", "-show_format", "-show_streams", file.path]
        )
        guard output.status == 0 else { throw Failure(reason: output.errorText) }
        let all =
            try JSONSerialization.jsonObject(with: output.standardOutput) as? [String: Any] ?? [:]
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

    package func streams(_ kind: String) -> [Stream] { streams.filter { $0.kind == kind } }

    package var duration: Double { (format["duration"] as? String).flatMap(Double.init) ?? 0 }

    package var tags: [String: String] { format["tags"] as? [String: String] ?? [:] }

    /// Returns the entries of the first video stream by name, including `TAG:` and side data.
    package static func videoStream(of file: URL) throws -> [String: String] {
        let output = try ProcessRunner.run(
            "ffprobe",
            ["-v", "error", "-select_streams", "v:0", "-show_streams", "-of", "flat", file.path]
        )
        var result: [String: String] = [:]
        for line in output.lines {
            let parts = line.split(separator: "=", maxSplits: 1).map(String.init)
            guard parts.count == 2 else { continue }
            let name = parts[0].replacingOccurrences(of: "streams.stream.0.", with: "")
            result[name] = parts[1].trimmingCharacters(in: ["\""])
        }
        return result
    }
}
