internal import Dispatch

/// Runs calls that block, such as those of the library, outside of the tasks' threads.
enum Blocking {
    private static let queue = DispatchQueue(
        label: "photos.gallery.blocking",
        attributes: .concurrent
    )

    /// Runs `body` on a thread that may block, and waits without one.
    static func run<Value: Sendable>(
        _ body: @escaping @Sendable () throws -> Value
    ) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            queue.async { continuation.resume(with: Result(catching: body)) }
        }
    }
}
