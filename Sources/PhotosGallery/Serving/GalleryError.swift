internal import Foundation
internal import Glibc
internal import NIOCore

/// Why the gallery could not start.
enum GalleryError: LocalizedError {
    case pageMissing([String])
    case passwordTooShort
    case noCacheFolder(String)
    case noLinkFolder(String)
    case noSocket(String)
    case notServed(String, port: Int?)
    case servedTwice([Int])
    case portInUse(Int)
    case cannotListen(port: Int, reason: String)

    /// Explains why a server could not listen.
    init(listeningAt port: Int, _ error: IOError) {
        self =
            error.errnoCode == EADDRINUSE
            ? .portInUse(port)
            : .cannotListen(port: port, reason: String(cString: strerror(error.errnoCode)))
    }

    var errorDescription: String? {
        switch self {
        case .pageMissing(let paths):
            "The page of the gallery is missing; it is looked for in"
                + " \(paths.joined(separator: ", "))."
        case .passwordTooShort:
            "A gallery that is open to the network needs a password of eight characters at least."
        case .noCacheFolder(let path): "The folder \(path) for converted movies cannot be made."
        case .noLinkFolder(let path): "\(path) cannot be written by you alone."
        case .noSocket(let reason): "No socket could be made: \(reason)."
        case .notServed(let path, let port):
            "No gallery of \(path) is running" + (port.map { " at port \($0)." } ?? ".")
        case .servedTwice(let ports):
            "Several galleries show this library, at the ports"
                + " \(ports.map(String.init).joined(separator: ", "))."
        case .portInUse(let port): "The gallery cannot be served: port \(port) is in use."
        case .cannotListen(let port, let reason):
            "The gallery cannot be served on port \(port): \(reason)."
        }
    }

    var recoverySuggestion: String? {
        switch self {
        case .pageMissing:
            "Install it with make install, or name its folder in $PHOTOS_GALLERY_PAGE."
        case .passwordTooShort: "Choose a longer one, or serve this machine alone."
        case .noCacheFolder: "Set $XDG_CACHE_HOME to a folder that can be written to."
        case .noLinkFolder: "Set $XDG_STATE_HOME to a folder of yours that can be written to."
        case .noSocket: "Close programs that have many files open."
        case .notServed: "Start one with photos serve."
        case .servedTwice: "Name one with --port."
        case .portInUse: "Choose another port with --port, or 0 for any free one."
        case .cannotListen: "Choose another port with --port; those below 1024 need root."
        }
    }
}
