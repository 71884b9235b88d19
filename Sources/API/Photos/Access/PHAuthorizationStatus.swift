package import ProgramAccess

/// What a program may do with the photo library.
public enum PHAuthorizationStatus: Int, Hashable, Sendable {
    /// Nobody has been asked yet.
    case notDetermined = 0
    /// A policy of the computer forbids it; its user cannot lift that.
    case restricted = 1
    /// The user said no.
    case denied = 2
    /// The user said yes.
    case authorized = 3
    /// The user chose which assets the program may see.
    case limited = 4
}

extension PHAuthorizationStatus {
    /// The status of a choice.
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

    /// The status as programs know it that were written before there were limited libraries.
    var withoutLimit: PHAuthorizationStatus { self == .limited ? .authorized : self }
}

/// A client's handler on its way to the queue.
///
/// Unchecked because PhotoKit's handler is not marked as Sendable: it is called once, and whoever
/// hands it over promises that it may be elsewhere.
struct AuthorizationHandler: @unchecked Sendable {
    let body: (PHAuthorizationStatus) -> Void
}
