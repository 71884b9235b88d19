import Foundation
import Glibc

/// Closes the libraries before a signal ends a command that does nothing else about it.
///
/// An `Interruption` takes the place of this, and so does a server that stops on signals.
enum TerminationSignals {
    /// The signals that ask a program to end.
    static let numbers = [SIGINT, SIGTERM, SIGHUP]
    /// How long calls that are under way may go on.
    private static let patience = 1

    /// The write end of a pipe: the handler may do nothing but write to it.
    // Set once, before the first handler is installed.
    nonisolated(unsafe) private static var writeEnd: Int32 = -1

    /// Handles the signals from here on; those that the caller had ignored stay ignored, and those that
    /// it had blocked are not blocked any more: a program that starts others from a thread passes its
    /// mask on, mostly without meaning to.
    static func handle() {
        unblock()
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { return }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        let end = ends[0]
        writeEnd = ends[1]
        let thread = Thread {
            var number: UInt8 = 0
            while read(end, &number, 1) != 1, errno == EINTR {}
            Interrupted(signal: Int32(number)).exit(patience: .seconds(patience))
        }
        thread.stackSize = 1 << 19
        thread.start()
        for number in numbers { install(number) }
    }

    private static func unblock() {
        var set = sigset_t()
        sigemptyset(&set)
        for number in numbers { sigaddset(&set, number) }
        pthread_sigmask(SIG_UNBLOCK, &set, nil)
    }

    private static func install(_ number: Int32) {
        var previous = sigaction()
        guard sigaction(number, nil, &previous) == 0,
            previous.__sigaction_handler.sa_handler == nil
        else { return }
        var action = sigaction()
        action.sa_flags = SA_RESTART
        action.__sigaction_handler.sa_handler = { number in
            let saved = errno
            var byte = UInt8(truncatingIfNeeded: number)
            _ = write(TerminationSignals.writeEnd, &byte, 1)
            errno = saved
        }
        sigaction(number, &action, nil)
    }
}
