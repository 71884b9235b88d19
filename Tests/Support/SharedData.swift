package import Foundation
import Synchronization
package import Testing

/// The real camera files that lie beside a checkout, at `../shared/data`.
///
/// They are not part of the repository. A suite that reads them carries `.needsSharedData`, which
/// skips it with a reason where they are missing.
package enum SharedData {
    /// The root of the package that this file was compiled in.
    package static let packageRoot = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    /// The folder beside the package that holds data, tools and the API's description.
    package static let sharedFolder = packageRoot.deletingLastPathComponent()
        .appendingPathComponent("shared", isDirectory: true)

    /// The folder of camera files, present or not.
    package static let folder = sharedFolder.appendingPathComponent("data", isDirectory: true)

    /// Whether the camera files are there.
    package static let isPresent = FileManager.default.fileExists(
        atPath: folder.appendingPathComponent("expected.tsv").path
    )

    /// Where one file is: `file("burst/IMG_0658.JPG")`.
    package static func file(_ name: String) -> URL { folder.appendingPathComponent(name) }

    /// The rows of a table with tabs and one header line, by column name; read once.
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
    /// Skips a test or a suite where the camera files are missing.
    package static var needsSharedData: Self {
        .enabled(
            if: SharedData.isPresent,
            "There are no camera files at \(SharedData.folder.path)."
        )
    }

    /// Skips a test or a suite where a program is not installed.
    package static func needsProgram(_ name: String) -> Self {
        .enabled(
            if: ProcessRunner.path(of: name) != nil,
            "The program \(name) is not installed; `Scripts/setup` installs it."
        )
    }
}
