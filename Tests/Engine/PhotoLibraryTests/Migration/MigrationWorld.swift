import EmbeddedLibrary
import Foundation
import GRDB
import Glibc
import LibraryService
import PhotoModel
import TestSupport
import WorkerClient

@testable import PhotoLibrary

/// A new library into which sources are migrated with the real worker.
struct MigrationWorld {
    let folder: TemporaryFolder
    let libraryPath: String
    let service: any LibraryService

    init(library: String? = nil) throws {
        folder = try TemporaryFolder("photos-migration")
        libraryPath = library ?? folder.file("Test.photolibrary").path
        if library == nil { try LibraryStore.create(at: libraryPath) }
        var configuration = EmbeddedLibrary.Configuration(makesRenditionsWhenIdle: false)
        configuration.workers = WorkerPool.Configuration(
            executable: BuiltProducts.worker.path,
            maximumWorkers: 2
        )
        service = try EmbeddedLibrary.open(
            at: libraryPath,
            author: "tests",
            configuration: configuration
        )
    }

    /// The result of a migration.
    struct Outcome {
        var begun: MigrationBeginReply
        var lines: [MigrationLine] = []
        var totals = MigrationTotals()

        /// The leading lines by item.
        var leading: [String: MigrationLine] {
            Dictionary(
                lines.filter(\.isLeading).compactMap { line in line.item.map { ($0, line) } }
            ) { first, _ in first }
        }
    }

    /// Migrates the library in a folder.
    func migrate(
        _ path: String,
        options: MigrationOptions = MigrationOptions(),
        volumes: [String: String] = [:],
        afterStep: (MigrationStepReply) throws -> Void = { _ in }
    ) throws -> Outcome {
        let names = volumes.keys.sorted()
        let request = MigrationBeginRequest(
            path: path,
            volumes: names,
            options: options
        )
        let files = try ([path] + names.compactMap { volumes[$0] }).map(Self.open)
        var outcome = Outcome(begun: try service.beginMigration(request, files: files))
        let number = outcome.begun.migration
        defer { try? service.endMigration(MigrationEndRequest(migration: number)) }
        while true {
            let reply = try service.continueMigration(MigrationStepRequest(migration: number))
            outcome.lines += reply.lines
            outcome.totals = reply.totals
            try afterStep(reply)
            if reply.isOver { return outcome }
        }
    }

    private static func open(_ path: String) throws -> Descriptor {
        let number = Glibc.open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard number >= 0 else { throw CocoaError(.fileNoSuchFile) }
        return Descriptor(owning: number)
    }

    // MARK: - Reading

    /// Reads the library's database with plain SQL.
    func rows(_ sql: String, _ arguments: StatementArguments = []) throws -> [Row] {
        let store = try LibraryStore.open(at: libraryPath)
        defer { try? store.close() }
        return try store.read { try Row.fetchAll($0, sql: sql, arguments: arguments) }
    }

    /// Returns the findings of a full check.
    func findings() throws -> [String] {
        let store = try LibraryStore.open(at: libraryPath)
        defer { try? store.close() }
        return try SchemaTests.verify(store)
    }

    /// Returns the SHA-256 of a file by the system's own program.
    static func sha256(_ path: String) throws -> String {
        let output = try ProcessRunner.run("sha256sum", ["-b", path])
        return String(output.lines.first?.drop { $0 == "\\" }.prefix(64) ?? "")
    }

    /// Returns the names, sizes and times of all files below a folder.
    static func tree(_ path: String) throws -> String {
        try ProcessRunner.run(
            "find",
            [path, "-printf", "%P %y %s %T@ %C@ %m\\n"]
        ).lines.sorted().joined(separator: "\n")
    }
}

/// The real libraries next to a checkout, at `../shared/migration`.
enum MigrationFixtures {
    static let folder = SharedData.sharedFolder.appendingPathComponent("migration")

    static let isPresent = FileManager.default.fileExists(
        atPath: folder.appendingPathComponent("README.tsv").path
    )

    static let photos5 = [
        "photos5-10.15.1", "photos5-shared-10.15.1", "photos5-locked-10.15.1",
        "photos9-external-edits-14.4.1", "photos10-15.4.1", "photos10-media-types-15.7.2",
    ]

    static let libraries = photos5 + ["photos4-edited-10.14.6"]

    /// Returns the path of a fixture's library.
    static func library(_ name: String) throws -> String {
        let parent = folder.appendingPathComponent(name)
        let bundle = try FileManager.default.contentsOfDirectory(atPath: parent.path)
            .first { $0.hasSuffix(".photoslibrary") }
        return parent.appendingPathComponent(bundle ?? "").path
    }

    /// Returns the expected facts of a fixture.
    static func expected(_ name: String) throws -> [String: Any] {
        let data = try Data(contentsOf: folder.appendingPathComponent(name + "/expected.json"))
        let value = try JSONSerialization.jsonObject(with: data)
        return value as? [String: Any] ?? [:]
    }
}
