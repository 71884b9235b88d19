import Foundation
import TestSupport
import Testing

/// The ways to name assets and files on the command line: in full, abbreviated, and by standard
/// input.
@Suite(.timeLimit(.minutes(3))) struct OperandTests {
    let world: CommandWorld
    let ids: [String]

    init() throws {
        world = try CommandWorld()
        ids = try world.library(of: ["a.jpg", "b.jpg", "c.jpg"])
    }

    /// Runs a shell script in which `"$photos"` is the command.
    private func shell(_ script: String, input: String = "") throws -> ProcessRunner.Output {
        let file = try world.folder.write(Data(input.utf8), to: "input")
        var environment: [String: String?] = [:]
        for (name, value) in world.environment { environment[name] = value }
        environment["photos"] = BuiltProducts.photos.path
        environment["input"] = file.path
        return try ProcessRunner.run(
            "/bin/sh",
            ["-c", script],
            environment: environment,
            folder: world.folder.url
        )
    }

    /// Gives assets identifiers with a common prefix.
    private func rename(_ names: [String: String]) throws {
        let database = world.library.appendingPathComponent("database/library.sqlite").path
        for (id, uuid) in names {
            let old = id.prefix(36)
            let sql = "UPDATE asset SET uuid = '\(uuid)' WHERE uuid = '\(old)'"
            #expect(try ProcessRunner.run("sqlite3", [database, sql]).status == 0)
        }
    }

    // MARK: - Abbreviations

    @Test func aUniqueBeginningNamesAnAsset() throws {
        let short = String(ids[0].prefix(8))
        let line = try #require(try world.objects("show", "--json", short.lowercased()).first)
        #expect(line["localIdentifier"] == ids[0])
        let lines = try world.objects(
            "set",
            "--json",
            String(ids[1].prefix(13)),
            ids[1],
            "--favorite",
            "true"
        )
        #expect(lines.map { $0["localIdentifier"] } == [ids[1]])
        let album = try #require(try world.objects("album", "create", "A", "--json").first)
        let id = try #require(album["localIdentifier"])
        #expect(try world.run("album", "add", String(id.prefix(9)), short).status == 0)
        #expect(try world.names("--album", "A") == ["a.jpg"])
        #expect(try world.run("delete", short).status == 0)
        #expect(try world.run("restore", short).status == 0)
        #expect(try world.run("show", "00000000").status == 1)
        // Seven characters are not an abbreviation.
        #expect(try world.run("show", String(ids[0].prefix(7))).status == 1)
    }

    @Test func aBeginningOfSeveralIsAMistakeThatListsThem() throws {
        let first = "ABCDEF01-0000-4000-8000-000000000001"
        let second = "ABCDEF01-0000-4000-8000-000000000002"
        try rename([ids[0]: first, ids[1]: second])
        for arguments in [["show", "abcdef01"], ["set", "ABCDEF01-0000", "--favorite", "true"]] {
            let output = try world.run(arguments)
            #expect(output.status == 2)
            #expect(output.errorText.contains(first) && output.errorText.contains(second))
        }
        #expect(try world.run("show", "ABCDEF01-0000-4000-8000-00000000000").status == 2)
        #expect(try world.run("show", first).status == 0)
    }

    @Test func whatCannotBeUndoneNeedsWholeIdentifiers() throws {
        let short = String(ids[0].prefix(8))
        let deletion = try world.run("delete", "--yes", short)
        #expect(deletion.status == 2)
        #expect(deletion.errorText.contains("requires complete identifiers: \(short)"))
        #expect(try world.run("delete", "--yes", ids[0]).status == 0)
        #expect(try world.run("purge", "--yes", short).status == 2)
        #expect(try world.run("purge", short).status == 2)
        #expect(try world.names("--deleted") == ["a.jpg"])
        #expect(try world.run("purge", "--yes", ids[0]).status == 0)
    }

    @Test func predicatesFindBeginningsOfIdentifiers() throws {
        let short = String(ids[2].prefix(10))
        let format = "localIdentifier BEGINSWITH '\(short)'"
        #expect(try world.names("--predicate", format) == ["c.jpg"])
        let whole = "localIdentifier BEGINSWITH '\(ids[2])'"
        #expect(try world.names("--predicate", whole) == ["c.jpg"])
        #expect(try world.names("--predicate", "localIdentifier BEGINSWITH 'x'") == [])
    }

    // MARK: - Standard input

    @Test func identifiersAreReadFromStandardInput() throws {
        let input = "\(ids[0])\n\n\(ids[1].prefix(8))\r\n"
        let output = try shell(
            #""$photos" set - --favorite true --json < "$input""#,
            input: input
        )
        #expect(output.status == 0, "\(output.errorText)")
        #expect(try world.names("--predicate", "isFavorite = YES") == ["a.jpg", "b.jpg"])
        let empty = try shell(#""$photos" set - --favorite true < /dev/null"#)
        #expect(empty.status == 2)
        #expect(empty.errorText.contains("Standard input is empty"))
    }

    @Test func pathsAreReadFromStandardInputAsBytes() throws {
        try world.photos(["n\u{1}l.jpg", "with\nline.jpg", "plain.jpg"])
        let output = try shell(
            #"bad="source/$(printf 'bad\377.jpg')"; cp source/plain.jpg "$bad"; echo more >> "$bad""#
                + #"; find source -name '*l*.jpg' -print0 -o -name 'bad*' -print0"#
                + #" | "$photos" import - --json"#
        )
        #expect(output.status == 0, "\(output.errorText)")
        let outcomes = try output.lines.map(JSONLine.init)
        #expect(outcomes.compactMap { $0["outcome"] } == Array(repeating: "imported", count: 4))
        #expect(outcomes.count { $0["pathBase64"] != nil } == 1)
    }

    // MARK: - Paths

    @Test(arguments: [
        #""$photos" --library "$bad" create"#, #""$photos" create --library="$bad""#,
        #"PHOTOS_LIBRARY="$bad" "$photos" create"#, #""$photos" backup "$bad""#,
        #""$photos" restore-backup "$bad""#, #""$photos" verify --repair --from "$bad""#,
        #""$photos" export --all -o "$bad""#, #""$photos" import --report "$bad" source"#,
        #""$photos" export 00000000-0000-4000-8000-000000000000 -o "$bad""#,
        #""$photos" cloud create "file://$bad""#,
    ])
    func pathsThatAreNotTextAreRefused(command: String) throws {
        let output = try shell(
            #"bad="$PWD/out$(printf '\377')"; before=$(ls -A | cksum); "# + command
                + #"; status=$?; test "$(ls -A | cksum)" = "$before" || exit 9; exit $status"#
        )
        #expect(output.status == 2, "\(output.errorText)")
        let path = "/out\u{FFFD}"
        #expect(output.errorText.contains(path + " cannot be used: it is not valid UTF-8."))
        #expect(output.errorText.contains("Rename"))
    }

    @Test func relativePathsInAFolderWhoseNameIsNotTextAreRefused() throws {
        let enter = #"bad="$PWD/in$(printf '\377')"; mkdir -p "$bad" && cd "$bad" || exit 9; "#
        let relative = try shell(enter + #""$photos" backup Copy.photolibrary"#)
        #expect(relative.status == 2, "\(relative.errorText)")
        #expect(relative.errorText.contains("/in\u{FFFD}/Copy.photolibrary cannot be used"))
        let absolute = try shell(enter + #""$photos" backup "$OLDPWD/Copy.photolibrary""#)
        #expect(absolute.status == 0, "\(absolute.errorText)")
        let copy = world.folder.file("Copy.photolibrary").path
        #expect(try world.names("--library", copy) == world.names())
    }

    // MARK: - Many arguments

    @Test func thousandsOfArgumentsAreParsedAtOnce() throws {
        let unknown = (0..<5_000).map { number in
            let digits = String(number, radix: 16, uppercase: true)
            let zeros = String(repeating: "0", count: 12 - digits.count)
            return "00000000-0000-4000-8000-" + zeros + digits
        }
        let output = try world.run(["set", ids[0]] + unknown + [ids[1], "--favorite", "true"])
        #expect(output.status == 1)
        #expect(output.errorText.contains(unknown[4_999]))
        let all = Array(repeating: ids[0], count: 5_000) + [ids[1]]
        let lines = try world.run(["set", "--json"] + all + ["--favorite", "true"]).lines
        #expect(lines.count == 2)
    }

    @Test func mistakesBesideManyArgumentsAreNamed() throws {
        let many = Array(repeating: ids[0], count: 100)
        let output = try world.run(["set"] + many + ["--favorit", "true"])
        #expect(output.status == 2)
        #expect(output.errorText.contains("--favorit"))
        let surplus = try world.run(["undo"] + many)
        #expect(surplus.status == 2)
        #expect(!surplus.errorText.contains("photos-operands"))
    }
}
