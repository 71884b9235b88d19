package import Foundation

/// A new, empty folder that is removed with its owner.
///
/// Keep it in a stored property of the suite, or alive with `withExtendedLifetime` in a test.
package final class TemporaryFolder: Sendable {
    package let url: URL

    /// Creates the folder below `$TMPDIR`, or `/tmp`.
    package convenience init(_ label: String = "photos-test") throws {
        try self.init(label, in: FileManager.default.temporaryDirectory)
    }

    /// Creates the folder in another one.
    package init(_ label: String, in parent: URL) throws {
        url =
            parent
            .appendingPathComponent("\(label)-\(UUID().uuidString)", isDirectory: true)
            .resolvingSymlinksInPath()
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit {
        // Otherwise, folders that a test made unreadable would remain.
        let manager = FileManager.default
        if (try? manager.removeItem(at: url)) == nil {
            _ = try? ProcessRunner.run("/bin/chmod", ["-R", "u+rwX", url.path])
            try? manager.removeItem(at: url)
        }
    }

    package var path: String { url.path }

    /// Returns a path below the folder, without creating anything.
    package func file(_ name: String) -> URL { url.appendingPathComponent(name) }

    /// Creates a folder below this one.
    package func folder(_ name: String) throws -> URL {
        let folder = url.appendingPathComponent(name, isDirectory: true)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        return folder
    }

    /// Writes a file below the folder.
    @discardableResult
    package func write(_ data: Data, to name: String) throws -> URL {
        let file = file(name)
        try FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(),
            withIntermediateDirectories: true
        )
        try data.write(to: file)
        return file
    }
}
