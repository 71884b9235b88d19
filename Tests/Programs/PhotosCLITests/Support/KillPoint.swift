import Foundation
import TestSupport

/// The steps at which a test kills the command, in the order of a batch of an import and of an
/// export.
enum KillPoint: String, CaseIterable {
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

    // MARK: - Exports

    /// Before the content of an exported file is synced.
    case syncPart
    /// Before and after a file is renamed into the export.
    case export, exported
    /// Before the folder of exported files is synced.
    case syncNames
    /// Before a link of an album is renamed to its place.
    case link
    /// Before and after the list of all photos is renamed to its place.
    case list, listed

    static let imports = allCases.filter { !exports.contains($0) }
    static let exports: [KillPoint] = [
        .syncPart, .export, .exported, .syncNames, .link, .list, .listed,
    ]

    /// C that reports the points that a process reaches, and kills it at one of them or runs a
    /// command there.
    fileprivate static let shim = """
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
            const char *command = getenv("TEST_COMMAND");
            int count = __sync_add_and_fetch(&left, 1), number = atoi(getenv("TEST_NUMBER"));
            if (command && count <= number && system(command) != 0) abort();
            if (!command && count == number) kill(getpid(), SIGKILL);
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
        static int is_part(const char *path) {
            return strstr(path, "/.photos-export/parts/") != NULL;
        }
        static int before_sync(int file) {
            char path[PATH_MAX];
            path_of(file, path);
            if (ends(path, ".part")) reach("syncFile");
            if (is_part(path)) reach("syncPart");
            if (strstr(path, "/Photos/") != NULL) reach("syncNames");
            if (ends(path, "/intentions")) reach("intentions");
            if (is_placed(path)) reach("syncFolder");
            int is_log = ends(path, "/library.sqlite-wal");
            if (is_log) reach("commit");
            return is_log;
        }
        // The database is the first file that is opened by this name and then copied.
        static int is_opened;
        static void opened(const char *path) {
            if (ends(path, "Photos.sqlite") || ends(path, "Library.apdb")) is_opened = 1;
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
            int is_list = ends(to, "/library.jsonl"), is_link = strstr(to, "/Albums/") != NULL;
            if (is_part(from)) reach(is_list ? "list" : is_link ? "link" : "export");
            else if (is_placed(to)) reach("place");
            int result = next(from, to);
            if (is_part(from)) { if (!is_link) reach(is_list ? "listed" : "exported"); }
            else if (is_placed(to)) reach("placed");
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
}

/// The command with its calls of the system intercepted, so that it ends at a point.
struct KillableCommand: Sendable {
    private let world: CommandWorld
    private let object: String

    init(_ world: CommandWorld) throws {
        self.world = world
        object = try world.preload(KillPoint.shim)
    }

    /// Runs the command, and kills it when it reaches a point for the `number`th time, or after a
    /// time.
    ///
    /// If `command` is set, that command of the shell runs instead, up to the `number`th time. The
    /// names of all points are added to `log`.
    func run(
        _ arguments: [String],
        killedAt point: KillPoint? = nil,
        _ number: Int = 1,
        command: String? = nil,
        after time: Duration? = nil,
        log: URL? = nil
    ) throws -> ProcessRunner.Output {
        try world.run(
            arguments,
            variables: [
                "LD_PRELOAD": object, "TEST_POINT": point?.rawValue,
                "TEST_NUMBER": "\(number)", "TEST_LOG": log?.path, "TEST_COMMAND": command,
                "TEST_MICROSECONDS": time.map { "\(Int($0 / .microseconds(1)))" },
            ]
        )
    }

    /// Returns how often each point is in a log, and the points in the order of the log.
    static func points(in log: URL) throws -> (counts: [KillPoint: Int], all: [KillPoint]) {
        let all = try String(contentsOf: log, encoding: .utf8).split(separator: "\n")
            .compactMap { KillPoint(rawValue: String($0)) }
        return (Dictionary(all.map { ($0, 1) }, uniquingKeysWith: +), all)
    }
}
