public import Foundation
internal import Logging
internal import PhotosManagement

extension GalleryServer {
    /// Creates a link with which one browser on this machine can sign in once.
    ///
    /// - Returns: The link; nil before the server listens.
    public func makeLink() -> URL? { gallery.tokens.makeLink() }

    /// Writes a redirect file: an HTML file with which one browser can sign in once.
    ///
    /// Unlike a link, it does not make the token visible on a command line. Only its owner can read
    /// the file. It is removed when it is used, after two minutes, or when the server stops.
    ///
    /// - Returns: The file's URL; nil before the server listens.
    /// - Throws: When the user's state folder cannot be written to.
    public func makeRedirectFile() throws -> URL? { try gallery.ways.makeFile(gallery.tokens) }

    /// Requests a one-time sign-in link from the running server of a library, over a socket in the
    /// user's state folder.
    ///
    /// - Parameters:
    ///   - library: The library's folder.
    ///   - port: The server's port; nil if only one server serves the library.
    /// - Returns: An unused link.
    /// - Throws: When no server of this user serves the library, or several do and `port` is nil.
    public static func newLink(for library: URL, port: Int? = nil) throws -> URL {
        try LinkSocket.ask(library: library, port: port)
    }
}

extension Gallery {
    /// Opens the socket that issues one-time sign-in links to other programs of the user.
    ///
    /// A failure is logged, and the server then works without the socket.
    func openLinkSocket(port: Int) {
        do {
            let socket = try LinkSocket(library: everything.library.url, port: port) { [tokens] in
                tokens.makeLink()
            }
            ways.keep(socket)
        } catch {
            let logger = Logger(label: "photos.gallery")
            let text = error.localizedDescription
            logger.warning(
                "Other programs of this user cannot get links of this gallery.",
                metadata: [
                    "gallery.error": logger.logLevel <= .debug ? "\(text)" : "<private>"
                ]
            )
        }
    }
}
