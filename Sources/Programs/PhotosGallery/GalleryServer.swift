public import Foundation
internal import HTTPTypes
internal import Hummingbird
internal import HummingbirdCore
internal import HummingbirdTLS
internal import Logging
internal import NIOCore
public import PhotosManagement

/// Serves a library to browsers: a page, and the routes that the page requests.
///
/// The server is a client of `Photos` and `PhotosManagement` like any other program. Unless the
/// options say otherwise, only browsers on this machine that have the link may connect.
public struct GalleryServer: Sendable {
    /// The options of a server.
    public struct Options: Sendable {
        /// The port to listen on; 0 for any free port.
        public var port = 0
        /// Indicates whether browsers on other machines of the network may connect, with a
        /// password.
        public var isOpenToNetwork = false
        /// The password for browsers on other machines; the server checks attempts against a salted
        /// hash of the password.
        public var password: String?
        /// The password that grants view-only access; nil to disable such access.
        ///
        /// The server checks attempts against a salted hash of the password.
        public var viewPassword: String?
        /// Additional host names under which browsers on other machines may address this machine.
        public var hostNames: [String] = []
        /// The certificate and key for TLS; nil for plain HTTP.
        public var tls: TLSFiles?
        /// The address, without a path, at which browsers reach the server through a proxy on this
        /// machine.
        ///
        /// Forwarding headers are trusted only if it is set, and only from connections of this
        /// machine.
        public var publicURL: URL?
        /// The path of a Unix socket to listen on for a proxy, instead of a port.
        public var socketPath: String?
        /// Indicates whether SIGINT and SIGTERM stop the server.
        public var stopsOnSignals = true
        /// The time after which an idle server stops; nil to never stop.
        ///
        /// A server is idle without open pages and running work.
        public var idleTimeout: Duration?
        /// The folder of the cache of converted movies; nil for the user's cache folder.
        public var cacheFolder: URL?

        /// Creates options for access from this machine only, on any free port.
        public init() {}

        /// `true` if browsers on other machines can reach the server.
        var isOpen: Bool { isOpenToNetwork || publicURL != nil }
    }

    /// The addresses of a running server.
    public struct Address: Sendable, Hashable {
        /// The port on which the server listens; 0 for a Unix socket.
        public var port: Int
        /// The link with which one browser on this machine can sign in once.
        ///
        /// That browser has all rights of the library's owner until the server or its session ends.
        /// ``GalleryServer/makeLink()`` makes further links.
        public var link: URL
        /// The URLs at which other machines reach the server; empty if they may not connect.
        ///
        /// The first URL is the most likely to work. No URL contains a secret.
        public var networkLinks: [URL]
    }

    let gallery: Gallery
    private let listening: Listening
    private let proxied: PublicAddress?
    private let encryption: TLSConfiguration?

    /// Prepares to serve a library; the server listens once ``run(whenReady:)`` is called.
    ///
    /// - Parameters:
    ///   - library: The library to serve.
    ///   - options: The options of the server.
    /// - Throws: When the page's files are missing, other machines may connect without a password
    ///   of at least eight characters, the view-only password is shorter than that or equal to the
    ///   password, options are set without those that they need, the certificate's files cannot be
    ///   used, or the library cannot be read.
    public init(library: PhotoLibraryBundle, options: Options = Options()) throws {
        if options.isOpen, options.password?.count ?? 0 < 8 {
            throw GalleryError.passwordTooShort
        }
        if let viewPassword = options.viewPassword {
            guard options.isOpen else { throw GalleryError.viewPasswordWithoutNetwork }
            guard viewPassword.count >= 8 else { throw GalleryError.passwordTooShort }
            guard viewPassword != options.password else { throw GalleryError.equalPasswords }
        }
        if options.socketPath != nil, options.publicURL == nil {
            throw GalleryError.socketWithoutProxy
        }
        listening = Listening(options)
        proxied = try options.publicURL.map(PublicAddress.init)
        encryption = try options.tls?.configuration()
        gallery = try Gallery(library: library, options: options)
    }

    /// Serves until a signal stops the process, the task is cancelled, or the idle timeout expires.
    ///
    /// Requests in progress are completed. Uploads that are sent again resume where they stopped.
    ///
    /// - Parameter whenReady: Called with the addresses once the server listens.
    /// - Throws: When it cannot listen, for example because the port is in use.
    public func run(whenReady: @escaping @Sendable (Address) async -> Void) async throws {
        let (gallery, listening, proxied) = (gallery, listening, proxied)
        try listening.prepare()
        gallery.start()
        defer { gallery.stop() }
        let router = Router(
            context: GalleryContext.self,
            options: .autoGenerateHeadEndpoints
        )
        Routes(gallery).add(to: router)
        let files = gallery.page.files
        let responder = AccessMiddleware(
            inner: router.buildResponder(),
            sessions: gallery.sessions,
            arrivals: Arrivals(
                hosts: OwnHosts(
                    isOpenToNetwork: gallery.options.isOpenToNetwork,
                    others: gallery.options.hostNames
                ),
                isEncrypted: encryption != nil,
                proxied: proxied
            ),
            errorPage: ErrorPage(gallery.page),
            isPublic: { PageRoutes.isPublic($0) },
            door: { request in PageRoutes.door(files, gallery.sessions, request) }
        )
        var logger = Logger(label: "photos.gallery")
        // The server's own records are only of use to those who search for a fault.
        if logger.logLevel > .debug { logger.logLevel = .error }
        let disconnects = gallery.disconnects
        let pictures = CachedPictures(gallery: gallery, logger: logger) { request, context in
            try? responder.admitted(request, context)
        }
        let options = gallery.options
        let plain = HTTPServerBuilder.http1(
            configuration: HTTP1Channel.Configuration(
                additionalChannelHandlers: [
                    CachedPictureInstaller(pictures), disconnects.handler(),
                    SilentConnectionHandler(patience: .seconds(10)),
                ],
                idleTimeout: .seconds(75)
            )
        )
        let application = Application(
            responder: responder,
            server: try Self.server(plain, encryption),
            configuration: ApplicationConfiguration(
                address: listening.address(port: options.port)
            ),
            onServerRunning: { channel in
                listening.open()
                let port = channel.localAddress?.port ?? 0
                let links = GalleryLinks(
                    options: options,
                    listening: listening,
                    proxied: proxied,
                    port: port
                )
                gallery.tokens.open(at: links.own + "/")
                gallery.openLinkSocket(port: port)
                guard let link = gallery.tokens.makeLink() else { return }
                await whenReady(Address(port: port, link: link, networkLinks: links.others))
            },
            logger: logger
        )
        defer { listening.end() }
        do {
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask {
                    if options.stopsOnSignals {
                        try await application.runService()
                    } else {
                        try await application.run()
                    }
                }
                if let patience = options.idleTimeout {
                    group.addTask { try await ClosingTime(of: gallery, patience: patience).wait() }
                }
                try await group.next()
                group.cancelAll()
            }
        } catch let error as IOError {
            throw GalleryError(listeningAt: listening, port: gallery.options.port, error)
        }
    }

    private static func server(
        _ plain: HTTPServerBuilder,
        _ encryption: TLSConfiguration?
    ) throws -> HTTPServerBuilder {
        guard let encryption else { return plain }
        return try .tls(plain, tlsConfiguration: encryption)
    }
}
