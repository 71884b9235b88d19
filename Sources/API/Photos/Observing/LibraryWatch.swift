internal import Dispatch
internal import LibraryService
internal import Synchronization

/// Calls a closure when a library may have changed: after each signal of a commit, and at regular
/// intervals.
///
/// It runs until it is released. All calls are made on one queue.
final class LibraryWatch: @unchecked Sendable {
    // Unchecked because Dispatch does not declare that its sources are thread-safe, which they are.
    // The sources are set here and afterwards only canceled.
    private let timer: any DispatchSourceTimer
    private let reader: (any DispatchSourceRead)?
    private let deafness: Deafness

    /// Starts the watch.
    ///
    /// - Parameters:
    ///   - signal: A descriptor that becomes readable after commits, or nil if there is none.
    ///   - interval: The interval between calls without a signal, at least one millisecond.
    ///   - queue: The serial queue for the calls.
    ///   - wake: Called on the queue.
    init(
        signal: Descriptor?,
        interval: Duration,
        queue: DispatchQueue,
        wake: @escaping @Sendable () -> Void
    ) {
        timer = DispatchSource.makeTimerSource(queue: queue)
        let milliseconds = Int(interval / .milliseconds(1))
        timer.schedule(
            deadline: .now() + .milliseconds(milliseconds),
            repeating: .milliseconds(milliseconds),
            leeway: .milliseconds(milliseconds / 10)
        )
        timer.setEventHandler(handler: wake)
        let deafness = Deafness(signal == nil)
        self.deafness = deafness
        reader = signal.map { signal in
            let reader = DispatchSource.makeReadSource(
                fileDescriptor: signal.number,
                queue: queue
            )
            // Dispatch calls neither handler after cancellation, so canceling breaks the retain
            // cycle.
            let owner = reader as AnyObject
            reader.setEventHandler { [weak owner] in
                guard signal.drain() else {
                    // The source would report the same failure forever. The timer continues.
                    deafness.value.store(true, ordering: .relaxed)
                    (owner as? any DispatchSourceRead)?.cancel()
                    return
                }
                wake()
            }
            // The descriptor must stay open until Dispatch has released it.
            reader.setCancelHandler { withExtendedLifetime(signal) {} }
            return reader
        }
        timer.resume()
        reader?.resume()
    }

    /// Indicates whether changes are detected only by polling, because commits are not signaled.
    ///
    /// There is no descriptor for the signals, or it has stopped working.
    var isDeaf: Bool { deafness.value.load(ordering: .relaxed) }

    private final class Deafness: Sendable {
        let value: Atomic<Bool>

        init(_ isDeaf: Bool) {
            value = Atomic(isDeaf)
        }
    }

    deinit {
        timer.cancel()
        reader?.cancel()
    }
}
