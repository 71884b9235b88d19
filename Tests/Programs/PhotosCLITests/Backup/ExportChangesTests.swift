import Foundation
import SamplePhotos
import TestSupport
import Testing

/// Imports of exports into libraries that have changed since, and of damaged and hostile exports.
@Suite(.timeLimit(.minutes(10))) struct ExportChangesTests {
    let made: ExportWorld
    var world: CommandWorld { made.world }
    var ids: [String] { made.ids }

    init() throws {
        made = try ExportWorld()
        try made.copyExport()
    }

    private func onSource(_ arguments: String...) throws {
        let output = try world.run(arguments)
        try #require(output.status == 0, "\(arguments): \(output.errorText)")
    }

    private func execute(_ sql: String) throws {
        let database = made.other.appendingPathComponent("database/library.sqlite").path
        let output = try ProcessRunner.run("sqlite3", ["-cmd", ".timeout 20000", database, sql])
        try #require(output.status == 0, "\(output.errorText)")
    }

    private func count(_ table: String) throws -> String? {
        try ExportWorld.rows("SELECT count(*) FROM \(table)", of: made.other).first
    }

    // MARK: - Recently Deleted

    @Test func deletedPhotosStayThirtyDaysAfterTheImport() throws {
        try made.rewrite { line in
            if line["trashedDate"] != nil { line["trashedDate"] = "2019-01-01T00:00:00Z" }
            return true
        }
        try made.importOut()
        #expect(try made.value("trashedDate", of: ids[4]) == "567993600.0")
        // Maintenance compares with the latest change that is a day old.
        try execute("UPDATE journalVersion SET time = time - 90000")
        try made.onOther("set", ids[5], "--title", "x")
        #expect(try made.value("trashedDate", of: ids[4]) == "567993600.0")
        try execute("UPDATE migratedItem SET importedDate = importedDate - 40 * 86400")
        try made.onOther("set", ids[5], "--title", "y")
        #expect(try made.value("trashedDate", of: ids[4]) == "no row")
        // It does not come back.
        let lines = try made.importOut()
        #expect(lines.contains { $0["reason"] == "Deleted permanently from this library." })
        #expect(try made.value("trashedDate", of: ids[4]) == "no row")
    }

    // MARK: - Changes at both places

    @Test func olderExportsChangeNothing() throws {
        try made.importOut()
        let newer = world.folder.file("newer")
        try onSource("set", ids[5], "--title", "Newer", "--rating", "4")
        try onSource("set", ids[6], "--favorite", "true")
        try onSource("edit", ids[6], "--filter", "Noir")
        try onSource("delete", ids[7])
        try made.export(to: newer)
        try made.importOut(newer)
        #expect(try made.value("title", of: ids[5]) == "Newer")
        #expect(try made.value("rating", of: ids[5]) == "4")
        #expect(try made.value("isFavorite || hasAdjustments", of: ids[6]) == "11")
        #expect(try made.value("trashedDate IS NULL", of: ids[7]) == "0")
        let before = try ExportWorld.facts(of: made.other)
        let lines = try made.importOut()
        #expect(try ExportWorld.facts(of: made.other) == before)
        #expect(lines.contains { $0["reason"]?.contains("older than") == true })
        try made.importOut(newer)
        #expect(try ExportWorld.facts(of: made.other) == before)
        try made.expectClean()
    }

    @Test func whatWasChangedHereIsKept() throws {
        try made.importOut()
        try made.onOther("set", ids[3], "--title", "Mine", "--favorite", "false")
        try made.onOther("set", ids[5], "--title", "Mine too")
        try made.onOther("revert", ids[1])
        try made.onOther("edit", ids[8], "--filter", "Noir")
        let mine = try ExportWorld.facts(of: made.other)
        try made.importOut()
        #expect(try ExportWorld.facts(of: made.other) == mine)
        try onSource("set", ids[5], "--title", "Theirs", "--caption", "Their caption")
        try onSource("set", ids[1], "--caption", "Their caption")
        try onSource("edit", ids[8], "--exposure", "1")
        try made.export()
        let lines = try made.importOut()
        func codes(_ id: String) -> [String] {
            let line = lines.first { $0["localIdentifier"] == id }
            let notes = line?.values["notes"] as? [[String: Any]]
            return notes?.compactMap { $0["code"] as? String } ?? []
        }
        #expect(codes(ids[5]) == ["keptYours"] && codes(ids[8]) == ["keptYours"])
        #expect(try made.value("title || caption", of: ids[5]) == "Mine tooTheir caption")
        #expect(try made.value("title || isFavorite", of: ids[3]) == "Mine0")
        // The reverted edit does not come back.
        #expect(try made.value("caption || hasAdjustments", of: ids[1]) == "Their caption0")
        // Neither was the edit that was made here replaced.
        let render =
            "SELECT hex(r.sha256) FROM resource r JOIN asset a ON a.id = r.assetId"
            + " WHERE r.type = 5 AND a.uuid = '\(ExportWorld.uuid(ids[8]))'"
        let digest = try #require(try ExportWorld.rows(render, of: made.other).first)
        #expect(try ExportWorld.rows(render, of: world.library) != [digest])
        try made.expectClean()
    }

    @Test func editsAtTheSourceAreTakenAndReverted() throws {
        try made.importOut()
        try onSource("edit", ids[7], "--filter", "Noir")
        try onSource("revert", ids[1])
        try made.export()
        try made.importOut()
        #expect(try made.value("hasAdjustments", of: ids[7]) == "1")
        #expect(try made.value("hasAdjustments", of: ids[1]) == "0")
        let sql = """
            SELECT a.uuid, r.type, hex(r.sha256) FROM resource r JOIN asset a ON a.id = r.assetId
            ORDER BY a.uuid, r.type, 3
            """
        #expect(
            try ExportWorld.rows(sql, of: made.other) == ExportWorld.rows(sql, of: world.library)
        )
        // The same edit again: its files have new names here, since the former ones are kept.
        try onSource("revert", ids[7])
        try made.export()
        try made.importOut()
        #expect(try made.value("hasAdjustments", of: ids[7]) == "0")
        try onSource("undo")
        try made.export()
        try made.importOut()
        #expect(try made.value("hasAdjustments", of: ids[7]) == "1")
        #expect(
            try ExportWorld.rows(sql, of: made.other) == ExportWorld.rows(sql, of: world.library)
        )
        try made.expectClean()
    }

    @Test func filesThatJoinLaterAreTaken() throws {
        try made.importOut()
        var metadata = SampleMetadata()
        metadata.keywords = ["late"]
        let sidecar = SampleFile.xmp(metadata)
        try world.folder.write(sidecar, to: "source/plain/IMG_907.xmp")
        try onSource("import", world.source.path)
        try made.export()
        let lines = try made.importOut()
        let path = try made.file(ids[7], type: 1001).path
        #expect(lines.contains { $0["path"] == path && $0["outcome"] == "paired" })
        try ExportWorld.expectSameContent(world.library, made.other)
        let again = try made.importOut()
        #expect(Set(again.compactMap { $0["outcome"] }) == ["duplicate"])
        try made.expectClean()
    }

    @Test func photosFromElsewhereAreNotImportedTwice() throws {
        // The same files, imported as files: other identifiers.
        let plain = world.source.appendingPathComponent("plain").path
        try made.onOther("import", plain)
        let lines = try made.importOut()
        let present = lines.filter { $0["outcome"] == "duplicate" }
        #expect(present.count >= 10)
        let sql = "SELECT count(*) FROM asset GROUP BY originalFilename HAVING count(*) > 1"
        #expect(
            try ExportWorld.rows(sql + " AND originalFilename LIKE 'IMG_90%'", of: made.other) == []
        )
        let facts = "SELECT title, isFavorite FROM asset WHERE originalFilename = 'IMG_903.JPG'"
        #expect(
            try ExportWorld.rows(facts, of: made.other)
                == ExportWorld.rows(facts, of: world.library)
        )
        let members = """
            SELECT a.originalFilename FROM albumAsset j JOIN asset a ON a.id = j.assetId
            JOIN collection c ON c.id = j.albumId WHERE c.title = 'Summer' ORDER BY j.position
            """
        #expect(
            try ExportWorld.rows(members, of: made.other)
                == ExportWorld.rows(members, of: world.library)
        )
        let before = try ExportWorld.facts(of: made.other)
        #expect(Set(try made.importOut().compactMap { $0["outcome"] }) == ["duplicate"])
        #expect(try ExportWorld.facts(of: made.other) == before)
        try made.expectClean()
    }

    @Test func importingIntoTheExportedLibraryChangesNothing() throws {
        let before = try ExportWorld.facts(of: world.library)
        let lines = try made.importOut(into: world.library)
        #expect(Set(lines.compactMap { $0["outcome"] }) == ["duplicate"])
        #expect(try ExportWorld.facts(of: world.library) == before)
        // Albums that were deleted since stay deleted, and changes stay.
        try onSource("album", "delete", "Inner")
        try onSource("set", ids[5], "--title", "Since")
        let after = try ExportWorld.facts(of: world.library)
        try made.importOut(into: world.library)
        #expect(try ExportWorld.facts(of: world.library) == after)
    }

    @Test func albumsThatWereDeletedHereStayDeleted() throws {
        try made.importOut()
        try made.onOther("album", "delete", "Inner")
        try made.onOther("album", "delete", "Empty")
        try made.onOther("folder", "delete", "Deep")
        try made.onOther("folder", "delete", "Trips")
        let summer = try #require(
            try ExportWorld.rows(
                "SELECT uuid FROM collection c WHERE title = 'Summer' AND assetCount > 0",
                of: made.other
            ).first
        )
        try made.onOther("album", "remove", summer, ids[3])
        let before = try ExportWorld.facts(of: made.other)
        try made.importOut()
        #expect(try ExportWorld.facts(of: made.other) == before)
        // A photo that joins the album at the source joins it here, after the same one.
        try onSource("album", "add", summer, ids[8])
        try made.export()
        try made.importOut()
        let sql = """
            SELECT a.uuid FROM albumAsset j JOIN asset a ON a.id = j.assetId
            JOIN collection c ON c.id = j.albumId WHERE c.uuid = '\(summer)'
            ORDER BY j.position
            """
        let theirs = try ExportWorld.rows(sql, of: world.library)
        let removed = ExportWorld.uuid(ids[3])
        #expect(theirs.contains(removed))
        #expect(try ExportWorld.rows(sql, of: made.other) == theirs.filter { $0 != removed })
        #expect(try count("collection WHERE title IN ('Inner', 'Trips', 'Deep')") == "0")
        try made.expectClean()
    }

    // MARK: - Damaged exports

    @Test func damagedFilesFailAndAreTriedAgain() throws {
        let original = try made.file(ids[3])
        let render = try made.file(ids[1], type: 5)
        let copies = try [original, render].map { ($0, try Data(contentsOf: $0)) }
        for (file, _) in copies { try BackupWorld.damage(file) }
        let lines = try made.importOut(status: 1)
        let failed = lines.filter { $0["outcome"] == "failed" }
        #expect(Set(failed.compactMap { $0["path"] }) == [original.path, render.path])
        #expect(failed.allSatisfy { $0["reason"]?.contains("SHA-256") == true })
        #expect(try made.value("1", of: ids[3]) == "no row")
        #expect(try made.value("hasAdjustments", of: ids[1]) == "0")
        try made.expectClean()
        // Another run without a repair fails again.
        #expect(try made.importOut(status: 1).count { $0["outcome"] == "failed" } == 2)
        for (file, data) in copies { try data.write(to: file) }
        try made.importOut()
        #expect(try made.value("hasAdjustments", of: ids[1]) == "1")
        try ExportWorld.expectSameContent(world.library, made.other)
        try made.expectClean()
        #expect(Set(try made.importOut().compactMap { $0["outcome"] }) == ["duplicate"])
    }

    @Test func aLaterEditIsTriedAgain() throws {
        try made.importOut()
        try onSource("edit", ids[8], "--filter", "Noir")
        try made.export()
        let render = try made.file(ids[8], type: 5)
        let data = try Data(contentsOf: render)
        try FileManager.default.removeItem(at: render)
        let lines = try made.importOut(status: 1)
        #expect(lines.contains { $0["path"] == render.path && $0["outcome"] == "missing" })
        #expect(try made.value("hasAdjustments", of: ids[8]) == "0")
        try data.write(to: render)
        try made.importOut()
        #expect(try made.value("hasAdjustments", of: ids[8]) == "1")
        try made.expectClean()
    }

    @Test func photosWithoutFilesAreMissing() throws {
        try FileManager.default.removeItem(at: made.file(ids[3]))
        try made.rewrite { line in
            if line["uuid"] as? String == ExportWorld.uuid(ids[5]) { line["files"] = [Any]() }
            if line["uuid"] as? String == ExportWorld.uuid(ids[6]) {
                line["files"] = nil
            }
            if line["uuid"] as? String == ExportWorld.uuid(ids[7]),
                let files = line["files"] as? [[String: Any]]
            {
                line["files"] = files.map { file in
                    var file = file
                    file["path"] = nil
                    return file
                }
            }
            return true
        }
        let report = world.folder.file("report.jsonl")
        let lines = try made.importOut(report: report, status: 1)
        #expect(lines.count { $0["outcome"] == "missing" } == 4)
        let notes = try notes(ofReport: report)
        #expect(notes["originalsMissing"]?.first?.hasPrefix("4 of ") == true, "\(notes)")
        let without = "asset WHERE NOT EXISTS (SELECT 1 FROM resource WHERE assetId = asset.id)"
        #expect(try count(without) == "0")
        for index in [3, 5, 6, 7] { #expect(try made.value("1", of: ids[index]) == "no row") }
        let output = try world.run("import", made.out.path, "--library", made.other.path)
        #expect(output.errorText.contains("4 missing of"), "\(output.errorText)")
        #expect(!output.errorText.contains("another number"))
        try made.expectClean()
    }

    // MARK: - Hostile exports

    /// Changes of the lines of photos, each of which harms nothing else.
    private static let changes: [(String, @Sendable (inout [String: Any]) -> Void)] = [
        ("unknown key", { $0["future"] = ["a": [1, 2]] }),
        ("unknown subtypes", { $0["mediaSubtypes"] = 1 << 40 }),
        ("subtypes of another type", { $0["mediaSubtypes"] = "8" }),
        ("negative subtypes", { $0["mediaSubtypes"] = -1 }),
        ("style", { $0["playbackStyle"] = 99 }),
        ("source", { $0["sourceType"] = 255 }),
        ("rating", { $0["rating"] = 9 }),
        ("person facts", { $0["personFacts"] = -5 }),
        ("reader", { $0["readerVersion"] = 1e300 }),
        ("size", { $0["pixelWidth"] = 9_000_000_000_000_000_000 as Int64 }),
        ("duration", { $0["duration"] = "nan" }),
        ("place", { $0["location"] = ["latitude": 91, "longitude": 1e308] }),
        ("date", { $0["creationDate"] = "99999-01-01T00:00:00Z" }),
        ("wall time", { $0["captureWallTime"] = "yesterday" }),
        ("offset", { $0["captureOffset"] = 1e18 }),
        ("added", { $0["addedDate"] = 5 }),
        ("edit without files", { $0["hasAdjustments"] = true }),
        (
            "live without movie",
            {
                $0["mediaSubtypes"] = 8; $0["playbackStyle"] = 3
            }
        ),
        (
            "burst alone",
            {
                $0["burstIdentifier"] = "B"; $0["representsBurst"] = true
            }
        ),
        ("name", { $0["originalFilename"] = "../../etc/passwd" }),
        ("content type", { $0["contentType"] = "a b\u{0}c" }),
        ("keywords", { $0["keywords"] = ["a", "a", 5, NSNull(), ""] }),
        ("long text", { $0["title"] = String(repeating: "x", count: 2_000_000) }),
        ("movie", { $0["mediaType"] = 2 }),
    ]

    @Test func impossibleValuesAreLeftOut() throws {
        let changes = Self.changes
        // As many photos as there are changes, and some more.
        try made.rewrite { line in
            guard line["kind"] as? String == "asset",
                let name = line["originalFilename"] as? String,
                name.hasPrefix("IMG_90"), let index = Int(name.dropFirst(6).prefix(1))
            else { return true }
            for (number, change) in changes.enumerated() where number % 10 == index {
                change.1(&line)
            }
            return true
        }
        let lines = try made.importOut()
        #expect(lines.count { $0["outcome"] == "imported" } == Int(try count("asset") ?? ""))
        let codes = lines.flatMap { $0.values["notes"] as? [[String: Any]] ?? [] }
            .compactMap { $0["code"] as? String }
        #expect(Set(codes).isSuperset(of: ["factRejected", "unknownType", "dateRejected"]))
        let sql = """
            SELECT count(*) FROM asset WHERE rating NOT BETWEEN -1 AND 5 OR mediaSubtypes >= 4194304
                OR mediaSubtypes < 0 OR playbackStyle NOT BETWEEN 0 AND 5 OR mediaType NOT IN (1, 2)
                OR sourceType NOT IN (1, 2, 4) OR personFacts NOT BETWEEN 0 AND 31
                OR readerVersion > 9 OR abs(latitude) > 90 OR creationDate > 1e10
                OR originalFilename LIKE '%/%' OR pixelWidth > 10000000
            """
        #expect(try ExportWorld.rows(sql, of: made.other) == ["0"])
        try made.expectClean()
    }

    @Test func hostileLinesHarmNothingElse() throws {
        let outside = world.folder.file("outside.jpg")
        try FileManager.default.copyItem(at: made.file(ids[3]), to: outside)
        let link = made.out.appendingPathComponent("Photos/link.jpg")
        try FileManager.default.createSymbolicLink(
            atPath: link.path,
            withDestinationPath: outside.path
        )
        let folder = made.out.appendingPathComponent("Photos/folder")
        try FileManager.default.createSymbolicLink(
            atPath: folder.path,
            withDestinationPath: world.folder.path
        )
        var lines = try made.manifest()
        func line(_ id: String, _ change: (inout [String: Any]) -> Void) throws -> String {
            let text = try #require(lines.first { $0.contains("\"" + ExportWorld.uuid(id)) })
            let object = try JSONSerialization.jsonObject(with: Data(text.utf8))
            var values = try #require(object as? [String: Any])
            change(&values)
            let data = try JSONSerialization.data(withJSONObject: values)
            return String(decoding: data, as: UTF8.self)
        }
        func path(_ path: String) throws -> String {
            try line(ids[3]) { values in
                values["uuid"] = UUID().uuidString
                var files = values["files"] as? [[String: Any]] ?? []
                files[0]["path"] = path
                values["files"] = files
            }
        }
        let assets = lines.count { $0.contains("\"kind\":\"asset\"") }
        let albums = try count(of: "collection", in: world.library)
        let circle = [UUID().uuidString, UUID().uuidString]
        lines += try [
            path("../outside.jpg"), path(outside.path), path("Photos/link.jpg"),
            path("Photos/folder/outside.jpg"), path("Photos/./x.jpg"), path(""),
            path(String(repeating: "a/", count: 5000)),
            // The same photo once more, one without an identifier, and one of an unknown kind.
            line(ids[5]) { _ in }, line(ids[5]) { $0["uuid"] = "no" },
            line(ids[5]) { $0["uuid"] = "00000000-0000-0000-0000-000000000020" },
            line(ids[5]) {
                $0["uuid"] = UUID().uuidString
                $0["mediaType"] = 77
            },
        ]
        lines += [
            "not JSON", "[1]", String(repeating: "[", count: 100_000), "{\"kind\":\"future\"}",
            #"{"kind":"folder","uuid":"\#(circle[0])","parent":"\#(circle[1])","title":"C1"}"#,
            #"{"kind":"folder","uuid":"\#(circle[1])","parent":"\#(circle[0])","title":"C2"}"#,
            #"{"kind":"album","uuid":"\#(UUID().uuidString)","parent":"\#(UUID().uuidString)","#
                + #""title":"Stray","members":["\#(UUID().uuidString)",5,"x"]}"#,
            #"{"kind":"album","uuid":"5","title":"No identifier"}"#,
            #"{"kind":"album","uuid":"\#(ExportWorld.uuid(ids[3]))","title":"A photo's"}"#,
            #"{"kind":"asset","uuid":"\#(UUID().uuidString)","mediaType":1"#,
        ]
        try made.write(lines.joined(separator: "\n"))
        let report = world.folder.file("report.jsonl")
        let reported = try made.importOut(report: report, status: 1)
        let notes = try notes(ofReport: report)
        // The circle is opened at one of its folders.
        #expect(notes["parentUnknown"]?.contains { $0.contains("“Stray”") } == true, "\(notes)")
        #expect(notes["parentUnknown"]?.contains { $0.contains("“C") } == true, "\(notes)")
        #expect(notes["membersLeftOut"]?.first?.hasPrefix("2 members") == true, "\(notes)")
        #expect(notes["membersMissing"]?.contains { $0.contains("“Stray”") } == true, "\(notes)")
        #expect(reported.count { $0["outcome"] == "missing" } == 7)
        // Of the other lines, four of photos, four that are no objects, and two without use.
        let failed = reported.filter { $0["outcome"] == "failed" }
        #expect(failed.count == 11, "\(failed.map(\.text))")
        #expect(failed.contains { $0["reason"]?.contains("was cut off") == true })
        #expect(try count("asset") == String(assets))
        #expect(try count("collection") == String(albums + 3))
        #expect(try count("collection WHERE title IN ('C1', 'C2', 'Stray')") == "3")
        let output = try world.run("import", made.out.path, "--library", made.other.path)
        #expect(!output.errorText.contains("another number"), "\(output.errorText)")
        try made.expectClean()
    }

    private func count(of table: String, in library: URL) throws -> Int {
        Int(try ExportWorld.rows("SELECT count(*) FROM \(table)", of: library).first ?? "") ?? -1
    }

    @Test func filesThatAreNoExportFail() throws {
        let lines = try made.manifest()
        for (text, reason) in [
            (lines.dropFirst().joined(separator: "\n"), "does not begin with the header"),
            ("{\"kind\":\"library\",\"format\":2}\n", "newer version"),
            ("{\"kind\":\"library\"}\n", "states no format"), ("", "is empty"),
            (lines[0].replacing("}", with: ""), "does not begin with the header"),
        ] {
            try made.write(text)
            let failed = try made.importOut(status: 1)
            #expect(failed.count == 1 && failed[0]["outcome"] == "failed")
            #expect(failed[0]["reason"]?.contains(reason) == true, "\(failed[0].text)")
        }
        // A file that was cut off between two lines.
        try made.write(lines.prefix(10).joined(separator: "\n") + "\n")
        let cut = try made.importOut(status: 1)
        #expect(cut.contains { $0["reason"]?.contains("was cut off") == true })
        #expect(try count("asset") == "9")
        // Without the mark, the header is enough; without both, it is a folder.
        try made.write(lines.joined(separator: "\n") + "\n")
        try FileManager.default.removeItem(at: made.out.appendingPathComponent(".photos-export"))
        #expect(try made.importOut().contains { $0.values["source"] != nil })
        try made.write(lines.dropFirst().joined(separator: "\n"))
        let plain = try world.run("import", "--json", "--dry-run", made.out.path)
        #expect(plain.status == 0 && !plain.lines.isEmpty)
        #expect(try plain.lines.map(JSONLine.init).allSatisfy { $0.values["source"] == nil })
    }
}
