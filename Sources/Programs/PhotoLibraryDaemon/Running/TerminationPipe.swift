internal import Glibc
internal import RemoteLibrary

/// Shuts the daemon down gracefully after a termination signal.
///
/// It uses signal handlers, since worker processes inherit blocked and ignored signals but not
/// handlers.
enum TerminationPipe {
    /// The write end of the pipe to the thread that stops the daemon.
    ///
    /// A signal handler may do little more than write to a pipe.
    // Set once, before the first handler is installed.
    nonisolated(unsafe) private static var writeEnd: Int32 = -1

    private static let numbers = [SIGINT, SIGTERM, SIGHUP]

    /// Unblocks the termination signals and starts handling them.
    ///
    /// - Parameter stop: Runs on a thread of its own after the first signal. Later ones end the
    ///   process at once, which loses no acknowledged change.
    /// - Returns: False if the system has reached its limit of open files or threads.
    static func start(_ stop: @escaping @Sendable () -> Void) -> Bool {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { return false }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        let end = ends[0]
        writeEnd = ends[1]
        let isStarted = NamedThread.start("photos-signals") {
            var byte: UInt8 = 0
            while read(end, &byte, 1) != 1, errno == EINTR {}
            stop()
        }
        // A program that starts others from a thread passes on its mask, usually unintentionally.
        var set = sigset_t()
        sigemptyset(&set)
        for number in numbers { sigaddset(&set, number) }
        pthread_sigmask(SIG_UNBLOCK, &set, nil)
        for number in numbers {
            var action = sigaction()
            action.sa_flags = SA_RESTART | Int32(bitPattern: UInt32(SA_RESETHAND))
            action.__sigaction_handler.sa_handler = { _ in
                let saved = errno
                var byte: UInt8 = 0
                _ = write(TerminationPipe.writeEnd, &byte, 1)
                errno = saved
            }
            sigaction(number, &action, nil)
        }
        return isStarted
    }
}
