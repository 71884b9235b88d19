import Foundation
import Testing

/// The real camera files next to a checkout, at `../shared/data`.
enum CameraFiles {
    static let folder = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .appendingPathComponent("shared/data", isDirectory: true)

    static let arePresent = FileManager.default.fileExists(
        atPath: folder.appendingPathComponent("expected.tsv").path
    )

    static func file(_ name: String) -> URL { folder.appendingPathComponent(name) }

    /// Returns the names of the movies in a folder.
    static func movies(in name: String) -> [String] {
        let names =
            (try? FileManager.default.contentsOfDirectory(atPath: file(name).path)) ?? []
        let extensions: Set = ["mov", "mp4", "m4v", "3gp", "avi", "mkv"]
        return names.filter { extensions.contains(($0 as NSString).pathExtension.lowercased()) }
            .sorted().map { name + "/" + $0 }
    }
}

extension Trait where Self == ConditionTrait {
    /// Skips a test if the camera files are missing.
    static var needsCameraFiles: Self {
        .enabled(
            if: CameraFiles.arePresent,
            "There are no camera files at \(CameraFiles.folder.path)."
        )
    }
}
