package import Foundation

/// What exiftool says of files: an opinion that is not ours.
package enum ExifTool {
    /// The tags of a file, by group and name: `EXIF:Make`, `QuickTime:CreateDate`; numbers unformatted.
    ///
    /// Numbers come as text too, as exiftool writes them.
    package static func tags(of file: URL) throws -> [String: String] {
        let output = try ProcessRunner.run(
            "exiftool",
            ["-j", "-n", "-a", "-G0", "-ee", "-api", "QuickTimeUTC=1", file.path],
            environment: ["TZ": "UTC"]
        )
        let decoded = try JSONSerialization.jsonObject(with: output.standardOutput)
        guard let object = (decoded as? [[String: Any]])?.first else { return [:] }
        return object.mapValues { "\($0)" }
    }

    /// Its complaints about a file: none for a sound one.
    package static func complaints(about file: URL) throws -> [String] {
        try ProcessRunner.run("exiftool", ["-s3", "-a", "-warning", "-error", file.path]).lines
    }
}

/// What ffprobe says of movies.
package enum FFProbe {
    /// The entries of the first video stream, by name; `TAG:` and side data included.
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
