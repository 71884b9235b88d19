import Foundation
import Glibc
import LibraryService
import PhotoModel
import RemoteLibrary
import TestSupport
import Testing

private let hasUserNamespaces =
    (try? ProcessRunner.run(
        "unshare",
        ["-Ur", "test", "-w", "/proc/sys/user/max_inotify_watches"]
    ))?.status == 0

/// The number of files in the test with many.
private let manyCount =
    ProcessInfo.processInfo.environment["PHOTOS_WATCH_FILES"].flatMap { Int($0) } ?? 300

/// Watch folders, with the real daemon and the command.
///
/// `PHOTOS_WATCH_FILES` sets the number of files in the test with many; 100,000 is its full length.
@Suite(.timeLimit(.minutes(manyCount > 10_000 ? 90 : 20)))
struct WatchFolderTests {
    /// The daemon's times are multiplied by this, so a file is stable after half a second.
    private static let scale = 0.1
    /// The milliseconds between two programs that look for a change.
    private static let pause: UInt32 = 100

    private let home: DaemonHome
    private let seed = TestSeed()

    init() throws {
        home = try DaemonHome()
        try home.succeed("create", daemon: "0")
        try FileManager.default.createDirectory(
            at: home.folder.file("in"),
            withIntermediateDirectories: true
        )
    }

    private var folder: String { home.folder.file("in").path }

    /// The state of a watch folder in `photos watch-folder list --json`.
    private struct Listed: Decodable {
        var path: String
        var album: String?
        var albumDeleted: Bool
        var state: String
        var imported: Int
        var failed: Int
        var lastImport: String?
    }

    private func listed() throws -> [Listed] {
        try home.succeed("watch-folder", "list", "--json", daemon: nil).split(separator: "\n")
            .map { try JSONDecoder().decode(Listed.self, from: Data($0.utf8)) }
    }

    @discardableResult
    private func startDaemon(
        _ arguments: String...,
        scale: Double = Self.scale
    ) throws -> ChildProcess {
        let daemon = try home.launch(["--watch-scale", "\(scale)"] + arguments)
        #expect(home.isServed(by: daemon))
        return daemon
    }

    private func write(_ seed: UInt64, to name: String) throws {
        try home.folder.write(DaemonHome.photo(seed), to: "in/" + name)
    }

    /// Returns the names of the assets, as SQLite's own tool reads them.
    private func names(in library: String? = nil) throws -> [String] {
        try rows("SELECT originalFilename FROM asset ORDER BY 1", in: library)
    }

    private func rows(_ sql: String, in library: String? = nil) throws -> [String] {
        let database = (library ?? home.library) + "/database/library.sqlite"
        return try ProcessRunner.run("sqlite3", [database, sql]).lines
    }

    private func waits(for expected: [String]) throws -> Bool {
        try home.waits(pause: Self.pause) { try names() == expected }
    }

    private func waits(_ condition: (Listed) -> Bool) throws -> Bool {
        try home.waits(pause: Self.pause) { try listed().first.map(condition) ?? false }
    }

