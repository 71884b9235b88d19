internal import EmbeddedLibrary
internal import LibraryService
internal import PhotoModel
internal import Photos

/// Helpers that connect PhotoKit's classes to an open library and convert their errors.
enum PhotosBridge {
    /// The path of the library that PhotoKit's classes use by default.
    static var standardPath: String { EmbeddedLibrary.defaultPath }

    /// Returns a connection of PhotoKit's classes to an open library.
    ///
    /// It uses the logger of the current connection.
    static func connection(to service: any LibraryService) -> LibraryConnection {
        LibraryConnection(to: service, logger: LibraryConnection.current.logger)
    }

    /// Returns the PhotoKit error for an engine error.
    static func error(_ error: LibraryError) -> PHPhotosError { PHPhotosError(error) }

    /// Returns the engine error inside a PhotoKit error.
    static func engineError(in error: any Error) -> LibraryError? {
        (error as? PHPhotosError)?.libraryError ?? error as? LibraryError
    }
}

/// Runs an engine call and converts its error to a PhotoKit error.
func edge<Result>(_ body: () throws(LibraryError) -> Result) throws -> Result {
    do throws(LibraryError) {
        return try body()
    } catch {
        throw PHPhotosError(error)
    }
}
