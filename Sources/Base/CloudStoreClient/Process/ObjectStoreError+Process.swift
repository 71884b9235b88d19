internal import Glibc
internal import ObjectStorage
internal import StoreProtocol

extension ObjectStoreError {
    private static let installation =
        "Install the photos-cloud that belongs to this program: install the package completely, run"
        + " `make install` in its source folder, or set PHOTOS_CLOUD."

    static func missingProgram(_ path: String?) -> ObjectStoreError {
        ObjectStoreError(
            .programUnavailable,
            path.map { "The program photos-cloud is not at \($0)." }
                ?? "The program photos-cloud, which reaches cloud libraries, is not installed.",
            recovery: installation
        )
    }

    static func otherVersion(_ path: String, found: Int) -> ObjectStoreError {
        ObjectStoreError(
            .programUnavailable,
            "photos-cloud at \(path) uses version \(found) of the protocol, but this program uses"
                + " \(StoreProtocolVersion.current).",
            recovery: installation
        )
    }

    static func foreignProgram(_ path: String) -> ObjectStoreError {
        notStarted(path, reason: "It is not a photos-cloud of this version.")
    }

    static func notStarted(_ path: String, _ number: Int32) -> ObjectStoreError {
        notStarted(path, reason: String(cString: strerror(number)))
    }

    static func notStarted(_ path: String, reason: String) -> ObjectStoreError {
        ObjectStoreError(
            .programUnavailable,
            "photos-cloud at \(path) cannot be started.",
            reason: reason,
            recovery: installation
        )
    }

    static let lostProcess = ObjectStoreError(
        .unreachable,
        "photos-cloud ended before it answered.",
        recovery: "Try again; the program is then started again."
    )

    static let confusedProcess = ObjectStoreError(
        .unexpectedAnswer,
        "photos-cloud answered something that violates the protocol.",
        recovery: "Reinstall this program, and report the failure if it is repeated."
    )

    static let unansweredCancellation = ObjectStoreError(
        .timedOut,
        "photos-cloud did not answer, and was ended.",
        recovery: "Check the connection to the store, and try again."
    )

    static let closedStore = ObjectStoreError(
        .cancelled,
        "The store was closed.",
        recovery: "Open it again if it is still needed."
    )
}
