public import Foundation

/// An error from rendering or writing an image.
///
/// It states what failed (``localizedDescription``), why (``failureReason``) and how to recover
/// (``recoverySuggestion``).
public struct CIRenderingError: CustomNSError, LocalizedError, Hashable, Sendable {
    /// An error code.
    public enum Code: Int, Sendable, CaseIterable {
        /// The filter, a value for it, or an option is not supported.
        case invalidRequest = 1
        /// A source image could not be read.
        case unreadablePicture = 2
        /// The requested region is empty, infinite, or too large to render.
        case invalidExtent = 3
        /// The rendering process was unavailable or failed.
        case notRendered = 4
        /// The file could not be written.
        case notWritten = 5
    }

    /// The domain of these errors.
    public static let errorDomain = "CIContextErrorDomain"

    /// The error's code.
    public let code: Code
    /// A sentence that states what failed.
    public let localizedDescription: String
    /// The reason for the failure, if known.
    public let failureReason: String?
    /// A suggestion to the user for how to recover.
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

    /// A sentence that states what failed.
    public var errorDescription: String? { localizedDescription }

    /// The raw value of ``code``.
    public var errorCode: Int { code.rawValue }

    /// The user info dictionary with the error's messages under Foundation's keys.
    public var errorUserInfo: [String: Any] {
        var info: [String: Any] = [NSLocalizedDescriptionKey: localizedDescription]
        info[NSLocalizedFailureReasonErrorKey] = failureReason
        info[NSLocalizedRecoverySuggestionErrorKey] = recoverySuggestion
        return info
    }

    /// All messages of the error, joined into one line.
    var line: String {
        [localizedDescription, failureReason, recoverySuggestion].compactMap { $0 }
            .joined(separator: " ")
    }
}
