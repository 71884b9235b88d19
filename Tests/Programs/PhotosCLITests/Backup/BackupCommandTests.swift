import Foundation
import TestSupport
import Testing

/// Backups of a library with edits, albums, hidden and deleted photos.
@Suite(.timeLimit(.minutes(5))) struct BackupCommandTests {
    let made: BackupWorld
    var world: CommandWorld { made.world }
    var backup: URL { made.backup }

    init() throws { made = try BackupWorld() }

    @Test func theBackupIsTheLibrary() throws {
        let line = try made.backUp()
        #expect(line["outcome"] == "backedUp")
        #expect(line["path"] == backup.path)
        #expect(line.number("copiedFiles") == line.number("files"))
        #expect(line.number("problems") == 0)
        try made.expectSame(world.library, backup)
        // It opens as a library, also as a plain copy of its folder.
        let copy = world.folder.file("Copy.photolibrary")
        let output = try ProcessRunner.run("cp", ["-a", backup.path, copy.path])
        #expect(output.status == 0)
        let names = try world.names()
        #expect(try world.names("--library", copy.path) == names)
        let verify = try world.run("verify", "--full", "--library", copy.path)
        #expect(verify.errorText == "No problems found.\n", "\(verify.text)")
        // Its history can be undone.
        #expect(try world.run("undo", "--library", copy.path).status == 0)
        #expect(try world.names("--library", copy.path).count == names.count + 1)
    }

    @Test func theSecondRunCopiesOnlyWhatIsNew() throws {
        try made.backUp()
        let again = try made.backUp()
        #expect(again.number("copiedFiles") == 0)
        #expect(again.number("removedFiles") == 0)
        try world.photo("new.jpg", seed: 777)
        _ = try world.objects("import", "--json", world.source.path)
        _ = try world.objects("set", made.ids[5], "--title", "Later", "--json")
        let purge = try world.run("purge", "--all", "--yes")
        #expect(purge.status == 0, "\(purge.errorText)")
        let line = try made.backUp()
        #expect(line.number("copiedFiles") == 1)
        #expect(line.number("removedFiles") == 1)
        try made.expectSame(world.library, backup)
    }

    @Test func damageIsReportedAndTheGoodCopyStays() throws {
        try made.backUp()
        let before = try made.digests(of: backup)
        let file = try #require(try made.files(of: made.ids[5], in: world.library).first)
        try BackupWorld.damage(file)
        // A complete earlier run wrote the file, so the library's is not even read.
        #expect(try made.backUp().number("problems") == 0)
        #expect(try made.digests(of: backup) == before)
        // Another backup has no good copy.
        let other = world.folder.file("Other.photolibrary").path
        let output = try world.run("backup", other, "--json")
        #expect(output.status == 1)
        let lines = try output.lines.map(JSONLine.init)
        #expect(lines.map { $0["outcome"] } == ["failed", "backedUp"])
        #expect(lines.first?["kind"] == "damaged")
        #expect(lines.first?["localIdentifier"] == made.ids[5])
        #expect(lines.first?["path"] == file.path)
        try FileManager.default.removeItem(at: file)
        let missing = try world.run("backup", other, "--json")
        #expect(missing.status == 1)
        #expect(try JSONLine(try #require(missing.lines.first))["outcome"] == "missing")
    }

    @Test func filesThatTheLibraryLostAreReportedAndTheirGoodCopiesStay() throws {
        try made.backUp()
        let before = try made.digests(of: backup)
        let lost = try #require(try made.files(of: made.ids[5], in: world.library).first)
        let cut = try #require(try made.files(of: made.ids[6], in: world.library).first)
        let manager = FileManager.default
        try manager.removeItem(at: lost)
        try manager.removeItem(at: cut)
        try Data("cut".utf8).write(to: cut)
        for arguments in [[], ["--full"]] as [[String]] {
            let output = try world.run(["backup", backup.path, "--json"] + arguments)
            #expect(output.status == 1)
            let lines = try output.lines.map(JSONLine.init)
            let problems = lines.filter { $0["outcome"] != "backedUp" }
            #expect(Set(problems.compactMap { $0["path"] }) == [lost.path, cut.path])
            #expect(Set(problems.compactMap { $0["outcome"] }) == ["missing", "failed"])
            #expect(lines.last?.number("problems") == 2)
            #expect(lines.last?.number("copiedFiles") == 0)
            #expect(try made.digests(of: backup) == before)
        }
    }

    @Test func fullReadsTheBackupToo() throws {
        try made.backUp()
        let file = try #require(try made.files(of: made.ids[5], in: backup).first)
        try BackupWorld.damage(file)
        #expect(try made.backUp().number("copiedFiles") == 0)
        #expect(try made.backUp("--full").number("copiedFiles") == 1)
        try made.expectSame(world.library, backup)
    }

    @Test func aDamagedCopyThatWasNotReplacedIsReportedAgain() throws {
        try made.backUp()
        let original = try #require(try made.files(of: made.ids[5], in: world.library).first)
        let copy = try #require(try made.files(of: made.ids[5], in: backup).first)
        let bytes = try Data(contentsOf: original)
        try BackupWorld.damage(original)
        try BackupWorld.damage(copy)
        for arguments in [["--full"], [], []] as [[String]] {
            let output = try world.run(["backup", backup.path, "--json"] + arguments)
            #expect(output.status == 1, "\(arguments)")
            let lines = try output.lines.map(JSONLine.init)
            #expect(lines.map { $0["outcome"] } == ["failed", "backedUp"])
            #expect(lines.first?["path"] == original.path)
        }
        try bytes.write(to: original)
        #expect(try made.backUp().number("copiedFiles") == 1)
        try made.expectSame(world.library, backup)
        // That run was complete, so its copies are not read again.
        try BackupWorld.damage(copy)
        #expect(try made.backUp().number("copiedFiles") == 0)
    }

    @Test func aMissingBackupIsMadeAgainOnlyOnRequest() throws {
        let manager = FileManager.default
        let disk = backup.deletingLastPathComponent()
        let elsewhere = world.folder.file("elsewhere")
        try made.backUp()
        try manager.moveItem(at: disk, to: elsewhere)
        // A volume that is not mounted leaves nothing, or an empty mount point.
        for isFolder in [false, true] {
            if isFolder {
                try manager.createDirectory(at: backup, withIntermediateDirectories: true)
            }
            let output = try world.run("backup", backup.path)
            #expect(output.status == 1)
            #expect(output.errorText.contains("existed before"), "\(output.errorText)")
            #expect(output.errorText.contains("--new"), "\(output.errorText)")
            #expect(manager.fileExists(atPath: disk.path) == isFolder)
            if isFolder { #expect(try manager.contentsOfDirectory(atPath: backup.path) == []) }
        }
        // The volume is mounted again.
        try manager.removeItem(at: disk)
        try manager.moveItem(at: elsewhere, to: disk)
        #expect(try made.backUp().number("copiedFiles") == 0)
        // The backup is deleted on purpose.
        try manager.removeItem(at: backup)
        let line = try made.backUp("--new")
        #expect(line.number("copiedFiles") == line.number("files"))
        try made.expectSame(world.library, backup)
        #expect(try made.backUp("--new").number("copiedFiles") == 0)
    }

    @Test func aLinkToTheFolderIsFollowed() throws {
        let manager = FileManager.default
        let link = world.folder.file("link").path
        try manager.createDirectory(at: backup, withIntermediateDirectories: true)
        try manager.createSymbolicLink(atPath: link, withDestinationPath: backup.path)
        func backUp() throws -> JSONLine {
            let output = try world.run("backup", link, "--json")
            #expect(output.status == 0, "\(output.errorText)")
            return try JSONLine(try #require(output.lines.last, "\(output.errorText)"))
        }
        #expect(try backUp()["path"] == link)
        let purge = try world.run("purge", "--all", "--yes")
        #expect(purge.status == 0, "\(purge.errorText)")
        // The files of purged photos do not stay.
        #expect(try backUp().number("removedFiles") == 1)
        // The former run is recorded as complete.
        let file = try #require(try made.files(of: made.ids[5], in: backup).first)
        try BackupWorld.damage(file)
        #expect(try backUp().number("copiedFiles") == 0)
        #expect(try made.backUp("--full").number("copiedFiles") == 1)
        try made.expectSame(world.library, backup)
        #expect(try manager.destinationOfSymbolicLink(atPath: link) == backup.path)
    }

    @Test func aLinkToNothingIsRefused() throws {
        let link = world.folder.file("link").path
        try FileManager.default.createSymbolicLink(
            atPath: link,
            withDestinationPath: backup.path
        )
        let output = try world.run("backup", link)
        #expect(output.status == 1)
        #expect(
            output.errorText.contains("a symbolic link to a folder that does not exist"),
            "\(output.errorText)"
        )
        #expect(!FileManager.default.fileExists(atPath: backup.path))
    }

    @Test func unsuitableFoldersAreRefused() throws {
        let inside = world.library.appendingPathComponent("backup").path
        let others = try world.folder.folder("others")
        try Data("mine".utf8).write(to: others.appendingPathComponent("mine.txt"))
        let foreign = world.folder.file("Foreign.photolibrary").path
        _ = try world.run("create", "--library", foreign)
        for (path, reason) in [
            (inside, "inside the photo library"), (world.library.path, "the library itself"),
            (others.path, "contains other files"), (foreign, "another library"),
            (world.folder.path, "inside of this folder"),
            (others.path + "/mine.txt", "a file, not a folder"),
        ] {
            let output = try world.run("backup", path)
            #expect(output.status == 1, "\(path)")
            #expect(output.errorText.contains(reason), "\(output.errorText)")
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: others.path) == ["mine.txt"])
        #expect(try world.run("backup", "").status == 2)
    }

    @Test func changesInTheBackupAreNotOverwritten() throws {
        try made.backUp()
        let change = try world.run("set", made.ids[5], "--rating", "2", "--library", backup.path)
        #expect(change.status == 0)
        let before = try made.tables(of: backup)
        let output = try world.run("backup", backup.path)
        #expect(output.status == 1)
        #expect(output.errorText.contains("changes that the library does not have"))
        // Also after another change with the same number.
        _ = try world.run("set", made.ids[5], "--rating", "3")
        #expect(try world.run("backup", backup.path).status == 1)
        #expect(try made.tables(of: backup) == before)
    }

    @Test func anOpenBackupIsRefused() throws {
        try made.backUp()
        let watch = try world.start("watch", "--json", "--library", backup.path)
        let log = backup.appendingPathComponent("database/library.sqlite-wal").path
        let clock = ContinuousClock()
        let deadline = clock.now + .seconds(30)
        while access(log, F_OK) != 0, clock.now < deadline { sched_yield() }
        let output = try world.run("backup", backup.path)
        watch.kill(SIGKILL)
        _ = watch.wait()
        #expect(output.status == 1)
        #expect(output.errorText.contains("open in another program"))
        // The log that the killed program left is not applied to the new database.
        _ = try world.run("set", made.ids[5], "--rating", "3")
        try made.backUp()
        try made.expectSame(world.library, backup)
    }

    @Test func theLibraryMayChangeMeanwhile() throws {
        let files = (0..<120).map { "more/IMG_\($0).JPG" }
        try world.photos(files)
        let writer = try world.start("import", "--json", world.source.path)
        writer.read(lines: 1)
        for number in 0..<3 {
            let output = try world.run("set", made.ids[5], "--title", "Title \(number)")
            #expect(output.status == 0)
            try made.backUp()
            let verify = try world.run(
                "verify",
                "--full",
                "--library",
                backup.path,
                variables: ["XDG_STATE_HOME": world.folder.file("state2").path]
            )
            #expect(verify.status == 0, "\(verify.text)")
            #expect(verify.text == "")
        }
        writer.read()
        #expect(writer.wait().status == 0)
        try made.backUp()
        try made.expectSame(world.library, backup)
    }

    @Test func killedBackupsLeaveTheFormerOneAndContinue() throws {
        try made.backUp()
        let seed = TestSeed()
        var random = seed.generator
        let names = (0..<60).map { "more/IMG_\($0).JPG" }
        try world.photos(names, padding: 300_000)
        let former = try made.tables(of: backup)
        _ = try world.objects("import", "--json", world.source.path)
        let clock = ContinuousClock()
        let measured = world.folder.file("Measured.photolibrary").path
        let start = clock.now
        _ = try world.run("backup", measured)
        let longest = (clock.now - start) * 1.2
        let current = try made.tables(of: world.library)
        for round in 0..<KillTests.kills {
            let process = try world.start("backup", backup.path)
            _ = process.read(atMost: longest * Double.random(in: 0...1, using: &random))
            process.kill(SIGKILL)
            process.read()
            _ = process.wait()
            let state = try made.tables(of: backup)
            #expect(state == former || state == current, "round \(round), \(seed)")
            let names = try world.run("list", "--json", "--library", backup.path)
            #expect(names.status == 0)
            let verify = try world.run("verify", "--full", "--json", "--library", backup.path)
            #expect(verify.status == 0, "round \(round), \(seed): \(verify.text)")
        }
        try made.backUp()
        try made.expectSame(world.library, backup)
        let verify = try world.run("verify", "--full", "--library", backup.path)
        #expect(verify.errorText == "No problems found.\n", "\(verify.text)")
    }

    @Test(arguments: [SIGINT])
    func interruptedBackupContinues(signal: Int32) throws {
        let process = try world.start("backup", backup.path, "--json")
        process.kill(signal)
        process.read()
        let status = process.wait().status
        #expect(status == 128 + signal || status == 0)
        try made.backUp()
        try made.expectSame(world.library, backup)
    }

    @Test(.enabled(if: Namespace.canMount, "This system lets no user mount a tmpfs."))
    func aFullDiskLeavesTheFormerBackup() throws {
        try world.photos((0..<40).map { "more/IMG_\($0).JPG" }, padding: 500_000)
        let script = """
            mkdir volume && mount -t tmpfs -o size=12m none volume || exit 9
            "$0" backup volume/B.photolibrary --json > first.jsonl || exit 8
            sha256sum volume/B.photolibrary/database/library.sqlite > before
            "$0" import source > /dev/null 2>&1 || exit 7
            "$0" backup volume/B.photolibrary 2> second.txt; echo $? > status
            sha256sum volume/B.photolibrary/database/library.sqlite > after
            "$0" verify --full --library volume/B.photolibrary > verify.txt 2>&1 || exit 6
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
        #expect(try text("status") == "1\n")
        #expect(try text("second.txt").contains("not enough free space"))
        #expect(try text("before") == text("after"))
    }
}
