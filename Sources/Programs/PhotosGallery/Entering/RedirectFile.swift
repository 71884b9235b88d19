internal import Foundation
internal import Glibc

/// A file that leads a browser in, so that no link stands on a command line, which other users can read.
///
/// Its owner alone can read it. It is removed when its link was used, after a while, or with the server.
final class RedirectFile: Sendable {
    /// How long a browser may take to begin.
    static let patience = Duration.seconds(120)

    let url: URL

    /// Chooses a name; ``write(_:)`` makes the file.
    ///
    /// - Throws: ``GalleryError`` when there is no folder for it.
    init() throws {
        let folder = try LinkFolder()
        let name = "open-\(Secret.make().prefix(16)).html"
        url = URL(filePath: folder.path + "/" + name, directoryHint: .notDirectory)
    }

    /// Writes the file.
    ///
    /// - Throws: ``GalleryError`` when the folder cannot be written to.
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

    /// Removes it; a file that is gone already is none.
    func remove() { unlink(url.path(percentEncoded: false)) }
}
