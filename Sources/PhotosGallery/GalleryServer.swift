public import Foundation
internal import HTTPTypes
internal import Hummingbird
internal import HummingbirdCore
internal import Logging
internal import NIOCore
public import PhotosManagement

/// Shows a library in browsers: a page, and the routes that it needs.
///
/// It is a client of `Photos` and `PhotosManagement` like any other program. Only this machine may
/// connect, and only who has the link, unless the options say otherwise.
public struct GalleryServer: Sendable {
    /// How to serve.
    public struct Options: Sendable {
        /// Where to listen; 0 for any free port.
        public var port = 0
        /// Whether other machines of the network may connect; they are asked for the password.
        public var isOpenToNetwork = false
        /// What they are asked for; kept as a hash.
        public var password: String?
        /// Names besides its own that browsers may call the machine by, where others may connect.
        public var hostNames: [String] = []
        /// Whether SIGINT and SIGTERM end it.
        public var stopsOnSignals = true
        /// Where movies lie that were converted for browsers; nil for the user's cache folder.
        public var cacheFolder: URL?

        /// For this machine alone, at any free port.
        public init() {}
    }

    /// Where the gallery is.
    public struct Address: Sendable, Hashable {
        /// The port that it listens at.
        public var port: Int
        /// The link that lets one browser of this machine in, once.
        ///
        /// That browser can do with the library what its owner can, until the server or its session ends.
        /// ``GalleryServer/makeLink()`` makes others.
        public var link: URL
        /// Where other machines find it, by this one's addresses; empty unless they may connect.
        public var networkLinks: [URL]
    }

    let gallery: Gallery

    /// Prepares to serve a library; nothing listens before ``run(whenReady:)``.
    ///
    /// - Parameters:
    ///   - library: What is shown.
    ///   - options: How.
    /// - Throws: When the page's files are missing, the network may connect without a password of eight
    ///   characters at least, or the library cannot be read.
    public init(library: PhotoLibraryBundle, options: Options = Options()) throws {
        if options.isOpenToNetwork, options.password?.count ?? 0 < 8 {
            throw GalleryError.passwordTooShort
        }
        gallery = try Gallery(library: library, options: options)
    }

    /// Serves until a signal ends the process or the task is cancelled.
    ///
    /// What is being answered then is finished; uploads go on where they were when they are sent again.
    ///
    /// - Parameter whenReady: Told where it listens, once it does.
    /// - Throws: When it cannot listen, for example because the port is in use.
    public func run(whenReady: @escaping @Sendable (Address) async -> Void) async throws {
        let gallery = gallery
        gallery.start()
        defer { gallery.stop() }
        let router = Router(
            context: GalleryContext.self,
            options: .autoGenerateHeadEndpoints
        )
        Routes(gallery).add(to: router)
        let files = gallery.page.files
        let responder = Gatekeeper(
            inner: router.buildResponder(),
            sessions: gallery.sessions,
            hosts: OwnHosts(
                isOpenToNetwork: gallery.options.isOpenToNetwork,
                others: gallery.options.hostNames
            ),
            refusals: RefusalPage(gallery.page),
            isPublic: { PageRoutes.isPublic($0) },
            door: { request in PageRoutes.door(files, gallery.sessions, request) }
        )
        var logger = Logger(label: "photos.gallery")
        logger.logLevel = .error
        let host = gallery.options.isOpenToNetwork ? "0.0.0.0" : "127.0.0.1"
        let departures = gallery.departures
        let isOpen = gallery.options.isOpenToNetwork
        let application = Application(
            responder: responder,
            server: .http1(
                configuration: HTTP1Channel.Configuration(
                    additionalChannelHandlers: [
                        departures.handler(), SilentConnectionHandler(patience: .seconds(10)),
                    ],
                    idleTimeout: .seconds(75)
                )
            ),
            configuration: ApplicationConfiguration(
                address: .hostname(host, port: gallery.options.port)
            ),
            onServerRunning: { channel in
                let port = channel.localAddress?.port ?? 0
                gallery.tokens.open(at: "http://127.0.0.1:\(port)/")
                gallery.openLinkSocket(port: port)
                guard let link = gallery.tokens.makeLink() else { return }
                let addresses = isOpen ? NetworkAddresses.all : []
                await whenReady(
                    Address(
                        port: port,
                        link: link,
                        networkLinks: addresses.compactMap { URL(string: "http://\($0):\(port)/") }
                    )
                )
            },
            logger: logger
        )
        do {
            if gallery.options.stopsOnSignals {
                try await application.runService()
            } else {
                try await application.run()
            }
        } catch let error as IOError {
            throw GalleryError(listeningAt: gallery.options.port, error)
        }
    }
}
