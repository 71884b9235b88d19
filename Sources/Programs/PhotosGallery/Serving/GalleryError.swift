internal import Foundation
internal import Glibc
internal import NIOCore

/// The reasons why the gallery cannot start or cannot issue a link.
enum GalleryError: LocalizedError {
    case pageMissing([String])
    case passwordTooShort
    case viewPasswordWithoutNetwork
    case equalPasswords
    case noCacheFolder(String)
    case noLinkFolder(String)
    case noSocket(String)
    case notServed(String, port: Int?)
    case servedTwice([Int])
    case portInUse(Int)
    case cannotListen(port: Int, reason: String)
    case socketInUse(String)
    case cannotListenAtSocket(String, reason: String)
    case socketWithoutProxy
    case noPublicAddress(String)
    case unreadableFile(String, reason: String)
    case openKey(String)
    case badCertificate(String, reason: String)
    case badKey(String)
    case keyOfAnotherCertificate(String, String)

    /// Converts the error of a failed attempt to listen.
    init(listeningAt place: Listening, port: Int, _ error: IOError) {
        if case .socket(let path) = place {
            let reason = String(cString: strerror(error.errnoCode))
            self = .cannotListenAtSocket(path, reason: reason)
            return
        }
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
        case .viewPasswordWithoutNetwork:
            "A view-only password is for a gallery that is open to the network."
        case .equalPasswords: "The view-only password must differ from the other one."
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
        case .socketInUse(let path):
            "The gallery cannot be served: something else listens at \(path)."
        case .cannotListenAtSocket(let path, let reason):
            "The gallery cannot be served at \(path): \(reason)."
        case .socketWithoutProxy:
            "A gallery at a socket can be reached by a proxy alone, and its address is not known."
        case .noPublicAddress(let text): "\(text) is no address that a proxy can have."
        case .unreadableFile(let path, let reason): "The file \(path) cannot be read: \(reason)."
        case .openKey(let path): "Other users can read the key \(path)."
        case .badCertificate(let path, let reason):
            "The certificate \(path) cannot be used: \(reason)."
        case .badKey(let path): "\(path) has no private key in PEM that needs no passphrase."
        case .keyOfAnotherCertificate(let key, let certificate):
            "The key \(key) does not belong to the certificate \(certificate)."
        }
    }

    var recoverySuggestion: String? {
        switch self {
        case .pageMissing:
            "Install it with make install, or name its folder in $PHOTOS_GALLERY_PAGE."
        case .passwordTooShort: "Choose a longer one, or serve this machine alone."
        case .viewPasswordWithoutNetwork: "Open it with --lan or --behind-proxy."
        case .equalPasswords: "Choose another one for those who only view."
        case .noCacheFolder: "Set $XDG_CACHE_HOME to a folder that can be written to."
        case .noLinkFolder: "Set $XDG_STATE_HOME to a folder of yours that can be written to."
        case .noSocket: "Close programs that have many files open."
        case .notServed: "Start one with photos serve."
        case .servedTwice: "Name one with --port."
        case .portInUse: "Choose another port with --port, or 0 for any free one."
        case .cannotListen: "Choose another port with --port; those below 1024 need root."
        case .socketInUse: "End the other program, or choose another path with --unix-socket."
        case .cannotListenAtSocket:
            "Choose a path with --unix-socket in a folder of yours, of some hundred bytes at most."
        case .socketWithoutProxy: "Name the proxy's address with --behind-proxy."
        case .noPublicAddress:
            "It has a scheme, a host in ASCII and perhaps a port, as https://photos.example.org:8443."
        case .unreadableFile: "Name a file that you can read."
        case .openKey(let path): "Run chmod 600 \(path)"
        case .badCertificate: "Name a file in PEM that begins with -----BEGIN CERTIFICATE-----."
        case .badKey(let path):
            "Convert it with openssl pkey -in \(path) -out KEY and chmod 600 KEY."
        case .keyOfAnotherCertificate: "Name the files that were made together."
        }
    }
}
