package import Foundation

/// The reports of exiftool about files, as an independent opinion.
package enum ExifTool {
    /// Returns the tags of a file, unformatted, by group and name: `EXIF:Make`,
    /// `QuickTime:CreateDate`.
    ///
    /// Numbers are returned as text too, as exiftool writes them.
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

    /// Returns the warnings about a file, none for an intact one.
    package static func complaints(about file: URL) throws -> [String] {
        try ProcessRunner.run("exiftool", ["-s3", "-a", "-warning", "-error", file.path]).lines
    }
}
