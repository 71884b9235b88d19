package import FoundationEssentials

/// An error of an object store, with a cause and a recovery suggestion.
package struct ObjectStoreError: Error, Sendable, CustomStringConvertible {
    /// The kinds of failure.
    package struct Code: Hashable, Sendable, CustomStringConvertible {
        private enum Wrapped: String, CaseIterable {
            case notFound, storeAbsent, accessDenied, wrongCredentials, full, unreachable, timedOut
            case throttled, damaged, wrongRegion, clockSkew, alreadyExists, invalidName, tooLarge
            case rangeNotSatisfiable, insecure, invalidConfiguration, unsupported, serverFault
            case unexpectedAnswer, inputOutput, readOnly, receiverFailed, cancelled
            case programUnavailable
        }

        private let wrapped: Wrapped
        package var description: String { wrapped.rawValue }

        private init(wrapped: Wrapped) { self.wrapped = wrapped }

        /// Creates a code from its description; returns nil for text that describes no code.
        package init?(named name: String) {
            guard let wrapped = Wrapped(rawValue: name) else { return nil }
            self.wrapped = wrapped
        }

        /// All codes.
        package static var all: [Code] { Wrapped.allCases.map(Code.init(wrapped:)) }

        /// No object with the key exists.
        ///
        /// After a recent PUT, callers must not conclude from this error that nothing has changed.
        package static let notFound = Code(wrapped: .notFound)
        /// The bucket or the directory does not exist, for example because a disk is not connected.
        package static let storeAbsent = Code(wrapped: .storeAbsent)
        /// The credentials are known, but do not permit the request.
        package static let accessDenied = Code(wrapped: .accessDenied)
        /// The access key is unknown, or the secret or the session token is wrong or has expired.
        package static let wrongCredentials = Code(wrapped: .wrongCredentials)
        /// The store or the quota is full.
        package static let full = Code(wrapped: .full)
        /// No connection could be established, or it ended before the answer.
        package static let unreachable = Code(wrapped: .unreachable)
        /// The answer did not arrive in time.
        package static let timedOut = Code(wrapped: .timedOut)
        /// The store throttles requests.
        package static let throttled = Code(wrapped: .throttled)
        /// The bytes differ from those that were sent, or do not match the checksum or the size.
        package static let damaged = Code(wrapped: .damaged)
        /// The bucket is in another region, or at another address.
        package static let wrongRegion = Code(wrapped: .wrongRegion)
        /// This computer's clock differs so much from the store's that the store rejects
        /// signatures.
        package static let clockSkew = Code(wrapped: .clockSkew)
        /// An object with the same key but other bytes already exists.
        package static let alreadyExists = Code(wrapped: .alreadyExists)
        /// The text is not a valid key or prefix.
        package static let invalidName = Code(wrapped: .invalidName)
        /// The object, or the answer, is larger than the limit.
        package static let tooLarge = Code(wrapped: .tooLarge)
        /// The range begins after the end of the object.
        package static let rangeNotSatisfiable = Code(wrapped: .rangeNotSatisfiable)
        /// The endpoint is not encrypted.
        package static let insecure = Code(wrapped: .insecure)
        /// A value of the configuration is invalid.
        package static let invalidConfiguration = Code(wrapped: .invalidConfiguration)
        /// The store or its file system does not support a required function.
        package static let unsupported = Code(wrapped: .unsupported)
        /// The store reports an internal failure.
        package static let serverFault = Code(wrapped: .serverFault)
        /// The answer violates the protocol.
        package static let unexpectedAnswer = Code(wrapped: .unexpectedAnswer)
        /// A system call failed.
        package static let inputOutput = Code(wrapped: .inputOutput)
        /// The volume is mounted read-only.
        package static let readOnly = Code(wrapped: .readOnly)
        /// The receiver that the caller supplied threw an error, which is in `cause`.
        package static let receiverFailed = Code(wrapped: .receiverFailed)
        /// The task was canceled.
        package static let cancelled = Code(wrapped: .cancelled)
        /// The program that reaches the store is missing, has another version, or is not confined.
        package static let programUnavailable = Code(wrapped: .programUnavailable)
    }

    package let code: Code
    /// A single sentence that names the object and the failure.
    package let message: String
    /// The message of the store or the operating system, if any, without control characters.
    package let reason: String?
    /// The recovery suggestion.
    package let recovery: String
    /// The error that caused this one, if any.
    package let cause: (any Error)?
    /// Indicates whether the change may have taken effect, or may do so at any later time.
    ///
    /// False for requests that only read.
    package var hasUnknownOutcome = false
    /// The pause that a throttling store asks for.
    package var retryAfter: Duration?
    /// The time of the store's clock at the failure; nil if the store did not answer.
    package var serverDate: Date?
    /// The bucket's region as stated by the store; nil unless the request went to a wrong region.
    package var region: String?

    package init(
        _ code: Code,
        _ message: String,
        reason: String? = nil,
        recovery: String,
        cause: (any Error)? = nil
    ) {
        self.code = code
        self.message = message
        self.reason = reason.map { Self.printable($0) }
        self.recovery = recovery
        self.cause = cause
    }

    package var description: String {
        let outcome =
            hasUnknownOutcome ? "The change may have taken effect, or may do so later." : nil
        return [message, reason, outcome, recovery].compactMap(\.self).joined(separator: " ")
    }

    /// Returns the error, marked as having an unknown outcome if `isUnknown` is true.
    package func withUnknownOutcome(_ isUnknown: Bool) -> ObjectStoreError {
        var error = self
        error.hasUnknownOutcome = hasUnknownOutcome || isUnknown
        return error
    }

    /// Converts text of another program to one short line without control characters.
    package static func printable(_ text: String, limit: Int = 300) -> String {
        let line = String(
            String.UnicodeScalarView(
                text.unicodeScalars.prefix(limit).map { scalar in
                    scalar.properties.generalCategory == .control
                        || scalar.properties.generalCategory == .format ? " " : scalar
                }
            )
        )
        return line.last.map { ".!?".contains($0) } ?? true ? line : line + "."
    }
}

