import Foundation
import SamplePhotos
import TestSupport
import Testing

/// A library of sample photos with edits, albums, hidden and deleted photos, and a place for its
/// backup.
struct BackupWorld {
    let world: CommandWorld
    let backup: URL
    /// The identifiers of ordinary photos.
    let ids: [String]

    /// Copies the library that is made once for all tests.
    init() throws {
        world = try CommandWorld()
        backup = world.folder.file("disk/Backup.photolibrary")
        let template = try Self.template.get()
        try world.copy(template.world)
        ids = template.ids
    }

    private struct Template: Sendable {
        let world: CommandWorld
        let ids: [String]
    }

    private static let template = Result { try makeTemplate() }

    private static func makeTemplate() throws -> Template {
        let world = try CommandWorld()
        try SampleSet.demo(count: 20, seed: 5, megapixels: 0.05).write(to: world.source) { _ in }
        for number in 0..<8 {
            let date = SampleDate(text: "2020:01:0\(number + 1) 12:00:00", offset: "+05:30")
            try world.photo(
                "plain/IMG_90\(number).JPG",
                seed: UInt64(50 + number),
                metadata: SampleMetadata(date: date)
            )
        }
        let lines = try world.objects("import", "--json", world.source.path)
        let ids = try (0..<8).map { number in
            let line = lines.first { $0.name == "IMG_90\(number).JPG" }
            return try #require(line?["localIdentifier"])
        }
        for arguments in [
            ["edit", ids[0], "--filter", "Noir"], ["edit", ids[1], "--exposure", "0.5"],
            // The files of the first edit are kept for an undo.
            ["edit", ids[1], "--exposure", "-0.5"], ["revert", ids[0]],
            ["set", ids[2], "--hidden", "true"], ["set", ids[3], "--favorite", "true"],
            ["set", ids[3], "--title", "A <title> & \"more\"", "--add-keyword", "sea"],
            ["album", "create", "Summer"], ["album", "add", "Summer", ids[1], ids[3], ids[0]],
            ["folder", "create", "Trips"], ["album", "create", "Inner", "--in", "Trips"],
            ["delete", ids[4]],
        ] {
            let output = try world.run(arguments)
            try #require(output.status == 0, "\(arguments): \(output.errorText)")
        }
        return Template(world: world, ids: ids)
    }

    /// Makes the backup; returns the line that describes it.
    @discardableResult
    func backUp(_ arguments: String..., status: Int32 = 0) throws -> JSONLine {
        let output = try world.run(["backup", backup.path, "--json"] + arguments)
        try #require(output.status == status, "\(output.errorText)")
        return try JSONLine(try #require(output.lines.last))
    }

    /// Returns the content of all tables, by SQLite's own shell.
    func tables(of library: URL) throws -> String {
        let database = library.appendingPathComponent("database/library.sqlite").path
        let output = try ProcessRunner.run("sqlite3", ["-readonly", database, ".dump"])
        try #require(output.status == 0, "\(output.errorText)")
        return output.text
    }

    /// Returns the SHA-256 of all originals and edits, by coreutils.
    func digests(of library: URL) throws -> String {
        let script = "find originals edits -type f | LC_ALL=C sort | xargs -d '\\n' sha256sum"
        let output = try ProcessRunner.run("sh", ["-c", script], folder: library)
        try #require(output.status == 0, "\(output.errorText)")
        return output.text
    }

    /// Compares the rows and bytes of two libraries.
    func expectSame(
        _ first: URL,
        _ second: URL,
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let (tables, digests) = (try tables(of: first), try digests(of: first))
        #expect(tables.contains("CREATE TABLE asset"), sourceLocation: sourceLocation)
        #expect(try self.tables(of: second) == tables, sourceLocation: sourceLocation)
        #expect(try self.digests(of: second) == digests, sourceLocation: sourceLocation)
    }

    /// Returns the paths of an asset's files.
    func files(of id: String, in library: URL) throws -> [URL] {
        let line = try #require(try world.objects("show", id, "--json").first)
        let resources = try #require(line.values["resources"] as? [[String: Any]])
        return resources.compactMap { $0["path"] as? String }.map(library.appendingPathComponent)
    }

    /// Changes a byte of a file, as a failing disk does.
    static func damage(_ file: URL) throws {
        let manager = FileManager.default
        try manager.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file.path)
        var data = try Data(contentsOf: file)
        data[data.count / 2] ^= 0xFF
        try data.write(to: file)
    }
}
