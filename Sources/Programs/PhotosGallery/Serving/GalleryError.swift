internal import Foundation
internal import Glibc
internal import NIOCore

/// The errors that prevent the gallery from starting or from issuing a one-time sign-in link.
enum GalleryError: LocalizedError {
    case pageMissing([String])
    case passwordTooShort
    case viewPasswordWithoutNetwork
    case equalPasswords
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

    /// Creates the error for a server that cannot listen at its address.
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
            "The gallery's page was not found in"
                + " \(paths.joined(separator: ", "))."
        case .passwordTooShort:
            "A gallery on the network requires a password of at least eight characters."
        case .viewPasswordWithoutNetwork:
            "A view-only password requires a gallery on the network."
        case .equalPasswords: "The view-only password must differ from the other password."
        case .noLinkFolder(let path): "\(path) must be a private folder that you own."
        case .noSocket(let reason): "No socket could be created: \(reason)."
        case .notServed(let path, let port):
            "No gallery of \(path) is running" + (port.map { " on port \($0)." } ?? ".")
        case .servedTwice(let ports):
            "Several galleries serve this library, on the ports"
                + " \(ports.map(String.init).joined(separator: ", "))."
        case .portInUse(let port): "The gallery cannot be served: port \(port) is in use."
        case .cannotListen(let port, let reason):
            "The gallery cannot be served on port \(port): \(reason)."
        case .socketInUse(let path):
            "The gallery cannot be served: another program is listening at \(path)."
        case .cannotListenAtSocket(let path, let reason):
            "The gallery cannot be served at \(path): \(reason)."
        case .socketWithoutProxy:
            "A gallery on a socket is reached through a proxy, whose address is unknown."
        case .noPublicAddress(let text): "\(text) is not a valid address for a proxy."
        case .unreadableFile(let path, let reason): "The file \(path) cannot be read: \(reason)."
        case .openKey(let path): "Other users can read the key \(path)."
        case .badCertificate(let path, let reason):
            "The certificate \(path) cannot be used: \(reason)."
        case .badKey(let path): "\(path) has no unencrypted private key in PEM format."
        case .keyOfAnotherCertificate(let key, let certificate):
            "The key \(key) does not belong to the certificate \(certificate)."
        }
    }

    var recoverySuggestion: String? {
        switch self {
        case .pageMissing:
            "Install it with make install, or set $PHOTOS_GALLERY_PAGE to its folder."
        case .passwordTooShort: "Choose a longer password, or serve only this computer."
        case .viewPasswordWithoutNetwork: "Add --lan or --behind-proxy."
        case .equalPasswords: "Choose another view-only password."
        case .noLinkFolder: "Set $XDG_STATE_HOME to a writable folder that you own."
        case .noSocket: "Close programs that have many files open."
        case .notServed: "Start one with photos serve."
        case .servedTwice: "Select one with --port."
        case .portInUse: "Choose another port with --port, or 0 for any free one."
        case .cannotListen: "Choose another port with --port. Ports below 1024 require root."
        case .socketInUse: "Quit the other program, or choose another path with --unix-socket."
        case .cannotListenAtSocket:
            "Choose a path of at most about 100 bytes with --unix-socket, in a folder that you own."
        case .socketWithoutProxy: "Give the proxy's address with --behind-proxy."
        case .noPublicAddress:
            "Give a scheme, an ASCII host and an optional port: https://photos.example.org:8443."
        case .unreadableFile: "Choose a file that you can read."
        case .openKey(let path): "Run chmod 600 \(path)"
        case .badCertificate: "Choose a PEM file that begins with -----BEGIN CERTIFICATE-----."
        case .badKey(let path):
            "Convert it with openssl pkey -in \(path) -out KEY and chmod 600 KEY."
        case .keyOfAnotherCertificate: "Choose the key that belongs to the certificate."
        }
    }
}