    @Test("Existing files are imported, and new ones in each way in which they arrive")
    func arrivals() throws {
        try write(1, to: "a.jpg")
        try write(2, to: "sub/deep/b.jpg")
        try write(3, to: ".hidden/c.jpg")
        try write(4, to: "Other.photolibrary/originals/d.jpg")
        symlink("/", folder + "/link")
        let output = try home.photos("watch-folder", "add", folder, "--album", "Phone", daemon: nil)
        #expect(output.status == 0 && output.errorText.contains("No library daemon is running"))
        #expect(try listed().map(\.state) == ["paused"])
        try startDaemon()
        #expect(try waits(for: ["a.jpg", "b.jpg"]))
        // By rename, also out of a temporary name, and in a folder that is created later.
        try write(5, to: "e.jpg.part")
        try home.folder.write(DaemonHome.photo(6), to: "f.jpg")
        rename(home.folder.file("f.jpg").path, folder + "/f.jpg")
        try write(7, to: "later/sub/g.jpg")
        #expect(try waits(for: ["a.jpg", "b.jpg", "f.jpg", "g.jpg"]))
        rename(folder + "/e.jpg.part", folder + "/e.jpg")
        #expect(try waits(for: ["a.jpg", "b.jpg", "e.jpg", "f.jpg", "g.jpg"]))
        #expect(try waits { $0.state == "watching" && $0.imported == 5 && $0.lastImport != nil })
        let added = try home.photos("watch-folder", "add", folder, daemon: nil)
        #expect(added.status == 1 && added.errorText.contains("already a watch folder"))
        // All of it is in the album, by the author of watch folders.
        let members = try rows("SELECT count(*) FROM albumAsset")
        #expect(members == ["5"])
        #expect(try home.succeed("history", "--json").contains("\"watch-folder\""))
        #expect(FileManager.default.fileExists(atPath: folder + "/a.jpg"))
        try home.succeed("watch-folder", "remove", folder, daemon: nil)
        #expect(try listed().isEmpty)
        #expect(try names().count == 5)
        #expect(try home.photos("verify", "--full", daemon: "0").status == 0)
    }

    @Test("A file that grows is imported once, when it is complete")
    func growing() throws {
        try startDaemon(scale: 0.2)
        try home.succeed("watch-folder", "add", folder, daemon: nil)
        #expect(try waits { $0.state == "watching" })
        let photo = try DaemonHome.photo(1, side: 900)
        let file = folder + "/slow.jpg"
        // Foundation would rename an empty file into place.
        close(open(file, O_WRONLY | O_CREAT, 0o600))
        let handle = try FileHandle(forWritingTo: URL(fileURLWithPath: file))
        let part = photo.count / 10 + 1
        var written = 0
        while written < photo.count {
            let next = SuspendingClock.now + .milliseconds(300)
            try handle.write(contentsOf: photo[written..<min(photo.count, written + part)])
            written += part
            #expect(try names() == [])
            // Time is the subject: the file grows slowly.
            while .now < next { usleep(10_000) }
        }
        try handle.close()
        #expect(try waits(for: ["slow.jpg"]))
        #expect(try waits { $0.state == "watching" && $0.imported == 1 && $0.failed == 0 })
        let stored = try ProcessRunner.run("find", [home.library + "/originals", "-name", "*.jpg"])
        let path = try #require(stored.lines.first)
        #expect(FileManager.default.contents(atPath: path) == photo)
    }

    @Test("A failed file is tried again after it changes, also by another daemon")
    func failures() throws {
        try home.folder.write(Data("no photo".utf8), to: "in/a.jpg")
        try home.succeed("watch-folder", "add", folder, daemon: nil)
        let first = try startDaemon()
        #expect(try waits { $0.state == "watching" && $0.failed == 1 })
        first.kill(SIGTERM)
        #expect(first.wait() == 0)
        try startDaemon()
        #expect(try waits { $0.state == "watching" })
        #expect(try listed().map(\.failed) == [1])
        try write(1, to: "a.jpg")
        #expect(try waits(for: ["a.jpg"]))
        #expect(try waits { $0.imported == 1 })
    }

    @Test("A sidecar that is there before its photo is applied to it")
    func earlySidecar() throws {
        let packet = """
            <x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF
            xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about=""
            xmlns:xmp="http://ns.adobe.com/xap/1.0/" xmp:Rating="4"/></rdf:RDF></x:xmpmeta>
            """
        try home.folder.write(Data(packet.utf8), to: "in/a.xmp")
        try home.succeed("watch-folder", "add", folder, daemon: nil)
        try startDaemon()
        #expect(try waits { $0.state == "watching" })
        #expect(try listed().map(\.failed) == [0])
        try write(1, to: "a.jpg")
        #expect(try waits { $0.state == "watching" && $0.imported == 2 })
        #expect(try rows("SELECT originalFilename, rating FROM asset") == ["a.jpg|4"])
        #expect(try listed().map(\.failed) == [0])
    }

