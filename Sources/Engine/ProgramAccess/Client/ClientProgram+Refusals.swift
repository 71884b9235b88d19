package import PhotoModel

/// The errors for denied access, with messages for the reader of the error.
extension ClientProgram {
    /// The command that grants full access.
    package var remedy: String { "photos access grant \(identity.shellWord)" }

    /// Returns the error for a request beyond a program's permissions, based on its status alone.
    package func refusal(of status: AccessStatus) -> LibraryError {
        let name = identity.quotedName
        return switch status {
        case .restricted:
            LibraryError(
                .accessRestricted,
                "\(name) may not use the photo library.",
                reason: override == nil
                    ? "A policy of this computer forbids it: \(store.restrictionsFile)."
                    : overrideReason,
                recovery: override == nil
                    ? "Ask whoever administers this computer." : overrideRemedy
            )
        case .notDetermined:
            LibraryError(
                .accessDenied,
                "\(name) may not use the photo library.",
                reason: "Nobody has permitted it yet.",
                recovery: "Run \(remedy)."
            )
        case .denied:
            LibraryError(
                .accessDenied,
                "\(name) may not use the photo library.",
                reason: override == nil ? "The person who was asked said no." : overrideReason,
                recovery: override == nil ? "Run \(remedy)." : overrideRemedy
            )
        case .limited:
            LibraryError(
                .accessDenied,
                "\(name) may not do that with the photo library.",
                reason: "It may see and change only the photos that were selected for it.",
                recovery: "Run \(remedy) to let it use all of the library."
            )
        case .authorized:
            LibraryError(.internalError, "\(name) may use the photo library, and was refused.")
        }
    }

    /// The error for an add-only program that requests more.
    package var refusalOfReading: LibraryError {
        LibraryError(
            .accessDenied,
            "\(identity.quotedName) may add to the photo library, and not see or change it.",
            reason: override == nil ? "No more was permitted." : overrideReason,
            recovery: override == nil ? "Run \(remedy)." : overrideRemedy
        )
    }

    /// The error for a program that may see assets but not hidden ones.
    package var refusalOfHidden: LibraryError {
        LibraryError(
            .accessDenied,
            "\(identity.quotedName) may not see hidden photos.",
            reason: override == nil
                ? "They are permitted to each program by itself, and not to this one."
                : overrideReason,
            recovery: override == nil ? "Run \(remedy) --hidden." : overrideRemedy
        )
    }

    /// The recovery when the environment determines the access, and the stored choices are ignored.
    private var overrideRemedy: String {
        "Start it without \(AccessOverride.variable), or with"
            + " \(AccessOverride.variable)=\(AccessOverride.authorized.rawValue)."
    }

    private var overrideReason: String {
        "It was started with \(AccessOverride.variable)=\(override?.rawValue ?? "")."
    }
}
