internal import Glibc
internal import LibraryService
internal import Logging
internal import PhotoModel

/// The lock that permits one writer of a library at a time, across threads and processes.
///
/// It combines a flock on `database/lock` between processes with a mutex between threads. The
/// kernel releases the flock when a process dies, so a crash never leaves a library locked.
///
/// The lock is that of the library at the path when it is acquired, even if a restore has replaced
/// the library since the file was opened.
package final class WriterLock: Sendable {
    private let path: String
    private let threads = TimedMutex()
    // Guarded by `threads`.
    nonisolated(unsafe) private var descriptor: Descriptor
    private let logger: Logger

    /// The minimum wait that is logged.
    private static let notableWait = Duration.milliseconds(100)
    /// The shortest wait that is logged at the info level.
    private static let longWait = Duration.seconds(5)
    /// The maximum number of times that the file is opened again in one attempt to lock it.
    private static let openings = 8

    /// Opens the lock file, and creates it if it is missing.
    init(path: String, logger: Logger = LibraryLoggers.silent.store) throws(LibraryError) {
        self.path = path
        self.logger = logger
        descriptor = try Self.openFile(path)
    }

    private static func openFile(_ path: String) throws(LibraryError) -> Descriptor {
        let number = open(path, O_RDWR | O_CREAT | O_CLOEXEC, BundleModes.newFile)
        guard number >= 0 else {
            throw SystemError.last("open", path: path)
                .libraryError(doing: "open the writer lock")
        }
        return Descriptor(owning: number)
    }

    /// Runs `body` while holding the lock.
    ///
    /// Waits up to `patience` seconds for other writers, then throws `LibraryError` with code
    /// `busy`. Errors of `body` are rethrown.
    package func withLock<Result>(patience: Double, _ body: () throws -> Result) throws -> Result {
        let start = ContinuousClock.now
        let deadline = TimedMutex.Deadline(after: patience)
        guard threads.lock(until: deadline) else { throw busy(patience) }
        defer { threads.unlock() }
        var isHeldElsewhere = false
        var pause: useconds_t = 100
        while try !tryLock() {
            guard !deadline.isOver else { throw busy(patience) }
            isHeldElsewhere = true
            usleep(pause)
            pause = min(pause * 2, 4_000)
        }
        defer { flock(descriptor.number, LOCK_UN) }
        record(waitSince: start, isHeldElsewhere: isHeldElsewhere)
        return try body()
    }

    /// Acquires the flock on the file at the path, unless another process holds it.
    ///
    /// Requires `threads`.
    private func tryLock() throws(LibraryError) -> Bool {
        for _ in 0..<Self.openings {
            while flock(descriptor.number, LOCK_EX | LOCK_NB) != 0 {
                if errno == EWOULDBLOCK { return false }
                guard errno == EINTR else {
                    throw SystemError.last("flock", path: path)
                        .libraryError(doing: "lock")
                }
            }
            if isAtPath { return true }
            flock(descriptor.number, LOCK_UN)
            descriptor = try Self.openFile(path)
        }
        return false
    }

    /// Indicates whether the open file is still the one at the path.
    private var isAtPath: Bool {
        guard let present = LibraryStore.FileIdentity(path) else { return errno != ENOENT }
        var status = stat()
        return fstat(descriptor.number, &status) == 0
            && present == LibraryStore.FileIdentity(status)
    }

    private func record(waitSince start: ContinuousClock.Instant, isHeldElsewhere: Bool) {
        let wait = ContinuousClock.now - start
        guard wait >= Self.notableWait else { return }
        logger.log(
            level: wait >= Self.longWait ? .info : .debug,
            "The writer lock was held by another writer.",
            metadata: [
                "lock.milliseconds": logger.milliseconds(since: start),
                "lock.holder": isHeldElsewhere ? "process" : "thread",
            ]
        )
    }

    private func busy(_ patience: Double) -> LibraryError {
        LibraryError(
            .busy,
            "The library is busy: another program has been writing to it for more than"
                + " \(Int(patience)) seconds.",
            recovery: "Wait for that program to finish, or quit it, and try again.",
            path: path
        )
    }
}
