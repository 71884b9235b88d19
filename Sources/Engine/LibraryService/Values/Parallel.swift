internal import Dispatch
internal import Synchronization

/// Parallel work on a few threads.
package enum Parallel {
    /// Returns the results of `body` for 0..<count, in order; at most `width` calls run
    /// concurrently.
    ///
    /// The first failure prevents all calls that have not begun. The existing results are passed to
    /// `discarding`, and the failure is thrown.
    package static func map<Result: Sendable, Failure: Error>(
        count: Int,
        width: Int,
        _ body: @Sendable (Int) throws(Failure) -> Result,
        discarding: (Result) -> Void
    ) throws(Failure) -> [Result] {
        let state = Mutex(State<Result, Failure>(count: count))
        DispatchQueue.concurrentPerform(iterations: max(1, min(width, count))) { _ in
            while let position = state.withLock({ $0.takeNext() }) {
                do throws(Failure) {
                    let result = try body(position)
                    state.withLock { $0.results[position] = result }
                } catch {
                    state.withLock { $0.failure = $0.failure ?? error }
                }
            }
        }
        return try state.withLock { state throws(Failure) in
            let results = state.results.compactMap(\.self)
            guard let failure = state.failure else { return results }
            results.forEach(discarding)
            throw failure
        }
    }

    /// Work on another thread whose result the caller can wait for.
    package final class Work<Value: Sendable, Failure: Error>: Sendable {
        private let finished = DispatchGroup()
        private let result = Mutex<Result<Value, Failure>?>(nil)

        /// Starts the work.
        package init(_ body: @escaping @Sendable () throws(Failure) -> Value) {
            finished.enter()
            OwnQueue.run("photos.parallel-work") { [self] in
                let value: Result<Value, Failure>
                do throws(Failure) { value = .success(try body()) } catch {
                    value = .failure(error)
                }
                result.withLock { $0 = value }
                finished.leave()
            }
        }

        /// Waits for the result and returns it.
        package func wait() throws(Failure) -> Value {
            finished.wait()
            guard let result = result.withLock(\.self) else {
                preconditionFailure("Finished work has a result.")
            }
            return try result.get()
        }
    }

    private struct State<Result: Sendable, Failure: Error> {
        let count: Int
        var next = 0
        var results: [Result?]
        var failure: Failure?

        init(count: Int) {
            self.count = count
            results = Array(repeating: nil, count: count)
        }

        mutating func takeNext() -> Int? {
            guard failure == nil, next < count else { return nil }
            defer { next += 1 }
            return next
        }
    }
}
