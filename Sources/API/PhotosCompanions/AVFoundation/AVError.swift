public import Foundation

/// The domain of AVFoundation's errors.
public let AVFoundationErrorDomain = "AVFoundationErrorDomain"

/// An error from reading or exporting a movie.
///
/// Besides its code it states what failed (``localizedDescription``), why (``failureReason``) and
/// how to recover (``recoverySuggestion``).
public struct AVError: CustomNSError, LocalizedError, Hashable, Sendable {
    /// An error code, with the same number as in AVFoundation.
    public struct Code: RawRepresentable, Hashable, Sendable {
        /// The number of the error code, as in AVFoundation.
        public let rawValue: Int

        /// Creates an error code from its number.
        public init(rawValue: Int) { self.rawValue = rawValue }

        /// An error that no other code describes.
        public static let unknown = Code(rawValue: -11_800)
        /// The volume is full.
        public static let diskFull = Code(rawValue: -11_807)
        /// The result would exceed the maximum file size.
        public static let maximumFileSizeReached = Code(rawValue: -11_811)
        /// The export failed.
        public static let exportFailed = Code(rawValue: -11_820)
        /// The samples could not be decoded.
        public static let decodeFailed = Code(rawValue: -11_821)
        /// A file already exists at the output location.
        public static let fileAlreadyExists = Code(rawValue: -11_823)
        /// The file's format is not recognized.
        public static let fileFormatNotRecognized = Code(rawValue: -11_828)
        /// The file is damaged.
        public static let fileFailedToParse = Code(rawValue: -11_829)
        /// The asset has no image at the requested time.
        public static let noImageAtTime = Code(rawValue: -11_832)
        /// A track is encrypted.
        public static let contentIsProtected = Code(rawValue: -11_831)
        /// The asset does not support the requested operation.
        public static let operationNotSupportedForAsset = Code(rawValue: -11_838)
        /// The file could not be read.
        public static let failedToLoadMediaData = Code(rawValue: -11_849)
        /// The object does not allow the operation in its current state.
        public static let operationNotAllowed = Code(rawValue: -11_862)
        /// The operation was canceled.
        public static let operationCancelled = Code(rawValue: -11_878)
    }

    /// The error's code.
    public let code: Code
    /// A sentence that states what failed.
    public let localizedDescription: String
    /// The reason for the failure, if known.
    public let failureReason: String?
    /// A suggestion to the user for how to recover.
    public let recoverySuggestion: String?
    /// The path of the file that could not be processed, if any.
    let path: String?

    /// Creates an error with a code and messages.
    package init(
        _ code: Code,
        _ description: String,
        reason: String? = nil,
        recovery: String? = nil,
        path: String? = nil
    ) {
        self.code = code
        localizedDescription = description
        failureReason = reason
        recoverySuggestion = recovery
        self.path = path
    }

    /// The error domain used when an `AVError` is bridged to `NSError`.
    public static var errorDomain: String { AVFoundationErrorDomain }

    /// The raw value of the code.
    public var errorCode: Int { code.rawValue }

    /// A sentence that states what failed.
    public var errorDescription: String? { localizedDescription }

    /// The messages, and the file's path under `NSFilePathErrorKey`.
    public var errorUserInfo: [String: Any] {
        var info: [String: Any] = [NSLocalizedDescriptionKey: localizedDescription]
        info[NSLocalizedFailureReasonErrorKey] = failureReason
        info[NSLocalizedRecoverySuggestionErrorKey] = recoverySuggestion
        info[NSFilePathErrorKey] = path
        return info
    }

    /// The same error as an `NSError`.
    var bridged: NSError {
        NSError(domain: Self.errorDomain, code: errorCode, userInfo: errorUserInfo)
    }
}

extension AVError: CustomStringConvertible {
    /// The code's number, the description, the reason and the recovery suggestion.
    public var description: String {
        let texts = [localizedDescription, failureReason, recoverySuggestion].compactMap(\.self)
        return "AVError (\(errorCode)): \(texts.joined(separator: " "))"
    }
}
