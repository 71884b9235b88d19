import ArgumentParser
import Dispatch
import Foundation
import Glibc
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
            password and the photos included: do that at home, not in a café.

            EXAMPLES
              photos serve
              photos serve --open
              photos serve --new-link
              photos serve --port 8080 --lan --password-file ~/.gallery-password
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

    @Flag(help: "Let other machines of the network connect, with a password.")
    var lan = false

    @Option(
        name: .customLong("name"),
        parsing: .singleValue,
        help: ArgumentHelp(
            "Another name that the machine has in the network; may be given more than once.",
            valueName: "host"
        )
    )
    var names: [String] = []

    @Option(
        help: ArgumentHelp(
            "The file whose first line is the password for --lan.",
            valueName: "file"
        ),
        completion: .file()
    )
    var passwordFile: String?

    func validate() throws {
        guard (0...65_535).contains(port) else {
            throw ValidationError("--port needs a number from 0 to 65535.")
        }
        if newLink, lan || opensBrowser {
            throw ValidationError("--new-link serves nothing, so --lan and --open have no meaning.")
        }
        if passwordFile != nil, !lan {
            throw ValidationError("--password-file is for --lan.")
        }
        if !names.isEmpty, !lan { throw ValidationError("--name is for --lan.") }
        if let name = names.first(where: { $0.isEmpty || $0.contains(":") || $0.contains("/") }) {
            throw ValidationError("--name takes a host's name without a port, not “\(name)”.")
        }
    }

    func run() throws {
        if newLink {
            let link = try GalleryServer.newLink(for: location.url, port: port == 0 ? nil : port)
            return try ServedLink(link).write(isJSON: output.json)
        }
        var options = GalleryServer.Options()
        options.port = port
        if lan {
            options.isOpenToNetwork = true
            options.hostNames = names
            options.password = try GalleryPassword.read(file: passwordFile)
        }
        let library = try location.openOrCreate()
        library.use()
        let server = try GalleryServer(library: library, options: options)
        let told = (isJSON: output.json, isOpen: lan, opens: opensBrowser)
        Task {
            do {
                try await server.run { address in
                    Self.tell(address, isJSON: told.isJSON, isOpen: told.isOpen)
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
        // Pictures are delivered on the main queue.
        dispatchMain()
    }

    private static func tell(_ address: GalleryServer.Address, isJSON: Bool, isOpen: Bool) {
        try? ServedLink(address.link).write(isJSON: isJSON)
        if isOpen {
            let name = "http://\(ProcessInfo.processInfo.hostName):\(address.port)/"
            let links = address.networkLinks.map(\.absoluteString) + [name]
            StandardError.shared.say(
                "photos: every machine of your network may open \(links.joined(separator: " or "))"
                    + " with the password; nothing is encrypted on the way"
            )
        }
        StandardError.shared.say(
            "photos: the link above lets one browser in, once; "
                + (ReturnKey.isThere ? "Return prints another, " : "") + "Ctrl-C ends the gallery"
        )
    }
}

/// Opens the gallery in the user's browser, where there is one.
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

/// Where the password of a gallery that is open to the network comes from: never from the command line,
/// which other users of the machine can read.
private enum GalleryPassword {
    private static let minimum = 8

    static func read(file: String?) throws -> String {
        let password: String
        if let file {
            guard let text = try? String(contentsOfFile: file, encoding: .utf8) else {
                throw ValidationError("The password file \(file) cannot be read.")
            }
            password = String(text.prefix { !$0.isNewline })
        } else if let value = ProcessInfo.processInfo.environment["PHOTOS_GALLERY_PASSWORD"] {
            password = value
        } else if let typed = ask() {
            password = typed
        } else {
            throw ValidationError(
                "--lan needs a password: in $PHOTOS_GALLERY_PASSWORD, with --password-file, or typed on"
                    + " a terminal."
            )
        }
        guard password.count >= minimum else {
            throw ValidationError("A password for --lan has \(minimum) characters at least.")
        }
        return password
    }

    /// What a person types on the terminal, unseen; nil without a terminal.
    private static func ask() -> String? {
        guard isatty(STDIN_FILENO) == 1, isatty(STDERR_FILENO) == 1 else { return nil }
        guard let typed = getpass("Password for other machines: ") else { return nil }
        return String(cString: typed)
    }
}
