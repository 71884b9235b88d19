internal import EmbeddedLibrary
internal import LibraryService
internal import PhotoModel
internal import Photos

/// The one place where this module reaches behind PhotoKit's names.
enum PhotosBridge {
    /// The path of the library that PhotoKit's classes stand for when nobody chooses.
    static var standardPath: String { EmbeddedLibrary.defaultPath }

    /// A way for PhotoKit's classes to a library that is open.
    ///
    /// Hears what others hear.
    static func connection(to service: any LibraryService) -> LibraryConnection {
        LibraryConnection(to: service, logger: LibraryConnection.current.logger)
    }

    /// PhotoKit's error for the engine's.
    static func error(_ error: LibraryError) -> PHPhotosError { PHPhotosError(error) }

    /// The engine's error inside of one of PhotoKit's.
    static func engineError(in error: any Error) -> LibraryError? {
        (error as? PHPhotosError)?.libraryError ?? error as? LibraryError
    }
}

/// Runs a call of the engine and throws PhotoKit's error for the engine's.
func edge<Result>(_ body: () throws(LibraryError) -> Result) throws -> Result {
    do throws(LibraryError) {
        return try body()
    } catch {
        throw PHPhotosError(error)
    }
}
