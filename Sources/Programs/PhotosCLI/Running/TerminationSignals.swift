import Foundation
import Glibc
import Synchronization

/// Closes the libraries before a termination signal ends the command.
///
/// While an `Interruption` exists, it receives the signals instead. A server that stops on signals
/// replaces the handlers. Handlers are installed once, so that no signal is lost while a command
/// starts.
enum TerminationSignals {
    /// The handled termination signals.
    static let numbers = [SIGINT, SIGTERM, SIGHUP]
    /// The time to wait for calls in progress, in seconds.
    private static let patience = 1

    /// The write end of the pipe to the thread that handles signals.
    ///
    /// A signal handler may do little more than write to a pipe.
    // Set once, before the first handler is installed.
    nonisolated(unsafe) private static var writeEnd: Int32 = -1
    private static let receiver = Mutex<(@Sendable (Int32) -> Bool)?>(nil)

    /// Starts handling the termination signals.
    ///
    /// Signals that the caller ignores stay ignored. Blocked signals are unblocked, because a
    /// program that starts others from a thread passes on its signal mask, usually unintentionally.
    static func handle() {
        unblock()
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { return }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        let end = ends[0]
        writeEnd = ends[1]
        let thread = Thread {
            while true {
                var byte: UInt8 = 0
                while read(end, &byte, 1) != 1, errno == EINTR {}
                let number = Int32(byte)
                if let receiver = receiver.withLock(\.self), receiver(number) { continue }
                Interrupted(signal: number).exit(patience: .seconds(patience))
            }
        }
        thread.stackSize = 1 << 19
        thread.start()
        for number in numbers { install(number) }
    }

    /// Passes termination signals to a closure from now on.
    ///
    /// The closure runs on a thread of its own, one call at a time. A signal for which it returns
    /// `false` ends the process.
    static func receive(_ body: @escaping @Sendable (Int32) -> Bool) {
        receiver.withLock { $0 = body }
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
