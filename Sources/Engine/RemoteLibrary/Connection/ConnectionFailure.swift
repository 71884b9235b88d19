package import PhotoModel

/// The reason why there is no connection to a daemon.
///
/// The only place that maps failures of connections to errors of the library.
package enum ConnectionFailure: Error, Hashable, Sendable {
    /// No daemon accepts connections at the socket.
    case unreachable(SystemError)
    /// The daemon and this program have no protocol version in common.
    case unsupportedProtocol(daemon: String)
    /// The daemon rejected the handshake with an error, for example because the library is missing.
    case refused(LibraryError)
    /// The connection ended without a `goodbye` message.
    case lost(TransportError)
    /// The daemon ended the connection with a `goodbye` message that states the reason.
    case ended(Goodbye)
    /// This program closed the library.
    case closed
    /// This process is a fork of the process that opened the library.
    case forked

    /// Indicates whether another attempt to connect may succeed.
    package var isTransient: Bool {
        switch self {
        case .unreachable(let error): !error.isTooManyOpenFiles
        case .lost: true
        case .ended(let goodbye): goodbye.reason != .violation
        case .unsupportedProtocol, .refused, .closed, .forked: false
        }
    }

    /// Converts the failure to the error of a call.
    ///
    /// - Parameter mayHaveChanged: True if the call changes the library and was sent.
    /// - Returns: The error.
    package func libraryError(mayHaveChanged: Bool = false) -> LibraryError {
        if mayHaveChanged {
            return LibraryError(
                .connectionLost,
                "The connection to the library ended, and the change may have been made.",
                reason: reason,
                recovery: "Look at the library before you repeat the change."
            )
        }
        switch self {
        case .refused(let error): return error
        case .closed:
            return LibraryError(
                .invalidRequest,
                "The library was closed.",
                recovery: "Open it again."
            )
        case .forked:
            return LibraryError(
                .invalidRequest,
                "The library was opened by the process that this one was forked from.",
                recovery: "Open the library again in this process."
            )
        case .unsupportedProtocol:
            return LibraryError(
                .connectionLost,
                "The library daemon has another version than this program.",
                reason: reason,
                recovery: "Update both, or set PHOTOS_DAEMON=0 to work without the daemon."
            )
        case .unreachable:
            return LibraryError(
                .connectionLost,
                "The library daemon cannot be reached.",
                reason: reason,
                recovery: "Start it with “photos daemon run”, or set PHOTOS_DAEMON=0."
            )
        case .lost, .ended:
            return LibraryError(
                .connectionLost,
                "The connection to the library ended.",
                reason: reason,
                recovery: "Try again."
            )
        }
    }

    /// A sentence that states the cause of the failure.
    package var reason: String {
        switch self {
        case .unreachable(let error):
            "\(error.call) \(error.path ?? "") failed: \(error.reason)."
        case .unsupportedProtocol(let daemon): "\(daemon) speaks no protocol of this program."
        case .refused(let error): error.description
        case .lost(let error): error.message
        case .ended(let goodbye): goodbye.message
        case .closed: "The library was closed."
        case .forked: "The process was forked."
        }
    }
}
