import Foundation
import TestSupport
import Testing

/// Imports of Apple Photos libraries and Google Takeout exports that are killed at the steps by
/// which a batch becomes durable, and then continued.
@Suite(.timeLimit(.minutes(20))) struct MigrationKillTests {
    /// A source of another program; an export of Google Takeout comes in three forms.
    enum Source: String, CaseIterable, CustomTestStringConvertible {
        case apple, zip, tgz, folder
        var testDescription: String { rawValue }
        /// The sources for tests in which an export's form makes no difference.
        static let kinds: [Source] = [.apple, .zip]

        /// Whether each source is killed at each point; otherwise the sources share the points.
        static let isLong = KillTests.kills >= 20

        /// The number of kills at random moments; the forms of an export share theirs.
        var randomKills: Int {
            let all = KillTests.kills
            // A short test has half as many, shared by all sources.
            return switch self {
            case .apple: Self.isLong ? all : all / 4
            case .zip: Self.isLong ? all - 2 * (all / 3) : all / 8
            case .tgz, .folder: Self.isLong ? all / 3 : all / 8
            }
        }

        /// The points at which imports are killed the first time that they are reached.
        ///
        /// A batch becomes durable in the same steps whatever the form of its source.
        var points: [Point] {
            switch self {
            case .apple:
                Self.isLong ? Point.allCases : [.copyDatabase, .intentions, .place, .commit]
            case .zip:
                Self.isLong
                    ? Point.allCases.filter { $0 != .copyDatabase }
                    : [.syncFile, .placed, .committed, .forget]
            case .tgz: Self.isLong ? [.syncFile, .placed, .commit] : [.syncFolder, .discard]
            case .folder: Self.isLong ? [.syncFile, .placed, .commit] : [.place, .commit]
            }
        }

        /// The commits before the last one at which imports of albums are killed.
        var commitsOfAlbums: [Int] {
            guard self == .apple else { return [] }
            return Self.isLong ? Array(1..<5) : [1, 3]
        }
    }

    /// The steps at which a process is killed, in the order of a batch.
    enum Point: String, CaseIterable {
        /// While the database of an Apple library is being copied.
        case copyDatabase
        /// Before the content of a staged file is synced.
        case syncFile
        /// Before the list of the files to place is synced.
        case intentions
        /// Before and after a file is renamed into the library.
        case place, placed
        /// Before the folder of placed files is synced.
        case syncFolder
        /// Before and after the database's log is synced.
        case commit, committed
        /// Before the list of the placed files is emptied.
        case forget
        /// Before a staged file that is no longer needed is removed.
        case discard
    }

    let world: CommandWorld
    let object: String

    init() throws {
        world = try CommandWorld()
        object = try world.preload(Self.shim)
    }

    /// Reports the points that a process reaches, and kills it at one of them.
    private static let shim = """
        #define _GNU_SOURCE
        #include <dlfcn.h>
        #include <errno.h>
        #include <fcntl.h>
        #include <limits.h>
        #include <pthread.h>
        #include <signal.h>
        #include <stdarg.h>
        #include <stdio.h>
        #include <stdlib.h>
        #include <string.h>
        #include <unistd.h>
        #define NEXT(name) __typeof__(name) *next = dlsym(RTLD_NEXT, #name)
        static int left;
        static void reach(const char *point) {
            const char *target = getenv("TEST_POINT"), *log = getenv("TEST_LOG");
            if (strcmp(program_invocation_short_name, "photos") != 0) return;
            if (log) {
                int file = open(log, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
                dprintf(file, "%s\\n", point);
                close(file);
            }
            if (!target || strcmp(target, point) != 0) return;
            if (__sync_add_and_fetch(&left, 1) == atoi(getenv("TEST_NUMBER")))
                kill(getpid(), SIGKILL);
        }
        static void *expire(void *time) {
            /* Time is the subject: the process dies at a random moment. */
            usleep((useconds_t)(long)time);
            kill(getpid(), SIGKILL);
            return NULL;
        }
        __attribute__((constructor)) static void start(void) {
            const char *time = getenv("TEST_MICROSECONDS");
            pthread_t thread;
            if (time && strcmp(program_invocation_short_name, "photos") == 0)
                pthread_create(&thread, NULL, expire, (void *)atol(time));
        }
        static int ends(const char *path, const char *end) {
            size_t n = strlen(path), m = strlen(end);
            return n >= m && strcmp(path + n - m, end) == 0;
        }
        static void path_of(int file, char *path) {
            char link[64];
            snprintf(link, sizeof link, "/proc/self/fd/%d", file);
            ssize_t n = readlink(link, path, PATH_MAX - 1);
            path[n < 0 ? 0 : n] = 0;
        }
        static int is_placed(const char *path) {
            return strstr(path, "/originals") != NULL || strstr(path, "/edits") != NULL;
        }
        static int before_sync(int file) {
            char path[PATH_MAX];
            path_of(file, path);
            if (ends(path, ".part")) reach("syncFile");
            if (ends(path, "/intentions")) reach("intentions");
            if (is_placed(path)) reach("syncFolder");
            int is_log = ends(path, "/library.sqlite-wal");
            if (is_log) reach("commit");
            return is_log;
        }
        // The database is the first file that is opened by this name and then copied.
        static int is_opened;
        static void opened(const char *path) {
            if (ends(path, "Photos.sqlite")) is_opened = 1;
        }
        int openat(int folder, const char *path, int flags, ...) {
            NEXT(openat);
            va_list list;
            va_start(list, flags);
            mode_t mode = flags & (O_CREAT | __O_TMPFILE) ? va_arg(list, mode_t) : 0;
            va_end(list);
            opened(path);
            return next(folder, path, flags, mode);
        }
        static void copied(int file) {
            char path[PATH_MAX];
            if (!is_opened) return;
            path_of(file, path);
            if (!ends(path, ".part")) return;
            is_opened = 0;
            reach("copyDatabase");
        }
        ssize_t copy_file_range(int from, off64_t *in, int to, off64_t *out, size_t n,
                                unsigned flags) {
            NEXT(copy_file_range);
            ssize_t result = next(from, in, to, out, n, flags);
            copied(to);
            return result;
        }
        ssize_t pwrite(int file, const void *bytes, size_t n, off_t offset) {
            NEXT(pwrite);
            ssize_t result = next(file, bytes, n, offset);
            copied(file);
            return result;
        }
        ssize_t pwrite64(int file, const void *bytes, size_t n, off64_t offset) {
            NEXT(pwrite64);
            ssize_t result = next(file, bytes, n, offset);
            copied(file);
            return result;
        }
        int fdatasync(int file) {
            NEXT(fdatasync);
            int is_log = before_sync(file), result = next(file);
            if (is_log) reach("committed");
            return result;
        }
        int fsync(int file) {
            NEXT(fsync);
            int is_log = before_sync(file), result = next(file);
            if (is_log) reach("committed");
            return result;
        }
        int rename(const char *from, const char *to) {
            NEXT(rename);
            if (is_placed(to)) reach("place");
            int result = next(from, to);
            if (is_placed(to)) reach("placed");
            return result;
        }
        static void before_truncating(int file, long length) {
            char path[PATH_MAX];
            path_of(file, path);
            if (length == 0 && ends(path, "/intentions")) reach("forget");
        }
        int ftruncate(int file, off_t length) {
            NEXT(ftruncate);
            before_truncating(file, length);
            return next(file, length);
        }
        int ftruncate64(int file, off64_t length) {
            NEXT(ftruncate64);
            before_truncating(file, length);
            return next(file, length);
        }
        int unlink(const char *path) {
            NEXT(unlink);
            if (ends(path, ".part")) reach("discard");
            return next(path);
        }
        int unlinkat(int folder, const char *path, int flags) {
            NEXT(unlinkat);
            if (ends(path, ".part")) reach("discard");
            return next(folder, path, flags);
        }
        """

    /// Writes a source, and returns its path.
    private func write(_ source: Source) throws -> String {
        let tree = try TakeoutTree(count: 72)
        let archive = world.source.appendingPathComponent("takeout-20240131T101112Z-001")
        switch source {
        case .apple:
            var library = AppleLibrary()
            library.assets = 24
            library.liveEvery = 12
            let folder = world.folder.file("Mac/A copied folder")
            try library.write(to: folder)
            return folder.path
        // Each has more than one batch.
        case .zip:
            try tree.writeZIP(to: archive.appendingPathExtension("zip"))
            return archive.path + ".zip"
        case .tgz:
            try tree.writeTGZ(to: archive.appendingPathExtension("tgz"))
            return archive.path + ".tgz"
        case .folder:
            try tree.write(to: archive)
            return archive.path
        }
    }

    /// What an import makes, without what each import makes anew: identifiers and times of now.
    private func content(of library: String, _ source: Source) throws -> [String] {
        let id = source == .apple ? "a.uuid" : "''"
        // The envelope of an edited copy states the time of its import.
        let original = """
            (SELECT min(hex(o.sha256)) FROM resource o WHERE o.assetId = a.id AND o.type < 3)
            """
        let output = try ProcessRunner.run(
            "sqlite3",
            [
                "-cmd", ".timeout 20000", library + "/database/library.sqlite",
                """
                SELECT 'asset', \(id), originalFilename, title, caption, keywords, creationDate,
                    captureOffset, isFavorite, trashedDate IS NULL, hasAdjustments, latitude,
                    \(original) FROM asset a;
                SELECT 'file', r.type, r.originalFilename, r.type = 7 OR hex(r.sha256),
                    \(original) FROM resource r JOIN asset a ON a.id = r.assetId;
                SELECT 'album', c.title, p.title FROM collection c
                LEFT JOIN collection p ON p.id = c.parentId;
                SELECT 'members', c.title, (SELECT group_concat(name) FROM (
                    SELECT \(original) AS name FROM albumAsset j JOIN asset a ON a.id = j.assetId
                    WHERE j.albumId = c.id ORDER BY j.position, a.id)) FROM collection c;
                SELECT 'item', kind, objectKind, isComplete, item FROM migratedItem;
                """,
            ]
        )
        #expect(output.status == 0, "\(output.errorText)")
        return output.lines.sorted()
    }

    /// The names, sizes, times and bytes of a source.
    private func state(of path: String) throws -> [String] {
        let listed = try ProcessRunner.run("find", [path, "-printf", "%P %y %m %s %T@ %C@\\n"])
        let sums = try ProcessRunner.run(
            "find",
            [path, "-type", "f", "-exec", "sha256sum", "{}", "+"]
        )
        return (listed.lines + sums.lines).sorted()
    }

    /// Imports into a library, in a process that ends at a point.
    private func run(
        _ path: String,
        into library: URL,
        killedAt point: Point? = nil,
        _ number: Int = 1,
        after time: Duration? = nil,
        log: URL? = nil
    ) throws -> ProcessRunner.Output {
        try world.run(
            ["--library", library.path, "import", "--json", path],
            variables: [
                "LD_PRELOAD": object, "TEST_POINT": point?.rawValue,
                "TEST_NUMBER": "\(number)", "TEST_LOG": log?.path,
                "TEST_MICROSECONDS": time.map { "\(Int($0 / .microseconds(1)))" },
            ]
        )
    }

    /// A moment at which an import is killed.
    private enum Moment {
        case point(Point, Int)
        case time(Duration)
    }

    @Test(arguments: Source.allCases) func killedImportsContinue(_ source: Source) throws {
        let seed = TestSeed()
        var random = seed.generator
        let path = try write(source)
        let before = try state(of: path)
        let empty = world.folder.file("Empty.photolibrary")
        #expect(try world.run("--library", empty.path, "create").status == 0)
        let whole = world.folder.file("Whole.photolibrary")
        try FileManager.default.copyItem(at: empty, to: whole)
        let log = world.folder.file("points")
        let start = ContinuousClock.now
        let output = try run(path, into: whole, log: log)
        let duration = ContinuousClock.now - start
        #expect(output.status == 0, "\(output.errorText)")
        let expected = try content(of: whole.path, source)
        #expect(expected.count > 60)
        let reached = try String(contentsOf: log, encoding: .utf8).split(separator: "\n")
        let counts = Dictionary(reached.map { (String($0), 1) }, uniquingKeysWith: +)
        var moments = source.points.map { Moment.point($0, 1) }
        // The last commits: those of the albums and their order.
        let commits = counts[Point.commit.rawValue] ?? 0
        moments.append(.point(.commit, commits))
        // The albums of all forms of an export are written in the same way.
        if Source.isLong || Source.kinds.contains(source) {
            moments.append(.point(.committed, commits))
        }
        moments += source.commitsOfAlbums.map { .point(.commit, commits - $0) }
        for _ in 0..<source.randomKills {
            if Bool.random(using: &random) {
                moments.append(.time(duration * Double.random(in: 0...1, using: &random)))
                continue
            }
            let name = reached.randomElement(using: &random).map(String.init) ?? ""
            let point = try #require(Point(rawValue: name))
            let count = counts[name] ?? 1
            // Files are placed in folders by random identifiers, so the number of folders varies.
            let most = point == .syncFolder ? max(1, count / 2) : count
            moments.append(.point(point, Int.random(in: 1...most, using: &random)))
        }
        var hasStoppedBetweenAlbums = false
        for moment in moments {
            let library = world.folder.file("Killed.photolibrary")
            try? FileManager.default.removeItem(at: library)
            try FileManager.default.copyItem(at: empty, to: library)
            let context = "\(seed), \(source), \(moment)"
            switch moment {
            case .point(let point, let number):
                // The names of points that are never reached would test nothing.
                #expect((counts[point.rawValue] ?? 0) >= number, "\(point) is not reached")
                let killed = try run(path, into: library, killedAt: point, number)
                #expect(killed.status == 128 + SIGKILL, "\(context)")
            case .time(let time):
                // The import may end first on a computer that is less busy than before.
                let killed = try run(path, into: library, after: time)
                #expect([0, 128 + SIGKILL].contains(killed.status), "\(context)")
            }
            hasStoppedBetweenAlbums =
                try hasStoppedBetweenAlbums || isBetweenAlbums(library, whole)
            let rest = try run(path, into: library)
            #expect(rest.status == 0, "\(context): \(rest.errorText)")
            #expect(try content(of: library.path, source) == expected, "\(context)")
            let verify = try world.run("--library", library.path, "verify", "--full")
            #expect(verify.errorText == "No problems found.\n", "\(context): \(verify.text)")
        }
        // An Apple library's albums are committed one by one.
        #expect(hasStoppedBetweenAlbums || source != .apple)
        #expect(try state(of: path) == before, "the source was written to")
    }

    /// Returns whether a library has all assets and some, but not all, albums of another.
    private func isBetweenAlbums(_ library: URL, _ whole: URL) throws -> Bool {
        func counts(_ library: URL) throws -> [Int] {
            let output = try ProcessRunner.run(
                "sqlite3",
                [
                    "-cmd", ".timeout 20000", library.path + "/database/library.sqlite",
                    "SELECT count(*) FROM asset; SELECT count(*) FROM collection;",
                ]
            )
            return output.lines.compactMap(Int.init)
        }
        let (some, all) = (try counts(library), try counts(whole))
        guard some.count == 2, all.count == 2 else { return false }
        return some[0] == all[0] && some[1] > 0 && some[1] < all[1]
    }

    // MARK: - Progress and reports

    @Test(arguments: Source.kinds) func terminalShowsTotalsRateAndTimeLeft(_ source: Source)
        throws
    {
        let path: String
        if source == .apple {
            var library = AppleLibrary()
            library.assets = 450
            library.liveEvery = 0
            path = world.folder.file("Mac").path
            try library.write(to: URL(fileURLWithPath: path))
        } else {
            path = try write(source)
        }
        let process = try world.startOnTerminal("import", path)
        // The time left is shown after a second.
        process.read(atMost: .milliseconds(50))
        process.kill(SIGSTOP)
        process.read(atMost: .milliseconds(1100))
        process.kill(SIGCONT)
        process.read()
        #expect(process.wait().status == 0)
        let text = String(decoding: process.output, as: UTF8.self)
        let total = source == .apple ? /[1-9][0-9]* of 450 photos/ : /[1-9][0-9]* of 199 files/
        #expect(text.contains(total), "\(text.suffix(4000))")
        #expect(text.contains(/[0-9] (B|kB|MB|GB)\/s/), "\(text.suffix(4000))")
        // A small export may be a single step, after which no time is left.
        if source == .apple {
            #expect(text.contains(/[0-9]+:[0-9][0-9] left/), "\(text.suffix(4000))")
        }
    }

    @Test(arguments: Source.kinds) func stoppedRunLeavesAPartialReport(_ source: Source) throws {
        let path = try write(source)
        let report = world.folder.file("report.jsonl").path
        let manager = FileManager.default
        #expect(try world.run("create").status == 0)
        for signal in [SIGINT, SIGKILL] {
            let process = try world.start("import", "--json", path, "--report", report)
            // The first thing that an import writes, long before its last photo.
            #expect(FileEvents.wait(forFile: report + ".partial"))
            process.kill(signal)
            process.read()
            let status = process.wait().status
            // The step in progress is finished first, which may be the last one.
            if status == 0, signal == SIGINT {
                try manager.removeItem(atPath: report)
                continue
            }
            #expect(status == 128 + signal)
            #expect(manager.fileExists(atPath: report + ".partial"))
            #expect(!manager.fileExists(atPath: report))
            try manager.removeItem(atPath: report + ".partial")
        }
        let output = try world.run("import", "--json", path, "--report", report)
        #expect(output.status == 0)
        #expect(!manager.fileExists(atPath: report + ".partial"))
        let lines = try String(contentsOfFile: report, encoding: .utf8)
            .split(separator: "\n").map(String.init)
        #expect(Array(lines.dropFirst().dropLast()) == output.lines)
        #expect(lines.first?.hasPrefix("{\"sources\":[{\"kind\":") == true)
        #expect(lines.last?.contains("\"addsUp\":true") == true)
    }
}
