import Foundation
import Glibc
import TestSupport
import Testing

/// Commands that wait for another writer.
@Suite(.timeLimit(.minutes(1))) struct BusyLibraryTests {
    let world: CommandWorld

    init() throws { world = try CommandWorld() }

    /// At each reading, the wall clock is an hour later.
    @Test func settingTheClockEndsNoWait() throws {
        let ids = try world.library(of: ["1.jpg"])
        let id = try #require(ids.first)
        let path = world.library.appendingPathComponent("database/lock").path
        let lock = open(path, O_RDWR | O_CLOEXEC)
        try #require(lock >= 0 && flock(lock, LOCK_EX) == 0)
        let waiting = world.folder.file("waiting").path
        var environment = world.environment.mapValues { $0 as String? }
        environment["LD_PRELOAD"] = try world.preload(Self.shim)
        environment["SHIM_SAYS"] = waiting
        let command = try ProcessRunner.start(
            BuiltProducts.photos.path,
            ["set", id, "--favorite", "true", "--json"],
            environment: environment
        )
        while access(waiting, F_OK) != 0, command.isRunning { sched_yield() }
        close(lock)
        let output = command.wait()
        #expect(output.status == 0, "\(output.errorText)")
    }

    /// A restore exchanges the libraries after the command opened the lock, before it acquires it.
    @Test func openingDuringARestoreLocksTheRestoredLibrary() throws {
        let id = try #require(try world.library(of: ["1.jpg"]).first)
        let restored = world.folder.file("Restored.photolibrary")
        try FileManager.default.copyItem(at: world.library, to: restored)
        let (library, result) = (world.library.path, world.folder.file("result"))
        let swap = "mv '\(library)' '\(library).replaced' && mv '\(restored.path)' '\(library)'"
        let check = "flock -n '\(library)/database/lock' echo free || echo held"
        let output = try world.run(
            ["set", id, "--favorite", "true", "--json"],
            variables: [
                "LD_PRELOAD": try world.preload(Self.exchange), "SHIM_SWAP": swap,
                "SHIM_CHECK": "{ \(check); } > '\(result.path)'",
            ]
        )
        #expect(output.status == 0, "\(output.errorText)")
        #expect(try world.names("--predicate", "isFavorite = YES") == ["1.jpg"])
        #expect(try String(contentsOf: result, encoding: .utf8) == "held\n")
    }

    /// A command of the shell before the first attempt to lock, and one before the first commit.
    private static let exchange = """
        #define _GNU_SOURCE
        #include <errno.h>
        #include <limits.h>
        #include <stdio.h>
        #include <stdlib.h>
        #include <string.h>
        #include <sys/file.h>
        #include <sys/syscall.h>
        #include <unistd.h>
        static long locks, commits;
        static int is(int file, const char *end) {
            char link[64], path[PATH_MAX];
            snprintf(link, sizeof link, "/proc/self/fd/%d", file);
            ssize_t n = readlink(link, path, PATH_MAX - 1);
            size_t m = strlen(end);
            path[n < 0 ? 0 : n] = 0;
            return n >= (ssize_t)m && strcmp(path + n - m, end) == 0
                && strcmp(program_invocation_short_name, "photos") == 0;
        }
        static void run(long *counter, const char *name) {
            if (__sync_add_and_fetch(counter, 1) == 1 && system(getenv(name)) != 0) abort();
        }
        int flock(int file, int operation) {
            if ((operation & LOCK_EX) && is(file, "/database/lock")) run(&locks, "SHIM_SWAP");
            return syscall(SYS_flock, file, operation);
        }
        int fdatasync(int file) {
            if (is(file, "/library.sqlite-wal")) run(&commits, "SHIM_CHECK");
            return syscall(SYS_fdatasync, file);
        }
        int fsync(int file) {
            if (is(file, "/library.sqlite-wal")) run(&commits, "SHIM_CHECK");
            return syscall(SYS_fsync, file);
        }
        """

    /// A running wall clock, and a file that is created at the third failed attempt to lock.
    private static let shim = """
        #define _GNU_SOURCE
        #include <errno.h>
        #include <fcntl.h>
        #include <stdlib.h>
        #include <sys/syscall.h>
        #include <sys/time.h>
        #include <time.h>
        #include <unistd.h>
        static long looks, failures;
        int clock_gettime(clockid_t clock, struct timespec *time) {
            int result = syscall(SYS_clock_gettime, clock, time);
            if (result == 0 && clock == CLOCK_REALTIME)
                time->tv_sec += 3600 * __atomic_add_fetch(&looks, 1, __ATOMIC_SEQ_CST);
            return result;
        }
        int gettimeofday(struct timeval *time, void *zone) {
            struct timespec now;
            clock_gettime(CLOCK_REALTIME, &now);
            time->tv_sec = now.tv_sec;
            time->tv_usec = now.tv_nsec / 1000;
            return 0;
        }
        int flock(int descriptor, int operation) {
            int result = syscall(SYS_flock, descriptor, operation);
            int number = errno;
            if (result != 0 && number == EWOULDBLOCK
                && __atomic_add_fetch(&failures, 1, __ATOMIC_SEQ_CST) == 3)
                close(open(getenv("SHIM_SAYS"), O_CREAT | O_WRONLY, 0600));
            errno = number;
            return result;
        }
        """
}
