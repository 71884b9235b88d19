internal import Logging
internal import PhotoModel

extension LibraryError {
    /// Returns this error as metadata for a log message.
    ///
    /// Names and places are removed unless the logger records the debug level.
    func metadata(for logger: Logger) -> Logger.Metadata {
        let text =
            logger.logLevel <= .debug
            ? description : LogText.withoutNames(description, paths: path.map { [$0] } ?? [])
        return ["photos.code": "\(code.rawValue)", "photos.error": "\(text)"]
    }
}
