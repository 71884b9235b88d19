internal import Foundation
internal import Glibc

/// An HTML file that signs a browser in by redirecting it to a one-time link.
///
/// So the link does not appear on a command line, which other users can read. Only the file's owner
/// can read it. The file is removed when the link is used, when it expires, or when the server
/// stops.
final class RedirectFile: Sendable {
    /// The time after which the file and its link expire.
    static let patience = Duration.seconds(120)

    let url: URL

    /// Chooses a random name for the file, which ``write(_:)`` creates.
    ///
    /// - Throws: ``GalleryError`` when its folder cannot be created.
    init() throws {
        let folder = try LinkFolder()
        let name = "open-\(Secret.make().prefix(16)).html"
        url = URL(filePath: folder.path + "/" + name, directoryHint: .notDirectory)
    }

    /// Writes an HTML page that redirects to a link.
    ///
    /// - Throws: ``GalleryError`` when the file cannot be written.
    func write(_ link: URL) throws {
        let address = link.absoluteString
        let path = url.path(percentEncoded: false)
        let page = """
            <!doctype html>
            <html lang="en">
            <head>
            <meta charset="utf-8">
            <meta name="referrer" content="no-referrer">
            <meta http-equiv="refresh" content="0; url=\(address)">
            <title>Photos</title>
            </head>
            <body><p><a href="\(address)">Open the gallery</a></p></body>
            </html>

            """
        let file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard file >= 0 else { throw GalleryError.noLinkFolder(path) }
        let bytes = Array(page.utf8)
        let count = Glibc.write(file, bytes, bytes.count)
        close(file)
        guard count == bytes.count else {
            remove()
            throw GalleryError.noLinkFolder(path)
        }
    }

    /// Removes the file; it is not an error if it does not exist.
    func remove() { unlink(url.path(percentEncoded: false)) }
}
