internal import Foundation
internal import LibraryService

/// The access in the environment variable `PHOTOS_ACCESS`, which overrides the user's choice.
///
/// Use it in continuous integration, on servers and in development, where no user can be asked. The
/// process that starts a program determines its environment, so a daemon ignores the environment of
/// its clients.
package enum AccessOverride: String, Sendable, CaseIterable {
    case authorized
    /// Access including hidden assets.
    case authorizedWithHidden = "authorized,hidden"
    case addOnly = "add-only"
    case denied
    case restricted

    /// The name of the environment variable.
    package static let variable = "PHOTOS_ACCESS"

    /// Creates the override that environment variables state; nil if `PHOTOS_ACCESS` is absent or
    /// invalid.
    package init?(environment: [String: String]) {
        guard let text = environment[Self.variable] else { return nil }
        self.init(rawValue: text)
    }

    /// The override in this process's environment; nil if `PHOTOS_ACCESS` is absent or invalid.
    package static var current: AccessOverride? {
        AccessOverride(environment: ProcessInfo.processInfo.environment)
    }

    /// The access choice that has the same effect as the override.
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
