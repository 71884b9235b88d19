import Foundation
import SamplePhotos
import TestSupport
import Testing

/// A library with edits, albums, nested folders, bursts and more, its export, and a place for the
/// library that is imported from it.
struct ExportWorld {
    let world: CommandWorld
    let out: URL
    let other: URL
    /// The identifiers of ordinary photos.
    let ids: [String]

    /// Copies the library that is made once for all tests.
    init() throws {
        world = try CommandWorld()
        out = world.folder.file("out")
        other = world.folder.file("Other.photolibrary")
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
        try SampleSet.demo(count: 34, seed: 9, megapixels: 0.05).write(to: world.source) { _ in }
        for number in 0..<10 {
            let date = SampleDate(
                text: "2009:03:0\(number % 9 + 1) 12:00:0\(number)",
                offset: "+05:45"
            )
            try world.photo(
                "plain/IMG_90\(number).JPG",
                seed: UInt64(50 + number),
                metadata: SampleMetadata(date: date)
            )
        }
        let lines = try world.objects("import", "--json", world.source.path)
        let ids = try (0..<10).map { number in
            let line = lines.first { $0.name == "IMG_90\(number).JPG" }
            return try #require(line?["localIdentifier"])
        }
        let live = try #require(
            try world.objects("list", "--json", "--predicate", "mediaSubtypes & 8 != 0").first
        )
        let liveID = try #require(live["localIdentifier"])
        let bursts = try world.objects("bursts", "--json")
        #expect(!bursts.isEmpty)
        for arguments in [
            ["edit", ids[0], "--filter", "Noir"], ["edit", ids[1], "--exposure", "0.5"],
            ["edit", ids[1], "--exposure", "-0.5"], ["revert", ids[0]],
            ["edit", liveID, "--filter", "Noir"],
            ["set", ids[2], "--hidden", "true"], ["set", ids[3], "--favorite", "true"],
            [
                "set", ids[3], "--title", "A <title> & \"more\"\ttab", "--add-keyword", "sea",
                "--add-keyword", "Ärger", "--location", "-33.8568123456789,151.2153",
            ],
            ["set", ids[5], "--rating", "-1", "--caption", "línea\nzwei"],
            ["album", "create", "Summer"], ["album", "add", "Summer", ids[1], ids[3], ids[0]],
            ["album", "add", "Summer", ids[2], liveID],
            ["folder", "create", "Trips"], ["folder", "create", "Deep", "--in", "Trips"],
            ["album", "create", "Inner", "--in", "Deep"], ["album", "add", "Inner", ids[7]],
            ["album", "create", "Empty", "--in", "Trips"], ["folder", "create", "Nothing"],
            ["album", "create", "Summer"], ["delete", ids[4]],
        ] {
            let output = try world.run(arguments)
            try #require(output.status == 0, "\(arguments): \(output.errorText)")
        }
        return Template(world: world, ids: ids)
    }

    /// The paths of an album's UUID and so on: the UUID in a local identifier.
    static func uuid(_ identifier: String) -> String { String(identifier.prefix(36)) }

    // MARK: - Running

    /// Exports the world's library, or another one, as a whole.
    func export(_ library: URL? = nil, to folder: URL? = nil, status: Int32 = 0) throws {
        let output = try world.run([
            "export", "--all", "--hidden", "--deleted", "-o", (folder ?? out).path, "--library",
            (library ?? world.library).path,
        ])
        try #require(output.status == status, "\(output.text)\(output.errorText)")
    }

    /// Copies the export of the unchanged library, which is made once for all tests.
    func copyExport() throws {
        let template = try Self.exported.get()
        let output = try ProcessRunner.run("cp", ["-a", template.path, out.path])
        try #require(output.status == 0, "\(output.errorText)")
    }

    private static let exported = Result {
        let world = try template.get().world
        let folder = world.folder.file("out")
        let output = try world.run([
            "export", "--all", "--hidden", "--deleted", "-o", folder.path,
        ])
        try #require(output.status == 0, "\(output.text)\(output.errorText)")
        return folder
    }

    /// Imports the export into the other library; returns the lines.
    @discardableResult
    func importOut(
        _ folder: URL? = nil,
        into library: URL? = nil,
        report: URL? = nil,
        status: Int32 = 0,
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws -> [JSONLine] {
        let output = try world.run(
            ["import", "--json", (folder ?? out).path, "--library", (library ?? other).path]
                + (report.map { ["--report", $0.path] } ?? [])
        )
        try #require(
            output.status == status,
            "\(output.text)\(output.errorText)",
            sourceLocation: sourceLocation
        )
        return try output.lines.map(JSONLine.init)
    }

    /// Runs a command on the other library.
    @discardableResult
    func onOther(_ arguments: String...) throws -> [JSONLine] {
        let output = try world.run(arguments + ["--library", other.path, "--json"])
        try #require(output.status == 0, "\(arguments): \(output.errorText)")
        return try output.lines.map(JSONLine.init)
    }

    func expectClean(
        _ library: URL? = nil,
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        try world.expectClean(library ?? other, sourceLocation: sourceLocation)
    }

    // MARK: - Lines

    /// Returns the lines of `library.jsonl`.
    func manifest() throws -> [String] {
        try String(contentsOf: out.appendingPathComponent("library.jsonl"), encoding: .utf8)
            .split(separator: "\n").map(String.init)
    }

    /// Changes the objects of `library.jsonl`; a closure returns nil to leave a line out.
    func rewrite(_ change: (inout [String: Any]) throws -> Bool) throws {
        let lines = try manifest().compactMap { line -> String? in
            guard
                var object = try JSONSerialization.jsonObject(with: Data(line.utf8))
                    as? [String: Any], try change(&object)
            else { return nil }
            let data = try JSONSerialization.data(
                withJSONObject: object,
                options: [.sortedKeys, .withoutEscapingSlashes]
            )
            return String(decoding: data, as: UTF8.self)
        }
        try write(lines.joined(separator: "\n") + "\n")
    }

    func write(_ manifest: String) throws {
        try Data(manifest.utf8).write(to: out.appendingPathComponent("library.jsonl"))
    }

    /// Returns the exported file of an asset with a type.
    func file(_ id: String, type: Int = 1) throws -> URL {
        for line in try manifest() {
            let line = try JSONLine(line)
            guard line["kind"] == "asset", line["uuid"] == Self.uuid(id) else { continue }
            let files = line.values["files"] as? [[String: Any]] ?? []
            let file = files.first { $0["type"] as? Int == type }
            return out.appendingPathComponent(try #require(file?["path"] as? String))
        }
        throw CocoaError(.fileNoSuchFile)
    }

    // MARK: - Rows

    /// Returns rows of a library, by SQLite's own shell.
    static func rows(_ sql: String, of library: URL) throws -> [String] {
        let database = library.appendingPathComponent("database/library.sqlite").path
        let output = try ProcessRunner.run(
            "sqlite3",
            ["-cmd", ".timeout 20000", "-readonly", database, sql]
        )
        try #require(output.status == 0, "\(output.errorText)")
        return output.lines
    }

    /// The value of a column of an asset in the other library.
    func value(_ column: String, of id: String) throws -> String {
        try Self.rows(
            "SELECT \(column) FROM asset WHERE uuid = '\(Self.uuid(id))'",
            of: other
        ).first ?? "no row"
    }

    /// Returns all facts of a library with all digits, and the SHA-256 of all files.
    ///
    /// Row ids are replaced by identifiers. Left out are bookkeeping and what is computed again:
    /// journal, tombstones, settings, known source files, versions and thumbnails' scores.
    static func facts(of library: URL) throws -> [String] {
        let left: Set<String> = ["id", "assetId", "parentId", "position", "contentVersion"]
        func columns(_ table: String) throws -> String {
            try rows("SELECT name FROM pragma_table_info('\(table)')", of: library)
                .filter { !left.contains($0) }.map { "quote(x.\($0))" }
                .joined(separator: " || '|' || ")
        }
        let sql = """
            SELECT 'asset|' || \(try columns("asset")) FROM asset x ORDER BY id;
            SELECT 'resource|' || a.uuid || \(try columns("resource"))
            FROM resource x JOIN asset a ON a.id = x.assetId ORDER BY a.id, x.type, x.uuid;
            SELECT 'collection|' || coalesce(p.uuid, '-') || \(try columns("collection"))
            FROM collection x LEFT JOIN collection p ON p.id = x.parentId
            ORDER BY p.uuid, x.position, x.id;
            SELECT 'member|' || c.uuid || a.uuid FROM albumAsset j JOIN asset a ON a.id = j.assetId
            JOIN collection c ON c.id = j.albumId ORDER BY c.uuid, j.position, a.id;
            SELECT 'facet|' || \(try columns("assetFacet")) FROM assetFacet x WHERE count > 0
            ORDER BY 1;
            SELECT 'day|' || \(try columns("addedDay")) FROM addedDay x WHERE count > 0 ORDER BY 1;
            SELECT 'timeline|' || a.uuid || \(try columns("timeline")) FROM timeline x
            JOIN asset a ON a.id = x.assetId ORDER BY 1;
            SELECT 'moment|' || level || time || quote(latitude) || quote(longitude) || assetCount
                || quote(startDate) || quote(endDate) || placeCount FROM moment ORDER BY 1;
            """
        // Files of reverted edits, which are kept for an undo, have no rows.
        let paths = try rows("SELECT path FROM resource ORDER BY path", of: library)
        let sums = try ProcessRunner.run("sha256sum", ["-b"] + paths, folder: library)
        return try rows(sql, of: library) + sums.lines
    }

    static func expectSame(
        _ first: URL,
        _ second: URL,
        _ comment: Comment? = nil,
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let (one, two) = (try facts(of: first), try facts(of: second))
        #expect(one.count > 4, sourceLocation: sourceLocation)
        let (former, latter) = (Set(one), Set(two))
        let differing = one.filter { !latter.contains($0) } + two.filter { !former.contains($0) }
        #expect(differing == [], comment, sourceLocation: sourceLocation)
        #expect(one == two, comment, sourceLocation: sourceLocation)
    }
}

