internal import Dispatch
internal import Synchronization

/// A value about the whole library, which is computed again in the background.
///
/// A request waits a moment for the new value, and otherwise takes the one before, so that no
/// request takes as long as looking at all photos does. Only the first one waits until there is a
/// value. Values that take long are computed for a tenth of the time at most. Thread-safe.
final class RecomputedValue<Value: Sendable>: Sendable {
    /// A request that waits for the end of a computation.
    ///
    /// It gets its result itself, since the value may be forgotten before the request continues.
    private final class Waiter: Sendable {
        private let semaphore = DispatchSemaphore(value: 0)
        private let result = Mutex<Result<Value, any Error>?>(nil)

        func end(_ result: Result<Value, any Error>) {
            self.result.withLock { $0 = result }
            semaphore.signal()
        }

        /// Waits for the result; returns nil after a time.
        func wait(_ patience: Duration?) throws -> Value? {
            let timeout = patience.map { DispatchTime.now() + $0 / .seconds(1) } ?? .distantFuture
            guard semaphore.wait(timeout: timeout) == .success else { return nil }
            return try result.withLock(\.self)?.get()
        }
    }

    private struct State {
        var known: Value?
        var isComputing = false
        /// Indicates whether the computation that runs started before the value was forgotten.
        var isOutdated = false
        var waiting: [Waiter] = []
        /// The time before which a former value is good enough.
        var pause = ContinuousClock.now
    }

    private let patience: Duration
    private let state = Mutex(State())

    /// - Parameter patience: The time for which a request waits if there is a former value.
    init(patience: Duration = .milliseconds(300)) { self.patience = patience }

    /// Returns the value.
    ///
    /// - Parameters:
    ///   - renewed: Returns the value to keep if a former one still holds, otherwise nil. Runs
    ///     without a lock.
    ///   - compute: Computes the value, on a thread of its own; never twice at a time.
    /// - Returns: The value, or the former one while a new one is computed.
    /// - Throws: The error of the computation that this request waited for.
    func value(
        renewed: (Value) throws -> Value?,
        compute: @escaping @Sendable () throws -> Value
    ) throws -> Value {
        let former = state.withLock(\.known)
        if let former, let value = try renewed(former) {
            state.withLock { state in
                if !state.isComputing { state.known = value }
            }
            return value
        }
        let waiter = join(hasFormer: former != nil, compute)
        let value = try waiter?.wait(former == nil ? nil : patience)
        // Without a former value, there is a waiter, and it waits for the end.
        guard let value = value ?? former else { throw CancellationError() }
        return value
    }

    /// Starts a computation unless one runs.
    ///
    /// - Returns: What waits for its end; nil if it is too early for another one.
    private func join(
        hasFormer: Bool,
        _ compute: @escaping @Sendable () throws -> Value
    ) -> Waiter? {
        let waiter = Waiter()
        let starts: Bool? = state.withLock { state in
            if !state.isComputing, hasFormer, .now < state.pause { return nil }
            state.waiting.append(waiter)
            defer { state.isComputing = true }
            return !state.isComputing
        }
        guard let starts else { return nil }
        if starts { DispatchQueue.global().async { self.run(compute) } }
        return waiter
    }

    /// Forgets the value, so that the next request waits for a new one.
    func forget() {
        state.withLock { state in
            state.known = nil
            state.pause = .now
            state.isOutdated = state.isComputing
        }
    }

    private func run(_ compute: @Sendable () throws -> Value) {
        while true {
            let start = ContinuousClock.now
            let result = Result { try compute() }
            let duration = ContinuousClock.now - start
            let waiting: [Waiter]? = state.withLock { state in
                guard !state.isOutdated else {
                    state.isOutdated = false
                    return nil
                }
                if case .success(let value) = result { state.known = value }
                state.isComputing = false
                state.pause = .now + (duration > patience ? duration * 9 : .zero)
                defer { state.waiting = [] }
                return state.waiting
            }
            guard let waiting else { continue }
            for waiter in waiting { waiter.end(result) }
            return
        }
    }
}
