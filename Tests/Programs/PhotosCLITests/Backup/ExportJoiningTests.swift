import Foundation
import TestSupport
import Testing

/// Imports of exports into libraries that have the same originals from elsewhere.
@Suite(.timeLimit(.minutes(5))) struct ExportJoiningTests {
    private let made: ExportWorld
    private var ids: [String] { made.ids }

    init() throws {
        made = try ExportWorld()
        try made.export()
    }

    /// Imports the exported originals of some assets alone, as from a card.
    private func importOriginals(_ identifiers: [String]) throws -> [String: String] {
        let card = made.world.folder.file("card")
        try FileManager.default.createDirectory(at: card, withIntermediateDirectories: true)
        var found: [String: String] = [:]
        for id in identifiers {
            let file = try made.file(id)
            let copy = card.appendingPathComponent(file.lastPathComponent)
            try FileManager.default.copyItem(at: file, to: copy)
            let line = try made.onOther("import", copy.path).first
            found[id] = try #require(line?["localIdentifier"])
        }
        return found
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
