package import LibraryService

/// The authorization status of a program for the photo library.
public enum PHAuthorizationStatus: Int, Hashable, Sendable {
    /// The user has not been prompted yet.
    case notDetermined = 0
    /// A policy of the computer denies access, and the user cannot change that.
    case restricted = 1
    /// The user denied access.
    case denied = 2
    /// The user granted access.
    case authorized = 3
    /// The user granted access to selected assets.
    case limited = 4
}

extension PHAuthorizationStatus {
    /// Creates the PhotoKit status for the engine's access status.
    package init(_ status: AccessStatus) {
        self =
            switch status {
            case .notDetermined: .notDetermined
            case .restricted: .restricted
            case .denied: .denied
            case .authorized: .authorized
            case .limited: .limited
            }
    }

    /// The status with `limited` replaced by `authorized`, for programs that do not support limited
    /// access.
    var withoutLimit: PHAuthorizationStatus { self == .limited ? .authorized : self }
}

/// Wraps a client's handler so that it can be called on another thread.
///
/// Unchecked because PhotoKit's handler is not marked as Sendable. It is called once, and the
/// client promises that it may be called on another thread.
struct AuthorizationHandler: @unchecked Sendable {
    let body: (PHAuthorizationStatus) -> Void
}
