import ArgumentParser
import Dispatch
import Foundation
import PhotosGallery
import PhotosJSON
import PhotosManagement

/// Serves the gallery.
struct ServeCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve",
        abstract: "Show the library in a browser.",
        discussion: """
            Prints a link and serves the gallery until Ctrl-C. Only this machine can connect, and \
            only a browser that signed in by a link; it can do everything with the library that \
            you can. A link works once. Press Return for another one, or run photos serve \
            --new-link in another terminal. The settings in the gallery list the signed-in \
            browsers. If there is no library at the path, one is created.

            With --lan, every machine on your network can connect and is asked for a password of \
            at least eight characters. It comes from $PHOTOS_GALLERY_PASSWORD, from the first line \
            of a file, or from a prompt on the terminal. Nothing is encrypted on the network, \
            including the password and the photos: do this at home and not in a café, or use a \
            certificate. Each machine may try ten wrong passwords per minute; they are logged with \
            its address. A terminal also shows the address as a QR code, which contains no secret. \
            Browsers have to use an address or a name of this machine. Further ones, such as the \
            address of the machine on which a container runs, are given with --name, or in \
            $PHOTOS_GALLERY_NAMES, separated by spaces.

            With --tls-cert and --tls-key, connections are encrypted. The machines have to trust \
            the certificate and use a name that is in it, given with --name. Renewed files are \
            read at the next start.

            With --behind-proxy, a proxy on this machine serves the gallery at the given address, \
            which has no path. Only this machine can connect, unless --lan is given, and browsers \
            are asked for the password. The proxy has to pass on the Host header or set \
            X-Forwarded-Host, and set X-Forwarded-For (or Forwarded), by which wrong passwords are \
            counted; it has to remove the one of the two that it does not set. These headers are \
            trusted only on connections from this machine.

            EXAMPLES
              photos serve
              photos serve --open
              photos serve --new-link
              photos serve --port 8080 --lan --password-file ~/.gallery-password
              photos serve --port 8443 --lan --name nas.example.org --tls-cert nas.pem --tls-key nas.key
              photos serve --port 8080 --behind-proxy https://photos.example.org
            """
    )

    @OptionGroup var location: LibraryOptions
    @OptionGroup var output: OutputOptions

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("The port to listen on; 0 for any free port.", valueName: "n")
    )
    var port = 0

    @Flag(
        name: .customLong("open"),
        help: "Open the gallery in your browser, by a file that only you can read."
    )
    var opensBrowser = false

    @Flag(help: "Print another link to the running gallery, without starting one.")
    var newLink = false

    @Option(
        help: ArgumentHelp(
            "Exit when no browser has shown the gallery for this many seconds; background tabs do not count.",
            valueName: "s"
        )
    )
    var idleTimeout: Int?

    @OptionGroup(title: "Other machines") var network: GalleryNetworkOptions

    func validate() throws {
        guard (0...65_535).contains(port) else {
            throw ValidationError("--port must be from 0 to 65535.")
        }
        if let idleTimeout, !(1...1_000_000).contains(idleTimeout) {
            throw ValidationError("--idle-timeout must be from 1 to 1000000 seconds.")
        }
        if newLink, network.isOpen || opensBrowser || idleTimeout != nil {
            throw ValidationError(
                "--new-link starts no gallery: do not combine it with --lan, --behind-proxy, --open or"
                    + " --idle-timeout."
            )
        }
        if port != 0, network.unixSocket != nil {
            throw ValidationError("--port cannot be combined with --unix-socket.")
        }
    }

    func run() throws {
        if newLink {
            let link = try GalleryServer.newLink(for: location.url, port: port == 0 ? nil : port)
            return try ServedLink(link).write(isJSON: output.json)
        }
        var options = GalleryServer.Options()
        options.port = port
        options.idleTimeout = idleTimeout.map(Duration.seconds)
        try network.apply(to: &options)
        let library = try location.openOrCreate()
        library.use()
        let server = try GalleryServer(library: library, options: options)
        let told = (isJSON: output.json, network: network, opens: opensBrowser)
        Task {
            do {
                try await server.run { address in
                    Self.report(address, isJSON: told.isJSON, network: told.network)
                    if told.opens { Browser.open(server) }
                    ReturnKey.whenPressed {
                        guard let link = server.makeLink() else { return }
                        try? ServedLink(link).write(isJSON: told.isJSON)
                    }
                }
                ExitStatus.end(ExitStatus.done)
            } catch {
                ExitStatus.exit(with: error)
            }
        }
        // Images are delivered on the main queue.
        dispatchMain()
    }

    private static func report(
        _ address: GalleryServer.Address,
        isJSON: Bool,
        network: GalleryNetworkOptions
    ) {
        try? ServedLink(address).write(isJSON: isJSON)
        network.report(address)
        StandardError.shared.say(
            "photos: Open the link above in a browser; it works once. "
                + (ReturnKey.isThere ? "Press Return for another link. " : "")
                + "Press Ctrl-C to stop the gallery."
        )
    }
}

/// Opens the gallery in the user's default browser.
private enum Browser {
    static func open(_ server: GalleryServer) {
        do {
            if let file = try server.makeRedirectFile() { open(file) }
        } catch {
            let words = error.localizedDescription
            StandardError.shared.say("photos: The browser cannot be opened: \(words)")
        }
    }

    private static func open(_ file: URL) {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = ["xdg-open", file.absoluteString]
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try? process.run()
    }
}
