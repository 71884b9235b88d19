internal import Foundation
package import PhotoModel

extension PHPhotosError {
    /// The public error for a failure of the engine: the one place that maps the two.
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

    /// The engine's error that this one was made from; nil when it was made otherwise.
    package var libraryError: LibraryError? {
        userInfo[NSUnderlyingErrorKey] as? LibraryError
    }
}

extension PHPhotosError.Code {
    /// What the engine's kind of failure is called in public.
    package init(_ code: LibraryError.Code) {
        self =
            switch code {
            case .libraryMissing, .volumeMissing: .libraryVolumeOffline
            case .noPermission, .accessRestricted: .accessRestricted
            case .accessDenied: .accessUserDenied
            case .readOnly: .changeNotSupported
            case .unsupportedFileSystem: .libraryInFileProviderSyncRoot
            case .busy: .operationInterrupted
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
                .inputOutput, .workerUnavailable, .invalidRequest, .internalError:
                .internalError
            }
    }
}
