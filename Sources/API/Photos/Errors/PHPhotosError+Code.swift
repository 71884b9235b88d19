internal import Foundation

extension PHPhotosError {
    /// The codes of photo library errors.
    ///
    /// Their raw values are those of the `NSError`.
    public enum Code: Int, Hashable, Sendable, CaseIterable {
        /// A failure that has no code of its own.
        case internalError = -1
        /// A cancellation or refusal by the user or the program.
        case userCancelled = 3072
        /// A change history that no longer goes back to the token.
        case persistentChangeTokenExpired = 3105
        /// A library, or its volume, that is not available.
        case libraryVolumeOffline = 3114
        /// A library that another process is taking over.
        case relinquishingLibraryBundleToWriter = 3142
        /// A switch of the system photo library to another library.
        case switchingSystemPhotoLibrary = 3143
        /// A file that is stored remotely, while the request forbids network access.
        case networkAccessRequired = 3164
        /// A network failure.
        case networkError = 3169
        /// An identifier without a matching object.
        case identifierNotFound = 3201
        /// An identifier with more than one matching object.
        case multipleIdentifiersFound = 3202
        /// A change whose details are no longer in the history.
        case persistentChangeDetailsUnavailable = 3210
        /// A change that the library does not allow.
        case changeNotSupported = 3300
        /// An interrupted operation, which may succeed when retried.
        case operationInterrupted = 3301
        /// A file with invalid content.
        case invalidResource = 3302
        /// A required file that is missing.
        case missingResource = 3303
        /// A volume without enough free space.
        case notEnoughSpace = 3305
        /// A request that is not supported for the asset.
        case requestNotSupportedForAsset = 3306
        /// A limit of the library that was exceeded.
        case limitExceeded = 3307
        /// An access restriction by policy.
        case accessRestricted = 3310
        /// An access denial by the user.
        case accessUserDenied = 3311
        /// A library location that does not support photo libraries.
        case libraryInFileProviderSyncRoot = 5423

        /// The former name of `internalError`.
        public static var invalid: Code { .internalError }

        /// Returns whether an error is a photo library error with this code, for use in `catch`
        /// patterns.
        public static func ~= (code: Code, error: any Error) -> Bool {
            if let error = error as? PHPhotosError { return error.code == code }
            let error = error as NSError
            return error.domain == PHPhotosErrorDomain && error.code == code.rawValue
        }

        /// The default description of errors with this code.
        var summary: String {
            switch self {
            case .internalError: "The photo library failed."
            case .userCancelled: "The operation was canceled."
            case .persistentChangeTokenExpired: "The change token has expired."
            case .libraryVolumeOffline: "The photo library is not available."
            case .relinquishingLibraryBundleToWriter:
                "The photo library was transferred to another process."
            case .switchingSystemPhotoLibrary: "The system photo library is being changed."
            case .networkAccessRequired: "The photo must be downloaded first."
            case .networkError: "The photo cannot be downloaded."
            case .identifierNotFound: "The object was not found."
            case .multipleIdentifiersFound: "More than one object was found."
            case .persistentChangeDetailsUnavailable: "The details of the change are not available."
            case .changeNotSupported: "The change is not supported."
            case .operationInterrupted: "The operation was interrupted."
            case .invalidResource: "The file is not valid."
            case .missingResource: "The file is missing."
            case .notEnoughSpace: "There is not enough space."
            case .requestNotSupportedForAsset: "The request is not supported."
            case .limitExceeded: "A limit was exceeded."
            case .accessRestricted: "Access to the photo library is restricted."
            case .accessUserDenied: "Access to the photo library was denied."
            case .libraryInFileProviderSyncRoot:
                "The location of the photo library is not supported."
            }
        }
    }
}

// The codes as static members of the error, so that `catch PHPhotosError.userCancelled` works.
extension PHPhotosError {
    /// A failure that has no code of its own.
    public static var internalError: Code { .internalError }
    /// A cancellation or refusal by the user or the program.
    public static var userCancelled: Code { .userCancelled }
    /// A change history that no longer goes back to the token.
    public static var persistentChangeTokenExpired: Code { .persistentChangeTokenExpired }
    /// A library, or its volume, that is not available.
    public static var libraryVolumeOffline: Code { .libraryVolumeOffline }
    /// A library that another process is taking over.
    public static var relinquishingLibraryBundleToWriter: Code {
        .relinquishingLibraryBundleToWriter
    }
    /// A switch of the system photo library to another library.
    public static var switchingSystemPhotoLibrary: Code { .switchingSystemPhotoLibrary }
    /// A file that is stored remotely, while the request forbids network access.
    public static var networkAccessRequired: Code { .networkAccessRequired }
    /// A network failure.
    public static var networkError: Code { .networkError }
    /// An identifier without a matching object.
    public static var identifierNotFound: Code { .identifierNotFound }
    /// An identifier with more than one matching object.
    public static var multipleIdentifiersFound: Code { .multipleIdentifiersFound }
    /// A change whose details are no longer in the history.
    public static var persistentChangeDetailsUnavailable: Code {
        .persistentChangeDetailsUnavailable
    }
    /// A change that the library does not allow.
    public static var changeNotSupported: Code { .changeNotSupported }
    /// An interrupted operation, which may succeed when retried.
    public static var operationInterrupted: Code { .operationInterrupted }
    /// A file with invalid content.
    public static var invalidResource: Code { .invalidResource }
    /// A required file that is missing.
    public static var missingResource: Code { .missingResource }
    /// A volume without enough free space.
    public static var notEnoughSpace: Code { .notEnoughSpace }
    /// A request that is not supported for the asset.
    public static var requestNotSupportedForAsset: Code { .requestNotSupportedForAsset }
    /// A limit of the library that was exceeded.
    public static var limitExceeded: Code { .limitExceeded }
    /// An access restriction by policy.
    public static var accessRestricted: Code { .accessRestricted }
    /// An access denial by the user.
    public static var accessUserDenied: Code { .accessUserDenied }
    /// A library location that does not support photo libraries.
    public static var libraryInFileProviderSyncRoot: Code { .libraryInFileProviderSyncRoot }
    /// The former name of `internalError`.
    public static var invalid: Code { .internalError }
}
