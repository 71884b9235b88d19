internal import Dispatch
internal import Synchronization

/// A value about the whole library, which is computed again in the background.
///
/// A request waits a moment for the new value, and otherwise takes the one before, so that no
/// request takes as long as looking at all photos does. Only the first one waits until there is a
/// value. Values that take long are computed for a tenth of the time at most. Thread-safe.
final class RecomputedValue<Value: Sendable>: Sendable {
    private struct State {
        var known: Value?
        var failure: (any Error)?
        var isComputing = false
        /// Indicates whether the computation that runs started before the value was forgotten.
        var isOutdated = false
        var waiting: [DispatchSemaphore] = []
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
        let end = join(hasFormer: former != nil, compute)
        if let former {
            guard let end, end.wait(timeout: .now() + patience / .seconds(1)) == .success else {
                return former
            }
        } else {
            end?.wait()
        }
        return try state.withLock { state in
            if let failure = state.failure { throw failure }
            guard let known = state.known else { throw CancellationError() }
            return known
        }
    }

    /// Starts a computation unless one runs.
    ///
    /// - Returns: What is signaled at its end; nil if it is too early for another one.
    private func join(
        hasFormer: Bool,
        _ compute: @escaping @Sendable () throws -> Value
    ) -> DispatchSemaphore? {
        let end = DispatchSemaphore(value: 0)
        let starts: Bool? = state.withLock { state in
            if !state.isComputing, hasFormer, .now < state.pause { return nil }
            state.waiting.append(end)
            defer { state.isComputing = true }
            return !state.isComputing
        }
        guard let starts else { return nil }
        if starts { DispatchQueue.global().async { self.run(compute) } }
        return end
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
            let waiting: [DispatchSemaphore]? = state.withLock { state in
                guard !state.isOutdated else {
                    state.isOutdated = false
                    return nil
                }
                switch result {
                case .success(let value): (state.known, state.failure) = (value, nil)
                case .failure(let error): state.failure = error
                }
                state.isComputing = false
                state.pause = .now + (duration > patience ? duration * 9 : .zero)
                defer { state.waiting = [] }
                return state.waiting
            }
            guard let waiting else { continue }
            for end in waiting { end.signal() }
            return
        }
    }
}
