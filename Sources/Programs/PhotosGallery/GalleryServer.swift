public import Foundation
internal import HTTPTypes
internal import Hummingbird
internal import HummingbirdCore
internal import HummingbirdTLS
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
        /// What browsers of other machines are asked for; kept as a hash.
        public var password: String?
        /// What lets browsers of other machines in to view only, kept as a hash; nil for nothing.
        public var viewPassword: String?
        /// Names besides its own that browsers may call the machine by, where others may connect.
        public var hostNames: [String] = []
        /// The certificate and key that it encrypts with; nil for plain HTTP.
        public var tls: TLSFiles?
        /// The address by which browsers reach it through a proxy on this machine, without a path.
        ///
        /// Only then are forwarding headers believed, and only of connections from this machine.
        public var publicURL: URL?
        /// Where it listens for a proxy instead of at a port: a socket in the file system.
        public var socketPath: String?
        /// Whether SIGINT and SIGTERM end it.
        public var stopsOnSignals = true
        /// How long no browser shows it, and no work goes on, before it ends by itself; nil for never.
        public var idleTimeout: Duration?
        /// Where movies lie that were converted for browsers; nil for the user's cache folder.
        public var cacheFolder: URL?

        /// For this machine alone, at any free port.
        public init() {}

        /// Whether browsers of other machines can reach it.
        var isOpen: Bool { isOpenToNetwork || publicURL != nil }
    }

    /// Where the gallery is.
    public struct Address: Sendable, Hashable {
        /// The port that it listens at; 0 for a socket in the file system.
        public var port: Int
        /// The link that lets one browser of this machine in, once.
        ///
        /// That browser can do with the library what its owner can, until the server or its session ends.
        /// ``GalleryServer/makeLink()`` makes others.
        public var link: URL
        /// Where other machines find it, by addresses and names; empty unless they may connect.
        ///
        /// The first is the one that works in most cases. None has a secret.
        public var networkLinks: [URL]
    }

    let gallery: Gallery
    private let listening: Listening
    private let proxied: PublicAddress?
    private let encryption: TLSConfiguration?

    /// Prepares to serve a library; nothing listens before ``run(whenReady:)``.
    ///
    /// - Parameters:
    ///   - library: What is shown.
    ///   - options: How.
    /// - Throws: When the page's files are missing, other machines may connect without a password of eight
    ///   characters at least, the view-only password is shorter or the same, the certificate's files cannot be used, or the library cannot be read.
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

    /// Serves until a signal ends the process, the task is cancelled, or it was idle for as long as the options
    /// say.
    ///
    /// What is being answered then is finished; uploads go on where they were when they are sent again.
    ///
    /// - Parameter whenReady: Told where it listens, once it does.
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
        logger.logLevel = .error
        let disconnects = gallery.disconnects
        let options = gallery.options
        let plain = HTTPServerBuilder.http1(
            configuration: HTTP1Channel.Configuration(
                additionalChannelHandlers: [
                    disconnects.handler(), SilentConnectionHandler(patience: .seconds(10)),
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
