internal import Foundation

extension PHPhotosError {
    /// The kinds of failure.
    ///
    /// Raw values are those of the `NSError`.
    public enum Code: Int, Hashable, Sendable, CaseIterable {
        /// Something failed that has no code of its own.
        case internalError = -1
        /// The user or the program stopped it.
        case userCancelled = 3072
        /// The change history no longer reaches back to the token.
        case persistentChangeTokenExpired = 3105
        /// The library, or the volume that holds it, is not there.
        case libraryVolumeOffline = 3114
        /// Another process takes the library over.
        case relinquishingLibraryBundleToWriter = 3142
        /// Another library becomes the system's.
        case switchingSystemPhotoLibrary = 3143
        /// The bytes are remote and the request forbids the network.
        case networkAccessRequired = 3164
        /// The network failed.
        case networkError = 3169
        /// No object has the identifier.
        case identifierNotFound = 3201
        /// More than one object fits the identifier.
        case multipleIdentifiersFound = 3202
        /// The history cannot tell the details of the change.
        case persistentChangeDetailsUnavailable = 3210
        /// The library does not allow the change.
        case changeNotSupported = 3300
        /// It was interrupted and may work when tried again.
        case operationInterrupted = 3301
        /// A file does not hold what it has to.
        case invalidResource = 3302
        /// A file that is needed is not there.
        case missingResource = 3303
        /// The volume is full.
        case notEnoughSpace = 3305
        /// The request cannot be answered for such assets.
        case requestNotSupportedForAsset = 3306
        /// A limit of the library was reached.
        case limitExceeded = 3307
        /// A policy forbids access.
        case accessRestricted = 3310
        /// The user has denied access.
        case accessUserDenied = 3311
        /// The library lies in a place that cannot hold one.
        case libraryInFileProviderSyncRoot = 5423

        /// The old name of `internalError`.
        public static var invalid: Code { .internalError }

        /// Whether an error is one of the photo library's with this code: `catch` patterns use it.
        public static func ~= (code: Code, error: any Error) -> Bool {
            if let error = error as? PHPhotosError { return error.code == code }
            let error = error as NSError
            return error.domain == PHPhotosErrorDomain && error.code == code.rawValue
        }

        /// What is said where the error itself says nothing.
        var summary: String {
            switch self {
            case .internalError: "The photo library failed."
            case .userCancelled: "The operation was cancelled."
            case .persistentChangeTokenExpired: "The change token has expired."
            case .libraryVolumeOffline: "The photo library is not available."
            case .relinquishingLibraryBundleToWriter:
                "The photo library was handed to another process."
            case .switchingSystemPhotoLibrary: "The system photo library is being changed."
            case .networkAccessRequired: "The photo has to be downloaded first."
            case .networkError: "The photo could not be downloaded."
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
                "The photo library is in a place that cannot hold it."
            }
        }
    }
}

// The codes by their short names, so that `catch PHPhotosError.userCancelled` works.
extension PHPhotosError {
    /// Something failed that has no code of its own.
    public static var internalError: Code { .internalError }
    /// The user or the program stopped it.
    public static var userCancelled: Code { .userCancelled }
    /// The change history no longer reaches back to the token.
    public static var persistentChangeTokenExpired: Code { .persistentChangeTokenExpired }
    /// The library, or the volume that holds it, is not there.
    public static var libraryVolumeOffline: Code { .libraryVolumeOffline }
    /// Another process takes the library over.
    public static var relinquishingLibraryBundleToWriter: Code {
        .relinquishingLibraryBundleToWriter
    }
    /// Another library becomes the system's.
    public static var switchingSystemPhotoLibrary: Code { .switchingSystemPhotoLibrary }
    /// The bytes are remote and the request forbids the network.
    public static var networkAccessRequired: Code { .networkAccessRequired }
    /// The network failed.
    public static var networkError: Code { .networkError }
    /// No object has the identifier.
    public static var identifierNotFound: Code { .identifierNotFound }
    /// More than one object fits the identifier.
    public static var multipleIdentifiersFound: Code { .multipleIdentifiersFound }
    /// The history cannot tell the details of the change.
    public static var persistentChangeDetailsUnavailable: Code {
        .persistentChangeDetailsUnavailable
    }
    /// The library does not allow the change.
    public static var changeNotSupported: Code { .changeNotSupported }
    /// It was interrupted and may work when tried again.
    public static var operationInterrupted: Code { .operationInterrupted }
    /// A file does not hold what it has to.
    public static var invalidResource: Code { .invalidResource }
    /// A file that is needed is not there.
    public static var missingResource: Code { .missingResource }
    /// The volume is full.
    public static var notEnoughSpace: Code { .notEnoughSpace }
    /// The request cannot be answered for such assets.
    public static var requestNotSupportedForAsset: Code { .requestNotSupportedForAsset }
    /// A limit of the library was reached.
    public static var limitExceeded: Code { .limitExceeded }
    /// A policy forbids access.
    public static var accessRestricted: Code { .accessRestricted }
    /// The user has denied access.
    public static var accessUserDenied: Code { .accessUserDenied }
    /// The library lies in a place that cannot hold one.
    public static var libraryInFileProviderSyncRoot: Code { .libraryInFileProviderSyncRoot }
    /// The old name of `internalError`.
    public static var invalid: Code { .internalError }
}
