import Foundation
import Synchronization
import TestSupport
import Testing

/// The real libraries and exports of other programs next to a checkout, at `../shared/migration`.
enum MigrationSources {
    static let folder = SharedData.sharedFolder.appendingPathComponent("migration")
    static let isPresent = FileManager.default.fileExists(atPath: folder.path)

    static let libraries = [
        "photos5-10.15.1", "photos5-shared-10.15.1", "photos5-locked-10.15.1",
        "photos9-external-edits-14.4.1", "photos10-15.4.1", "photos10-media-types-15.7.2",
        "photos4-edited-10.14.6",
    ]
    static let exports = ["takeout-osxphotos-2022", "takeout-polish-2021", "takeout-old-names"]

    /// The fixtures that tests of exports and backups use: one of each kind, then the others.
    ///
    /// `PHOTOS_MIGRATION_CASES` sets their number. All are imported whatever it is.
    static let chosen: [String] = {
        let count =
            ProcessInfo.processInfo.environment["PHOTOS_MIGRATION_CASES"].flatMap(Int.init) ?? 4
        let kinds = [
            "photos5-10.15.1", "photos10-15.4.1", "photos4-edited-10.14.6",
            "takeout-osxphotos-2022",
        ]
        let others = (libraries + exports).filter { !kinds.contains($0) }
        return Array((kinds + others).prefix(count))
    }()

    /// Returns the library or the tree of a fixture.
    static func source(_ name: String) throws -> URL {
        let own = folder.appendingPathComponent(name)
        let names = try FileManager.default.contentsOfDirectory(atPath: own.path)
        let source = names.first { $0.hasSuffix(".photoslibrary") } ?? "tree"
        return own.appendingPathComponent(source)
    }

    /// Returns the rows of a fixture's table by column name.
    static func rows(_ name: String) throws -> [[String: String]] {
        let file = folder.appendingPathComponent("\(name)/expected.tsv")
        let lines = try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
        let cells = lines.map {
            $0.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
        }
        let header = try #require(cells.first)
        return cells.dropFirst().map { row in
            Dictionary(uniqueKeysWithValues: zip(header, row))
        }
    }

    /// A world into which a fixture was imported, and the lines of the import.
    struct Imported: Sendable {
        let world: CommandWorld
        let lines: [String]
    }

    /// Returns the options that import all of a fixture.
    static func options(for name: String) -> [String] {
        libraries.contains(name) ? ["--shared-albums"] : []
    }

    /// Returns the import of a fixture, which is made once for all tests and must not be changed;
    /// originals are missing in some.
    static func imported(_ name: String) throws -> Imported {
        try imports.withLock { imports in
            if let imported = imports[name] { return imported }
            let world = try CommandWorld()
            let options = options(for: name)
            let output = try world.run(["import", "--json"] + options + [source(name).path])
            #expect(output.status <= 1, "\(output.errorText)")
            let imported = Imported(world: world, lines: output.lines)
            imports[name] = imported
            return imported
        }
    }

    /// Copies the library into which a fixture was imported.
    static func load(_ name: String, into library: URL) throws {
        try FileManager.default.copyItem(at: imported(name).world.library, to: library)
    }

    private static let imports = Mutex<[String: Imported]>([:])
}
