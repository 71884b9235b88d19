import Foundation
import Glibc
import SamplePhotos
import TestSupport
import Testing

/// Importing an export into a new library gives the same library.
@Suite(.timeLimit(.minutes(10))) struct ExportImportTests {
    let made: ExportWorld
    var world: CommandWorld { made.world }

    init() throws { made = try ExportWorld() }

    @Test func anExportBelowAnImportedFolderIsNotEntered() throws {
        try made.export()
        let outer = world.folder.file("outer")
        try FileManager.default.createDirectory(at: outer, withIntermediateDirectories: true)
        let inner = outer.appendingPathComponent("Photos")
        try FileManager.default.moveItem(at: made.out, to: inner)
        for isMarked in [true, false] {
            if !isMarked {
                let mark = inner.appendingPathComponent(".photos-export")
                try FileManager.default.removeItem(at: mark)
            }
            let output = try world.run(
                "import",
                "--json",
                outer.path,
                "--library",
                made.other.path
            )
            #expect(output.lines.isEmpty, "\(output.text)")
            #expect(output.errorText.contains("It is an export of a library."))
        }
    }

    @Test func aDryRunReportsFilesThatWereCutOff() throws {
        try made.copyExport()
        let walk = FileManager.default.enumerator(atPath: made.out.appending(path: "Photos").path)
        let name = try #require(
            (walk?.allObjects as? [String])?.sorted().first { $0.hasSuffix(".jpg") }
        )
        let file = made.out.appending(path: "Photos/\(name)").path
        #expect(truncate(file, 100) == 0)
        func outcomes(_ options: String...) throws -> [String] {
            let output = try world.run(
                ["import", "--json", made.out.path, "--library", made.other.path] + options
            )
            #expect(output.status == 1, "\(output.errorText)")
            return try output.lines.map(JSONLine.init)
                .compactMap { line in
                    guard let path = line["path"], let outcome = line["outcome"] else { return nil }
                    return "\(path) \(outcome)"
                }.sorted()
        }
        let planned = try outcomes("--dry-run")
        #expect(planned.contains("\(file) failed"))
        #expect(try outcomes() == planned)
    }

    @Test func aNewLibraryEqualsTheExportedOne() throws {
        try made.export()
        let before = try ProcessRunner.run("find", [made.out.path, "-printf", "%P %s %T@ %C@\\n"])
            .lines
        let report = world.folder.file("report.jsonl")
        let output = try world.run(
            "import",
            "--json",
            made.out.path,
            "--library",
            made.other.path,
            "--report",
            report.path
        )
        #expect(output.status == 0, "\(output.text)\(output.errorText)")
        try ExportWorld.expectSame(world.library, made.other)
        try made.expectClean()
        let lines = try output.lines.map(JSONLine.init)
        #expect(Set(lines.compactMap { $0["outcome"] }) == ["imported", "paired"])
        let origin = lines.first?.values["source"] as? [String: String]
        #expect(origin?["kind"] == "photosExport")
        let reported = try String(contentsOf: report, encoding: .utf8)
            .split(separator: "\n").map(String.init)
        #expect(Array(reported.dropFirst().dropLast()) == output.lines)
        #expect(reported.last?.contains("\"addsUp\":true") == true)
        // A revert shows the original, also of a Live Photo.
        let edited = try ExportWorld.rows(
            "SELECT uuid FROM asset WHERE hasAdjustments = 1 AND trashedDate IS NULL",
            of: made.other
        )
        #expect(edited.count >= 2)
        for uuid in edited {
            for library in [world.library, made.other] {
                let reverted = try world.run("revert", uuid, "--library", library.path)
                #expect(reverted.status == 0, "\(reverted.errorText)")
            }
        }
        let sql = """
            SELECT uuid, pixelWidth, playbackStyle, mediaSubtypes, hasAdjustments FROM asset
            ORDER BY id;
            """
        #expect(
            try ExportWorld.rows(sql, of: made.other) == ExportWorld.rows(sql, of: world.library)
        )
        let after = try ProcessRunner.run("find", [made.out.path, "-printf", "%P %s %T@ %C@\\n"])
            .lines
        #expect(after == before, "the export was written to")
    }

    @Test func theSecondImportAddsNothingAndReadsNoOriginal() throws {
        try made.copyExport()
        try made.importOut()
        let before = try ExportWorld.facts(of: made.other)
        let version = try ExportWorld.rows(
            "SELECT max(version) FROM journalVersion",
            of: made.other
        )
        // Without the files, nothing could be read.
        for folder in ["Photos", "Hidden", "Recently Deleted"] {
            try FileManager.default.removeItem(at: made.out.appendingPathComponent(folder))
        }
        let lines = try made.importOut()
        #expect(Set(lines.compactMap { $0["outcome"] }) == ["duplicate"])
        #expect(try ExportWorld.facts(of: made.other) == before)
        #expect(
            try ExportWorld.rows("SELECT max(version) FROM journalVersion", of: made.other)
                == version
        )
    }

    @Test func aDryRunWritesNothing() throws {
        try made.copyExport()
        let output = try world.run(
            "import",
            "--dry-run",
            made.out.path,
            "--library",
            made.other.path
        )
        #expect(output.status == 0, "\(output.errorText)")
        #expect(output.errorText.contains("Would be: "))
        #expect(output.errorText.contains("4 new albums, 3 new folders"), "\(output.errorText)")
        #expect(!FileManager.default.fileExists(atPath: made.other.path))
        let refused = try world.run("import", "--move", made.out.path)
        #expect(refused.status == 2)
        #expect(refused.errorText.contains("export of a library"))
    }

    @Test func aKilledImportContinues() throws {
        let seed = TestSeed()
        var random = seed.generator
        // The frames of a burst are in several batches.
        var metadata = SampleMetadata(date: .init(text: "2018:06:01 10:00:00", offset: "+00:00"))
        metadata.burstIdentifier = "1B0A0F86-6B4C-4B3B-8D0E-8D5B5C0A7E11"
        for frame in 0..<2 {
            try world.photo(
                "early/IMG_B\(frame).JPG",
                seed: UInt64(800 + frame),
                metadata: metadata
            )
        }
        _ = try world.objects("import", "--json", world.source.path)
        try world.photos((0..<165).map { "more/\($0 % 3)/IMG_\($0).JPG" }, padding: 2_000)
        _ = try world.objects("import", "--json", world.source.path)
        for frame in 2..<5 {
            try world.photo("late/IMG_B\(frame).JPG", seed: UInt64(800 + frame), metadata: metadata)
        }
        let late = try world.objects("import", "--json", world.source.path)
        let picked = try #require(late.first { $0.name == "IMG_B3.JPG" }?["localIdentifier"])
        #expect(try world.run("set", picked, "--burst-pick", "true").status == 0)
        try made.export()
        let clock = ContinuousClock()
        let start = clock.now
        let whole = world.folder.file("Whole.photolibrary")
        try made.importOut(into: whole)
        let time = clock.now - start
        for _ in 0..<min(KillTests.kills / 2, 20) {
            let process = try world.start(
                "import",
                "--json",
                made.out.path,
                "--library",
                made.other.path
            )
            process.read(atMost: time * Double.random(in: 0.05...0.95, using: &random))
            process.kill(SIGKILL)
            process.read()
            _ = process.wait()
            guard FileManager.default.fileExists(atPath: made.other.path) else { continue }
            let verify = try world.run("verify", "--json", "--library", made.other.path)
            #expect(verify.status == 0, "\(seed): \(verify.text)\(verify.errorText)")
        }
        try made.importOut()
        try ExportWorld.expectSame(whole, made.other, "\(seed)")
        try ExportWorld.expectSame(world.library, made.other, "\(seed)")
        try made.expectClean()
    }

    @Test(.enabled(if: Namespace.canMount, "No file systems can be mounted."))
    func aReadOnlyExportIsEnough() throws {
        try made.copyExport()
        let output = try Namespace.run(
            ["import", made.out.path, "--library", made.other.path],
            readOnly: made.out,
            in: world
        )
        #expect(output.status == 0, "\(output.errorText)")
        try ExportWorld.expectSame(world.library, made.other)
    }

    // MARK: - Libraries of other programs

    @Test(
        .enabled(if: MigrationSources.isPresent, "There are no migration fixtures."),
        arguments: MigrationSources.chosen
    )
    func librariesOfOtherProgramsSurvive(_ name: String) throws {
        let library = world.folder.file("Moved.photolibrary")
        try MigrationSources.load(name, into: library)
        let count = try ExportWorld.rows("SELECT count(*) FROM asset", of: library).first
        #expect(count != "0")
        try made.export(library)
        try expectPeople(name)
        try made.importOut()
        try ExportWorld.expectSame(library, made.other)
        try made.expectClean()
    }

    /// Compares the people in the exported XMP files, read by exiftool, with those that the source
    /// and the exported photo itself state.
    private func expectPeople(_ name: String) throws {
        let output = try ProcessRunner.run(
            "exiftool",
            ["-r", "-j", "-XMP:PersonInImage", "-XMP:RegionName", "-XMP:Uuid", made.out.path]
        )
        let values = try JSONSerialization.jsonObject(with: output.standardOutput)
        let files = try #require(values as? [[String: Any]], "\(output.errorText)")
        var stated: [String: [String: Any]] = [:]
        for file in files { stated[file["SourceFile"] as? String ?? ""] = file }
        func people(_ path: String) -> Set<String> {
            ["PersonInImage", "RegionName"].reduce(into: []) { people, tag in
                let value = stated[path]?[tag]
                people.formUnion(value as? [String] ?? (value as? String).map { [$0] } ?? [])
            }
        }
        let isLibrary = MigrationSources.libraries.contains(name)
        var wanted: [String: Set<String>] = [:]
        for row in try MigrationSources.rows(name) where row["originalPresent"] != "0" {
            let key = isLibrary ? Self.canonical(row["uuid"] ?? "") : row["media"] ?? ""
            let cell = row[isLibrary ? "persons" : "people"] ?? ""
            wanted[key] = Set(cell.split(separator: " | ").map(String.init))
        }
        var found = 0
        for (path, file) in stated {
            let photo = URL(fileURLWithPath: path).deletingPathExtension()
            // Sidecars that the library keeps are exported beside the one that describes the photo.
            guard path.hasSuffix(".xmp"), stated[photo.path] != nil else { continue }
            let uuid = file["Uuid"] as? String ?? ""
            let source = wanted[isLibrary ? uuid : photo.lastPathComponent]
            let expected = try #require(source, "\(path)").union(people(photo.path))
            #expect(people(path) == expected, "\(path)")
            found += 1
        }
        #expect(found == wanted.count)
    }

    /// Returns an identifier of Photos 4 in the usual form.
    private static func canonical(_ uuid: String) -> String {
        guard uuid.count == 22 else { return uuid }
        let text = uuid.replacing("%", with: "/") + "=="
        let data = Data(base64Encoded: text) ?? Data()
        let digits = data.map { String(format: "%02X", $0) }.joined()
        return [0..<8, 8..<12, 12..<16, 16..<20, 20..<32]
            .map { String(digits.dropFirst($0.lowerBound).prefix($0.count)) }
            .joined(separator: "-")
    }
}
