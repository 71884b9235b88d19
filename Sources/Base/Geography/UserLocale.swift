package import Foundation
internal import PhotoModel

/// The language in which a user reads names of countries and dates.
package enum UserLocale {
    /// As POSIX has it (`LC_ALL`, `LC_MESSAGES`, `LANG`); English where nothing says another one.
    package static var current: Locale {
        let names = ["LC_ALL", "LC_MESSAGES", "LANG"]
        let name = names.lazy.compactMap(SmartAlbum.Language.environment).first { !$0.isEmpty }
        let code = name?.prefix { $0.isLetter || $0 == "_" } ?? ""
        return Locale(identifier: ["", "C", "POSIX"].contains(code) ? "en" : String(code))
    }
}
