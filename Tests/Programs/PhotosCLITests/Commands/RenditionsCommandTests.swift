import Foundation
import Glibc
import PhotoModel
import TestSupport
import Testing

/// `photos renditions`: renditions can be generated ahead, dropped, killed and lost without any
/// other effect.
@Suite(.timeLimit(.minutes(5))) struct RenditionsCommandTests {
    let world: CommandWorld

    init() throws { world = try CommandWorld() }

    private var database: URL { world.library.appendingPathComponent("database") }
    private var path: String { database.appendingPathComponent("renditions.sqlite").path }

    private func photos(_ count: Int) throws {
        let names = (0..<count).map { "IMG_\($0).JPG" }
        try world.photos(names, padding: 100, size: RenditionSource.size)
        #expect(try world.run("import", world.source.path).status == 0)
    }

    /// Returns the number of current renditions of the grid's size.
    private func current() throws -> Double? {
        try world.objects("renditions", "status", "--json").first?.number("current")
    }

    @Test func theyAreMadeCountedAndDropped() throws {
        try photos(5)
        let before = try world.objects("renditions", "status", "--json")
        #expect(before.map { $0.number("size") } == [256, 1024])
        #expect(before.map { $0.number("missing") } == [5, 5])
        let made = try world.objects("renditions", "build", "--size", "all", "--json")
        #expect(made.count == 10 && made.allSatisfy { $0["outcome"] == "made" })
        let after = try world.objects("renditions", "status", "--json")
        #expect(after.map { $0.number("current") } == [5, 5])
        #expect(try #require(after.first?.number("bytes")) > 0)
        #expect(after.first?["path"] == path)
        let again = try world.run("renditions", "build")
        #expect(again.status == 0 && again.text == "" && again.errorText == "5 already present\n")
        #expect(try world.run("renditions", "status").text.contains("5 of 5 assets"))
        let dropped = try world.run("renditions", "drop")
        #expect(dropped.status == 0 && dropped.errorText.hasPrefix("Freed "))
        #expect(!FileManager.default.fileExists(atPath: path))
        #expect(try current() == 0)
        #expect(try world.run("verify").status == 0)
    }

    /// Runs SQL in one of the library's databases.
    private func sql(_ name: String, _ statement: String) throws -> String {
        let file = database.appendingPathComponent(name).path
        let output = try ProcessRunner.run("sqlite3", ["-cmd", ".timeout 20000", file, statement])
        try #require(output.status == 0, "\(output.errorText)")
        return output.text.trimmingCharacters(in: .newlines)
    }

    @Test("A short command removes what was in Recently Deleted for 30 days, thumbnails included")
    func expiredAssetsLeaveNoThumbnails() throws {
        try photos(3)
        #expect(try world.run("renditions", "build", "--size", "all").status == 0)
        let shown = try world.objects("list", "--json").compactMap { $0["localIdentifier"] }
        let (gone, kept) = (try #require(shown.first), try #require(shown.last))
        let uuid = String(gone.prefix(36))
        let count = "SELECT count(*) FROM rendition WHERE assetUUID = '\(uuid)'"
        #expect(try world.run("delete", gone).status == 0)
        #expect(try sql("renditions.sqlite", count) != "0")
        // The asset was deleted 200 days ago, and the last change is 100 days old.
        _ = try sql(
            "library.sqlite",
            """
            UPDATE asset SET trashedDate = trashedDate - 17280000;
            UPDATE journalVersion SET time = time - 8640000;
            """
        )
        let short = try world.run("set", kept, "--favorite", "true")
        #expect(short.status == 0, "\(short.errorText)")
        #expect(
            try sql("library.sqlite", "SELECT count(*) FROM asset WHERE uuid = '\(uuid)'") == "0"
        )
        #expect(try sql("renditions.sqlite", count) == "0")
        #expect(try ProcessRunner.run("grep", ["-l", uuid, path]).text == "")
    }

    @Test("Pictures that are as small already count as done, and are not copied")
    func smallPicturesNeedNone() throws {
        try photos(1)
        try world.photo("small.jpg")
        #expect(try world.run("import", world.source.path).status == 0)
        let before = try world.objects("renditions", "status", "--json")
        #expect(before.map { $0.number("current") } == [1, 1])
        #expect(before.map { $0.number("missing") } == [1, 1])
        let output = try world.run("renditions", "build")
        #expect(output.status == 0 && output.errorText == "1 generated, 1 already present\n")
        let rows = try ProcessRunner.run(
            "sqlite3",
            [path, "SELECT count(*) FROM rendition WHERE origin = 2"]
        )
        #expect(rows.text == "1\n")
    }

    @Test func whatCantBeMadeIsNamed() throws {
        try photos(2)
        let whole = try Data(contentsOf: world.source.appendingPathComponent("IMG_0.JPG"))
        // Without its padding and the last of its pixels.
        _ = try world.folder.write(whole.dropLast(110 + 200), to: "more/half.jpg")
        #expect(try world.run("import", world.folder.file("more").path).status == 0)
        let lines = try world.objects("renditions", "build", "--json", status: 1)
        #expect(lines.count(where: { $0["outcome"] == "made" }) == 2)
        let failed = try #require(lines.first { $0["outcome"] == "failed" })
        #expect(failed["reason"]?.contains("truncated") == true)
        let output = try world.run("renditions", "build")
        #expect(output.status == 1 && output.text.contains("half.jpg"))
    }

    @Test func aTerminalGetsABar() throws {
        try photos(40)
        let process = try world.startOnTerminal("renditions", "build")
        process.read()
        #expect(process.wait().status == 0)
        #expect(process.text.contains("of 40 assets"))
        #expect(process.text.contains("40 generated"))
    }

    @Test("Building that is killed at any moment goes on where it was")
    func killing() throws {
        let seed = TestSeed()
        var random = seed.generator
        try photos(60)
        var last = 0.0
        for round in 0..<6 {
            let process = try world.start("renditions", "build", "--json", "--size", "all")
            process.read(atMost: .milliseconds(Int.random(in: 20...600, using: &random)))
            process.kill(SIGKILL)
            process.read()
            _ = process.wait()
            let now = try #require(try current())
            #expect(now >= last, "round \(round), \(seed)")
            last = now
            if FileManager.default.fileExists(atPath: path) {
                let check = try ProcessRunner.run("sqlite3", [path, "PRAGMA integrity_check"])
                #expect(check.text == "ok\n", "round \(round), \(seed)")
            }
        }
        #expect(try world.run("renditions", "build", "--size", "all").status == 0)
        #expect(try current() == 60)
        #expect(try world.run("verify", "--full").errorText == "No problems found.\n")
    }

    @Test func interruptingEndsSoonAndInOrder() throws {
        try photos(200)
        let process = try world.start("renditions", "build", "--json")
        process.read(lines: 1)
        process.kill(SIGINT)
        process.read()
        #expect(process.wait().status == 128 + SIGINT)
        let made = try process.lines.map(JSONLine.init)
        #expect(made.allSatisfy { $0["outcome"] == "made" })
        #expect(made.count < 200)
        #expect(try #require(try current()) >= Double(made.count))
    }

    @Test("A damaged file is begun anew, and no command fails of it")
    func damage() throws {
        try photos(4)
        #expect(try world.run("renditions", "build").status == 0)
        for arguments in [["renditions", "build"], ["renditions", "status"]] {
            let nonsense = Data((0..<40_000).map { UInt8(truncatingIfNeeded: $0 &* 31) })
            try nonsense.write(to: URL(fileURLWithPath: path))
            let output = try world.run(arguments)
            #expect(output.status == 0, "\(output.errorText)")
        }
        let id = try #require(try world.objects("list", "--json").first?["localIdentifier"])
        try Data(repeating: 7, count: 9000).write(to: URL(fileURLWithPath: path))
        let target = world.folder.file("a.png").path
        let output = try world.run("image", id, "-o", target, "--size", "20x20")
        #expect(output.status == 0, "\(output.errorText)")
        #expect(try world.run("renditions", "build").status == 0)
        #expect(try current() == 4)
    }

    @Test("Purged assets leave no small picture")
    func purging() throws {
        try photos(3)
        #expect(try world.run("renditions", "build").status == 0)
        let id = try #require(try world.objects("list", "--json").first?["localIdentifier"])
        #expect(try world.run("delete", id).status == 0)
        #expect(try world.run("purge", id, "--yes").status == 0)
        let uuid = String(id.prefix(36))
        let left = try ProcessRunner.run(
            "sqlite3",
            [path, "SELECT count(*), sum(assetUUID = '\(uuid)') FROM rendition"]
        )
        #expect(left.text == "2|0\n")
    }
}

