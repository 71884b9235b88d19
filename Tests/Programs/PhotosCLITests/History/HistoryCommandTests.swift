import Foundation
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(2))) struct HistoryCommandTests {
    let world: CommandWorld
    let ids: [String]

    init() throws {
        world = try CommandWorld()
        ids = try world.library(of: ["a.jpg", "b.jpg"])
    }

    private func token() throws -> String {
        let line = try #require(try world.objects("history", "--token", "--json").first)
        let token = try #require(line["token"])
        #expect(try world.run("history", "--token").text == token + "\n")
        return token
    }

    @Test func everyChangeHasALine() throws {
        let start = try token()
        #expect(try world.objects("history", "--json", "--since", start).isEmpty)
        _ = try world.objects(
            "set",
            "--json",
            ids[0],
            ids[1],
            "--favorite",
            "true",
            "--rating",
            "2"
        )
        let album = try #require(
            try world.objects("album", "create", "--json", "Album").first?["localIdentifier"]
        )
        _ = try world.objects("album", "add", "--json", "Album", ids[0])
        _ = try world.objects("delete", "--json", ids[1])
        let lines = try world.objects("history", "--json", "--since", start)
        let versions = lines.compactMap { $0.number("version") }
        #expect(versions == versions.sorted())
        #expect(Set(versions).count == 4)
        let set = lines.filter { $0.number("version") == versions[0] }
        #expect(Set(set.compactMap { $0["localIdentifier"] }) == [ids[0], ids[1]])
        for line in set {
            #expect(line["change"] == "updated")
            #expect(line["objectType"] == "asset")
            #expect(line.flag("contentChanged") == false)
            #expect(Set(line.list("properties") ?? []).isSuperset(of: ["isFavorite", "rating"]))
            #expect(line.values["undoneVersion"] is NSNull)
            #expect(line["author"]?.isEmpty == false)
            let date = try #require(line["date"])
            #expect(date.hasSuffix("Z"))
        }
        let made = try #require(lines.first { $0["change"] == "inserted" })
        #expect(made["objectType"] == "assetCollection")
        #expect(made["localIdentifier"] == album)
        let filled = try #require(
            lines.first { $0["localIdentifier"] == album && $0["change"] == "updated" }
        )
        #expect(filled.list("properties")?.contains("members") == true)
        let gone = try #require(lines.first { $0["change"] == "deleted" })
        #expect(gone["localIdentifier"] == ids[1])
        #expect(lines.last?["token"] == (try token()))
    }

    /// A client that stores the last token that it read misses nothing, wherever it stopped
    /// reading.
    @Test func tokensOfLinesLeaveNothingOut() throws {
        let start = try token()
        _ = try world.objects("set", "--json", ids[0], ids[1], "--favorite", "true")
        _ = try world.objects("set", "--json", ids[0], "--rating", "1")
        let lines = try world.objects("history", "--json", "--since", start)
        try #require(lines.count == 3)
        for (index, line) in lines.enumerated() {
            let token = try #require(line["token"])
            let rest = try world.objects("history", "--json", "--since", token)
            let left = lines.dropFirst(index + 1)
            #expect(rest.suffix(left.count).map(\.text) == left.map(\.text))
        }
        #expect(lines[0]["token"] == start)
        #expect(lines[1]["token"] != start)
    }

    @Test func limitsCountTransactions() throws {
        let start = try token()
        for rating in 1...4 {
            _ = try world.objects("set", "--json", ids[0], "--rating", "\(rating)")
        }
        let all = try world.objects("history", "--json", "--since", start)
        let first = try world.objects("history", "--json", "--since", start, "--limit", "2")
        #expect(first.map(\.text) == all.prefix(2).map(\.text))
        let last = try world.objects("history", "--json", "--limit", "2")
        #expect(last.map(\.text) == all.suffix(2).map(\.text))
        let whole = try world.objects("history", "--json")
        #expect(whole.suffix(4).map(\.text) == all.map(\.text))
        #expect(whole.first?["change"] == "inserted")
        let version = try #require(all[1].number("version"))
        let since = try world.objects("history", "--json", "--since", "\(Int(version))")
        #expect(since.map(\.text) == all.suffix(2).map(\.text))
    }

    @Test func peopleGetColumns() throws {
        _ = try world.objects("set", "--json", ids[0], "--favorite", "true")
        let line = try #require(try world.run("history", "--limit", "1").lines.first)
        let form =
            /\ +\d+  \d{4}-\d\d-\d\d \d\d:\d\d:\d\d  updated   asset   [0-9A-F-]{36}\/L0\/001  a\.jpg  \(isFavorite.*\)  by .+/
        #expect(line.wholeMatch(of: form) != nil, "\(line)")
        #expect(try world.run("undo").status == 0)
        #expect(try world.run("history", "--limit", "1").text.contains(", undoing "))
    }

    @Test func otherTokensAreRefused() throws {
        let other = try CommandWorld()
        _ = try other.library(of: ["x.jpg"])
        let foreign = try #require(try other.run("history", "--token").lines.first)
        let output = try world.run("history", "--since", foreign)
        #expect(output.status == 1)
        #expect(output.text == "")
        #expect(output.errorText.contains("is not from the library at"))
        let future = try world.run("history", "--since", "999999")
        #expect(future.status == 1)
        #expect(future.errorText.contains("newer than the library"))
        for nonsense in ["yesterday", "x:y", ":1", "-3"] {
            #expect(try world.run("history", "--since", nonsense).status == 2)
            #expect(try world.run("watch", "--since", nonsense).status == 2)
        }
    }

    @Test func tokensOfAPastThatWasPutBackHaveExpired() throws {
        let start = try token()
        let backup = world.folder.file("Backup.photolibrary")
        try FileManager.default.copyItem(at: world.library, to: backup)
        _ = try world.objects("set", "--json", ids[0], "--rating", "1")
        let lost = try token()
        try FileManager.default.removeItem(at: world.library)
        try FileManager.default.moveItem(at: backup, to: world.library)
        for rating in ["2", "3"] {
            _ = try world.objects("set", "--json", ids[0], "--rating", rating)
            for verb in ["history", "watch"] {
                let output = try world.run(verb, "--since", lost)
                #expect(output.status == 1)
                #expect(output.text == "")
                #expect(output.errorText.contains("restored to an older state"))
            }
        }
        #expect(try world.objects("history", "--json", "--since", start).count == 2)
    }

    @Test func tokensExpireWhenHistoryIsPruned() throws {
        // Without its stamp, which derives from the time that is changed below.
        let start = try token().split(separator: ":").prefix(2).joined(separator: ":")
        for rating in ["1", "2"] {
            _ = try world.objects("set", "--json", ids[0], "--rating", rating)
        }
        // A test cannot wait for days, so the transactions are backdated.
        let database = world.library.appendingPathComponent("database/library.sqlite").path
        let aged = try ProcessRunner.run(
            "sqlite3",
            [database, "UPDATE journalVersion SET time = time - 2 * 86400"]
        )
        #expect(aged.status == 0, "\(aged.errorText)")
        #expect(try world.run("history", "--since", start).status == 0)
        #expect(try world.run("history", "--keep-days", "1").status == 0)
        for verb in ["history", "watch"] {
            let output = try world.run(verb, "--since", start)
            #expect(output.status == 1)
            #expect(output.text == "")
            #expect(output.errorText.contains("no longer known"))
        }
        #expect(try world.objects("history", "--json").isEmpty)
        #expect(try world.objects("history", "--json", "--since", try token()).isEmpty)
        #expect(try world.run("undo").status == 1)
    }

    @Test func theHorizonIsShownAndSet() throws {
        let line = try #require(try world.objects("history", "--keep-days", "0", "--json").first)
        #expect(line.number("keepDays") == 90)
        #expect(line["start"]?.contains(":") == true)
        let set = try world.run("history", "--keep-days", "365")
        #expect(set.status == 0)
        #expect(set.text.hasPrefix("History is kept for 365 days"))
        let again = try #require(try world.objects("history", "--keep-days", "0", "--json").first)
        #expect(again.number("keepDays") == 365)
    }

    @Test(arguments: [
        ["--limit", "0"], ["--limit", "-1"], ["--keep-days", "-1"], ["--keep-days", "x"],
        ["--keep-days", "5", "--limit", "1"], ["--token", "--limit", "1"], ["--since"],
    ])
    func mistakesEndWithTwo(options: [String]) throws {
        let output = try world.run(["history"] + options)
        #expect(output.status == 2)
        #expect(output.text == "")
        #expect(output.errorText.contains("Usage: photos history"))
    }
}
