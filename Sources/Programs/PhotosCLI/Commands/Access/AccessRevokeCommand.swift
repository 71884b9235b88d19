import ArgumentParser
import PhotosManagement

/// Revokes the permissions of a program.
struct AccessRevokeCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "revoke",
        abstract: "Let a program use photo libraries no more.",
        discussion: """
            Programs that run see everything go at once. The program is not asked about again, unless \
            --ask-again is given.

            EXAMPLES
              photos access revoke org.example.Frames
              photos access revoke org.example.Frames --ask-again
            """
    )

    @OptionGroup var location: LibraryOptions
    @OptionGroup var output: OutputOptions
    @OptionGroup var program: ProgramArgument

    @Flag(name: .customLong("ask-again"), help: "Let it ask again, as if it were new.")
    var askAgain = false

    func run() throws {
        try output.report(try ProgramPermission.revoke(program.program, asksAgain: askAgain))
    }
}
