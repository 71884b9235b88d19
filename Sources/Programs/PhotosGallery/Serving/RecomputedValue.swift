internal import Dispatch
internal import Foundation
internal import Synchronization

/// A cached value about the whole library, which is recomputed in the background.
///
/// A request waits a short time for a new value and otherwise uses the former one, since reading
/// all photos may take long. Only the first request, and one that may not use the former value,
/// waits until there is a value. Computations that take long are started so rarely that they take
/// at most a tenth of the time. Thread-safe.
final class RecomputedValue<Value: Sendable>: Sendable {
    /// A request that waits for the end of a computation.
    ///
    /// It stores the result itself, since the cached value may be removed before the request
    /// continues.
    private final class Waiter: Sendable {
        private let semaphore = DispatchSemaphore(value: 0)
        private let result = Mutex<Result<Value, any Error>?>(nil)

        func end(_ result: Result<Value, any Error>) {
            self.result.withLock { $0 = result }
            semaphore.signal()
        }

        /// Waits for the result; returns nil after a timeout.
        func wait(_ patience: Duration?) throws -> Value? {
            let timeout = patience.map { DispatchTime.now() + $0 / .seconds(1) } ?? .distantFuture
            guard semaphore.wait(timeout: timeout) == .success else { return nil }
            return try result.withLock(\.self)?.get()
        }
    }

    /// The outcome of joining a computation.
    private enum Turn {
        case waits(Waiter)
        /// It is too early for another computation.
        case isEarly
        /// There is a first value by now.
        case hasValue
    }

    private struct State {
        var known: Value?
        var isComputing = false
        /// Indicates whether the value was invalidated after the running computation started.
        var isOutdated = false
        var waiting: [Waiter] = []
        /// The earliest time at which to start another computation.
        ///
        /// Without a cached value, a computation starts at once.
        var pause = ContinuousClock.now
    }

    private let patience: Duration
    private let state = Mutex(State())

    /// Creates a cache without a value.
    ///
    /// - Parameter patience: The time for which a request waits if there is a former value.
    init(patience: Duration = .milliseconds(300)) { self.patience = patience }

    /// Returns the cached value, or computes a new one if the cached value is no longer correct.
    ///
    /// - Parameters:
    ///   - renewed: Returns the value to keep if a former one still holds, otherwise nil. Runs
    ///     without a lock.
    ///   - permitted: Indicates whether a value that no longer holds may be returned. Runs
    ///     without a lock.
    ///   - compute: Computes the value, on a thread of its own; never twice at a time.
    /// - Returns: The value, or the former one while a new one is computed.
    /// - Throws: The error of the computation that this request waited for.
    func value(
        renewed: (Value) throws -> Value?,
        permitted: (Value) throws -> Bool = { _ in true },
        compute: @escaping @Sendable () throws -> Value
    ) throws -> Value {
        let value = try latest(renewed, permitted, compute)
        if try permitted(value) { return value }
        // The computation began before the change because of which its value may not be returned.
        forget()
        return try latest(renewed, permitted, compute)
    }

    private func latest(
        _ renewed: (Value) throws -> Value?,
        _ permitted: (Value) throws -> Bool,
        _ compute: @escaping @Sendable () throws -> Value
    ) throws -> Value {
        var former = state.withLock(\.known)
        if let known = former {
            if let value = try renewed(known) {
                state.withLock { state in
                    if !state.isComputing { state.known = value }
                }
                return value
            }
            if try !permitted(known) {
                forget()
                former = nil
            }
        }
        var value: Value?
        switch join(hasFormer: former != nil, compute) {
        case .waits(let waiter): value = try waiter.wait(former == nil ? nil : patience)
        case .isEarly: break
        case .hasValue: return try latest(renewed, permitted, compute)
        }
        // Without a former value, there is a waiter, and it waits for the end.
        guard let value = value ?? former else { throw CancellationError() }
        return value
    }

    /// Joins the running computation, or starts a new one.
    private func join(
        hasFormer: Bool,
        _ compute: @escaping @Sendable () throws -> Value
    ) -> Turn {
        let (turn, starts): (Turn, Bool) = state.withLock { state in
            if !state.isComputing {
                if hasFormer, .now < state.pause { return (.isEarly, false) }
                if !hasFormer, state.known != nil { return (.hasValue, false) }
            }
            let waiter = Waiter()
            state.waiting.append(waiter)
            defer { state.isComputing = true }
            return (.waits(waiter), !state.isComputing)
        }
        // Not on a thread of Dispatch: those may all be taken by the requests that wait for it.
        if starts { Thread.detachNewThread { self.run(compute) } }
        return turn
    }

    /// Removes the cached value, so that the next request waits for a new one.
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
