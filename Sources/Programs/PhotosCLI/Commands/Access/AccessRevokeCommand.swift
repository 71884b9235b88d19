import ArgumentParser
import PhotosManagement

/// Revokes the permissions of a program.
struct AccessRevokeCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "revoke",
        abstract: "Revoke a program's access to photo libraries.",
        discussion: """
            Running programs lose access immediately. The program cannot ask again, unless \
            --ask-again is given.

            EXAMPLES
              photos access revoke org.example.Frames
              photos access revoke org.example.Frames --ask-again
            """
    )

    @OptionGroup var location: LibraryOptions
    @OptionGroup var output: OutputOptions
    @OptionGroup var program: ProgramArgument

    @Flag(name: .customLong("ask-again"), help: "Let the program ask again, like a new one.")
    var askAgain = false

    func run() throws {
        try output.report(try ProgramPermission.revoke(program.program, asksAgain: askAgain))
    }
}
