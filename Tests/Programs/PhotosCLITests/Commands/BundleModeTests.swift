import Foundation
import Glibc
import TestSupport
import Testing

/// The users who can read and write the files of a library.
@Suite(.timeLimit(.minutes(2))) struct BundleModeTests {
    /// Everything that a user does with their own library keeps it private, and works without
    /// root's privileges.
    @Test(.enabled(if: CommandWorld.canBeNobody, "Only root can run programs as somebody else."))
    func newLibraryIsPrivate() throws {
        let world = try CommandWorld.ofNobody()
        try world.photo("1.jpg", seed: 1)
        try world.photo("2.jpg", seed: 2)
        try world.photo("3.jpg", seed: 3)
        // One of the moved files has two names, and one belongs to another user.
        let other = world.folder.file("other.jpg").path
        try #require(link(world.source.appendingPathComponent("1.jpg").path, other) == 0)
        try world.giveToNobody()
        try #require(chown(world.source.appendingPathComponent("2.jpg").path, 12_345, 0) == 0)
        try #require(chmod(world.source.appendingPathComponent("2.jpg").path, 0o644) == 0)
        let imported = try photos(world, "import", "--move", "--json", world.source.path)
        let lines = try imported.lines.map(JSONLine.init)
        #expect(lines.outcomes == ["1.jpg": "imported", "2.jpg": "imported", "3.jpg": "imported"])
        #expect(try mode(other) & 0o777 == 0o644)
        #expect(access(world.source.appendingPathComponent("3.jpg").path, F_OK) != 0)
        let ids = lines.compactMap { $0["localIdentifier"] }
        try #require(ids.count == 3, "\(imported.errorText)")
        _ = try photos(world, "edit", ids[0], "--filter", "mono")
        _ = try photos(world, "edit", ids[1], "--filter", "mono")
        _ = try photos(world, "undo")
        _ = try photos(world, "renditions", "build")
        #expect(try openFiles(world) == [])
        // Not even their owner's programs write to originals and edits.
        for file in try originals(world) + edits(world) {
            let path = world.library.appendingPathComponent(file).path
            #expect(try mode(path) == S_IFREG | 0o400, "\(file)")
            let write = "echo damage >> \(path)"
            let output = try world.run(as: CommandWorld.nobody, program: "sh", "-c", write)
            #expect(output.status != 0, "\(file)")
        }
        let stranger = try world.run(as: 54_321, program: "ls", world.library.path)
        #expect(stranger.status != 0)

        _ = try photos(world, "delete", ids[0], "--yes")
        _ = try photos(world, "purge", "--all", "--yes")
        #expect(try originals(world).count == 2)
        #expect(try photos(world, "verify", "--full", "--json").text == "")
        let out = world.folder.file("out").path
        _ = try photos(world, "export", ids[1], "-o", out)
        let exported = try FileManager.default.contentsOfDirectory(atPath: out)
        #expect(exported == ["2.jpg"])
        #expect(try mode(out + "/2.jpg") & 0o777 == 0o644)
    }

    /// The files that root adds to another user's library belong to that user.
    @Test(.enabled(if: CommandWorld.canBeNobody, "Only root can run programs as somebody else."))
    func rootKeepsAnotherUsersLibraryUsable() throws {
        let world = try CommandWorld.ofNobody()
        _ = try photos(world, "create")
        try world.photo("1.jpg", seed: 1)
        let imported = try world.objects("import", "--json", world.source.path)
        let id = try #require(imported.first?["localIdentifier"])
        #expect(try foreignFiles(in: world.library.path) == [])
        #expect(try openFiles(world) == [])
        _ = try photos(world, "export", id, "-o", world.folder.file("out").path)
        _ = try photos(world, "set", id, "--favorite", "true")
    }

    /// A backup that root makes in another user's folder belongs to that user, as does a library
    /// that root restores.
    @Test(.enabled(if: CommandWorld.canBeNobody, "Only root can run programs as somebody else."))
    func rootBacksUpAndRestoresForTheOwner() throws {
        let world = try CommandWorld.ofNobody()
        try world.photo("1.jpg", seed: 1)
        let backup = try world.folder.folder("Backup.photolibrary").path
        try world.giveToNobody()
        let imported = try photos(world, "import", "--json", world.source.path)
        let id = try #require(try imported.lines.map(JSONLine.init).first?["localIdentifier"])
        _ = try photos(world, "edit", id, "--filter", "mono")

        _ = try world.objects("backup", "--json", backup)
        #expect(try foreignFiles(in: backup) == [])
        _ = try photos(world, "set", id, "--title", "Later")
        _ = try photos(world, "backup", backup)

        let second = world.folder.file("Second.photolibrary").path
        let third = world.folder.file("Third.photolibrary").path
        // An interrupted run may not have given its folder away.
        try #require(mkdir(third + ".restoring", 0o700) == 0)
        for path in [world.library.path, second, third] {
            _ = try world.objects("restore-backup", "--json", backup, "--library", path)
            #expect(try foreignFiles(in: path) == [], "\(path)")
            _ = try photos(world, "set", id, "--favorite", "true", "--library", path)
            let verify = try photos(world, "verify", "--full", "--json", "--library", path)
            #expect(verify.text == "", "\(path)")
        }
        #expect(try openFiles(world) == [])
    }

    /// Only a repair changes a library of an earlier version.
    @Test func olderLibraryIsNotedAndRepaired() throws {
        let world = try CommandWorld()
        _ = try world.library(of: ["1.jpg", "2.jpg"])
        let all = try files(world)
        let originals = try originals(world)
        try #require(chmod(world.library.path, 0o755) == 0)
        for file in all {
            let path = world.library.appendingPathComponent(file).path
            try #require(chmod(path, try mode(path) & S_IFMT == S_IFDIR ? 0o755 : 0o644) == 0)
        }
        let linked = world.library.appendingPathComponent(originals[0]).path
        try #require(link(linked, world.folder.file("backup.jpg").path) == 0)

        // Added files can be read, but not written, by users who can enter the library.
        try world.photo("3.jpg", seed: 30)
        _ = try world.objects("import", "--json", world.source.path)
        let added = try #require(try self.originals(world).first { !originals.contains($0) })
        #expect(try mode(world.library.appendingPathComponent(added).path) & 0o777 == 0o444)

        let note = try #require(try world.objects("verify", "--json").first)
        #expect(note["kind"] == "openBundle" && note["severity"] == "note")
        #expect(note["path"] == world.library.path)
        #expect(try mode(world.library.path) & 0o777 == 0o755)

        let repaired = try #require(try world.objects("verify", "--repair", "--json").first)
        #expect(repaired.flag("isRepaired") == true, "\(repaired.text)")
        #expect(try mode(world.library.path) & 0o777 == 0o700)
        #expect(try mode(linked) & 0o777 == 0o644)
        let protected = world.library.appendingPathComponent(originals[1]).path
        #expect(try mode(protected) & 0o777 == 0o400)
        let database = world.library.appendingPathComponent("database/library.sqlite").path
        #expect(try mode(database) & 0o777 == 0o600)
        #expect(try world.run("verify", "--json").text == "")
    }

    /// On a volume like FAT, every file has the mode that the volume was mounted with.
    @Test func fileSystemWithoutModesIsNoError() throws {
        let world = try CommandWorld()
        let object = try world.preload(Self.withoutModes)
        let variables: [String: String?] = ["LD_PRELOAD": object]
        try world.photo("1.jpg")
        let arguments = ["import", "--move", "--json", world.source.path]
        let imported = try world.run(arguments, variables: variables)
        #expect(imported.status == 0, "\(imported.errorText)")
        let id = try #require(try imported.lines.map(JSONLine.init).first?["localIdentifier"])
        #expect(try mode(world.library.path) & 0o777 == 0o755)
        let edited = try world.run(["edit", id, "--filter", "mono"], variables: variables)
        #expect(edited.status == 0, "\(edited.errorText)")
        let repair = try world.run(["verify", "--repair", "--json"], variables: variables)
        #expect(repair.status == 0, "\(repair.errorText)")
        let findings = try repair.lines.map(JSONLine.init)
        #expect(findings.map { $0["kind"] } == ["openBundle"])
        #expect(findings.first?.flag("isRepaired") == false)
        #expect(findings.first?["advice"]?.contains("umask=077") == true)
    }

    private static let withoutModes = """
        #define _GNU_SOURCE
        #include <errno.h>
        #include <fcntl.h>
        #include <sys/stat.h>
        #include <sys/syscall.h>
        #include <unistd.h>
        static int refuse(void) { errno = EPERM; return -1; }
        int chmod(const char *path, mode_t mode) { return refuse(); }
        int fchmod(int descriptor, mode_t mode) { return refuse(); }
        int fchmodat(int folder, const char *path, mode_t mode, int flags) { return refuse(); }
        int mkdir(const char *path, mode_t mode) {
            return syscall(SYS_mkdirat, AT_FDCWD, path, 0755);
        }
        int mknod(const char *path, mode_t mode, dev_t device) {
            return syscall(SYS_mknodat, AT_FDCWD, path, (mode & S_IFMT) | 0644, device);
        }
        int openat(int folder, const char *path, int flags, ...) {
            return syscall(SYS_openat, folder, path, flags, 0644);
        }
        int openat64(int folder, const char *path, int flags, ...) {
            return syscall(SYS_openat, folder, path, flags, 0644);
        }
        int open(const char *path, int flags, ...) {
            return syscall(SYS_openat, AT_FDCWD, path, flags, 0644);
        }
        int open64(const char *path, int flags, ...) {
            return syscall(SYS_openat, AT_FDCWD, path, flags, 0644);
        }
        """

    // MARK: - Queries

    private func photos(_ world: CommandWorld, _ arguments: String...) throws
        -> ProcessRunner.Output
    {
        let drop = [
            "--reuid=\(CommandWorld.nobody)", "--regid=\(CommandWorld.nobody)", "--clear-groups",
            BuiltProducts.photos.path,
        ]
        let output = try ProcessRunner.run(
            "setpriv",
            drop + arguments,
            environment: world.privateEnvironment,
            folder: world.folder.url
        )
        #expect(output.status == 0, "\(arguments): \(output.errorText)")
        return output
    }

    /// Returns everything in the library, relative to its folder.
    private func files(_ world: CommandWorld) throws -> [String] {
        try FileManager.default.subpathsOfDirectory(atPath: world.library.path).sorted()
    }

    /// Returns what does not belong to `nobody` in a folder, including the folder itself.
    private func foreignFiles(in folder: String) throws -> [String] {
        let names = try FileManager.default.subpathsOfDirectory(atPath: folder)
        return (names + ["."]).filter { name in
            var status = stat()
            return lstat(folder + "/" + name, &status) != 0
                || status.st_uid != CommandWorld.nobody
        }
    }

    private func originals(_ world: CommandWorld) throws -> [String] {
        try files(world).filter { $0.hasPrefix("originals/") && $0.contains(".") }
    }

    private func edits(_ world: CommandWorld) throws -> [String] {
        try files(world).filter { $0.hasPrefix("edits/") && $0.contains(".") }
    }

    /// Returns the files that other users have any permission for, including the library's folder.
    private func openFiles(_ world: CommandWorld) throws -> [String] {
        try (files(world) + ["."]).filter {
            try mode(world.library.appendingPathComponent($0).path) & 0o077 != 0
        }
    }

    private func mode(_ path: String) throws -> mode_t {
        var status = stat()
        try #require(lstat(path, &status) == 0, "\(path)")
        return status.st_mode
    }
}
