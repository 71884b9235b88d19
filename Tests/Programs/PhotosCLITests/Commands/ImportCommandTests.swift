import Foundation
import Glibc
import PhotoModel
import SamplePhotos
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(2))) struct ImportCommandTests {
    let world: CommandWorld

    init() throws { world = try CommandWorld() }

    @Test func lineSaysWhatBecameOfAFile() throws {
        let file = try world.photo("IMG_0001.JPG")
        let output = try world.run("import", "--json", world.source.path)
        #expect(output.status == 0)
        #expect(output.errorText == "")
        let line = try JSONLine(try #require(output.lines.first))
        let identifier = try #require(line["localIdentifier"])
        #expect(
            identifier.wholeMatch(of: /[0-9A-F]{8}(-[0-9A-F]{4}){3}-[0-9A-F]{12}\/L0\/001/) != nil
        )
        #expect(
            output.text == """
                {"path":"\(file.path)","outcome":"imported","localIdentifier":"\(identifier)",\
                "reason":null}

                """
        )
    }

    @Test func peopleGetALinePerFileAndASum() throws {
        let file = try world.photo("IMG_0001.JPG")
        let notes = try world.folder.write(Data("no photo".utf8), to: "source/notes.txt")
        let output = try world.run("import", world.source.path)
        let identifier = try #require(output.text.firstMatch(of: /[0-9A-F-]{36}\/L0\/001/))
        let lines = output.lines
        #expect(lines.count == 2)
        #expect(lines.first == "imported     \(file.path)  \(identifier.output)")
        #expect(lines.last?.hasPrefix("unsupported  \(notes.path)  ") == true)
        let talk = output.errorText.split(separator: "\n")
        #expect(talk.first == "Created a new library at \(world.library.path).")
        #expect(talk.last?.hasPrefix("1 imported, 1 unsupported") == true)
        #expect(output.status == 0)
    }

    @Test func mistypedPathMakesNoLibrary() throws {
        let line = try #require(
            try world.objects("import", "--json", world.source.path + "x", status: 1).first
        )
        #expect(line["outcome"] == "failed")
        #expect(!FileManager.default.fileExists(atPath: world.library.path))
    }

    @Test func everyFileOfATreeHasAnOutcome() throws {
        try world.photo("b/IMG_0002.JPG", seed: 2)
        try world.photo("a/deep/er/.hidden.jpg", seed: 3)
        try world.folder.write(Data(), to: "source/empty.jpg")
        try world.folder.write(Data("text".utf8), to: "source/a/readme")
        let lines = try world.objects("import", "--json", world.source.path, status: 1)
        #expect(
            lines.outcomes == [
                "IMG_0002.JPG": "imported", ".hidden.jpg": "imported", "empty.jpg": "failed",
                "readme": "unsupported",
            ]
        )
        for line in lines where line["localIdentifier"] == nil {
            #expect(line["reason"]?.isEmpty == false)
        }
    }

    @Test func foldersWithoutFilesAreWalkedThrough() throws {
        for number in 100..<220 { _ = try world.folder.folder("source/\(number)") }
        let nothing = try world.run("import", world.source.path)
        #expect(nothing.status == 0, "\(nothing.errorText)")
        #expect(nothing.errorText.contains("Nothing to import"))
        try world.photo("000/first.jpg", seed: 1)
        try world.photo("150/middle.jpg", seed: 2)
        try world.photo("300/last.jpg", seed: 3)
        let lines = try world.objects("import", "--json", world.source.path)
        #expect(lines.map(\.name) == ["first.jpg", "middle.jpg", "last.jpg"])
        #expect(lines.allSatisfy { $0["outcome"] == "imported" })
    }

    @Test func cardThatWasMovedCanBeMovedAgain() throws {
        try world.photos((100..<160).map { "\($0)/IMG.JPG" }, padding: 10)
        let first = try world.objects("import", "--json", "--move", world.source.path)
        #expect(first.count == 60)
        let second = try world.objects("import", "--json", "--move", world.source.path)
        #expect(second.isEmpty)
    }

    @Test func sameBytesAreADuplicate() throws {
        try world.photo("one.jpg")
        try FileManager.default.copyItem(
            at: world.source.appendingPathComponent("one.jpg"),
            to: world.source.appendingPathComponent("two.jpg")
        )
        let lines = try world.objects("import", "--json", world.source.path)
        #expect(lines.outcomes == ["one.jpg": "imported", "two.jpg": "duplicate"])
        #expect(Set(lines.map { $0["localIdentifier"] }).count == 1)
    }

    @Test func secondScanKnowsEverything() throws {
        try world.photos((0..<100).map { "\($0 % 5)/IMG_\($0).JPG" })
        let first = try world.objects("import", "--json", world.source.path)
        let second = try world.objects("import", "--json", world.source.path)
        #expect(first.count == 100)
        #expect(first.map { $0["path"] } == second.map { $0["path"] })
        #expect(first.map { $0["localIdentifier"] } == second.map { $0["localIdentifier"] })
        #expect(second.allSatisfy { $0["outcome"] == "duplicate" })
    }

    @Test func partnersFollowTheirStill() throws {
        var metadata = SampleMetadata()
        metadata.contentIdentifier = "A17C5F2E-0000-4000-8000-000000000001"
        try world.photo("IMG_0007.JPG", metadata: metadata)
        var movie = SampleMovie()
        movie.metadata = metadata
        try world.folder.write(SampleFile.quickTime(movie), to: "source/IMG_0007.MOV")
        try world.folder.write(SampleFile.xmp(SampleMetadata()), to: "source/IMG_0007.xmp")
        let lines = try world.objects("import", "--json", world.source.path)
        #expect(lines.map(\.name) == ["IMG_0007.JPG", "IMG_0007.MOV", "IMG_0007.xmp"])
        #expect(lines.map { $0["outcome"] } == ["imported", "paired", "paired"])
        #expect(Set(lines.map { $0["localIdentifier"] }).count == 1)
    }

    @Test func linksAndSpecialFilesHaveTheirReasons() throws {
        let photo = try world.photo("in/a.jpg")
        let outside = try world.folder.write(Data("x".utf8), to: "elsewhere/b.jpg")
        let path = world.source.path
        for (target, name) in [
            (photo.path, "inside.jpg"), (outside.path, "outside.jpg"), ("nowhere", "dangling.jpg"),
            (outside.deletingLastPathComponent().path, "folder"),
        ] {
            try #require(symlink(target, "\(path)/\(name)") == 0)
        }
        try #require(mkfifo("\(path)/pipe", 0o600) == 0)
        let output = try world.run("import", "--json", path)
        let lines = try output.lines.map(JSONLine.init)
        #expect(
            lines.outcomes == [
                "a.jpg": "imported", "inside.jpg": "duplicate", "outside.jpg": "unsupported",
                "dangling.jpg": "unsupported", "pipe": "unsupported",
            ]
        )
        let reasons = Dictionary(uniqueKeysWithValues: lines.map { ($0.name, $0["reason"] ?? "") })
        #expect(reasons["outside.jpg"]?.contains("outside") == true)
        #expect(reasons["dangling.jpg"]?.contains("does not exist") == true)
        #expect(reasons["pipe"]?.contains("named pipe") == true)
        #expect(output.errorText.contains("Skipped \(path)/folder"))
        #expect(output.status == 0)
    }

    @Test func librariesAreNotEntered() throws {
        try world.photo("a.jpg")
        let inner = world.source.appendingPathComponent("Other.photolibrary").path
        #expect(try world.run("create", "--library", inner).status == 0)
        let output = try world.run("import", "--json", world.source.path)
        #expect(try output.lines.map(JSONLine.init).outcomes == ["a.jpg": "imported"])
        #expect(output.errorText.contains("Skipped \(inner)"))
        let given = try world.objects("import", "--json", inner, status: 1)
        #expect(given.map { $0["outcome"] } == ["failed"])
    }

    @Test func missingPathFailsAndTheRestGoesOn() throws {
        try world.photo("a.jpg")
        let missing = world.source.appendingPathComponent("gone.jpg").path
        let given = world.source.appendingPathComponent("a.jpg").path
        let lines = try world.objects("import", "--json", missing, given, status: 1)
        #expect(lines.outcomes == ["gone.jpg": "failed", "a.jpg": "imported"])
    }

    @Test func relativePathsBecomeAbsolute() throws {
        let file = try world.photo("a.jpg")
        let lines = try world.objects("import", "--json", "./source/../source//a.jpg")
        #expect(lines.map { $0["path"] } == [file.path])
    }

    @Test func namesThatAreNotUTF8AreKept() throws {
        let data = try SampleFile.jpeg(SamplePhoto(size: .init(width: 64, height: 48)))
        let name = Array(world.source.path.utf8) + Array("/caf".utf8) + [0xE9] + Array(".jpg".utf8)
        let descriptor = (name + [0]).map { CChar(bitPattern: $0) }.withUnsafeBufferPointer {
            $0.baseAddress.map { open($0, O_WRONLY | O_CREAT, 0o600) } ?? -1
        }
        try #require(descriptor >= 0)
        try FileHandle(fileDescriptor: descriptor, closeOnDealloc: true).write(contentsOf: data)
        let line = try #require(try world.objects("import", "--json", world.source.path).first)
        #expect(line["outcome"] == "imported")
        #expect(line["path"] == "\(world.source.path)/caf\u{FFFD}.jpg")
        #expect(line["pathBase64"] == Data(name).base64EncodedString())
        // The same file, named by its bytes on the command line.
        let script = "exec \"$0\" import --json \"$1\"/caf$(printf '\\351').jpg"
        let output = try ProcessRunner.run(
            "/bin/sh",
            ["-c", script, BuiltProducts.photos.path, world.source.path],
            environment: world.environment.mapValues { $0 as String? }
        )
        #expect(try output.lines.map { try JSONLine($0)["outcome"] } == ["duplicate"])
    }

    @Test func movingRemovesOnlyWhatIsSafe() throws {
        try world.photo("a.jpg", seed: 1)
        try world.photo("keep/b.jpg", seed: 2)
        try world.folder.write(Data("text".utf8), to: "source/notes.txt")
        _ = try world.objects("import", "--json", world.source.path + "/keep")
        let lines = try world.objects("import", "--move", "--json", world.source.path)
        #expect(
            lines.outcomes == [
                "a.jpg": "imported", "b.jpg": "duplicate", "notes.txt": "unsupported",
            ]
        )
        let left = try FileManager.default.subpathsOfDirectory(atPath: world.source.path)
        #expect(left.sorted() == ["keep", "notes.txt"])
        #expect(try world.run("verify", "--full").status == 0)
    }

    @Test func libraryIsNotMovedIntoItself() throws {
        try world.photo("a.jpg")
        _ = try world.objects("import", "--json", world.source.path)
        let originals = world.library.appendingPathComponent("originals")
        let files = try FileManager.default.subpathsOfDirectory(atPath: originals.path)
        let file = try #require(files.first { $0.hasSuffix(".jpg") })
        for path in [originals.path, originals.appendingPathComponent(file).path] {
            let lines = try world.objects("import", "--move", "--json", path, status: 1)
            #expect(lines.map { $0["outcome"] } == ["failed"])
            #expect(lines.first?["reason"] == "It is in a photo library.")
        }
        #expect(try world.run("verify", "--full").errorText == "No problems found.\n")
    }

    @Test func unreadableFolderAndFileFail() throws {
        try world.photo("open/a.jpg")
        try world.photo("closed/b.jpg", seed: 2)
        try world.photo("c.jpg", seed: 3)
        #expect(chmod(world.source.path + "/closed", 0) == 0)
        #expect(chmod(world.source.path + "/c.jpg", 0) == 0)
        defer { chmod(world.source.path + "/closed", 0o700) }
        let output = try world.runWithoutPrivileges("import", "--json", world.source.path)
        let lines = try output.lines.map(JSONLine.init)
        #expect(lines.outcomes == ["a.jpg": "imported", "closed": "failed", "c.jpg": "failed"])
        #expect(lines.filter { $0["outcome"] == "failed" }.allSatisfy { $0["reason"] != nil })
        #expect(output.status == 1)
    }

    @Test func libraryThatCanOnlyBeReadIsListedAndTakesNothing() throws {
        try world.photo("a.jpg")
        _ = try world.objects("import", "--json", world.source.path)
        try world.photo("b.jpg", seed: 2)
        let change = { (mode: String) in
            _ = try ProcessRunner.run("/bin/chmod", ["-R", mode, world.library.path])
        }
        try change("a-w")
        defer { try? change("u+w") }
        let list = try world.runWithoutPrivileges("list", "--json")
        #expect(list.status == 0)
        #expect(list.lines.count == 1)
        let output = try world.runWithoutPrivileges("import", "--json", world.source.path)
        #expect(output.status == 1)
        #expect(output.text == "")
        #expect(output.errorText.hasPrefix("photos: Files cannot be imported into the library"))
    }
}
