internal import CLinuxShim
internal import Glibc
internal import LibraryService

/// A file descriptor with which other threads wake a thread that waits in poll(2).
package final class Wakeup: Sendable {
    private let event: Descriptor

    /// Creates the file descriptor; nil if the process has reached its limit of open files.
    package init?() {
        let number = cphotos_event()
        guard number >= 0 else { return nil }
        event = Descriptor(owning: number)
    }

    /// The descriptor to poll, which is readable after a signal.
    package var number: Int32 { event.number }

    /// Wakes the thread from its current or next poll.
    package func signal() {
        var one: UInt64 = 1
        _ = write(event.number, &one, 8)
    }

    /// Clears the signals received so far, so that the next poll waits again.
    package func reset() {
        var count: UInt64 = 0
        _ = read(event.number, &count, 8)
    }
}
