internal import Dispatch
internal import LibraryService
internal import Synchronization

/// Calls back when a library may have changed: when its descriptor says so, and now and then.
///
/// Lives until it is let go; calls come on one queue.
final class LibraryWatch: @unchecked Sendable {
    // Unchecked because Dispatch does not say that its sources may be used from any thread, which
    // they may; they are set here and only cancelled afterwards.
    private let timer: any DispatchSourceTimer
    private let reader: (any DispatchSourceRead)?
    private let deafness: Deafness

    /// Starts to watch.
    ///
    /// - Parameters:
    ///   - signal: Becomes readable after commits; nil where there is no such thing.
    ///   - interval: How often to call without a signal; at least a millisecond.
    ///   - queue: A serial one, for the calls.
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
            // Neither handler is called again after the cancelling, so each ends the loop of owning.
            let owner = reader as AnyObject
            reader.setEventHandler { [weak owner] in
                guard signal.drain() else {
                    // It would report the same failure for ever; the timer goes on.
                    deafness.value.store(true, ordering: .relaxed)
                    (owner as? any DispatchSourceRead)?.cancel()
                    return
                }
                wake()
            }
            // The descriptor has to stay open until Dispatch has let go of it.
            reader.setCancelHandler { withExtendedLifetime(signal) {} }
            return reader
        }
        timer.resume()
        reader?.resume()
    }

    /// Whether the descriptor tells nothing, or nothing any more.
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
