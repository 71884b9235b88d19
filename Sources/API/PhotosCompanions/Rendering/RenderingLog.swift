internal import Logging
internal import PhotoModel

/// The log for errors in functions that can't throw.
enum RenderingLog {
    private static let logger = Logger(label: "photos.coreimage")

    static func record(_ error: CIRenderingError) {
        let line = error.line
        let text = logger.logLevel <= .debug ? line : LogText.withoutNames(line)
        logger.error("A picture was not rendered.", metadata: ["coreimage.error": "\(text)"])
    }
}
