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
            Prints a link and serves the gallery until Ctrl-C. Only this machine may connect, and only a \
            browser that came in by a link: it can do with the library what you can. A link works once; \
            Return prints another, as does photos serve --new-link elsewhere. The settings of the page \
            list the browsers that are signed in. Where nothing is at the library's place, a library is \
            made.

            With --lan every machine of your network may connect and is asked for a password of eight \
            characters at least: that in $PHOTOS_GALLERY_PASSWORD, that in the first line of a file, or \
            one that you are asked for on the terminal. What goes over the network is not encrypted, the \
            password and the photos included: do that at home, not in a café, or name a certificate. \
            Each machine may send ten wrong passwords a minute; they are logged with its address. On a \
            terminal the address is shown as a QR code, too, without anything secret.

            With --tls-cert and --tls-key it is encrypted, where the machines trust the certificate and \
            use a name that is in it, given with --name. Renewed files are read at the next start.

            With --behind-proxy a proxy on this machine shows the gallery at the address that you give, \
            which has no path; only this machine may connect, unless there is --lan, and browsers are asked \
            for the password. The proxy hands on the Host header, or sets X-Forwarded-Host, and sets \
            X-Forwarded-For (or Forwarded), by which wrong passwords are counted; it removes the one of \
            these that it does not set. They are believed of this machine's connections only.

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
        help: ArgumentHelp("Where to listen; 0 for any free port.", valueName: "n")
    )
    var port = 0

    @Flag(
        name: .customLong("open"),
        help: "Open the gallery in your browser, by a file that only you can read."
    )
    var opensBrowser = false

    @Flag(help: "Print another link of the gallery that is running, and serve nothing.")
    var newLink = false

    @Option(
        help: ArgumentHelp(
            "End when no browser has shown the gallery for so many seconds; tabs in the background do not.",
            valueName: "s"
        )
    )
    var idleTimeout: Int?

    @OptionGroup(title: "Other machines") var network: GalleryNetworkOptions

    func validate() throws {
        guard (0...65_535).contains(port) else {
            throw ValidationError("--port needs a number from 0 to 65535.")
        }
        if let idleTimeout, !(1...1_000_000).contains(idleTimeout) {
            throw ValidationError("--idle-timeout needs a number of seconds from 1 to 1000000.")
        }
        if newLink, network.isOpen || opensBrowser || idleTimeout != nil {
            throw ValidationError(
                "--new-link serves nothing, so --lan, --behind-proxy, --open and --idle-timeout have no"
                    + " meaning."
            )
        }
        if port != 0, network.unixSocket != nil {
            throw ValidationError("--port is not for --unix-socket.")
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
            "photos: the link above lets one browser in, once; "
                + (ReturnKey.isThere ? "Return prints another, " : "") + "Ctrl-C ends the gallery"
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
            StandardError.shared.say("photos: the browser cannot be opened: \(words)")
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
