import Foundation
import TestSupport
import Testing

/// A request for the current state is not a change: nothing is committed, and undo skips it.
@Suite(.timeLimit(.minutes(2))) struct UnchangedTests {
    let world: CommandWorld
    let ids: [String]

    init() throws {
        world = try CommandWorld()
        ids = try world.library(of: ["a.jpg", "b.jpg", "c.jpg"])
    }

    private func outcomes(_ arguments: String...) throws -> [String] {
        let output = try world.run(arguments + ["--json"])
        #expect(output.status == 0, "\(arguments): \(output.errorText)")
        return try output.lines.compactMap { try JSONLine($0)["outcome"] }
    }

    private func version() throws -> Int {
        try Int(world.objects("history", "--json").compactMap { $0.number("version") }.max() ?? 0)
    }

    @Test func settingWhatIsSetIsUnchanged() throws {
        #expect(try outcomes("set", ids[0], "--favorite", "true") == ["changed"])
        let version = try version()
        #expect(try outcomes("set", ids[0], "--favorite", "true") == ["unchanged"])
        #expect(try outcomes("set", ids[1], "--favorite", "false") == ["unchanged"])
        #expect(try outcomes("set", ids[1], "--remove-keyword", "x") == ["unchanged"])
        #expect(try self.version() == version)
        let output = try world.run("set", ids[1], ids[2], "--favorite", "false")
        #expect(output.errorText.hasPrefix("Unchanged: 2 assets"), "\(output.errorText)")
        // Changed and unchanged ones are distinguished.
        let mixed = try outcomes("set", ids[0], ids[1], "--favorite", "true")
        #expect(mixed == ["unchanged", "changed"])
    }

    @Test func undoAfterwardsUndoesTheChangeBefore() throws {
        #expect(try outcomes("set", ids[0], "--favorite", "true") == ["changed"])
        #expect(try outcomes("revert", ids[1]) == ["unchanged"])
        let undone = try world.objects("undo", "--json")
        let change = try #require((undone.first?.values["changes"] as? [[String: Any]])?.first)
        #expect(change["localIdentifier"] as? String == ids[0])
        #expect(change["properties"] as? [String] == ["isFavorite", "modificationDate"])
    }

    @Test func editingTheSameWayIsUnchanged() throws {
        #expect(try outcomes("edit", ids[0], "--filter", "none") == ["unchanged"])
        #expect(try outcomes("edit", ids[0], "--filter", "Noir") == ["edited"])
        let version = try version()
        #expect(try outcomes("edit", ids[0], "--filter", "Noir") == ["unchanged"])
        #expect(try self.version() == version)
        #expect(
            try outcomes("edit", ids[0], ids[1], "--filter", "Noir") == ["unchanged", "edited"]
        )
        #expect(try outcomes("revert", ids[0]) == ["reverted"])
        #expect(try outcomes("revert", ids[0]) == ["unchanged"])
    }

    @Test func albumsAndFoldersTellOfNoChange() throws {
        for arguments in [
            ["album", "create", "Album"], ["folder", "create", "Folder"],
            ["album", "add", "Album", ids[0], ids[1]],
        ] { #expect(try world.run(arguments).status == 0) }
        let version = try version()
        #expect(try outcomes("album", "rename", "Album", "Album") == ["unchanged"])
        #expect(try outcomes("folder", "rename", "Folder", "Folder") == ["unchanged"])
        #expect(try outcomes("album", "move", "Album", ids[1], "--to", "1") == ["unchanged"])
        #expect(try outcomes("album", "add", "Album", ids[0]) == ["present"])
        #expect(try outcomes("album", "add", "Album", ids[0], "--at", "0") == ["present"])
        #expect(try outcomes("folder", "move", "/", "Folder", "--to", "1") == ["unchanged"])
        #expect(try outcomes("album", "create", "Album", "--if-absent") == ["present"])
        #expect(try self.version() == version)
        #expect(try outcomes("album", "move", "Album", ids[1], "--to", "0") == ["moved"])
    }

    @Test func dryRunShowsWhatWouldBeUndone() throws {
        #expect(try outcomes("set", ids[0], "--favorite", "true") == ["changed"])
        let version = try version()
        let preview = try world.objects("undo", "--dry-run", "--json")
        #expect(preview.compactMap { $0["outcome"] } == ["undoable"])
        let shown = try world.run("undo", "--dry-run")
        #expect(shown.errorText.hasPrefix("Would undo: 1 asset updated (isFavorite, "))
        #expect(try self.version() == version)
        #expect(try world.names("--predicate", "isFavorite = YES") == ["a.jpg"])
        #expect(try outcomes("undo") == ["undone"])
        #expect(try outcomes("redo", "--dry-run") == ["redoable"])
        #expect(try world.names("--predicate", "isFavorite = YES") == [])
        #expect(try world.run("verify").status == 0)
    }
}
