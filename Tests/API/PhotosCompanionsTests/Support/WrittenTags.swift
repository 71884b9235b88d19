import Foundation
import TestSupport

/// The tags of files that the code under test wrote, as exiftool reads them.
enum WrittenTags {
    /// Returns the tags as numbers, texts and lists, by directory and name: `IFD0:Make`.
    static func read(_ file: URL) throws -> [String: Any] {
        let output = try ProcessRunner.run("exiftool", ["-j", "-n", "-G1", file.path])
        let decoded = try JSONSerialization.jsonObject(with: output.standardOutput)
        return (decoded as? [[String: Any]])?.first ?? [:]
    }
}
