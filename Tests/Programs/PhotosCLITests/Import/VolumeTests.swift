import Foundation
import Glibc
import PhotoModel
import TestSupport
import Testing

/// Libraries on full or read-only volumes: small ones, mounted in a separate namespace.
@Suite(
    .enabled(if: Namespace.canMount, "This system lets no user mount a tmpfs."),
    .timeLimit(.minutes(2))
)
struct VolumeTests {
    let world: CommandWorld

    init() throws {
        world = try CommandWorld()
        let size = PixelSize(width: 400, height: 300)
        try world.photos(["1.jpg", "2.jpg", "3.jpg"], padding: 10, size: size)
        _ = try world.folder.folder("volume")
    }

    /// SQLite reports "disk I/O error" on a volume without space for its shared memory.
    @Test func fullVolumeIsNamed() throws {
        try script(
            """
            fill() { dd if=/dev/zero of=volume/fill bs=4k 2> /dev/null; }
            "$0" renditions drop > /dev/null
            settle; fill
            tell state "$0" status --json
            tell list "$0" list --json
            tell set "$0" set "$ID" --favorite true
            tell build "$0" renditions build
            """
        )
        #expect(try status("state") == 0)
        let state = try #require(try lines("state").first)
        #expect(state.number("assets") == 3)
        #expect(state["readOnlyReason"]?.contains("volume is full") == true)
        #expect(try lines("list").count == 3)
        #expect(try status("list") == 0)
        #expect(try status("set") == 1)
        let set = try errors("set")
        #expect(set.contains("volume is full") && set.contains("ree some space"), "\(set)")
        let build = try errors("build")
        #expect(try status("build") == 1)
        #expect(build.contains("The volume is full."), "\(build)")
        #expect(build.contains("renditions.sqlite") && !build.contains("Remove"), "\(build)")
    }

    /// A library on a read-only volume seldom changes, so its thumbnails remain usable.
    @Test func readOnlyVolumeServesThumbnails() throws {
        try script(
            """
            settle
            # Another copy has a log, as a snapshot of a library in use.
            sqlite3 volume/L.photolibrary/database/renditions.sqlite \
                "PRAGMA wal_autocheckpoint = 0" "DELETE FROM rendition WHERE rowid IN
                    (SELECT rowid FROM rendition LIMIT 1)" \
                ".shell cp -r volume/L.photolibrary volume/M.photolibrary" > /dev/null
            rm volume/M.photolibrary/database/*-shm
            freeze || exit 8
            tell status "$0" renditions status --json
            tell logged "$0" --library volume/M.photolibrary renditions status --json
            tell build "$0" renditions build --size screen
            tell set "$0" set "$ID" --favorite true
            """
        )
        for name in ["status", "logged"] {
            let grid = try #require(try lines(name).first { $0.number("size") == 256 })
            #expect(grid.number("current") == 2, "\(grid.text)")
            #expect(try errors(name) == "")
        }
        for name in ["build", "set"] {
            let text = try errors(name)
            #expect(text.contains("mounted read-only"), "\(text)")
        }
    }

    /// Programs that copy folders omit empty ones.
    @Test("Missing folders are made again, also behind a link", arguments: [false, true])
    func missingFoldersAreMadeAgain(isLinked: Bool) throws {
        #expect(try world.run("create").status == 0)
        let link = world.folder.file("Link.photolibrary").path
        try FileManager.default.createSymbolicLink(
            atPath: link,
            withDestinationPath: world.library.path
        )
        let library = ["--library", isLinked ? link : world.library.path]
        for name in ["staging", "originals", "edits"] {
            try FileManager.default.removeItem(at: world.library.appendingPathComponent(name))
        }
        let lines = try world.objects(["import", "--json", world.source.path] + library)
        #expect(Set(lines.outcomes.values) == ["imported"])
        let id = try #require(lines.first?["localIdentifier"])
        _ = try world.objects(["edit", id, "--filter", "mono", "--json"] + library)
        #expect(try world.run("verify", "--full", "--json").text == "")
    }