extension ExportWorld {
    /// Compares the facts that people see and the files of two libraries, whose rows may have been
    /// written at other times and in another order.
    static func expectSameContent(
        _ first: URL,
        _ second: URL,
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let sql = """
            SELECT 'asset', uuid, title, caption, keywords, rating, isFavorite, isHidden,
                hasAdjustments, pixelWidth, mediaSubtypes, playbackStyle, quote(creationDate),
                quote(latitude), burstIdentifier, representsBurst, burstSelectionTypes
            FROM asset ORDER BY uuid;
            SELECT 'file', a.uuid, r.type, r.originalFilename, hex(r.sha256)
            FROM resource r JOIN asset a ON a.id = r.assetId ORDER BY a.uuid, r.type, 5;
            SELECT 'album', c.uuid, c.title, p.uuid, c.assetCount FROM collection c
            LEFT JOIN collection p ON p.id = c.parentId ORDER BY c.uuid;
            SELECT 'member', c.uuid, a.uuid FROM albumAsset j JOIN asset a ON a.id = j.assetId
            JOIN collection c ON c.id = j.albumId ORDER BY c.uuid, j.position, a.id;
            """
        #expect(
            try rows(sql, of: first) == rows(sql, of: second),
            sourceLocation: sourceLocation
        )
    }
}
