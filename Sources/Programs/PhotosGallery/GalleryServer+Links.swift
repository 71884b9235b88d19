public import Foundation
internal import Logging
internal import PhotosManagement

extension GalleryServer {
    /// Makes a link that lets one browser of this machine in, once.
    ///
    /// - Returns: nil before the server listens.
    public func makeLink() -> URL? { gallery.tokens.makeLink() }

    /// Writes a file that leads a browser in, once, so that no link has to stand on a command line.
    ///
    /// Its owner alone can read the file. It is removed when it was used, after two minutes, or when the
    /// server ends.
    ///
    /// - Returns: The file; nil before the server listens.
    /// - Throws: When the user's state folder cannot be written to.
    public func makeRedirectFile() throws -> URL? { try gallery.ways.makeFile(gallery.tokens) }

    /// Asks the running server of a library for a link, over a socket in the user's state folder.
    ///
    /// - Parameters:
    ///   - library: The library's folder.
    ///   - port: The server's port; nil where only one shows the library.
    /// - Returns: A link that was not used.
    /// - Throws: When no server of this user shows the library, or several do and `port` is nil.
    public static func newLink(for library: URL, port: Int? = nil) throws -> URL {
        try LinkSocket.ask(library: library, port: port)
    }
}

extension Gallery {
    /// Gives links to other programs of the user; a server that cannot works without.
    func openLinkSocket(port: Int) {
        do {
            let socket = try LinkSocket(library: everything.library.url, port: port) { [tokens] in
                tokens.makeLink()
            }
            ways.keep(socket)
        } catch {
            Logger(label: "photos.gallery").warning("\(error.localizedDescription)")
        }
    }
}
