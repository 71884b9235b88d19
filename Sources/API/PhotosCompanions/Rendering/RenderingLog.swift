internal import Logging

/// Where it is written why a call without an error of its own gave nothing.
enum RenderingLog {
    private static let logger = Logger(label: "photos.coreimage")

    static func record(_ error: CIRenderingError) {
        logger.error("\(error.line)")
    }
}
