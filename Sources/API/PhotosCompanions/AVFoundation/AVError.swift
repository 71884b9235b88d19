public import Foundation

/// The domain of AVFoundation's errors.
public let AVFoundationErrorDomain = "AVFoundationErrorDomain"

/// Why a movie could not be read or exported.
///
/// Besides its code it says what failed, why, and what helps (``localizedDescription``,
/// ``failureReason``, ``recoverySuggestion``).
public struct AVError: CustomNSError, LocalizedError, Hashable, Sendable {
    /// What kind of failure it is, by AVFoundation's numbers.
    public struct Code: RawRepresentable, Hashable, Sendable {
        /// AVFoundation's number.
        public let rawValue: Int

        /// A kind by its number.
        public init(rawValue: Int) { self.rawValue = rawValue }

        /// No other kind fits.
        public static let unknown = Code(rawValue: -11_800)
        /// The volume is full.
        public static let diskFull = Code(rawValue: -11_807)
        /// The result would be larger than allowed.
        public static let maximumFileSizeReached = Code(rawValue: -11_811)
        /// The movie could not be made.
        public static let exportFailed = Code(rawValue: -11_820)
        /// The samples could not be decoded.
        public static let decodeFailed = Code(rawValue: -11_821)
        /// Something is where the result would go.
        public static let fileAlreadyExists = Code(rawValue: -11_823)
        /// The file is no movie that is known.
        public static let fileFormatNotRecognized = Code(rawValue: -11_828)
        /// The file is damaged.
        public static let fileFailedToParse = Code(rawValue: -11_829)
        /// There is no picture at that time.
        public static let noImageAtTime = Code(rawValue: -11_832)
        /// A track is encrypted.
        public static let contentIsProtected = Code(rawValue: -11_831)
        /// The movie can't be made into what was asked for.
        public static let operationNotSupportedForAsset = Code(rawValue: -11_838)
        /// The file could not be read.
        public static let failedToLoadMediaData = Code(rawValue: -11_849)
        /// The object can't do that now.
        public static let operationNotAllowed = Code(rawValue: -11_862)
        /// The program cancelled it.
        public static let operationCancelled = Code(rawValue: -11_878)
    }

    /// What kind of failure it is.
    public let code: Code
    /// One sentence: what failed.
    public let localizedDescription: String
    /// Why it failed, as far as is known.
    public let failureReason: String?
    /// What the person can do about it.
    public let recoverySuggestion: String?
    /// The file concerned.
    let path: String?

    /// An error with its texts.
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

    /// The domain of the error as an `NSError`.
    public static var errorDomain: String { AVFoundationErrorDomain }

    /// The raw value of the code.
    public var errorCode: Int { code.rawValue }

    /// One sentence: what failed.
    public var errorDescription: String? { localizedDescription }

    /// The texts, and the file's path under `NSFilePathErrorKey`.
    public var errorUserInfo: [String: Any] {
        var info: [String: Any] = [NSLocalizedDescriptionKey: localizedDescription]
        info[NSLocalizedFailureReasonErrorKey] = failureReason
        info[NSLocalizedRecoverySuggestionErrorKey] = recoverySuggestion
        info[NSFilePathErrorKey] = path
        return info
    }

    /// The same as an `NSError`.
    var bridged: NSError {
        NSError(domain: Self.errorDomain, code: errorCode, userInfo: errorUserInfo)
    }
}

extension AVError: CustomStringConvertible {
    /// The code's number, what failed, why, and what helps.
    public var description: String {
        let texts = [localizedDescription, failureReason, recoverySuggestion].compactMap(\.self)
        return "AVError (\(errorCode)): \(texts.joined(separator: " "))"
    }
}
