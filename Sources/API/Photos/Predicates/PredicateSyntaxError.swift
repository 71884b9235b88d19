internal import PhotoModel

/// An error in a predicate format, with its position.
struct PredicateSyntaxError: Error, Equatable {
    /// The position in characters from the start of the format.
    let position: Int
    let reason: String

    init(_ position: Int, _ reason: String) {
        self.position = position
        self.reason = reason
    }

    /// Returns the error for a fetch whose predicate has this syntax error.
    func libraryError(in format: String) -> LibraryError {
        LibraryError(
            .malformedPredicate,
            "The predicate format “\(format)” cannot be read at position \(position).",
            reason: reason,
            recovery: "Correct the format or its arguments; positions count characters from 0."
        )
    }
}
