import ArgumentParser
import Foundation
import Photos
import PhotosManagement

/// Prints changes of the library as they happen.
struct WatchCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "watch",
        abstract: "Show changes of the library as they happen.",
        discussion: """
            Prints the lines of photos history for changes by any program, until it is interrupted \
            with Ctrl-C, which is not an error. With --since, what changed in the meantime is \
            printed first, so that nothing is missed between two runs.

            EXAMPLES
              photos watch
              photos watch --json --since "$token" | while read -r line; do …; done
            """
    )

    @OptionGroup var location: LibraryOptions
    @OptionGroup var output: OutputOptions

    @Option(
        help: ArgumentHelp(
            "Begin with what changed after this token or number.",
            valueName: "token"
        )
    )
    var since: SinceArgument?

    func run() throws {
        let library = try location.open()
        let follower = try library.followHistory(since: since?.token(in: library))
        let interruption = Interruption { follower.stop() }
        let lines = HistoryLines(output: output, library: library)
        if StandardError.isTerminal, !output.json {
            StandardError.shared.say("Watching \(TerminalStyle.safe(library.url.path)).")
        }
        try withExtendedLifetime(interruption) {
            while let entries = try follower.next() { try lines.report(entries) }
        }
    }
}
