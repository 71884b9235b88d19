/// The properties of a session that a client opens from another session.
///
/// It may only narrow the rights of that session.
package struct SessionRequest: Codable, Hashable, Sendable {
    /// The part of the library that is excluded from a session.
    package enum Restriction: String, Codable, Hashable, Sendable, CaseIterable {
        case none
        /// Excludes hidden assets, rejects operations on the whole library, and rejects undoing
        /// changes of hidden assets.
        case withoutHidden
    }

    package var restriction: Restriction
    /// The author of the session's changes in the history; nil for the author of the session from
    /// which this one is opened.
    ///
    /// Only the library's owner may name one. The changes of all others have the name of their
    /// program.
    package var author: String?

    package init(restriction: Restriction = .none, author: String? = nil) {
        self.restriction = restriction
        self.author = author
    }
}

/// A request to limit the processor time of each later fetch with a predicate.
package struct FetchLimitRequest: Codable, Hashable, Sendable {
    /// The limit in seconds; nil restores the client's default limit, or removes the limit for the
    /// library's owner.
    package var seconds: Double?
    package init(seconds: Double?) { self.seconds = seconds }
}

extension Duration {
    /// Creates a duration from the seconds in a client's request, clamped to between 0 and one day.
    ///
    /// A value that is not a number results in 0.
    package init(ofRequest seconds: Double) {
        self = .seconds(seconds.isNaN ? 0 : min(max(seconds, 0), 86_400))
    }
}
