/// The properties that a client chooses for a session that it opens from another one.
///
/// It may only narrow the rights of that session.
package struct SessionRequest: Codable, Hashable, Sendable {
    /// The part of the library that a session leaves out.
    package enum Restriction: String, Codable, Hashable, Sendable, CaseIterable {
        case none
        /// Excludes hidden assets. Operations on the library as a whole, such as imports and
        /// checks, fail, and so does undoing a change that concerns a hidden asset.
        case withoutHidden
    }

    package var restriction: Restriction
    /// The author of the session's changes in the history; nil for that of the opening session.
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
    /// The limit in seconds; nil for the limit that applies to the client anyway.
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
