public import Foundation

/// Why a picture could not be drawn or written.
///
/// It says what failed, why, and what helps (``localizedDescription``, ``failureReason``,
/// ``recoverySuggestion``).
public struct CIRenderingError: CustomNSError, LocalizedError, Hashable, Sendable {
    /// What kind of failure it is.
    public enum Code: Int, Sendable, CaseIterable {
        /// A filter, a value for one, or an option is not one that there is here.
        case invalidRequest = 1
        /// A picture that is needed could not be read.
        case unreadablePicture = 2
        /// The picture has no pixels there, or infinitely many, or more than are drawn.
        case invalidExtent = 3
        /// The process that draws could not be had, or gave up.
        case notRendered = 4
        /// The file could not be written.
        case notWritten = 5
    }

    /// The domain of these errors.
    public static let errorDomain = "CIContextErrorDomain"

    /// What kind of failure it is.
    public let code: Code
    /// One sentence: what failed.
    public let localizedDescription: String
    /// Why it failed, as far as is known.
    public let failureReason: String?
    /// What the person can do about it.
    public let recoverySuggestion: String?

    init(
        _ code: Code,
        _ description: String,
        reason: String? = nil,
        recovery: String? = nil
    ) {
        self.code = code
        localizedDescription = description
        failureReason = reason
        recoverySuggestion = recovery
    }

    /// What failed.
    public var errorDescription: String? { localizedDescription }

    /// The number of ``code``.
    public var errorCode: Int { code.rawValue }

    /// The texts, under Foundation's keys.
    public var errorUserInfo: [String: Any] {
        var info: [String: Any] = [NSLocalizedDescriptionKey: localizedDescription]
        info[NSLocalizedFailureReasonErrorKey] = failureReason
        info[NSLocalizedRecoverySuggestionErrorKey] = recoverySuggestion
        return info
    }

    /// All texts, in one line.
    var line: String {
        [localizedDescription, failureReason, recoverySuggestion].compactMap { $0 }
            .joined(separator: " ")
    }
}
