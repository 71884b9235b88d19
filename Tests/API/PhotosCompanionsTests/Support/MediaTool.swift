import Foundation
import TestSupport

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