    @Test("A photo that was deleted permanently does not come back")
    func deleted() throws {
        try write(1, to: "a.jpg")
        try home.succeed("watch-folder", "add", folder, daemon: nil)
        let first = try startDaemon()
        #expect(try waits { $0.state == "watching" && $0.imported == 1 })
        let identifier = try #require(
            try home.succeed("list", "--json").firstMatch(of: /"localIdentifier":"([^"]*)"/)
        ).1
        try home.succeed("delete", String(identifier))
        try home.succeed("purge", String(identifier), "--yes")
        first.kill()
        first.wait()
        try startDaemon()
        try write(2, to: "b.jpg")
        #expect(try waits(for: ["b.jpg"]))
        #expect(try waits { $0.state == "watching" })
        #expect(try names() == ["b.jpg"])
    }

    @Test("Photos that a restored backup lacks are imported again")
    func restoredLibrary() throws {
        try write(1, to: "a.jpg")
        try home.succeed("watch-folder", "add", folder, daemon: nil)
        let first = try startDaemon()
        #expect(try waits { $0.state == "watching" && $0.imported == 1 })
        first.kill()
        first.wait()
        let backup = home.folder.file("Backup.photolibrary").path
        try home.succeed("backup", backup, daemon: "0")
        let second = try startDaemon()
        try write(2, to: "b.jpg")
        #expect(try waits { $0.state == "watching" && $0.imported == 2 })
        second.kill()
        second.wait()
        try home.succeed("restore-backup", "--discard-newer", backup, daemon: "0")
        #expect(try names() == ["a.jpg"])
        try startDaemon()
        #expect(try waits(for: ["a.jpg", "b.jpg"]))
    }

    @Test("A folder that is gone and comes back is missing meanwhile")
    func missing() throws {
        try write(1, to: "a.jpg")
        try home.succeed("watch-folder", "add", folder, daemon: nil)
        try startDaemon()
        #expect(try waits { $0.state == "watching" && $0.imported == 1 })
        rename(folder, folder + ".away")
        #expect(try waits { $0.state == "missing" })
        #expect(try listed().map(\.imported) == [1])
        rename(folder + ".away", folder)
        try write(2, to: "b.jpg")
        #expect(try waits(for: ["a.jpg", "b.jpg"]))
        #expect(try waits { $0.state == "watching" && $0.imported == 2 })
    }

    @Test("A library that was moved keeps its watch folders, also after the next start")
    func movedLibrary() throws {
        try home.succeed("watch-folder", "add", folder, daemon: nil)
        let moved = home.folder.file("Elsewhere.photolibrary").path
        #expect(rename(home.library, moved) == 0)
        let first = try startDaemon()
        try home.succeed("--library", moved, "list")
        // The list is read again when it is replaced.
        let list = home.folder.file("state/swift-photos/watch-folders.json")
        let text = try String(contentsOf: list, encoding: .utf8)
        #expect(text.contains(home.library))
        try text.write(to: list, atomically: true, encoding: .utf8)
        #expect(
            try home.waits { try String(contentsOf: list, encoding: .utf8).contains(moved) }
        )
        first.kill()
        first.wait()
        // No program opens the library now.
        try startDaemon()
        try write(1, to: "a.jpg")
        let database = moved + "/database/library.sqlite"
        let query = "SELECT originalFilename FROM asset"
        #expect(
            try home.waits(pause: Self.pause) {
                try ProcessRunner.run("sqlite3", [database, query]).lines == ["a.jpg"]
            }
        )
    }

    private var list: URL { home.folder.file("state/swift-photos/watch-folders.json") }

    /// Replaces the list of watch folders by an equal one, so that the daemon reads it again.
    private func touchList() throws {
        let text = try String(contentsOf: list, encoding: .utf8)
        try text.write(to: list, atomically: true, encoding: .utf8)
    }

    /// Moves the library to a folder `disk`, and copies it.
    private func copyLibrary() throws -> (library: String, copy: String) {
        let disk = try home.folder.folder("disk").path
        let library = disk + "/Lib.photolibrary"
        let copy = home.folder.file("Copy.photolibrary").path
        try #require(rename(home.library, library) == 0)
        try FileManager.default.copyItem(atPath: library, toPath: copy)
        return (library, copy)
    }

    @Test("An open copy does not get the photos of its library's watch folders")
    func copiedLibrary() throws {
        let (library, copy) = try copyLibrary()
        try write(1, to: "a.jpg")
        try startDaemon()
        try home.succeed("--library", copy, "list")
        try home.succeed("watch-folder", "add", folder, "--library", library, daemon: nil)
        #expect(try home.waits(pause: Self.pause) { try names(in: library) == ["a.jpg"] })
        #expect(try names(in: copy) == [])
        #expect(try String(contentsOf: list, encoding: .utf8).contains(library))
    }

    @Test("An open copy does not either while the volume of the library is not mounted")
    func copyOfUnmountedLibrary() throws {
        let (library, copy) = try copyLibrary()
        try write(1, to: "a.jpg")
        try home.succeed("watch-folder", "add", folder, "--library", library, daemon: nil)
        let disk = home.folder.file("disk").path
        #expect(rename(disk, disk + ".away") == 0)
        // The mount point remains.
        _ = try home.folder.folder("disk")
        try startDaemon()
        try home.succeed("--library", copy, "list")
        try touchList()
        #expect(rmdir(disk) == 0)
        #expect(rename(disk + ".away", disk) == 0)
        try touchList()
        #expect(try home.waits(pause: Self.pause) { try names(in: library) == ["a.jpg"] })
        #expect(try names(in: copy) == [])
        #expect(try String(contentsOf: list, encoding: .utf8).contains(library))
    }

    @Test("A watch folder that is added at a former path of the library moves the imports there")
    func returnedLibrary() throws {
        let (library, copy) = try copyLibrary()
        try home.succeed("watch-folder", "add", folder, "--library", library, daemon: nil)
        let moved = home.folder.file("disk/Moved.photolibrary").path
        #expect(rename(library, moved) == 0)
        try startDaemon()
        try home.succeed("--library", moved, "list")
        try touchList()
        #expect(try home.waits { try String(contentsOf: list, encoding: .utf8).contains(moved) })
        #expect(rename(copy, library) == 0)
        let other = try home.folder.folder("other").path
        try home.succeed("watch-folder", "add", other, "--library", library, daemon: nil)
        try home.folder.write(DaemonHome.photo(1), to: "other/a.jpg")
        #expect(try home.waits(pause: Self.pause) { try names(in: library) == ["a.jpg"] })
        #expect(try names(in: moved) == [])
    }

    @Test("A volume that is not mounted is missing, and not empty", .enabled(if: geteuid() == 0))
    func unmounted() throws {
        // In a mount namespace of the test's processes only.
        let script = """
            set -e
            mount -t tmpfs none "$1"
            cp "$2" "$1/a.jpg"
            "$PHOTOS" watch-folder add "$1"
            "$DAEMON" --watch-scale 0.1 & daemon=$!
            trap 'kill $daemon; wait $daemon; umount "$1" || true' EXIT
            \(Self.awaitFunction)
            await '"state":"watching","imported":1'
            umount "$1"
            await '"state":"missing","imported":1'
            cp "$3" "$1/under.jpg"
            mount -t tmpfs none "$1"
            cp "$4" "$1/b.jpg"
            await '"state":"watching","imported":2'
            """
        #expect(try run(script, in: ["unshare", "-m"]) == 0)
        #expect(try names() == ["a.jpg", "b.jpg"])
    }

    @Test("A volume that is mounted below is found", .enabled(if: geteuid() == 0))
    func mountedBelow() throws {
        let script = """
            set -e
            cp "$2" "$1/a.jpg"
            odd="$1/"$'b\\\\\\xff'
            mkdir "$1/with space" "$odd"
            "$PHOTOS" watch-folder add "$1"
            "$DAEMON" --watch-scale 0.1 & daemon=$!
            trap 'kill $daemon; wait $daemon; umount "$odd" "$1/with space" || true' EXIT
            \(Self.awaitFunction)
            await '"state":"watching","imported":1'
            mount -t tmpfs none "$1/with space"
            cp "$3" "$1/with space/b.jpg"
            await '"state":"watching","imported":2'
            mount -t tmpfs none "$odd"
            cp "$4" "$odd/c.jpg"
            await '"state":"watching","imported":3'
            """
        #expect(try run(script, in: ["unshare", "-m"]) == 0)
        #expect(try names() == ["a.jpg", "b.jpg", "c.jpg"])
    }

    @Test("Folders beyond the system's limit are scanned", .enabled(if: hasUserNamespaces))
    func tooManyWatches() throws {
        // The limit of a user namespace.
        let script = """
            set -e
            cp "$2" "$1/a.jpg"
            "$PHOTOS" watch-folder add "$1"
            "$DAEMON" --watch-scale 0.01 & daemon=$!
            trap 'kill $daemon; wait $daemon' EXIT
            \(Self.awaitFunction)
            await '"state":"watching","imported":1'
            echo 1 > /proc/sys/user/max_inotify_watches
            mkdir "$1/later"
            mv "$3" "$1/b.jpg"
            await '"state":"watching","imported":2'
            # The folder is known by now, and there are no events of it.
            mv "$4" "$1/later/c.jpg"
            await '"state":"watching","imported":3'
            """
        #expect(try run(script, in: ["unshare", "-Ur"]) == 0)
        #expect(try names() == ["a.jpg", "b.jpg", "c.jpg"])
    }

    /// A function of the shell that waits for a line of the list.
    private static let awaitFunction = """
        await() {
            end=$(($(date +%s) + 30))
            until "$PHOTOS" watch-folder list --json | grep -q "$1"; do
                if [ "$(date +%s)" -ge "$end" ]; then
                    "$PHOTOS" watch-folder list --json
                    exit 3
                fi
                sleep 0.1
            done
        }
        """

    /// Runs a shell script in namespaces, with the watch folder and three photos.
    private func run(_ script: String, in namespaces: [String]) throws -> Int32 {
        let files = try (1...3).map { index in
            try home.folder.write(DaemonHome.photo(UInt64(index)), to: "\(index).jpg").path
        }
        var environment = home.environment
        environment["PHOTOS"] = BuiltProducts.photos.path
        environment["DAEMON"] = BuiltProducts.executable("photolibraryd").path
        return try ChildProcess(
            "/usr/bin/env",
            namespaces + ["bash", "-c", script, "bash", folder] + files,
            environment: environment
        ).wait()
    }

    @Test("Files that cannot be reached for lack of descriptors are imported later")
    func tooManyOpenFiles() throws {
        let daemon = try startDaemon()
        try home.succeed("watch-folder", "add", folder, daemon: nil)
        #expect(try waits { $0.state == "watching" })
        let process = "\(daemon.number)"
        let open = try FileManager.default.contentsOfDirectory(atPath: "/proc/\(process)/fd").count
        // Enough for clients, and not for a deep folder, each level of which is open.
        _ = try ProcessRunner.run("prlimit", ["--pid", process, "--nofile=\(open + 20):"])
        let deep = (0..<60).map { "\($0)" }.joined(separator: "/")
        try home.folder.write(DaemonHome.photo(1), to: "deep/" + deep + "/a.jpg")
        rename(home.folder.file("deep").path, folder + "/deep")
        try write(2, to: "b.jpg")
        #expect(try waits { $0.imported == 1 })
        #expect(try waits { $0.state == "scanning" })
        #expect(try names() == ["b.jpg"])
        _ = try ProcessRunner.run("prlimit", ["--pid", process, "--nofile=1024:"])
        #expect(try waits(for: ["a.jpg", "b.jpg"]))
        #expect(try waits { $0.state == "watching" && $0.imported == 2 })
    }

    @Test("A file whose workers the system terminates is imported later", .needsProgram("perl"))
    func terminatedWorkers() throws {
        let real = BuiltProducts.worker.path
        let stated = try ProcessRunner.run(real, ["--version"]).text
        let version = try #require(stated.split(whereSeparator: \.isWhitespace).last)
        let sandbox = #"{"landlockABI":1,"hasSeccomp":true}"#
        let hello = #"{"hello":{"version":\#(version),"sandbox":\#(sandbox)}}"#
        let marks = home.folder.file("marks").path
        // It is terminated when it gets a request, as long as there is a file for its marks.
        let script = """
            #!/usr/bin/perl
            exec '\(real)', @ARGV unless -e '\(marks)';
            open(SOCKET, '+<&=', 0);
            sysread(SOCKET, my $length, 4);
            sysread(SOCKET, my $limits, unpack('N', $length));
            my $hello = '\(hello)';
            syswrite(SOCKET, pack('N', length $hello) . $hello);
            sysread(SOCKET, my $request, 4);
            open(MARKS, '>>', '\(marks)');
            syswrite(MARKS, '.');
            kill 'KILL', $$;
            sleep 60;
            """
        try home.folder.write(Data(), to: "marks")
        let worker = try home.folder.write(Data(script.utf8), to: "worker").path
        chmod(worker, 0o700)
        let daemon = try home.launch(
            ["--watch-scale", "\(Self.scale)"],
            variables: ["PHOTOS_WORKER": worker]
        )
        #expect(home.isServed(by: daemon))
        try write(1, to: "a.jpg")
        try home.succeed("watch-folder", "add", folder, daemon: nil)
        #expect(
            try home.waits {
                // The second one is terminated, too, and the file has failed once.
                try Data(contentsOf: URL(fileURLWithPath: marks)).count >= 2
            }
        )
        #expect(unlink(marks) == 0)
        #expect(try waits(for: ["a.jpg"]))
        #expect(try waits { $0.state == "watching" && $0.imported == 1 && $0.failed == 0 })
    }

    @Test("Imports continue without an album that was deleted")
    func album() throws {
        try write(1, to: "a.jpg")
        try home.succeed("watch-folder", "add", folder, "--album", "Phone", daemon: nil)
        try startDaemon()
        #expect(try waits { $0.state == "watching" && $0.imported == 1 })
        try home.succeed("album", "delete", "Phone")
        try write(2, to: "b.jpg")
        #expect(try waits { $0.imported == 2 && $0.albumDeleted })
        #expect(try !home.succeed("albums", "--json").contains("Phone"))
        let text = try home.succeed("watch-folder", "list", daemon: nil)
        #expect(text.contains("Phone (deleted"), "\(text)")
    }

    @Test("Each of many files is imported once, although the daemon is killed")
    func kills() throws {
        var generator = seed.generator
        let count = manyCount
        // A short one, so that the daemon is killed before all files are imported.
        let pause: UInt32 = count > 10_000 ? 500 : 20
        func imported() throws -> Int {
            try rows("SELECT count(*) FROM asset").first.flatMap { Int($0) } ?? 0
        }
        let base = try DaemonHome.photo(1)
        for index in 0..<count {
            // Bytes after the end of a picture make another file of it.
            let bytes = base + Data("\(index)".utf8)
            try home.folder.write(bytes, to: "in/\(index / 1_000)/\(index).jpg")
        }
        try home.succeed("watch-folder", "add", folder, "--album", "All", daemon: nil)
        for _ in 0..<4 {
            let daemon = try startDaemon()
            let target = try imported() + Int.random(in: 1...max(1, count / 8), using: &generator)
            #expect(
                try home.waits(seconds: 1_200, pause: pause) {
                    try imported() >= min(target, count)
                },
                seed.comment
            )
            daemon.kill()
            daemon.wait()
        }
        try startDaemon()
        #expect(
            try home.waits(seconds: 3_600, pause: max(pause, Self.pause)) {
                try listed().first.map { $0.state == "watching" } ?? false && imported() == count
            },
            seed.comment
        )
        #expect(try Set(names()).count == count, seed.comment)
        #expect(try rows("SELECT count(*) FROM albumAsset") == ["\(count)"], seed.comment)
        let database = try home.photos("verify", daemon: "0")
        #expect(database.status == 0, "\(database.text) \(seed)")
    }

    @Test("Files are found although events were lost")
    func overflow() throws {
        let limit = try #require(
            Int(
                try String(
                    contentsOfFile: "/proc/sys/fs/inotify/max_queued_events",
                    encoding: .utf8
                ).trimmingCharacters(in: .whitespacesAndNewlines)
            )
        )
        let daemon = try startDaemon()
        try home.succeed("watch-folder", "add", folder, daemon: nil)
        #expect(try waits { $0.state == "watching" })
        // While the daemon stands still, its queue fills.
        daemon.kill(SIGSTOP)
        for index in 0...(limit / 2) {
            let path = folder + "/.\(index % 7)"
            close(open(path, O_WRONLY | O_CREAT, 0o600))
            unlink(path)
        }
        try write(1, to: "a.jpg")
        try write(2, to: "new/b.jpg")
        daemon.kill(SIGCONT)
        #expect(try waits(for: ["a.jpg", "b.jpg"]))
        // The new folder is watched.
        try write(3, to: "new/c.jpg")
        #expect(try waits(for: ["a.jpg", "b.jpg", "c.jpg"]))
    }

    @Test("An idle daemon runs as long as there is a watch folder")
    func idle() throws {
        try home.succeed("watch-folder", "add", folder, daemon: nil)
        let daemon = try startDaemon("--idle-exit", "0.3", "--keep-open", "0.1")
        let end = SuspendingClock.now + .seconds(2)
        // Time is the subject: the daemon is idle for this long.
        while .now < end { usleep(10_000) }
        #expect(!daemon.hasEnded)
        try write(1, to: "a.jpg")
        #expect(try waits(for: ["a.jpg"]))
        try home.succeed("watch-folder", "remove", folder, daemon: nil)
        #expect(daemon.wait() == 0)
    }

    @Test("Unsuitable folders are refused, and a damaged list is kept")
    func refusals() throws {
        let inside = home.library + "/originals"
        try home.succeed("watch-folder", "add", folder, daemon: nil)
        for (path, words) in [
            (home.folder.file("none").path, "No such file"),
            (home.library, "It is a photo library"), (inside, "It is in a photo library"),
            (home.folder.path, "one contains the other"),
        ] {
            let output = try home.photos("watch-folder", "add", path, daemon: nil)
            #expect(output.status == 1 && output.errorText.contains(words), "\(output.errorText)")
        }
        let unknown = try home.photos("watch-folder", "remove", inside, daemon: nil)
        #expect(unknown.status == 1 && unknown.errorText.contains("not a watch folder"))
        let list = home.folder.file("state/swift-photos/watch-folders.json")
        try Data("{".utf8).write(to: list)
        for words in [["list"], ["add", home.runtimePath], ["remove", folder]] {
            let output = try home.run(
                BuiltProducts.photos.path,
                ["watch-folder"] + words,
                daemon: nil
            )
            #expect(output.status == 1 && output.errorText.contains("watch-folders.json"))
        }
        #expect(try String(contentsOf: list, encoding: .utf8) == "{")
        // The daemon serves clients nevertheless.
        try startDaemon()
        try home.succeed("list")
    }
}
