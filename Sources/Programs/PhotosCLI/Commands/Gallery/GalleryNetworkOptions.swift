import ArgumentParser
import Foundation
import Glibc
import PhotosGallery

/// The options for access to the gallery from other machines.
struct GalleryNetworkOptions: ParsableArguments {
    @Flag(help: "Let other machines on the network connect, with a password.")
    var lan = false

    @Option(
        name: .customLong("name"),
        parsing: .singleValue,
        help: ArgumentHelp(
            "Another name of this machine on the network. Can be repeated.",
            valueName: "host"
        )
    )
    var names: [String] = []

    @Option(
        help: ArgumentHelp(
            "A file whose first line is the password for other machines.",
            valueName: "file"
        ),
        completion: .file()
    )
    var passwordFile: String?

    @Option(
        help: ArgumentHelp(
            "A file whose first line is a password for view-only access.",
            valueName: "file"
        ),
        completion: .file()
    )
    var viewPasswordFile: String?

    @Option(
        help: ArgumentHelp(
            "Encrypt --lan with this certificate (PEM, followed by its chain).",
            valueName: "file"
        ),
        completion: .file()
    )
    var tlsCert: String?

    @Option(
        help: ArgumentHelp(
            "The certificate's private key (PEM), readable only by its owner.",
            valueName: "file"
        ),
        completion: .file()
    )
    var tlsKey: String?

    @Option(
        help: ArgumentHelp(
            "The address at which a proxy on this machine serves the gallery.",
            valueName: "url"
        )
    )
    var behindProxy: String?

    @Option(
        help: ArgumentHelp(
            "Listen for the proxy on this socket instead of a port.",
            valueName: "path"
        ),
        completion: .file()
    )
    var unixSocket: String?

    private var hasViewPassword: Bool {
        viewPasswordFile != nil || GalleryPassword.hasViewPassword
    }

    /// `true` if browsers on other machines may connect.
    var isOpen: Bool { lan || behindProxy != nil }

    func validate() throws {
        if passwordFile != nil, !isOpen {
            throw ValidationError("--password-file requires --lan or --behind-proxy.")
        }
        if viewPasswordFile != nil, !isOpen {
            throw ValidationError("--view-password-file requires --lan or --behind-proxy.")
        }
        if !names.isEmpty, !lan { throw ValidationError("--name requires --lan.") }
        if let name = names.first(where: { !Self.isHostName($0) }) {
            throw ValidationError("--name takes a host name without a port, not “\(name)”.")
        }
        if lan, let name = Self.namesOfEnvironment.first(where: { !Self.isHostName($0) }) {
            throw ValidationError(
                "$\(Self.namesVariable) takes host names without a port, separated by spaces, not"
                    + " “\(name)”."
            )
        }
        guard (tlsCert == nil) == (tlsKey == nil) else {
            throw ValidationError("--tls-cert and --tls-key must be given together.")
        }
        if tlsCert != nil, !lan {
            throw ValidationError("--tls-cert and --tls-key require --lan.")
        }
        if unixSocket != nil, behindProxy == nil || lan {
            throw ValidationError("--unix-socket requires --behind-proxy without --lan.")
        }
        for path in [passwordFile, viewPasswordFile, tlsCert, tlsKey, unixSocket] {
            if let path { try TextPath.check(path) }
        }
    }

    private static let namesVariable = "PHOTOS_GALLERY_NAMES"

    /// The names of this machine in the environment, in addition to those of `--name`.
    private static var namesOfEnvironment: [String] {
        let text = ProcessInfo.processInfo.environment[namesVariable] ?? ""
        return text.split(separator: " ").map(String.init)
    }

    private static func isHostName(_ text: String) -> Bool {
        !text.isEmpty && !text.contains(":") && !text.contains("/")
    }

    /// Copies the command's options to the gallery's options, and prompts for the password if none
    /// is given.
    func apply(to options: inout GalleryServer.Options) throws {
        guard isOpen else { return }
        options.isOpenToNetwork = lan
        options.hostNames = names + (lan ? Self.namesOfEnvironment : [])
        if let tlsCert, let tlsKey { options.tls = TLSFiles(certificate: tlsCert, key: tlsKey) }
        if let behindProxy {
            guard let url = URL(string: behindProxy) else {
                throw ValidationError(
                    "--behind-proxy takes an address such as https://photos.example.org."
                )
            }
            options.publicURL = url
        }
        options.socketPath = unixSocket
        options.password = try GalleryPassword.read(file: passwordFile)
        options.viewPassword = try GalleryPassword.readForViewing(file: viewPasswordFile)
    }

    /// Prints who may connect to the gallery, and how.
    func report(_ address: GalleryServer.Address) {
        guard isOpen else { return }
        let links = address.networkLinks.map(\.absoluteString)
        let password =
            "the password" + (hasViewPassword ? ", or view it with the view password" : "")
        if lan {
            let warning = tlsCert == nil ? " Connections are not encrypted." : ""
            StandardError.shared.say(
                "photos: Every machine on your network can open \(links.joined(separator: " or "))"
                    + " with \(password).\(warning)"
            )
        } else {
            let warning =
                links.first?.hasPrefix("http:") ?? false
                ? " Connections to the proxy are not encrypted." : ""
            let place = unixSocket.map { " at \($0)" } ?? " on port \(address.port)"
            StandardError.shared.say(
                "photos: The gallery waits for the proxy\(place). Everyone who can reach"
                    + " \(links.joined()) can open it with \(password).\(warning)"
            )
        }
        // Only the address without a token is shown, because other people may see the screen.
        links.first.flatMap { QRCode($0) }?.show()
    }
}

/// Reads the passwords of a gallery that other machines can reach.
///
/// A password cannot be given on the command line, which other users of the machine can read.
enum GalleryPassword {
    private static let minimum = 8

    /// Returns the password that grants all rights.
    static func read(file: String?) throws -> String {
        let password: String
        if let given = try given(file, "PHOTOS_GALLERY_PASSWORD") {
            password = given
        } else if let typed = ask() {
            password = typed
        } else {
            throw ValidationError(
                "Other machines need a password. Give it in $PHOTOS_GALLERY_PASSWORD, with"
                    + " --password-file, or on a terminal."
            )
        }
        return try checked(password)
    }

    /// Returns the password for view-only access; nil if none is given.
    static func readForViewing(file: String?) throws -> String? {
        try given(file, viewVariable).map(checked)
    }

    static var hasViewPassword: Bool {
        ProcessInfo.processInfo.environment[viewVariable] != nil
    }

    private static let viewVariable = "PHOTOS_GALLERY_VIEW_PASSWORD"

    /// Returns the first line of a file or, without a file, the value of an environment variable.
    private static func given(_ file: String?, _ variable: String) throws -> String? {
        guard let file else { return ProcessInfo.processInfo.environment[variable] }
        guard let text = try? String(contentsOfFile: file, encoding: .utf8) else {
            throw ValidationError("The password file \(file) cannot be read.")
        }
        return String(text.prefix { !$0.isNewline })
    }

    private static func checked(_ password: String) throws -> String {
        guard password.count >= minimum else {
            throw ValidationError(
                "A password for other machines must have at least \(minimum) characters."
            )
        }
        return password
    }

    /// Prompts for a password and returns it; returns nil without a terminal.
    ///
    /// The terminal does not show the typed characters.
    private static func ask() -> String? {
        guard isatty(STDIN_FILENO) == 1, isatty(STDERR_FILENO) == 1 else { return nil }
        guard let typed = getpass("Password for other machines: ") else { return nil }
        return String(cString: typed)
    }
}