extension ObjectStoreError {
    package static let tryAgain = "Try again later."
    package static let reportProvider =
        "Check the address of the endpoint. If it is right, report the answer to the provider."

    package static func cancelled(_ action: String) -> ObjectStoreError {
        ObjectStoreError(
            .cancelled,
            "The request to \(action) was canceled.",
            recovery: "Start it again if it is still needed."
        )
    }

    package static func timedOut(_ action: String, after timeout: Duration) -> ObjectStoreError {
        ObjectStoreError(
            .timedOut,
            "The request to \(action) was not answered within \(timeout).",
            recovery: "Check the connection to the store, and try again."
        )
    }

    package static func receiverFailed(_ key: ObjectKey, cause: any Error) -> ObjectStoreError {
        ObjectStoreError(
            .receiverFailed,
            "The bytes of \(key) could not be passed on.",
            reason: "\(cause)",
            recovery: "Correct the cause, for example a full disk, and try again.",
            cause: cause
        )
    }

    package static func notFound(_ key: ObjectKey, in store: String) -> ObjectStoreError {
        ObjectStoreError(
            .notFound,
            "There is no object \(key) in \(store).",
            recovery: "Check that the store is the right one and complete."
        )
    }

    package static func tooLarge(_ key: ObjectKey, size: Int64, limit: Int64) -> ObjectStoreError {
        ObjectStoreError(
            .tooLarge,
            "The object \(key) has \(size) bytes, more than the limit of \(limit).",
            recovery: "Check who wrote the object; no program of this package writes such a one."
        )
    }

    package static func changedChecksum(_ key: ObjectKey) -> ObjectStoreError {
        ObjectStoreError(
            .damaged,
            "The bytes for \(key) do not have the expected MD5.",
            recovery: "Check the disk and the connection, and try again."
        )
    }

    package static func alreadyExists(_ key: ObjectKey, in store: String) -> ObjectStoreError {
        ObjectStoreError(
            .alreadyExists,
            "The object \(key) exists in \(store) with other bytes.",
            recovery: "Use a new name; names of objects are never used twice."
        )
    }

    package static func rangeNotSatisfiable(_ key: ObjectKey, _ range: Range<Int64>)
        -> ObjectStoreError
    {
        ObjectStoreError(
            .rangeNotSatisfiable,
            "The object \(key) has no bytes at \(range.lowerBound).",
            recovery: "Read the object again from its beginning."
        )
    }

    package static func unexpectedAnswer(
        _ action: String,
        in place: String,
        _ reason: String
    ) -> ObjectStoreError {
        ObjectStoreError(
            .unexpectedAnswer,
            "The answer of \(place) to the request to \(action) is invalid.",
            reason: reason,
            recovery: reportProvider
        )
    }
}
