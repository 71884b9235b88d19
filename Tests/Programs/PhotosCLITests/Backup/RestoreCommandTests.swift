import Foundation
import TestSupport
import Testing

/// Restoring backups, and repairing a library from one.
@Suite(.timeLimit(.minutes(5))) struct RestoreCommandTests {
    let made: BackupWorld
    var world: CommandWorld { made.world }
    var backup: URL { made.backup }

    init() throws {
        made = try BackupWorld()
        try made.backUp()
    }

    @Test func aNewLibraryEqualsTheFormerOne() throws {
        let former = world.folder.file("Former.photolibrary")
        try FileManager.default.moveItem(at: world.library, to: former)
        // The backup may be on a read-only medium.
        let mode = [FileAttributeKey.posixPermissions: 0o500]
        try FileManager.default.setAttributes(mode, ofItemAtPath: backup.path)
        let line = try #require(try world.objects("restore-backup", "--json", backup.path).first)
        #expect(line["outcome"] == "restored")
        #expect(line["path"] == world.library.path)
        #expect(line.values["replacedLibrary"] is NSNull)
        try made.expectSame(former, world.library)
        let verify = try world.run("verify", "--full")
        #expect(verify.errorText == "No problems found.\n", "\(verify.text)")
        let entries = try FileManager.default.contentsOfDirectory(atPath: world.library.path)
        #expect(!entries.contains("backup"))
        let around = try FileManager.default.contentsOfDirectory(atPath: world.folder.path)
        #expect(!around.contains { $0.hasSuffix(".restoring") })
    }

    @Test func newerChangesAreReplacedOnlyOnRequest() throws {
        _ = try world.objects("set", made.ids[5], "--title", "Newer", "--json")
        let before = try made.tables(of: world.library)
        let refused = try world.run("restore-backup", backup.path)
        #expect(refused.status == 1)
        #expect(refused.errorText.contains("changes that the backup does not have"))
        #expect(refused.errorText.contains("--discard-newer"))
        #expect(try made.tables(of: world.library) == before)
        let line = try #require(
            try world.objects("restore-backup", "--json", "--discard-newer", backup.path).first
        )
        try made.expectSame(backup, world.library)
        // The former library is aside, with its changes.
        let aside = URL(fileURLWithPath: try #require(line["replacedLibrary"]))
        #expect(try made.tables(of: aside) == before)
    }

    @Test func anOlderLibraryIsReplaced() throws {
        _ = try world.objects("set", made.ids[5], "--title", "Newer", "--json")
        try made.backUp()
        #expect(try world.run("undo").status == 0)
        // An undo is a change, too.
        #expect(try world.run("restore-backup", backup.path).status == 1)
        try FileManager.default.removeItem(at: world.library)
        #expect(try world.run("restore-backup", backup.path).status == 0)
        #expect(try world.run("restore-backup", backup.path).status == 0)
        try made.expectSame(backup, world.library)
    }

    @Test func otherPathsAreRefused() throws {
        let foreign = world.folder.file("Foreign.photolibrary").path
        _ = try world.run("create", "--library", foreign)
        let others = try world.folder.folder("others")
        try Data("mine".utf8).write(to: others.appendingPathComponent("mine.txt"))
        for (path, reason) in [
            (foreign, "is another library"), (others.path, "already exists"),
            (backup.path, "the library itself"),
        ] {
            let output = try world.run("restore-backup", backup.path, "--library", path)
            #expect(output.status == 1, "\(path)")
            #expect(output.errorText.contains(reason), "\(output.errorText)")
        }
        let output = try world.run("restore-backup", others.path)
        #expect(output.status == 1)
        #expect(output.errorText.contains("is not a photo library"))
    }

    @Test func aDamagedDatabaseIsReplaced() throws {
        let database = world.library.appendingPathComponent("database/library.sqlite")
        try Data("no database".utf8).write(to: database)
        #expect(try world.run("list").status == 1)
        let refused = try world.run("restore-backup", backup.path)
        #expect(refused.errorText.contains("cannot be compared"), "\(refused.errorText)")
        let output = try world.run("restore-backup", backup.path, "--discard-newer")
        #expect(output.status == 0, "\(output.errorText)")
        try made.expectSame(backup, world.library)
    }

    @Test func theLibrarysOwnFilesReplaceDamagedOnesOfTheBackup() throws {
        let file = try #require(try made.files(of: made.ids[5], in: backup).first)
        try BackupWorld.damage(file)
        #expect(try world.run("restore-backup", backup.path).status == 0)
        let verify = try world.run("verify", "--full")
        #expect(verify.errorText == "No problems found.\n", "\(verify.text)")
        // Without them, the damage is reported.
        let other = world.folder.file("Other.photolibrary").path
        let output = try world.run("restore-backup", backup.path, "--json", "--library", other)
        #expect(output.status == 1)
        let lines = try output.lines.map(JSONLine.init)
        #expect(lines.map { $0["outcome"] } == ["failed", "restored"])
    }

    @Test func aKilledRestoreContinues() throws {
        let seed = TestSeed()
        var random = seed.generator
        let other = world.folder.file("Other.photolibrary")
        for round in 0..<KillTests.kills {
            let process = try world.start("restore-backup", backup.path, "--library", other.path)
            _ = process.read(atMost: .milliseconds(Int.random(in: 0...300, using: &random)))
            process.kill(SIGKILL)
            process.read()
            _ = process.wait()
            // A library is there as a whole, or not at all.
            if FileManager.default.fileExists(atPath: other.path) {
                try made.expectSame(backup, other)
                try FileManager.default.removeItem(at: other)
            }
            _ = (round, seed)
        }
        let output = try world.run("restore-backup", backup.path, "--library", other.path)
        #expect(output.status == 0, "\(seed): \(output.errorText)")
        try made.expectSame(backup, other)
    }

    /// Without the exchange of names, as on most network file systems, there are two renames.
    @Test(arguments: [true, false])
    func aFolderThatIsALinkIsFollowed(canExchange: Bool) throws {
        let disk = try world.folder.folder("other-disk")
        let link = world.folder.file("link")
        try FileManager.default.createSymbolicLink(
            atPath: link.path,
            withDestinationPath: disk.path
        )
        let library = link.appendingPathComponent("New.photolibrary")
        let arguments = ["restore-backup", "--json", backup.path, "--library", library.path]
        var variables: [String: String?] = [:]
        if !canExchange { variables["LD_PRELOAD"] = try world.preload(Self.withoutExchange) }
        for round in 0..<3 {
            let output = try world.run(arguments, variables: variables)
            #expect(output.status == 0, "\(round): \(output.errorText)")
            let line = try JSONLine(try #require(output.lines.last))
            #expect(line["path"] == library.path)
            #expect((line["replacedLibrary"] != nil) == (round > 0))
            try made.expectSame(backup, library)
        }
        #expect(try world.run("list", "--library", library.path).status == 0)
        #expect(try FileManager.default.contentsOfDirectory(atPath: disk.path).count == 3)
        let target = try FileManager.default.destinationOfSymbolicLink(atPath: link.path)
        #expect(target == disk.path)
    }

    private static let withoutExchange = """
        #define _GNU_SOURCE
        #include <errno.h>
        #include <stdio.h>
        #include <sys/syscall.h>
        #include <unistd.h>
        int renameat2(int from, const char *old, int to, const char *new, unsigned int flags) {
            if (flags & RENAME_EXCHANGE) { errno = EINVAL; return -1; }
            return syscall(SYS_renameat2, from, old, to, new, flags);
        }
        """

    // MARK: - Repairing

    @Test func damagedAndMissingFilesAreRepaired() throws {
        let before = try made.digests(of: world.library)
        let damaged = try #require(try made.files(of: made.ids[5], in: world.library).first)
        let missing = try #require(try made.files(of: made.ids[3], in: world.library).first)
        let edited = try #require(
            try made.files(of: made.ids[1], in: world.library)
                .first { $0.path.contains("/edits/") }
        )
        try BackupWorld.damage(damaged)
        let bytes = try Data(contentsOf: damaged)
        try FileManager.default.removeItem(at: missing)
        try FileManager.default.removeItem(at: edited)
        let output = try world.run("verify", "--full", "--repair", "--from", backup.path, "--json")
        #expect(output.status == 0, "\(output.text)\(output.errorText)")
        let lines = try output.lines.map(JSONLine.init)
        #expect(
            Set(lines.filter { $0.flag("isRepaired") == true }.compactMap { $0["path"] })
                .isSuperset(of: [damaged.path, missing.path, edited.path])
        )
        #expect(try made.digests(of: world.library) == before)
        // The damaged file is kept.
        let kept = damaged.path.replacingOccurrences(
            of: world.library.path,
            with: world.library.path + "/leftovers"
        )
        #expect(try Data(contentsOf: URL(fileURLWithPath: kept)) == bytes)
        #expect(try world.run("verify", "--full").errorText == "No problems found.\n")
    }

    @Test func filesThatAreKeptForAnUndoAreCheckedAndRepaired() throws {
        for arguments in [["edit", made.ids[5], "--filter", "Noir"], ["revert", made.ids[5]]] {
            let output = try world.run(arguments)
            #expect(output.status == 0, "\(output.errorText)")
        }
        try made.backUp()
        let before = try made.digests(of: world.library)
        let files = try world.sql(
            "SELECT path FROM formerFile WHERE version = (SELECT max(version) FROM formerFile)"
        ).map(world.library.appendingPathComponent)
        try #require(files.count > 1)
        try FileManager.default.removeItem(at: files[0])
        try BackupWorld.damage(files[1])

        let tables = try made.tables(of: world.library)
        let refused = try world.run("undo")
        #expect(refused.status == 1)
        #expect(refused.errorText.contains("is missing or damaged"), "\(refused.errorText)")
        #expect(refused.errorText.contains("photos verify --repair --from"))
        #expect(try made.tables(of: world.library) == tables)

        let found = try world.objects("verify", "--full", "--json", status: 1)
        #expect(found.map { $0["kind"] }.contains("missingFile"))
        #expect(found.map { $0["kind"] }.contains("wrongBytes"))
        #expect(Set(found.compactMap { $0["path"] }) == Set(files.prefix(2).map(\.path)))
        let output = try world.run("verify", "--full", "--repair", "--from", backup.path)
        #expect(output.status == 0, "\(output.text)\(output.errorText)")
        #expect(try made.digests(of: world.library) == before)
        #expect(try world.run("undo").status == 0)
        try world.expectClean()
    }

    /// Another library with the same photos, under other identifiers, mends files as well.
    @Test func aSecondLibraryRepairs() throws {
        let originals = world.folder.file("originals")
        let exported = try world.run(
            "export",
            made.ids[5],
            made.ids[3],
            "-o",
            originals.path,
            "--original"
        )
        #expect(exported.status == 0, "\(exported.errorText)")
        let second = world.folder.file("Second.photolibrary")
        let imported = try world.run("--library", second.path, "import", originals.path)
        #expect(imported.status == 0, "\(imported.errorText)")
        let before = try made.digests(of: world.library)
        let theirs = try made.digests(of: second)
        let damaged = try #require(try made.files(of: made.ids[5], in: world.library).first)
        let missing = try #require(try made.files(of: made.ids[3], in: world.library).first)
        try BackupWorld.damage(damaged)
        try FileManager.default.removeItem(at: missing)
        let output = try world.run("verify", "--full", "--repair", "--from", second.path, "--json")
        #expect(output.status == 0, "\(output.text)\(output.errorText)")
        let repaired = try output.lines.map(JSONLine.init).filter { $0.flag("isRepaired") == true }
        #expect(
            Set(repaired.compactMap { $0["path"] }).isSuperset(of: [damaged.path, missing.path])
        )
        #expect(try made.digests(of: world.library) == before)
        #expect(try made.digests(of: second) == theirs)
        #expect(try world.run("verify", "--full").errorText == "No problems found.\n")
    }

    @Test func aBackupWithoutTheFileRepairsNothing() throws {
        let damaged = try #require(try made.files(of: made.ids[5], in: world.library).first)
        try BackupWorld.damage(damaged)
        let copy = try #require(try made.files(of: made.ids[5], in: backup).first)
        try BackupWorld.damage(copy)
        let bytes = try Data(contentsOf: damaged)
        let output = try world.run("verify", "--full", "--repair", "--from", backup.path, "--json")
        #expect(output.status == 1)
        #expect(output.text.contains("does not have the file"))
        #expect(try Data(contentsOf: damaged) == bytes)
    }

    @Test func unsuitableSourcesOfRepairsAreRefused() throws {
        #expect(try world.run("verify", "--from", backup.path).status == 2)
        #expect(try world.run("verify", "--repair", "--from", "").status == 2)
        let own = try world.run("verify", "--repair", "--from", world.library.path)
        #expect(own.status == 1)
        #expect(own.errorText.contains("cannot repair itself"))
        let none = try world.run("verify", "--repair", "--from", world.source.path)
        #expect(none.status == 1)
        #expect(none.errorText.contains("is not a photo library"))
    }

    // MARK: - Moving

    /// The selection of a limited program belongs to the library, and not to its path.
    @Test func aMovedLibraryKeepsTheChoicesOfPrograms() throws {
        let client = AccessWorld(world: world, ids: made.ids)
        try client.access("limit", client.program, made.ids[5])
        let elsewhere = world.folder.file("disk/Moved.photolibrary")
        try FileManager.default.moveItem(at: world.library, to: elsewhere)
        let restored = world.folder.file("Restored.photolibrary")
        let output = try world.run("restore-backup", backup.path, "--library", restored.path)
        #expect(output.status == 0, "\(output.errorText)")
        for library in [elsewhere, restored, backup] {
            let survey = try client.run(
                "survey",
                "-",
                variables: ["PHOTOS_LIBRARY": library.path]
            )
            let line = try #require(survey.lines.first, "\(survey.errorText)")
            #expect(line.split(separator: " ").map(String.init) == ["all", made.ids[5]])
        }
    }
}
