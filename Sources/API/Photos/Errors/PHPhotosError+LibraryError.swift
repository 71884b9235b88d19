internal import Foundation
package import PhotoModel

extension PHPhotosError {
    /// Creates the public error for an engine error; this is the only place that maps between the
    /// two.
    package init(_ error: LibraryError) {
        var info: [String: Any] = [
            NSLocalizedDescriptionKey: error.message,
            NSUnderlyingErrorKey: error,
        ]
        info[NSLocalizedFailureReasonErrorKey] = error.reason
        info[NSLocalizedRecoverySuggestionErrorKey] = error.recovery
        info[NSFilePathErrorKey] = error.path
        if !error.identifiers.isEmpty {
            info[PHLocalIdentifiersErrorKey] = error.identifiers
        }
        self.init(Code(error.code), userInfo: info)
    }

    /// The engine error that this error was created from, or nil if there is none.
    package var libraryError: LibraryError? {
        userInfo[NSUnderlyingErrorKey] as? LibraryError
    }
}

extension LibraryError {
    /// Indicates whether the error was caused by a file that must be downloaded before it can be
    /// read.
    var isInCloud: Bool { code == .networkAccessRequired }
}

extension PHPhotosError.Code {
    /// Creates the public code that corresponds to an engine error code.
    package init(_ code: LibraryError.Code) {
        self =
            switch code {
            case .libraryMissing, .volumeMissing: .libraryVolumeOffline
            case .noPermission, .accessRestricted: .accessRestricted
            case .accessDenied: .accessUserDenied
            case .readOnly: .changeNotSupported
            case .unsupportedFileSystem: .libraryInFileProviderSyncRoot
            case .busy, .connectionLost: .operationInterrupted
            case .networkAccessRequired: .networkAccessRequired
            case .networkError: .networkError
            case .noSpace: .notEnoughSpace
            case .unsupportedPredicate, .unsupportedSortKey, .malformedPredicate,
                .notSupportedForAsset:
                .requestNotSupportedForAsset
            case .identifierNotFound: .identifierNotFound
            case .missingResource: .missingResource
            case .invalidResource: .invalidResource
            case .historyExpired: .persistentChangeTokenExpired
            case .changeNotSupported: .changeNotSupported
            case .cancelled: .userCancelled
            case .notALibrary, .alreadyExists, .newerFormat, .corrupt, .tooManyOpenFiles,
                .inputOutput, .workerUnavailable, .tokenUnknown, .invalidRequest, .internalError:
                .internalError
            }
    }
}
