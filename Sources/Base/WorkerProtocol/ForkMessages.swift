/// The process names that system tools show, of at most 15 bytes each.
package enum ForkServerName {
    /// The name of the fork server.
    package static let server = "photos-forker"
    /// The name of a worker.
    package static let worker = "photos-worker"
}

/// A message from the host to a fork server.
///
/// A fork server opens the codecs and creates workers by copying its process. It never receives a
/// file. There is no greeting: a program of another version does not understand the first message,
/// and each worker begins with a greeting of its own.
package enum ForkRequest: Codable, Hashable, Sendable {
    /// Creates a worker that answers requests on the socket sent with the message.
    case fork
}

/// A message from a fork server to the host.
package enum ForkReply: Codable, Hashable, Sendable {
    /// The worker was created; the value is its process identifier.
    case forked(Int32)
    /// No worker was created; the value is the errno.
    case failed(Int32)
}
