import Foundation
import Glibc
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(2))) struct UsageTests {
    /// Output must never reach a file that happens to get the stream's number.
    @Test(arguments: [">&-", "2>&-", "<&-", ">&- 2>&- <&-"])
    func closedStreamsHarmNothing(redirection: String) throws {
        let world = try CommandWorld()
        _ = try world.run("create")
        let script = "\"$0\" list --sort nonsense \(redirection); \"$0\" list \(redirection)"
        var environment: [String: String?] = [:]
        for (name, value) in world.environment { environment[name] = value }
        _ = try ProcessRunner.run(
            "/bin/sh",
            ["-c", script, BuiltProducts.photos.path],
            environment: environment
        )
        let lock = world.library.appendingPathComponent("database/lock")
        #expect(try Data(contentsOf: lock).isEmpty)
        #expect(try world.run("verify").status == 0)
    }

    let world: CommandWorld

    init() throws { world = try CommandWorld() }

    @Test(arguments: [
        ["frobnicate"], ["import"], ["show"], ["export", "A"], ["list", "--limit", "0"],
        ["list", "--limit", "-1"], ["list", "--limit=-1"], ["list", "--limit", "many"],
        ["list", "--sort", "creationDate:sideways"], ["list", "--album", "A", "--deleted"],
        ["list", "--what"], ["--library", "", "list"], ["delete"], ["edit"], ["revert"],
        ["restore"], ["purge"],
        ["purge", "A", "--all"], ["album", "create"], ["album", "add", "A"],
        ["album", "move", "A", "B"], ["album", "frobnicate"], ["folder", "add", "A"],
        ["folder", "create", ""], ["albums", "A"], ["albums", "--own", "--smart"],
        ["bursts", "A"], ["undo", "A"], ["redo", "A"], ["watch", "A"],
        ["export", "A", "-o", "x", "--original", "--current"],
        ["export", "A", "-o", "x", "--version", "newest"], ["import", ""],
    ])
    func mistakesOfUsageEndWithTwo(arguments: [String]) throws {
        let output = try world.run(arguments)
        #expect(output.status == 2)
        #expect(output.text == "")
        #expect(output.errorText.hasPrefix("photos: "))
        #expect(output.errorText.contains("Usage: photos"))
        #expect(!FileManager.default.fileExists(atPath: world.library.path))
    }

    @Test(arguments: [
        "create", "status", "import", "list", "show", "albums", "bursts", "album create",
        "album add",
        "album remove",
        "album move", "album rename", "album delete", "folder create", "folder add",
        "folder move", "folder rename", "folder delete", "set", "edit", "revert", "delete",
        "restore",
        "purge",
        "undo", "redo", "watch", "history", "export", "verify", "image", "renditions build",
        "renditions drop", "renditions status", "refresh", "backup", "restore-backup",
    ])
    func helpHasExamples(verb: String) throws {
        let output = try world.run(verb.split(separator: " ").map(String.init) + ["--help"])
        #expect(output.status == 0)
        #expect(output.errorText == "")
        #expect(output.text.contains("EXAMPLES\n"))
        #expect(output.text.contains("photos \(verb)"))
        #expect(output.text.contains("--library <dir>"))
        #expect(output.text.contains("--json"))
        // Terminals have 80 columns; an example that wraps cannot be copied.
        let examples = try #require(output.text.firstRange(of: "EXAMPLES\n"))
        let usage = try #require(output.text.firstRange(of: "\nUSAGE:"))
        for line in output.text[examples.upperBound..<usage.lowerBound].split(separator: "\n") {
            #expect(line.hasPrefix("  "), "\(line)")
        }
    }

    @Test(arguments: ["bash", "zsh", "fish"])
    func completionsAreWritten(shell: String) throws {
        let output = try world.run("--generate-completion-script", shell)
        #expect(output.status == 0)
        #expect(output.text.contains("verify"))
    }

    @Test(arguments: ["", "list", "export", "album add", "image", "renditions build"])
    func versionIsSaid(verb: String) throws {
        let output = try world.run(verb.split(separator: " ").map(String.init) + ["--version"])
        #expect(output.status == 0)
        #expect(output.text.wholeMatch(of: /\d+\.\d+\.\d+\n/) != nil)
    }

    /// The spelling of earlier versions is accepted.
    @Test(arguments: [["--version", "original"], ["--version=current"], ["--current"]])
    func exportKnowsVersionsOfAssets(option: [String]) throws {
        try world.photo("a.jpg")
        let line = try #require(try world.objects("import", "--json", world.source.path).first)
        let id = try #require(line["localIdentifier"])
        let target = world.folder.file("out").path
        #expect(try world.run(["export", id, "-o", target] + option).text == target + "/a.jpg\n")
    }

    /// The manual page is generated from the command's help.
    @Test func theManualNamesEverything() throws {
        let script = SharedData.packageRoot.appendingPathComponent("Scripts/manual").path
        let output = try ProcessRunner.run("python3", [script, BuiltProducts.photos.path])
        #expect(output.status == 0, "\(output.errorText)")
        for heading in ["NAME", "OPTIONS", "COMMANDS", "EXIT STATUS", "ENVIRONMENT", "FILES"] {
            #expect(output.text.contains("\n.SH \(heading)\n"))
        }
        for text in [
            "photos album add", "photos folder move", "PHOTOS_LIBRARY", "\\-\\-keep\\-days",
            "Default: $PHOTOS_LIBRARY",
        ] { #expect(output.text.contains(text), "\(text)") }
    }

    @Test(arguments: [
        "list", "verify", "show 5C9E3B50-9F0A-4D1B-8C7B-0B6C2A6E7D11", "albums", "bursts", "undo",
        "watch", "history", "purge --all", "list --deleted", "album create A", "delete A",
        "folder create A",
        "set A --rating 1",
    ])
    func missingLibraryIsNamedAndNotMade(command: String) throws {
        let output = try world.run(command.split(separator: " ").map(String.init))
        #expect(output.status == 1)
        #expect(output.text == "")
        #expect(
            output.errorText == """
                photos: There is no library at \(world.library.path). Check the path, or create \
                a library there with photos create.

                """
        )
        #expect(!FileManager.default.fileExists(atPath: world.library.path))
    }

    @Test func libraryThatWasThereIsNotMadeAgain() throws {
        try world.photo("a.jpg")
        _ = try world.objects("import", "--json", world.source.path)
        try FileManager.default.removeItem(at: world.library)
        let output = try world.run("import", world.source.path)
        #expect(output.status == 1)
        #expect(output.text == "")
        #expect(output.errorText.contains("existed before"))
        #expect(!FileManager.default.fileExists(atPath: world.library.path))
    }
}

