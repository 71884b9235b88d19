package import LibraryService
package import PhotoModel

/// The errors for denied access, with messages for the program's user.
extension ClientProgram {
    /// The shell command that grants the program full access.
    package var remedy: String { "photos access grant \(identity.shellWord)" }

    /// Returns the error for access that the program's status does not permit.
    package func refusal(of status: AccessStatus) -> LibraryError {
        let name = identity.quotedName
        return switch status {
        case .restricted:
            LibraryError(
                .accessRestricted,
                "\(name) has no permission to use the photo library.",
                reason: override == nil
                    ? "A policy of this computer forbids it: \(store.restrictionsFile)."
                    : overrideReason,
                recovery: override == nil
                    ? "Ask the administrator of this computer." : overrideRemedy
            )
        case .notDetermined:
            LibraryError(
                .accessDenied,
                "\(name) has no permission to use the photo library.",
                reason: "No permission has been granted yet.",
                recovery: "Run \(remedy)."
            )
        case .denied:
            LibraryError(
                .accessDenied,
                "\(name) has no permission to use the photo library.",
                reason: override == nil ? "The user denied permission." : overrideReason,
                recovery: override == nil ? "Run \(remedy)." : overrideRemedy
            )
        case .limited:
            LibraryError(
                .accessDenied,
                "\(name) has no permission for this use of the photo library.",
                reason: "It may see and change only the photos selected for it.",
                recovery: "Run \(remedy) to grant access to the whole library."
            )
        case .authorized:
            LibraryError(
                .internalError,
                "\(name) has permission to use the photo library, but was refused."
            )
        }
    }

    /// The error for a request to see or change the library by a program that may only add to it.
    package var refusalOfReading: LibraryError {
        LibraryError(
            .accessDenied,
            "\(identity.quotedName) may add to the photo library, but not see or change it.",
            reason: override == nil ? "It has permission only to add." : overrideReason,
            recovery: override == nil ? "Run \(remedy)." : overrideRemedy
        )
    }

    /// The error for a request for hidden assets by a program without permission to see them.
    package var refusalOfHidden: LibraryError {
        LibraryError(
            .accessDenied,
            "\(identity.quotedName) has no permission to see hidden photos.",
            reason: override == nil
                ? "This requires a separate permission, which the program does not have."
                : overrideReason,
            recovery: override == nil ? "Run \(remedy) --hidden." : overrideRemedy
        )
    }

    /// The error for a program that chooses the author name of its changes, which only the
    /// library's owner may choose.
    package var refusalOfNaming: LibraryError {
        LibraryError(
            .accessDenied,
            "The changes of \(identity.quotedName) are recorded under its own name.",
            reason: "Only the library's owner may choose the name."
        )
    }

    /// The recovery suggestion when `PHOTOS_ACCESS` overrides the stored choices.
    private var overrideRemedy: String {
        "Start it without \(AccessOverride.variable), or with"
            + " \(AccessOverride.variable)=\(AccessOverride.authorized.rawValue)."
    }

    private var overrideReason: String {
        "It was started with \(AccessOverride.variable)=\(override?.rawValue ?? "")."
    }
}
