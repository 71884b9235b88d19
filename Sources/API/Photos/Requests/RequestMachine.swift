/// A state machine for the lifecycle of a request that reports its results to a handler.
///
/// It is a plain value, without threads, locks or side effects.
///
///     open ──partial result──▶ open
///       │ ──last result──▶ ended
///       └──cancel──▶ canceled ──cancellation──▶ ended
///
/// 1. One last result is delivered: that of the work, or the cancellation.
/// 2. Nothing is delivered after the last result. After it was canceled, a request
///    delivers the cancellation only.
/// 3. A cancellation may arrive before the request starts, before its work has a place in a queue,
///    and before its call to the library.
///
/// The type that owns the machine holds a lock for each event, and performs the returned action
/// without it.
struct RequestMachine: Hashable, Sendable {
    /// The state of a request.
    enum State: Hashable, Sendable {
        /// The request has neither ended nor been canceled; it may not have started yet.
        case open
        /// The client canceled the request, and its handler has not received the cancellation yet.
        case canceled
        /// The last result was delivered.
        case ended
    }

    /// A result to be delivered to the handler.
    enum Result: Hashable, Sendable {
        /// An intermediate result, such as a degraded image, that is followed by other results.
        case partial
        /// The last result of the work, which may be an error.
        case last
        /// The report that the request was canceled.
        case cancellation
    }

    /// The action that the caller must perform for a cancellation.
    enum CancelAction: Hashable, Sendable {
        /// Does nothing, because the request was already canceled or has ended.
        case ignore
        /// Stops the work, and delivers the cancellation.
        ///
        /// `cancelsCall` is whether a call to the library is in progress.
        case stop(cancelsCall: Bool)
    }

    /// The action that the caller must perform for a result.
    enum DeliverAction: Hashable, Sendable {
        case drop
        case callHandler(isLast: Bool)
    }

    private(set) var state = State.open
    /// Indicates whether a call to the library is in progress.
    private(set) var isCalling = false

    /// Indicates whether the request has neither ended nor been canceled, so that its work
    /// continues.
    var isOpen: Bool { state == .open }

    /// Cancels the request.
    mutating func cancel() -> CancelAction {
        guard state == .open else { return .ignore }
        state = .canceled
        return .stop(cancelsCall: isCalling)
    }

    /// Begins a call to the library; returns false if the request is no longer open.
    mutating func beginCall() -> Bool {
        isCalling = state == .open
        return isCalling
    }

    /// Ends the call to the library.
    mutating func endCall() { isCalling = false }

    /// Delivers a result.
    mutating func deliver(_ result: Result) -> DeliverAction {
        switch (state, result) {
        case (.open, .partial): return .callHandler(isLast: false)
        case (.open, .last), (.canceled, .cancellation):
            state = .ended
            return .callHandler(isLast: true)
        case (.open, .cancellation), (.canceled, .partial), (.canceled, .last), (.ended, _):
            return .drop
        }
    }

    /// Ends a request whose work has ended.
    ///
    /// It is used by tasks that report a cancellation only after their work has ended, not
    /// immediately.
    ///
    /// Returns the result to deliver, or nil if the request has ended already.
    mutating func end() -> Result? {
        defer { state = .ended }
        switch state {
        case .open: return .last
        case .canceled: return .cancellation
        case .ended: return nil
        }
    }
}
