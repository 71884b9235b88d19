internal import CLinuxShim
internal import Glibc
internal import LibraryService

/// Wakes a thread that waits in poll(2).
package final class Wakeup: Sendable {
    private let event: Descriptor

    /// Creates a wake-up; nil if the process has reached its limit of open files.
    package init?() {
        let number = cphotos_event()
        guard number >= 0 else { return nil }
        event = Descriptor(owning: number)
    }

    /// The descriptor that becomes readable.
    package var number: Int32 { event.number }

    /// Wakes the thread, now or when it waits next.
    package func signal() {
        var one: UInt64 = 1
        _ = write(event.number, &one, 8)
    }

    /// Makes the thread wait again, until the next signal.
    package func reset() {
        var count: UInt64 = 0
        _ = read(event.number, &count, 8)
    }
}
