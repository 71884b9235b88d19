import Foundation
import TestSupport
import Testing

/// A library of Apple Photos with what few libraries have, and imperfect files: the report's codes.
@Suite(.timeLimit(.minutes(2))) struct RichLibraryTests {
    private let world: CommandWorld
    private let library: AppleLibrary
    private let source: URL
    private let report: URL
    /// A worker that states its purpose in a file before it starts.
    private let worker: URL
    private let starts: URL

    init() throws {
        world = try CommandWorld()
        var library = AppleLibrary()
        library.assets = 4
        library.isRich = true
        // Newer than any version that is known.
        library.model = 99_001
        self.library = library
        source = world.folder.file("Mac.photoslibrary")
        try library.write(to: source)
        report = world.folder.file("report.jsonl")
        starts = world.folder.file("starts")
        worker = try world.program(
            """
            #!/bin/sh
            echo "$*" >> '\(starts.path)'
            exec '\(BuiltProducts.worker.path)' "$@"
            """,
            "worker"
        )
    }

    /// The lines of a report: those of items, and the totals.
    private struct Outcome {
        var items: [JSONLine]
        var totals: [String: Any]
        var notes: [String: [String]]

        init(_ report: URL) throws {
            let lines = try String(contentsOf: report, encoding: .utf8).split(separator: "\n")
                .map { try JSONLine(String($0)) }
            items = Array(lines.dropFirst().dropLast())
            totals = try #require(lines.last?.values["totals"] as? [String: Any])
            notes = try PhotosCLITests.notes(ofReport: report)
        }

        /// The paths or items whose line has a code, in order.
        func items(_ code: String) -> [String] {
            items.filter { $0.codes.contains(code) }.compactMap { $0.item ?? $0["path"] }.sorted()
        }
    }

    private func run(_ options: [String] = [], status: Int32) throws -> Outcome {
        let output = try world.run(
            ["import", "--report", report.path, source.path] + options,
            variables: ["PHOTOS_WORKER": worker.path]
        )
        #expect(output.status == status, "\(output.text)\(output.errorText)")
        return try Outcome(report)
    }

    private func albums() throws -> [String] {
        try world.sql(
            """
            SELECT p.title || '/' || c.title || ' ' || (SELECT group_concat(uuid) FROM
                (SELECT a.uuid FROM albumAsset j JOIN asset a ON a.id = j.assetId
                WHERE j.albumId = c.id ORDER BY j.position, a.id))
            FROM collection c JOIN collection p ON p.id = c.parentId WHERE c.title LIKE 'shared%'
            """
        )
    }

    @Test func everyCodeIsInTheReport() throws {
        let manager = FileManager.default
        try Data([1]).write(to: source.appendingPathComponent("database/Photos.sqlite-shm"))
        let original = source.appendingPathComponent(library.original(2))
        let render = source.appendingPathComponent(
            "resources/renders/A/\(library.uuid(1))_1_201_a.jpeg"
        )
        let removed = try [original, render].map { ($0, try Data(contentsOf: $0)) }
        for (file, _) in removed { try manager.removeItem(at: file) }
        try library.execute(
            """
            UPDATE ZADDITIONALASSETATTRIBUTES SET ZORIGINALFILESIZE = 7 WHERE ZASSET = 1;
            UPDATE ZADDITIONALASSETATTRIBUTES SET ZTITLE = hex(zeroblob(20000)) WHERE ZASSET = 4;
            """,
            in: source
        )
        let planned = try run(["--dry-run"], status: 1)
        try FileManager.default.removeItem(at: starts)
        let first = try run(status: 1)
        // The holes of albums are known before anything is copied.
        let holes = try #require(first.notes["membersMissing"])
        #expect(
            planned.notes["membersMissing"]
                == holes.map { $0.replacing("were not imported", with: "would not be imported") }
        )
        #expect(first.items("changedSinceImport") == [library.uuid(0)])
        #expect(first.items("textTooLong") == [library.uuid(3)])
        #expect(first.items("adjustmentsMissing") == [library.uuid(.adjustmentsMissing)])
        #expect(
            first.items("unverifiedScope")
                == [library.uuid(.sharedLibrary), library.uuid(.sharedWithYou)].sorted()
        )
        let orphan = source.appendingPathComponent("scopes/syndication/orphan.jpg").path
        #expect(first.items("orphanFile") == [orphan])
        #expect(first.totals["orphanFiles"] as? Int == 1)
        #expect(first.notes["logMissing"]?.first?.contains("Quit Photos") == true)
        #expect(first.notes["unknownVersion"]?.first?.contains("99001") == true)
        #expect(
            first.notes["originalsMissing"]?.first?.hasPrefix("1 of \(library.assets + 31)") == true
        )
        // The rendering; the original has a line of its own.
        #expect(first.notes["filesNotTaken"]?.first?.hasPrefix("1 files or lines") == true)
        #expect(
            Set(first.notes["sortRuleNotKept"]?.compactMap { $0.split(separator: "“").last } ?? [])
                .count == 3
        )
        #expect(first.notes["coverNotKept"]?.first?.contains("byDate") == true)
        #expect(!holes.isEmpty)
        // Shared albums are left out.
        let shared = [library.uuid(.shared), library.uuid(.sharedMovie)].sorted()
        let skipped = first.items.filter { $0["outcome"] == "skipped" }
        #expect(skipped.compactMap(\.item).sorted() == shared)
        #expect(try albums() == [])
        // One worker reads the library, from its survey to its last album.
        let workers = try String(contentsOf: starts, encoding: .utf8).split(separator: "\n")
        #expect(workers.count { $0.contains("--library") } == 1, "\(workers)")
        #expect(workers.count > 1, "The wrapper stands for all workers.")

        for (file, data) in removed { try data.write(to: file) }
        let second = try run(["--shared-albums"], status: 0)
        #expect(
            Set(second.notes.keys).isDisjoint(with: ["originalsMissing", "filesNotTaken"]),
            "\(second.notes.keys)"
        )
        let imported = second.items.filter { $0["outcome"] == "imported" }.compactMap(\.item)
        #expect(Set(imported).isSuperset(of: shared))
        let members = AppleLibrary.SpecialCollection.sharedAlbum.members.map { library.uuid($0) }
        #expect(
            try albums() == ["Shared Albums/sharedAlbum " + members.joined(separator: ",")]
        )
        try world.expectClean()
    }
}
