internal import Logging
internal import PhotoModel

extension LibraryError {
    /// Returns the metadata of this error for a logger, without names and places unless it records
    /// the debug level.
    func metadata(for logger: Logger) -> Logger.Metadata {
        let text =
            logger.logLevel <= .debug
            ? description : LogText.withoutNames(description, paths: path.map { [$0] } ?? [])
        return ["photos.code": "\(code.rawValue)", "photos.error": "\(text)"]
    }
}
