package import PhotoModel

/// Why a program may not do something, in words for whoever reads the error.
extension ClientProgram {
    /// What a person can run to permit everything.
    package var remedy: String { "photos access grant \(identity.shellWord)" }

    /// Why a program may not do everything, when a status is all that there is to say.
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

    /// Why a program that may add to the library may not do more.
    package var refusalOfReading: LibraryError {
        LibraryError(
            .accessDenied,
            "\(identity.quotedName) may add to the photo library, and not see or change it.",
            reason: override == nil ? "No more was permitted." : overrideReason,
            recovery: override == nil ? "Run \(remedy)." : overrideRemedy
        )
    }

    /// Why a program that may see assets may not see hidden ones.
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

    /// What helps where the environment decides: choices are not looked at then.
    private var overrideRemedy: String {
        "Start it without \(AccessOverride.variable), or with"
            + " \(AccessOverride.variable)=\(AccessOverride.authorized.rawValue)."
    }

    private var overrideReason: String {
        "It was started with \(AccessOverride.variable)=\(override?.rawValue ?? "")."
    }
}
