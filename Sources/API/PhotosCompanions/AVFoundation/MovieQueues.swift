internal import Dispatch
internal import LibraryService

/// The queues of requests for movies.
///
/// Files are read on one queue and handlers are called on another, so a handler that waits for
/// another request does not hold up the reading that it waits for.
enum MovieQueues {
    /// More threads than workers, since some wait for a disk or for a thread that reads their file.
    private static let reading = WorkQueue(label: "photos.movie-reading", width: 8, qos: .default)
    private static let handlers = HandlerQueue.concurrent("photos.movie-handlers")

    /// Runs a closure that may wait for a file to be read.
    static func read(_ body: @escaping @Sendable () -> Void) { reading.add(body) }

    /// Runs a closure that may wait for a file to be read, and passes its result to a handler.
    ///
    /// The closures need not be Sendable, because each is called once, and one after the other.
    static func read<Value>(
        _ body: @escaping () -> Value,
        handler: @escaping (Value) -> Void
    ) {
        let request = UncheckedValue(value: (body: body, handler: handler))
        reading.add {
            let result = UncheckedValue(value: request.value.body())
            handlers.add { request.value.handler(result.value) }
        }
    }

    /// Calls a handler, which may wait for other requests.
    static func call(_ handler: @escaping @Sendable () -> Void) { handlers.add(handler) }
}
