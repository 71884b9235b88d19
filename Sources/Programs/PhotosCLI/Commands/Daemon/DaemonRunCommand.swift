import ArgumentParser
import Foundation
import Glibc
import PhotosManagement

/// Runs the library daemon in the foreground.
struct DaemonRunCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "run",
        abstract: "Run the library daemon in the foreground.",
        discussion: """
            The daemon listens at photolibraryd/socket in $XDG_RUNTIME_DIR until it is interrupted. \
            --library names the library for programs that name none. Fails if another daemon has \
            the socket.

            EXAMPLES
              photos daemon run
              photos daemon run --library /srv/Family.photolibrary
            """
    )

    @OptionGroup var location: LibraryOptions

    func run() throws {
        guard let path = LibraryDaemon.executablePath else {
            StandardError.shared.say(
                "photos: \(LibraryDaemon.programName) was not found beside this command or in"
                    + " libexec/swift-photos. Run “make install”, or install the package."
            )
            throw ExitCode(ExitStatus.failed)
        }
        guard let socket = LibraryDaemon.socketPath else {
            StandardError.shared.say(
                "photos: There is no folder for the socket of the library daemon. Set"
                    + " XDG_RUNTIME_DIR to a folder that only you can enter."
            )
            throw ExitCode(ExitStatus.failed)
        }
        let arguments = [
            path, "--listen", socket, "--library", location.url.path(percentEncoded: false),
        ]
        if location.verbose { setenv(CommandLog.variable, "debug", 1) }
        // The daemon is this process from here on, and receives its signals.
        let words = arguments.map { strdup($0) } + [nil]
        execv(path, words)
        let reason = String(cString: strerror(errno))
        for word in words { free(word) }
        StandardError.shared.say("photos: \(path) cannot be started: \(reason).")
        throw ExitCode(ExitStatus.failed)
    }
}
