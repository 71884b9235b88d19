package import Foundation
import Synchronization
package import Testing

/// The real camera files next to a checkout, at `../shared/data`.
///
/// They are not part of the repository. A suite that reads them has the trait `.needsSharedData`,
/// which skips it with a reason if they are missing.
package enum SharedData {
    /// The root of the package that this file was compiled in.
    package static let packageRoot = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    /// The folder next to the package with data, tools and the API's description.
    package static let sharedFolder = packageRoot.deletingLastPathComponent()
        .appendingPathComponent("shared", isDirectory: true)

    /// The folder of camera files, whether it exists or not.
    package static let folder = sharedFolder.appendingPathComponent("data", isDirectory: true)

    /// Whether the camera files exist.
    package static let isPresent = FileManager.default.fileExists(
        atPath: folder.appendingPathComponent("expected.tsv").path
    )

    /// Returns the URL of a file: `file("burst/IMG_0658.JPG")`.
    package static func file(_ name: String) -> URL { folder.appendingPathComponent(name) }

    /// Returns the rows of a tab-separated table with a header line, by column name; read once.
    package static func rows(of table: String) throws -> [[String: String]] {
        try tables.withLock { tables in
            if let rows = tables[table] { return rows }
            let rows = try read(table)
            tables[table] = rows
            return rows
        }
    }

    private static let tables = Mutex<[String: [[String: String]]]>([:])

    private static func read(_ table: String) throws -> [[String: String]] {
        let text = try String(contentsOf: file(table), encoding: .utf8)
        var lines = text.split(separator: "\n", omittingEmptySubsequences: true)
            .map { $0.split(separator: "\t", omittingEmptySubsequences: false).map(String.init) }
        guard !lines.isEmpty else { return [] }
        let header = lines.removeFirst()
        return lines.map { fields in
            Dictionary(zip(header, fields), uniquingKeysWith: { first, _ in first })
        }
    }
}

extension Trait where Self == ConditionTrait {
    /// Skips a test or a suite if the camera files are missing.
    package static var needsSharedData: Self {
        .enabled(
            if: SharedData.isPresent,
            "There are no camera files at \(SharedData.folder.path)."
        )
    }

    /// Skips a test or a suite if a program is not installed.
    package static func needsProgram(_ name: String) -> Self {
        .enabled(
            if: ProcessRunner.path(of: name) != nil,
            "The program \(name) is not installed; `Scripts/setup` installs it."
        )
    }
}
