extension PHPhotosError.Code {
    /// The default failure reason of errors with this code.
    ///
    /// See pains 3.
    var usualReason: String {
        switch self {
        case .internalError: "An unexpected error occurred."
        case .userCancelled: "The user or the program canceled it."
        case .persistentChangeTokenExpired:
            "The library no longer keeps changes from so long ago."
        case .libraryVolumeOffline: "Its folder or its volume is missing."
        case .relinquishingLibraryBundleToWriter: "Another process is taking the library over."
        case .switchingSystemPhotoLibrary: "Another library is becoming the system library."
        case .networkAccessRequired:
            "Its file is not local, and the request does not allow network access."
        case .networkError: "The network or the server did not respond correctly."
        case .identifierNotFound: "It has been deleted, or belongs to another library."
        case .multipleIdentifiersFound: "Several objects match the request."
        case .persistentChangeDetailsUnavailable:
            "The library knows that there was a change, but not its details."
        case .changeNotSupported: "The library does not allow this change of the object."
        case .operationInterrupted: "Another operation was using the library."
        case .invalidResource: "Its content is not valid."
        case .missingResource: "A required file was not provided, or no longer exists."
        case .notEnoughSpace: "The volume is full."
        case .requestNotSupportedForAsset: "The asset does not support the request."
        case .limitExceeded: "The data exceeds a limit of the library."
        case .accessRestricted: "A policy of this computer forbids it."
        case .accessUserDenied: "The user did not grant permission."
        case .libraryInFileProviderSyncRoot:
            "The file system does not have the features that a library needs."
        }
    }

    /// The default recovery suggestion of errors with this code.
    var usualRecovery: String {
        switch self {
        case .internalError: "Try again. If it fails again, please report it."
        case .userCancelled: "Ask again."
        case .persistentChangeTokenExpired: "Fetch everything again, and continue from a new token."
        case .libraryVolumeOffline: "Mount the volume, or open another library."
        case .relinquishingLibraryBundleToWriter, .switchingSystemPhotoLibrary,
            .operationInterrupted:
            "Try again later."
        case .networkAccessRequired: "Allow network access in the request's options."
        case .networkError: "Check the connection, and try again."
        case .identifierNotFound: "Fetch again."
        case .multipleIdentifiersFound:
            "Choose one of those under PHLocalIdentifiersErrorKey."
        case .persistentChangeDetailsUnavailable: "Fetch the objects that you need again."
        case .changeNotSupported: "Check canPerform(_:) first."
        case .invalidResource: "Use a complete file of a supported type."
        case .missingResource:
            "Provide the file, or run photos verify if it is missing in the library."
        case .notEnoughSpace: "Free some space on the volume."
        case .requestNotSupportedForAsset: "Check the asset's media type and properties first."
        case .limitExceeded: "Split the request into several parts."
        case .accessRestricted: "Ask the administrator of this computer."
        case .accessUserDenied:
            "Ask the user to run photos access grant with the program's identifier."
        case .libraryInFileProviderSyncRoot: "Move the library to another file system."
        }
    }
}
