extension PHPhotosError.Code {
    /// The usual reason for the code, for an error that does not provide its own (pains 3).
    var usualReason: String {
        switch self {
        case .internalError: "What it met was not foreseen."
        case .userCancelled: "The user or the program stopped it."
        case .persistentChangeTokenExpired:
            "The library does not remember what was changed so long ago."
        case .libraryVolumeOffline: "Its folder, or the volume that holds it, is not there."
        case .relinquishingLibraryBundleToWriter: "Another process is taking the library over."
        case .switchingSystemPhotoLibrary: "Another library is becoming the usual one."
        case .networkAccessRequired: "Its file is elsewhere, and the request forbids the network."
        case .networkError: "The network, or the other side, did not answer as it has to."
        case .identifierNotFound: "It was deleted meanwhile, or is of another library."
        case .multipleIdentifiersFound: "Several objects fit what was asked for."
        case .persistentChangeDetailsUnavailable:
            "The library knows that there was a change, and not which."
        case .changeNotSupported: "The library does not allow such a change of that object."
        case .operationInterrupted: "Something else was at work on the library."
        case .invalidResource: "Its bytes are not what they have to be."
        case .missingResource: "A file that is needed was not given, or is not there any more."
        case .notEnoughSpace: "The volume is full."
        case .requestNotSupportedForAsset: "The request does not fit the asset."
        case .limitExceeded: "There is more of it than the library takes."
        case .accessRestricted: "A policy of this computer forbids it."
        case .accessUserDenied: "The user of this computer did not permit it."
        case .libraryInFileProviderSyncRoot: "The file system there cannot do what a library needs."
        }
    }

    /// The usual recovery for the code, for an error that does not provide its own.
    var usualRecovery: String {
        switch self {
        case .internalError: "Try again; if it fails again, please report it."
        case .userCancelled: "Ask again."
        case .persistentChangeTokenExpired: "Fetch everything, and go on from a new token."
        case .libraryVolumeOffline: "Mount the volume, or open another library."
        case .relinquishingLibraryBundleToWriter, .switchingSystemPhotoLibrary,
            .operationInterrupted:
            "Try again a little later."
        case .networkAccessRequired: "Allow network access in the request's options."
        case .networkError: "Check the connection, and try again."
        case .identifierNotFound: "Fetch again."
        case .multipleIdentifiersFound:
            "Choose one of those under PHLocalIdentifiersErrorKey."
        case .persistentChangeDetailsUnavailable: "Fetch what is of interest."
        case .changeNotSupported: "Ask canPerform(_:) first."
        case .invalidResource: "Give a file that is whole and of a known type."
        case .missingResource: "Give the file, or run photos verify where the library misses it."
        case .notEnoughSpace: "Make room on the volume."
        case .requestNotSupportedForAsset: "Look at the asset's media type and properties first."
        case .limitExceeded: "Do it in several parts."
        case .accessRestricted: "Ask whoever administers this computer."
        case .accessUserDenied:
            "Let the user run photos access grant with the program's identifier."
        case .libraryInFileProviderSyncRoot: "Put the library on another file system."
        }
    }
}
