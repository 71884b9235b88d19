public import Foundation

/// Why a call into the photo library failed.
///
/// Errors made by the library carry, besides their code, what failed, why, and what helps
/// (``localizedDescription``, ``failureReason``, ``recoverySuggestion``); the file concerned under
/// `NSFilePathErrorKey`, the objects concerned under ``PHLocalIdentifiersErrorKey``, and the engine's
/// own error under `NSUnderlyingErrorKey`.
///
/// It casts to and from `NSError` (`as`, `as?`, `catch let error as NSError`). As an `NSError` it is in
/// the domain ``PHPhotosErrorDomain`` and keeps its code and user info.
public struct PHPhotosError: CustomNSError, LocalizedError, Hashable, Error, Sendable {
    // Held as an NSError, which is immutable and Sendable, since user info has values of any type.
    private let stored: NSError

    /// An error with a code and whatever goes with it.
    public init(_ code: PHPhotosError.Code, userInfo: [String: Any] = [:]) {
        stored = NSError(domain: PHPhotosErrorDomain, code: code.rawValue, userInfo: userInfo)
    }

    /// The error that an `NSError` of the domain is, which may be of a subclass.
    init(stored error: NSError) {
        stored = NSError(domain: error.domain, code: error.code, userInfo: error.userInfo)
    }

    /// What kind of failure it is.
    public var code: PHPhotosError.Code { Code(rawValue: stored.code) ?? .internalError }

    /// What goes with the code, as it was given.
    public var userInfo: [String: Any] { stored.userInfo }

    // MARK: - NSError

    /// The domain of the error as an `NSError`.
    public static var errorDomain: String { PHPhotosErrorDomain }

    /// The raw value of the code.
    public var errorCode: Int { stored.code }

    /// The user info of the error as an `NSError`: what was given, and texts where none were given.
    public var errorUserInfo: [String: Any] {
        var info = stored.userInfo
        info[NSLocalizedDescriptionKey] = localizedDescription
        info[NSLocalizedFailureReasonErrorKey] = failureReason
        info[NSLocalizedRecoverySuggestionErrorKey] = recoverySuggestion
        return info
    }

    // MARK: - Texts

    /// One sentence: what failed.
    public var localizedDescription: String {
        stored.userInfo[NSLocalizedDescriptionKey] as? String ?? code.summary
    }

    /// One sentence: what failed.
    public var errorDescription: String? { localizedDescription }

    /// Why it failed, or, where that is not known, why that code usually is.
    ///
    /// Never nil.
    public var failureReason: String? { reason ?? code.usualReason }

    /// What the person can do about it, or what usually helps.
    ///
    /// Never nil.
    public var recoverySuggestion: String? { recovery ?? code.usualRecovery }

    private var reason: String? { stored.userInfo[NSLocalizedFailureReasonErrorKey] as? String }
    private var recovery: String? {
        stored.userInfo[NSLocalizedRecoverySuggestionErrorKey] as? String
    }

    // MARK: - Equality

    /// Equal when code and texts are.
    public static func == (left: PHPhotosError, right: PHPhotosError) -> Bool {
        left.errorCode == right.errorCode
            && left.localizedDescription == right.localizedDescription
            && left.failureReason == right.failureReason
    }

    /// Hashes the code.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(errorCode)
    }
}

extension PHPhotosError: CustomStringConvertible {
    /// The code's name and number, what failed, and why and what helps as far as that was said.
    public var description: String {
        let texts = [localizedDescription, reason, recovery].compactMap(\.self)
        return "PHPhotosError.\(code) (\(errorCode)): \(texts.joined(separator: " "))"
    }
}

/// The domain of the photo library's errors.
public let PHPhotosErrorDomain = "PHPhotosErrorDomain"

/// The user info key for the local identifiers that an error is about; its value is a `[String]`.
public let PHLocalIdentifiersErrorKey = "PHLocalIdentifiersErrorKey"

// MARK: - Names from before Swift had error codes

/// The raw value of `PHPhotosError.Code.internalError`.
public var PHPhotosErrorInvalid: Int { PHPhotosError.Code.internalError.rawValue }

/// The raw value of `PHPhotosError.Code.userCancelled`.
public var PHPhotosErrorUserCancelled: Int { PHPhotosError.Code.userCancelled.rawValue }

/// The raw value of `PHPhotosError.Code.libraryVolumeOffline`.
public var PHPhotosErrorLibraryVolumeOffline: Int {
    PHPhotosError.Code.libraryVolumeOffline.rawValue
}

/// The raw value of `PHPhotosError.Code.relinquishingLibraryBundleToWriter`.
public var PHPhotosErrorRelinquishingLibraryBundleToWriter: Int {
    PHPhotosError.Code.relinquishingLibraryBundleToWriter.rawValue
}

/// The raw value of `PHPhotosError.Code.switchingSystemPhotoLibrary`.
public var PHPhotosErrorSwitchingSystemPhotoLibrary: Int {
    PHPhotosError.Code.switchingSystemPhotoLibrary.rawValue
}
