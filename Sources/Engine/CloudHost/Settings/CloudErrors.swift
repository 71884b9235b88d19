internal import CloudKeys
internal import ObjectStorage
internal import PhotoModel

extension LibraryError {
    /// Creates a library error from an error of keys or encrypted objects.
    init(_ error: CloudKeyError) {
        let code: Code =
            switch error.code {
            case .wrongPassphrase, .unsuitablePassphrase, .mistypedRecoveryCode,
                .wrongRecoveryCode, .noWrap, .notAdmitted, .otherLibrary:
                .invalidRequest
            case .insecureFile: .noPermission
            case .inputOutput, .unreadableOriginal: .inputOutput
            case .cryptography: .internalError
            case .laterVersion: .newerFormat
            case .unknownEpoch, .damaged, .wrongSignature, .unknownSigner, .outOfBounds,
                .wrongContent, .irreproducible:
                .networkError
            }
        self.init(code, error.message, reason: error.reason, recovery: error.recovery)
    }

    /// Indicates whether a file of the library could not be opened for a reason that concerns only
    /// this file, such as a bad sector.
    var concernsFile: Bool { code == .inputOutput || code == .noPermission }

    /// Creates a library error from an error of a store.
    init(_ error: ObjectStoreError) {
        let code: Code =
            switch error.code {
            case .full: .noSpace
            case .accessDenied, .wrongCredentials: .noPermission
            case .readOnly: .readOnly
            case .cancelled: .cancelled
            case .inputOutput: .inputOutput
            case .insecure, .invalidConfiguration, .invalidName: .invalidRequest
            default: .networkError
            }
        self.init(code, error.message, reason: error.reason, recovery: error.recovery)
    }
}

/// Calls a function of the module `CloudKeys` and converts its error to a library error.
func keys<Result>(
    _ body: () throws(CloudKeyError) -> Result
) throws(LibraryError) -> Result {
    do throws(CloudKeyError) {
        return try body()
    } catch {
        throw LibraryError(error)
    }
}
