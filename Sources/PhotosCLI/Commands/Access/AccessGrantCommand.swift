import ArgumentParser
import Photos
import PhotosManagement

/// Permits something to a program.
struct AccessGrantCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "grant",
        abstract: "Let a program use photo libraries.",
        discussion: """
            The program need not have asked, nor have been run. Without --add-only it may see and \
            change everything.

            EXAMPLES
              photos access grant ~/bin/frames
              photos access grant org.example.Scanner --add-only
            """
    )

    @OptionGroup var location: LibraryOptions
    @OptionGroup var output: OutputOptions
    @OptionGroup var program: ProgramArgument

    @Flag(name: .customLong("add-only"), help: "Let it add photos, and see nothing.")
    var addOnly = false

    func run() throws {
        let level: PHAccessLevel = addOnly ? .addOnly : .readWrite
        try output.tell(try ProgramPermission.grant(program.program, for: level))
    }
}