/// A full volume only prevents renditions.
@Suite(
    .enabled(if: RenditionNamespace.canMount, "This system lets no user mount a tmpfs."),
    .timeLimit(.minutes(2))
)
struct FullRenditionsTests {
    @Test func aFullVolumeCostsNoPicture() throws {
        let world = try CommandWorld()
        let names = (0..<40).map { "IMG_\($0).JPG" }
        try world.photos(names, padding: 10, size: RenditionSource.size)
        _ = try world.folder.folder("volume")
        let script = """
            mount -t tmpfs -o size=16m none volume || exit 9
            export PHOTOS_LIBRARY=$PWD/volume/L.photolibrary
            "$0" import --json source > import.jsonl || exit 8
            # A little room, so that the library itself can be read.
            dd if=/dev/zero of=volume/ballast bs=4096 2> dd.txt
            truncate -s -256K volume/ballast
            "$0" renditions build --json > build.jsonl 2> build.txt; echo $? > build.status
            id=$("$0" list --json --limit 1 | sed 's/.*"localIdentifier":"\\([^"]*\\)".*/\\1/')
            "$0" image "$id" -o small.png --size 40x40 2> image.txt; echo $? > image.status
            "$0" verify > verify.txt 2>&1; echo $? > verify.status
            rm volume/ballast
            "$0" renditions build --json > again.jsonl; echo $? > again.status
            """
        let output = try ProcessRunner.run(
            "unshare",
            ["-rm", "/bin/sh", "-c", script, BuiltProducts.photos.path],
            environment: world.environment.mapValues { $0 as String? },
            folder: world.folder.url
        )
        #expect(output.status == 0, "\(output.errorText)")
        func text(_ name: String) throws -> String {
            try String(contentsOf: world.folder.file(name), encoding: .utf8)
        }
        for step in ["image", "verify", "again"] {
            #expect(try text("\(step).status") == "0\n", "\(step)")
        }
        // Generating renditions is the purpose of this command, so it reports the failure.
        #expect(try text("build.status") == "1\n")
        #expect(try text("build.txt").contains("The volume is full."))
    }
}

private enum RenditionSource {
    /// Originals smaller than renditions have none.
    static let size = PixelSize(width: 300, height: 200)
}

private enum RenditionNamespace {
    static let canMount: Bool = {
        let arguments = ["-rm", "/bin/sh", "-c", "mount -t tmpfs -o size=1m none /tmp"]
        return (try? ProcessRunner.run("unshare", arguments))?.status == 0
    }()
}
