import Foundation
import Glibc
import TestSupport
import Testing

/// Imports of exports into libraries that have the same originals from elsewhere.
@Suite(.timeLimit(.minutes(5))) struct ExportJoiningTests {
    private let made: ExportWorld
    private var ids: [String] { made.ids }

    init() throws {
        made = try ExportWorld()
        try made.copyExport()
    }

    /// Imports the exported originals of some assets alone, as from a card.
    private func importOriginals(_ identifiers: [String]) throws -> [String: String] {
        let card = made.world.folder.file("card")
        try FileManager.default.createDirectory(at: card, withIntermediateDirectories: true)
        let files = try identifiers.map { try made.file($0) }
        for file in files {
            let copy = card.appendingPathComponent(file.lastPathComponent)
            try FileManager.default.copyItem(at: file, to: copy)
        }
        let lines = try made.onOther("import", card.path)
        let found = try files.map { file in
            let line = lines.first { $0.name == file.lastPathComponent }
            return try #require(line?["localIdentifier"])
        }
        return Dictionary(uniqueKeysWithValues: zip(identifiers, found))
    }

    private func resources(of id: String, in library: URL) throws -> [String] {
        try ExportWorld.rows(
            """
            SELECT r.type, hex(r.sha256) FROM resource r JOIN asset a ON a.id = r.assetId
            WHERE a.uuid = '\(ExportWorld.uuid(id))' ORDER BY r.type, 2
            """,
            of: library
        )
    }

    private func count(of library: URL) throws -> [String] {
        try ExportWorld.rows("SELECT count(*) FROM asset", of: library)
    }

    private func liveID() throws -> String {
        let lines = try made.world.objects(
            "list",
            "--json",
            "--predicate",
            "mediaSubtypes & 8 != 0"
        )
        return try #require(lines.first?["localIdentifier"])
    }

    @Test func originalsFromElsewhereGetWhatTheyLack() throws {
        let live = try liveID()
        let own = try importOriginals([live, ids[1], ids[3]])
        let lines = try made.importOut()
        let source = made.world.library
        #expect(try count(of: made.other) == count(of: source))
        for (id, mine) in own {
            #expect(try resources(of: mine, in: made.other) == resources(of: id, in: source))
            let facts = "hasAdjustments || ' ' || mediaSubtypes || ' ' || playbackStyle"
            let stated = try ExportWorld.rows(
                "SELECT \(facts) FROM asset WHERE uuid = '\(ExportWorld.uuid(id))'",
                of: source
            )
            #expect(try [made.value(facts, of: mine)] == stated)
        }
        // The line of the asset, and one for each file that joined.
        let joined = lines.filter { $0["localIdentifier"] == own[live] }
        #expect(joined.filter { $0["outcome"] == "duplicate" }.count >= 1)
        #expect(joined.contains { $0["outcome"] == "paired" })
        #expect(!joined.contains { $0["outcome"] == "skipped" })
        try made.expectClean()
        // A revert shows the original again.
        try made.onOther("revert", try #require(own[ids[1]]))
        #expect(try made.value("hasAdjustments", of: try #require(own[ids[1]])) == "0")
        // A second import adds nothing.
        let before = try ExportWorld.facts(of: made.other)
        try made.importOut()
        #expect(try ExportWorld.facts(of: made.other) == before)
    }

    /// The exported files of a photo besides its original.
    private func others(of id: String) throws -> [URL] {
        let lines = try made.manifest().map(JSONLine.init)
        let line = lines.first { $0["kind"] == "asset" && $0["uuid"] == ExportWorld.uuid(id) }
        let files = try #require(line?.values["files"] as? [[String: Any]])
        let original = try made.file(id)
        return files.compactMap { $0["path"] as? String }
            .map { made.out.appendingPathComponent($0) }.filter { $0.path != original.path }
    }

    @Test(arguments: [false, true])
    func whatIsMissingBesideAnOriginalFromElsewhereStaysMissing(isDamaged: Bool) throws {
        let live = try liveID()
        let own = try importOriginals([live, ids[1]])
        let mine = try #require(own[live])
        let edited = try #require(own[ids[1]])
        let lost = try others(of: live) + others(of: ids[1])
        #expect(lost.count >= 4)
        let saved = try lost.map { try Data(contentsOf: $0) }
        for (url, data) in zip(lost, saved) {
            if isDamaged {
                try Data(count: data.count).write(to: url)
            } else {
                try FileManager.default.removeItem(at: url)
            }
        }
        let before = try [mine, edited].map { try resources(of: $0, in: made.other) }
        for run in 1...3 {
            let lines = try made.importOut(status: 1)
            for id in [live, ids[1]] {
                let bad = lines.filter {
                    $0.item == ExportWorld.uuid(id)
                        && ["missing", "failed"].contains($0["outcome"])
                }
                #expect(!bad.isEmpty, "run \(run)")
            }
            #expect(try [mine, edited].map { try resources(of: $0, in: made.other) } == before)
        }
        // One photo after the other becomes whole.
        for (url, data) in zip(lost, saved) { try data.write(to: url) }
        try made.importOut()
        for (id, mine) in own {
            #expect(
                try resources(of: mine, in: made.other)
                    == resources(of: id, in: made.world.library)
            )
        }
        #expect(try made.value("hasAdjustments", of: edited) == "1")
        try made.expectClean()
        let facts = try ExportWorld.facts(of: made.other)
        let last = try made.importOut()
        #expect(last.allSatisfy { ["duplicate", "skipped"].contains($0["outcome"]) })
        #expect(try ExportWorld.facts(of: made.other) == facts)
    }

    /// An export of which files cannot be read is completed once they can.
    @Test func filesThatCannotBeReadAreTakenLater() throws {
        let files = try [made.file(ids[5]), made.file(ids[1], type: 5)]
        for file in files { #expect(chmod(file.path, 0) == 0) }
        let output = try made.world.runWithoutPrivileges(
            "import",
            "--json",
            made.out.path,
            "--library",
            made.other.path
        )
        #expect(output.status == 1)
        let failed = try output.lines.map(JSONLine.init).filter { $0["outcome"] == "failed" }
        #expect(Set(failed.compactMap { $0["path"] }) == Set(files.map(\.path)))
        #expect(failed.allSatisfy { $0["reason"]?.contains("ermission") == true }, "\(failed)")
        try made.expectClean()
        for file in files { #expect(chmod(file.path, 0o644) == 0) }
        try made.importOut()
        try ExportWorld.expectSameContent(made.world.library, made.other)
        try made.expectClean()
    }

    @Test func editsOfThisLibraryStayAndTheOthersAreReported() throws {
        let own = try importOriginals([ids[1]])
        let mine = try #require(own[ids[1]])
        try made.onOther("edit", mine, "--filter", "Noir")
        let before = try resources(of: mine, in: made.other)
        let lines = try made.importOut().filter { $0["localIdentifier"] == mine }
        #expect(try resources(of: mine, in: made.other) == before)
        let skipped = lines.filter { $0["outcome"] == "skipped" }
        #expect(!skipped.isEmpty)
        #expect(skipped.allSatisfy { $0["reason"]?.contains("that was kept") == true })
        let notes = lines.flatMap { $0.values["notes"] as? [[String: Any]] ?? [] }
        #expect(notes.compactMap { $0["code"] as? String }.contains("editNotTaken"))
        try made.expectClean()
    }
}
