internal import PhotoModel

/// A failure that ends a connection.
package struct TransportError: Error, Hashable, Sendable, CustomStringConvertible {
    package enum Code: String, Hashable, Sendable, CaseIterable {
        /// The peer closed the connection.
        case closed
        /// The deadline passed.
        case timedOut
        /// The peer sent invalid bytes, or a frame that it may not send.
        case malformed
        /// The peer exceeded a limit.
        case limitExceeded
        /// A system call failed.
        case system
    }

    package var code: Code
    /// A single sentence that describes the failure.
    package var message: String

    package init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    package var description: String { message }

    /// The peer closed the connection in the middle of a frame, or while a frame was sent.
    static let closed = TransportError(.closed, "The other program closed the connection.")

    static let timedOut = TransportError(
        .timedOut,
        "The other program did not read or write in time."
    )

    static func malformed(_ message: String) -> TransportError {
        TransportError(.malformed, message)
    }

    static func limit(_ message: String) -> TransportError {
        TransportError(.limitExceeded, message)
    }

    static func system(_ error: SystemError) -> TransportError {
        TransportError(.system, "\(error.call) failed: \(error.reason).")
    }
}
