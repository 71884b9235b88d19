internal import Dispatch

/// Runs blocking calls, such as calls to the library, on threads outside Swift concurrency's thread
/// pool.
enum Blocking {
    private static let queue = DispatchQueue(
        label: "photos.gallery.blocking",
        attributes: .concurrent
    )

    /// Starts `body` on a thread that may block.
    static func begin(_ body: @escaping @Sendable () -> Void) { queue.async(execute: body) }

    /// Runs `body` on a thread that may block, and suspends until it returns.
    static func run<Value: Sendable>(
        _ body: @escaping @Sendable () throws -> Value
    ) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            queue.async { continuation.resume(with: Result(catching: body)) }
        }
    }
}
