internal import Logging

/// The log for errors of calls that can't throw.
enum RenderingLog {
    private static let logger = Logger(label: "photos.coreimage")

    static func record(_ error: CIRenderingError) {
        logger.error("\(error.line)")
    }
}
