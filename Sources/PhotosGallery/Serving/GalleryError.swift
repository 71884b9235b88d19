internal import Foundation

/// Why the gallery could not start.
enum GalleryError: LocalizedError {
    case pageMissing([String])

    var errorDescription: String? {
        switch self {
        case .pageMissing(let paths):
            "The page of the gallery is missing; it is looked for in \(paths.joined(separator: ", "))."
        }
    }

    var recoverySuggestion: String? {
        switch self {
        case .pageMissing:
            "Install it with make install, or name its folder in $PHOTOS_GALLERY_PAGE."
        }
    }
}