    /// A damaged original that cannot be replaced does not stop the rest.
    @Test(.enabled(if: Namespace.canBeImmutable, "Files cannot be made immutable here."))
    func immutableFileFailsAlone() throws {
        let first = world.source.appendingPathComponent("1.jpg").path
        _ = try world.objects("import", "--json", first)
        let originals = world.library.appendingPathComponent("originals")
        let name = try #require(
            try FileManager.default.subpathsOfDirectory(atPath: originals.path)
                .first { $0.hasSuffix(".jpg") }
        )
        let file = originals.appendingPathComponent(name)
        let bytes = try Data(contentsOf: file)
        chmod(file.path, 0o600)
        try Data(repeating: 7, count: bytes.count).write(to: file)
        _ = try ProcessRunner.run("chattr", ["+i", file.path])
        defer { _ = try? ProcessRunner.run("chattr", ["-i", file.path]) }
        let lines = try world.objects("import", "--move", "--json", world.source.path, status: 1)
        #expect(lines.outcomes == ["1.jpg": "failed", "2.jpg": "imported", "3.jpg": "imported"])
        let reason = try #require(lines.first { $0.name == "1.jpg" }?["reason"])
        #expect(reason.contains(file.path) && reason.contains("EPERM"), "\(reason)")
        #expect(access(first, F_OK) == 0)
        // It is replaced as soon as this is possible.
        _ = try ProcessRunner.run("chattr", ["-i", file.path])
        let again = try world.objects("import", "--move", "--json", world.source.path)
        #expect(again.outcomes == ["1.jpg": "duplicate"])
        #expect(try Data(contentsOf: file) == bytes)
    }

    // MARK: - Running

    /// Runs a script in a namespace with a library of three photos on a separate volume.
    ///
    /// `tell NAME COMMAND…` records a command's output and status; `settle` leaves no write-ahead
    /// logs; `freeze` makes the volume read-only.
    private func script(_ text: String) throws {
        let script = """
            mount -t tmpfs -o size=8m none volume || exit 9
            export PHOTOS_LIBRARY=$PWD/volume/L.photolibrary
            tell() { name=$1; shift; "$@" > "$name.out" 2> "$name.err"; echo $? > "$name.status"; }
            settle() {
                for file in library renditions; do
                    sqlite3 volume/L.photolibrary/database/$file.sqlite \
                        "PRAGMA wal_checkpoint(TRUNCATE)" > /dev/null
                done
            }
            # Only root may make the volume itself read-only, and anybody a mount of it.
            freeze() {
                mount -o remount,ro volume 2> /dev/null || mount -o remount,bind,ro volume
            }
            "$0" import --json source > /dev/null || exit 7
            "$0" renditions build > /dev/null || exit 6
            ID=$(sqlite3 volume/L.photolibrary/database/library.sqlite \
                "SELECT uuid || '/L0/001' FROM asset LIMIT 1")
            \(text)
            exit 0
            """
        let output = try ProcessRunner.run(
            "unshare",
            ["-rm", "/bin/sh", "-c", script, BuiltProducts.photos.path],
            environment: world.environment.mapValues { $0 as String? },
            folder: world.folder.url
        )
        try #require(output.status == 0, "\(output.errorText)")
    }

    private func text(_ name: String) throws -> String {
        try String(contentsOf: world.folder.file(name), encoding: .utf8)
    }

    private func lines(_ name: String) throws -> [JSONLine] {
        try text(name + ".out").split(separator: "\n").map { try JSONLine(String($0)) }
    }

    private func errors(_ name: String) throws -> String { try text(name + ".err") }

    private func status(_ name: String) throws -> Int? {
        try Int(text(name + ".status").trimmingCharacters(in: .newlines))
    }
}
