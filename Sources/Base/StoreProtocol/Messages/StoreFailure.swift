package import FoundationEssentials
package import ObjectStorage

/// The serialized form of a store's error, which omits the cause.
package struct StoreFailure: Codable, Sendable {
    package var code: String
    package var message: String
    package var reason: String?
    package var recovery: String
    package var hasUnknownOutcome: Bool
    package var retryAfter: Double?
    package var serverDate: Date?
    package var region: String?

    package init(_ error: ObjectStoreError) {
        code = error.code.description
        message = error.message
        reason = error.reason
        recovery = error.recovery
        hasUnknownOutcome = error.hasUnknownOutcome
        retryAfter = error.retryAfter.map { $0 / .seconds(1) }
        serverDate = error.serverDate
        region = error.region
    }

    /// The error, with invalid values omitted or replaced by valid ones.
    package var error: ObjectStoreError {
        var error = ObjectStoreError(
            ObjectStoreError.Code(named: code) ?? .unexpectedAnswer,
            Self.line(message),
            reason: reason.map(Self.line),
            recovery: Self.line(recovery)
        )
        error.hasUnknownOutcome = hasUnknownOutcome
        error.retryAfter = retryAfter.map { .seconds(min(max($0, 0), 86_400)) }
        error.serverDate = serverDate.flatMap(StoreFailure.plausible)
        error.region = region.map { String($0.prefix(64)) }
        return error
    }

    /// Returns the date if its year is 1970 to 9999; otherwise nil.
    package static func plausible(_ date: Date) -> Date? {
        0...253_402_300_799 ~= date.timeIntervalSince1970 ? date : nil
    }

    /// Returns the text with control characters replaced by spaces, truncated to a length that is
    /// sufficient for a message with a path.
    private static func line(_ text: String) -> String {
        ObjectStoreError.printable(text, limit: 5000)
    }
}

extension ObjectStoreError {
    /// Returns the error for a process that is not confined and so must not receive credentials.
    package static func notConfined(_ reason: String) -> ObjectStoreError {
        ObjectStoreError(
            .programUnavailable,
            "photos-cloud cannot be used, since the kernel does not confine it.",
            reason: reason,
            recovery:
                "Use a kernel with Landlock (5.13 or newer; 5.19 for a directory) and seccomp."
        )
    }
}
