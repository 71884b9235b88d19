internal import Foundation

/// Why the gallery could not start.
enum GalleryError: LocalizedError {
    case pageMissing([String])
    case passwordTooShort
    case noCacheFolder(String)

    var errorDescription: String? {
        switch self {
        case .pageMissing(let paths):
            "The page of the gallery is missing; it is looked for in"
                + " \(paths.joined(separator: ", "))."
        case .passwordTooShort:
            "A gallery that is open to the network needs a password of eight characters at least."
        case .noCacheFolder(let path): "The folder \(path) for converted movies cannot be made."
        }
    }

    var recoverySuggestion: String? {
        switch self {
        case .pageMissing:
            "Install it with make install, or name its folder in $PHOTOS_GALLERY_PAGE."
        case .passwordTooShort: "Choose a longer one, or serve this machine alone."
        case .noCacheFolder: "Set $XDG_CACHE_HOME to a folder that can be written to."
        }
    }
}
