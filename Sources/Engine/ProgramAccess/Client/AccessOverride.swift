internal import Foundation

/// What `$PHOTOS_ACCESS` says, in place of what was chosen: for continuous integration, servers and
/// developers, where nobody can be asked.
///
/// Whoever starts a program may say what it may do; a daemon does not ask its clients' environment.
package enum AccessOverride: String, Sendable, CaseIterable {
    case authorized
    /// Hidden assets, too.
    case authorizedWithHidden = "authorized,hidden"
    case addOnly = "add-only"
    case denied
    case restricted

    /// The name of the variable.
    package static let variable = "PHOTOS_ACCESS"

    /// What an environment says; nil when it says nothing, or nothing that is understood.
    package init?(environment: [String: String]) {
        guard let text = environment[Self.variable] else { return nil }
        self.init(rawValue: text)
    }

    /// What this process's environment says.
    package static var current: AccessOverride? {
        AccessOverride(environment: ProcessInfo.processInfo.environment)
    }

    /// The choice that it stands for.
    var choice: AccessChoice {
        switch self {
        case .authorized: AccessChoice(readWrite: .authorized, addOnly: .authorized)
        case .authorizedWithHidden:
            AccessChoice(readWrite: .authorized, addOnly: .authorized, includesHidden: true)
        case .addOnly: AccessChoice(readWrite: .denied, addOnly: .authorized)
        case .denied: AccessChoice(readWrite: .denied, addOnly: .denied)
        case .restricted: AccessChoice(readWrite: .restricted, addOnly: .restricted)
        }
    }
}
