public import Foundation

/// An error of the photo library.
///
/// Errors created by the library have a code, a description, a reason and a recovery suggestion
/// (``localizedDescription``, ``failureReason``, ``recoverySuggestion``). Their user info contains
/// the affected file under `NSFilePathErrorKey`, the affected objects under
/// ``PHLocalIdentifiersErrorKey``, and the engine's own error under `NSUnderlyingErrorKey`.
///
/// The type casts to and from `NSError` (`as`, `as?`, `catch let error as NSError`). As an
/// `NSError` it is in the domain ``PHPhotosErrorDomain`` and keeps its code and user info.
public struct PHPhotosError: CustomNSError, LocalizedError, Hashable, Error, Sendable {
    // Stored as an NSError, which is immutable and Sendable, because user info has values of any
    // type.
    private let stored: NSError

    /// Creates an error with a code and user info.
    public init(_ code: PHPhotosError.Code, userInfo: [String: Any] = [:]) {
        stored = NSError(domain: PHPhotosErrorDomain, code: code.rawValue, userInfo: userInfo)
    }

    /// Creates an error with the domain, code and user info of an `NSError`.
    ///
    /// The `NSError` is in ``PHPhotosErrorDomain``, and may be an instance of a subclass.
    init(stored error: NSError) {
        stored = NSError(domain: error.domain, code: error.code, userInfo: error.userInfo)
    }

    /// The code of the error.
    public var code: PHPhotosError.Code { Code(rawValue: stored.code) ?? .internalError }

    /// The user info that the error was created with.
    public var userInfo: [String: Any] { stored.userInfo }

    // MARK: - NSError

    /// The error domain used when a `PHPhotosError` is bridged to `NSError`.
    public static var errorDomain: String { PHPhotosErrorDomain }

    /// The raw value of the code.
    public var errorCode: Int { stored.code }

    /// The user info used when the error is bridged to `NSError`, with default messages in place of
    /// missing ones.
    public var errorUserInfo: [String: Any] {
        var info = stored.userInfo
        info[NSLocalizedDescriptionKey] = localizedDescription
        info[NSLocalizedFailureReasonErrorKey] = failureReason
        info[NSLocalizedRecoverySuggestionErrorKey] = recoverySuggestion
        return info
    }

    // MARK: - Messages

    /// A sentence that describes the failure.
    public var localizedDescription: String {
        stored.userInfo[NSLocalizedDescriptionKey] as? String ?? code.summary
    }

    /// A sentence that describes the failure.
    public var errorDescription: String? { localizedDescription }

    /// The reason for the failure, or the default reason for the error's code.
    ///
    /// It is never nil.
    public var failureReason: String? { reason ?? code.usualReason }

    /// A suggestion for recovering from the failure, or the default suggestion for the error's
    /// code.
    ///
    /// It is never nil.
    public var recoverySuggestion: String? { recovery ?? code.usualRecovery }

    private var reason: String? { stored.userInfo[NSLocalizedFailureReasonErrorKey] as? String }
    private var recovery: String? {
        stored.userInfo[NSLocalizedRecoverySuggestionErrorKey] as? String
    }

    // MARK: - Equality

    /// Returns whether the codes, descriptions and reasons of both errors are equal.
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
    /// The code's name and number, the description, and the reason and suggestion if provided.
    public var description: String {
        let texts = [localizedDescription, reason, recovery].compactMap(\.self)
        return "PHPhotosError.\(code) (\(errorCode)): \(texts.joined(separator: " "))"
    }
}

/// The domain of the photo library's errors.
public let PHPhotosErrorDomain = "PHPhotosErrorDomain"

/// The user info key for the local identifiers of the affected objects, as a `[String]`.
public let PHLocalIdentifiersErrorKey = "PHLocalIdentifiersErrorKey"

// MARK: - Legacy names of error codes

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