/// Error messages name the probable intention and a remedy.
@Suite(.timeLimit(.minutes(2))) struct MessageTests {
    let world: CommandWorld

    init() throws { world = try CommandWorld() }

    @Test(arguments: [
        (["lst"], "'list'"), (["imprt", "x"], "'import'"), (["albums", "x"], nil),
        (["album", "creat", "x"], "'create'"), (["help", "exprot"], "'export'"),
        (["help", "nosuch"], nil), (["--library", "x", "serv"], "'serve'"),
        (["help", "album", "renam"], "'rename'"), (["help", "list", "x"], nil),
    ])
    func mistypedVerbsEndWithTwo(arguments: [String], meant: String?) throws {
        let output = try world.run(arguments)
        #expect(output.status == 2)
        #expect(output.text == "")
        #expect(output.errorText.contains("Did you mean") == (meant != nil))
        if let meant { #expect(output.errorText.contains("Did you mean \(meant)?")) }
    }

    @Test(arguments: [
        ["help"], ["help", "list"], ["help", "album", "add"], ["--help"], ["list", "-h"],
    ])
    func helpIsHelp(arguments: [String]) throws {
        let output = try world.run(arguments)
        #expect(output.status == 0)
        #expect(output.text.contains("USAGE: photos"))
    }

    @Test func aPortInUseIsNamed() throws {
        _ = try world.run("create")
        let first = try world.start("serve", "--json")
        defer {
            first.kill(SIGTERM)
            _ = first.wait()
        }
        #expect(first.read(lines: 1, atMost: .seconds(60)))
        let line = try JSONLine(String(decoding: first.output, as: UTF8.self))
        let port = try #require(line.number("port"))
        let output = try world.run("serve", "--port", "\(Int(port))")
        #expect(output.status == 1)
        #expect(output.errorText.contains("port \(Int(port)) is in use"))
        #expect(output.errorText.contains("--port"))
        #expect(!output.errorText.contains("IOError"))
    }

    @Test func equalSidecarsOfAFreshLibraryRestoreNothing() throws {
        try world.photos(["a.jpg", "b.jpg"])
        let xmp = """
            <x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF \
            xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about="" \
            xmlns:xmp="http://ns.adobe.com/xap/1.0/" xmp:Rating="3"/></rdf:RDF></x:xmpmeta>
            """
        for name in ["a.xmp", "b.xmp", "a.jpg.xmp"] {
            try world.folder.write(Data(xmp.utf8), to: "source/" + name)
        }
        let output = try world.run("import", "--json", world.source.path)
        #expect(output.status == 0, "\(output.errorText)")
        #expect(!output.text.contains("missing"), "\(output.text)")
        #expect(try world.run("verify", "--full").status == 0)
    }

    @Test func theReasonOfAnUnreadablePictureIsNotAWarning() throws {
        // A picture that exceeds the pixel limit, with metadata that Exiv2 warns about.
        let photo = try world.photo("a.jpg")
        var bytes = try Data(contentsOf: photo)
        let frame = try #require(bytes.firstRange(of: Data([0xff, 0xc0, 0x00, 0x11, 0x08])))
        bytes.replaceSubrange(
            frame.upperBound..<frame.upperBound + 4,
            with: [0xff, 0xdc, 0xff, 0xdc]
        )
        try bytes.write(to: photo)
        _ = try ProcessRunner.run(
            "exiftool",
            ["-q", "-overwrite_original", "-XMP-xmp:Rating=3", photo.path]
        )
        let line = try #require(try world.objects("import", "--json", photo.path).first)
        #expect(line["outcome"] == "imported")
        #expect(line["reason"]?.contains("Metadata:") != true, "\(line.text)")
    }
}
