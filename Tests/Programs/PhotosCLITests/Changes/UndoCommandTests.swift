import Foundation
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(2))) struct UndoCommandTests {
    let world: CommandWorld
    let ids: [String]

    /// A library with albums, and its visible state.
    private struct Beginning: Sendable {
        let world: CommandWorld
        let ids: [String]
        let state: [String]

        /// The library that every test copies.
        static let shared = Result { try Beginning() }

        private init() throws {
            world = try CommandWorld()
            ids = try world.library(of: ["a.jpg", "b.jpg", "c.jpg"])
            for arguments in [
                ["folder", "create", "Folder"], ["album", "create", "Album", "--in", "Folder"],
                ["album", "add", "Album", ids[0], ids[1]], ["album", "create", "Other"],
            ] { #expect(try world.run(arguments).status == 0) }
            state = try UndoCommandTests.state(of: ids, in: world)
        }
    }

    /// The visible state before any change.
    private let start: [String]

    init() throws {
        let beginning = try Beginning.shared.get()
        world = try CommandWorld()
        try world.copy(beginning.world)
        ids = beginning.ids
        start = beginning.state
    }

    private func state() throws -> [String] { try Self.state(of: ids, in: world) }

    /// Returns the visible state of the library: every asset in full, every album with its members,
    /// and the tree.
    private static func state(of ids: [String], in world: CommandWorld) throws -> [String] {
        var state: [String] = []
        for id in ids {
            let output = try world.run("show", "--json", id)
            guard output.status == 0 else { continue }
            var values = try JSONLine(try #require(output.lines.first)).values
            values["modificationDate"] = nil
            let data = try JSONSerialization.data(withJSONObject: values, options: .sortedKeys)
            state.append(String(decoding: data, as: UTF8.self))
        }
        for line in try world.objects("albums", "--own", "--json") {
            let title = try #require(line["localizedTitle"])
            state.append("\(title) in \(line["parentLocalIdentifier"] ?? "/")")
            if line["objectType"] == "assetCollection" {
                state.append(try world.names("--album", title).joined(separator: " "))
            }
        }
        return state + ["deleted:"] + (try world.names("--deleted"))
    }

    private static let changes: [[String]] = [
        ["set", "0", "--favorite", "true", "--rating", "3", "--title", "T", "--caption", "C"],
        ["set", "0", "1", "--date", "1999-01-01", "--location", "1,2", "--add-keyword", "k"],
        ["set", "2", "--hidden", "true"],
        ["delete", "0", "2"],
        ["album", "create", "New", "--in", "Folder"],
        ["album", "add", "Album", "2", "--at", "0"],
        ["album", "remove", "Album", "0"],
        ["album", "move", "Album", "1", "--to", "0"],
        ["album", "rename", "Album", "Renamed"],
        ["album", "delete", "Album"],
        ["folder", "create", "New"],
        ["folder", "add", "Folder", "Other", "--at", "0"],
        ["folder", "move", "/", "Other", "--to", "0"],
        ["folder", "rename", "Folder", "Renamed"],
        ["folder", "delete", "Folder"],
    ]

    /// Replaces numbers by the identifiers of assets.
    private func resolved(_ arguments: [String]) -> [String] {
        var isValue = false
        return arguments.map { argument in
            defer { isValue = argument.hasPrefix("--") }
            guard !isValue, let number = Int(argument) else { return argument }
            return ids[number]
        }
    }

    @Test(arguments: changes)
    func everyKindOfChangeIsTakenBack(change: [String]) throws {
        let before = try world.run("history", "--json").lines
        let made = try world.run(resolved(change))
        #expect(made.status == 0, "\(made.errorText)")
        let after = try world.run("history", "--json").lines
        #expect(after.count > before.count)
        #expect(after.starts(with: before))
        let undone = try world.run("undo")
        #expect(undone.status == 0)
        #expect(undone.errorText.hasPrefix("Undone: "))
        #expect(undone.errorText.contains(" by photos "))
        #expect(try state() == start)
    }

    @Test func restoringIsTakenBack() throws {
        #expect(try world.run("delete", ids[0]).status == 0)
        let before = try state()
        #expect(try world.run("restore", ids[0]).status == 0)
        #expect(try world.run("undo").status == 0)
        #expect(try state() == before)
    }

    @Test func anImportIsTakenBack() throws {
        try world.photo("new/d.jpg", seed: 50)
        try world.photo("new/e.jpg", seed: 51)
        #expect(try world.run("import", world.source.path + "/new").status == 0)
        let lines = try world.objects("undo", "--json")
        #expect(!lines.isEmpty)
        #expect(lines.allSatisfy { $0["outcome"] == "undone" })
        #expect(try world.names() == ["a.jpg", "b.jpg", "c.jpg"])
        #expect(Set(try world.names("--deleted")) == ["d.jpg", "e.jpg"])
    }

    @Test func itSaysWhatWasUndone() throws {
        #expect(try world.run("set", ids[0], ids[1], "--favorite", "true").status == 0)
        let line = try #require(try world.objects("undo", "--json").first)
        #expect(line["author"]?.isEmpty == false)
        #expect(line.number("version") != nil)
        let changes = try #require(line.values["changes"] as? [[String: Any]])
        #expect(Set(changes.compactMap { $0["localIdentifier"] as? String }) == [ids[0], ids[1]])
        #expect(changes.allSatisfy { $0["change"] as? String == "updated" })
        #expect(
            changes.allSatisfy { ($0["properties"] as? [String])?.contains("isFavorite") == true }
        )
        #expect(try world.run("set", ids[0], "--favorite", "true").status == 0)
        let text = try world.run("undo").errorText
        #expect(text.contains("1 asset updated (isFavorite"))
    }

    @Test func changesAreTakenBackOneAfterTheOther() throws {
        #expect(try world.run("set", ids[0], "--favorite", "true").status == 0)
        let middle = try state()
        #expect(middle != start)
        #expect(try world.run("album", "rename", "Album", "Else").status == 0)
        let end = try state()
        #expect(try world.run("undo").status == 0)
        #expect(try state() == middle)
        #expect(try world.run("undo").status == 0)
        #expect(try state() == start)
        // The changes are redone one by one.
        let redone = try world.run("redo")
        #expect(redone.status == 0)
        #expect(redone.errorText.hasPrefix("Redone: 1 asset updated (isFavorite"))
        #expect(try state() == middle)
        #expect(try world.objects("redo", "--json").map { $0["outcome"] } == ["redone"])
        #expect(try state() == end)
        #expect(try world.run("redo").status == 1)
    }

    @Test func anEmptyLibraryHasNothingToUndo() throws {
        let empty = try CommandWorld()
        #expect(try empty.run("create").status == 0)
        let output = try empty.run("undo")
        #expect(output.status == 1)
        #expect(output.text == "")
        #expect(output.errorText.lowercased().contains("nothing to undo"))
        #expect(try empty.objects("undo", "--json", status: 1).map { $0["outcome"] } == ["failed"])
    }
}
