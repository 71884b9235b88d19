package import Foundation
internal import PhotoModel

/// The locale for the names of countries and for dates.
package enum UserLocale {
    /// The user's locale according to POSIX (`LC_ALL`, `LC_MESSAGES`, `LANG`); English by default.
    package static var current: Locale {
        let names = ["LC_ALL", "LC_MESSAGES", "LANG"]
        let name = names.lazy.compactMap(SmartAlbum.Language.environment).first { !$0.isEmpty }
        let code = name?.prefix { $0.isLetter || $0 == "_" } ?? ""
        return Locale(identifier: ["", "C", "POSIX"].contains(code) ? "en" : String(code))
    }
}
