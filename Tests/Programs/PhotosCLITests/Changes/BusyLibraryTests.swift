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
