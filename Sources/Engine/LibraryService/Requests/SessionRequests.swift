/// The limits that a client sets for a session of its own.
///
/// A session may only narrow the rights of the one that opens it.
package struct SessionRequest: Codable, Hashable, Sendable {
    /// The part of the library that a session leaves out.
    package enum Restriction: String, Codable, Hashable, Sendable, CaseIterable {
        case none
        /// Excludes hidden assets. Operations on the library as a whole, such as imports and
        /// checks, fail, and so does undoing a change that concerns a hidden asset.
        case withoutHidden
    }

    package var restriction: Restriction

    package init(restriction: Restriction = .none) { self.restriction = restriction }
}

/// A request to limit the processor time of each later fetch with a predicate.
package struct FetchLimitRequest: Codable, Hashable, Sendable {
    /// The limit in seconds; nil for the limit that applies to the client anyway.
    package var seconds: Double?
    package init(seconds: Double?) { self.seconds = seconds }
}

extension Duration {
    /// Creates the duration of a number of seconds in a client's request: from 0 to a day, and 0
    /// for a value that is not a number.
    package init(ofRequest seconds: Double) {
        self = .seconds(seconds.isNaN ? 0 : min(max(seconds, 0), 86_400))
    }
}
