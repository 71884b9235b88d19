internal import Foundation
internal import HTTPTypes
internal import Hummingbird
internal import Logging
internal import NIOCore
public import PhotosManagement

/// Serves a library to browsers on this machine.
public struct GalleryServer: Sendable {
    private let library: PhotoLibraryBundle
    private let page: GalleryPage
    private let port: Int

    /// Prepares to serve a library; nothing listens before ``run(whenReady:)``.
    ///
    /// - Parameters:
    ///   - library: What is shown.
    ///   - port: Where to listen; 0 for any free port.
    /// - Throws: When the page's files are missing.
    public init(library: PhotoLibraryBundle, port: Int = 0) throws {
        self.library = library
        self.port = port
        page = try GalleryPage()
    }

    /// Serves until the process is asked to end or the task is cancelled.
    ///
    /// - Parameter whenReady: Told of the port once it listens.
    /// - Throws: When it cannot listen.
    public func run(whenReady: @escaping @Sendable (Int) async -> Void) async throws {
        let router = Router()
        let files = page.files
        router.get("/") { _, _ -> Response in
            guard let file = files["index.html"] else { return Response(status: .notFound) }
            var headers = HTTPFields()
            headers[.contentType] = file.type
            headers[.eTag] = file.tag
            return Response(
                status: .ok,
                headers: headers,
                body: ResponseBody(byteBuffer: ByteBuffer(bytes: file.bytes))
            )
        }
        var logger = Logger(label: "photos.gallery")
        logger.logLevel = .warning
        let application = Application(
            router: router,
            configuration: ApplicationConfiguration(address: .hostname("127.0.0.1", port: port)),
            onServerRunning: { channel in await whenReady(channel.localAddress?.port ?? 0) },
            logger: logger
        )
        try await application.runService()
    }
}
