internal import PhotoModel

/// What is wrong with a predicate format, and where.
struct PredicateSyntaxError: Error, Equatable {
    /// Characters from the beginning of the format.
    let position: Int
    let reason: String

    init(_ position: Int, _ reason: String) {
        self.position = position
        self.reason = reason
    }

    /// The error that a fetch with the format reports.
    func libraryError(in format: String) -> LibraryError {
        LibraryError(
            .malformedPredicate,
            "The predicate format “\(format)” cannot be read at position \(position).",
            reason: reason,
            recovery: "Correct the format or its arguments; positions count characters from 0."
        )
    }
}
