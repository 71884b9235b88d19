import ArgumentParser
import Photos
import PhotosManagement

/// Grants a permission to a program.
struct AccessGrantCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "grant",
        abstract: "Let a program use photo libraries.",
        discussion: """
            The program need not have asked, nor have been run. Without --add-only it may see and \
            change everything, except what is hidden: that takes --hidden, which stays until --no-hidden.

            EXAMPLES
              photos access grant ~/bin/frames
              photos access grant org.example.Scanner --add-only
              photos access grant org.example.Backup --hidden
            """
    )

    @OptionGroup var location: LibraryOptions
    @OptionGroup var output: OutputOptions
    @OptionGroup var program: ProgramArgument

    @Flag(name: .customLong("add-only"), help: "Let it add photos, and see nothing.")
    var addOnly = false

    @Flag(
        inversion: .prefixedNo,
        help: "Whether it may see hidden photos, too; as before when not given."
    )
    var hidden: Bool?

    func validate() throws {
        if addOnly, hidden == true {
            throw ValidationError("--hidden is for programs that may see photos: not --add-only.")
        }
    }

    func run() throws {
        let level: PHAccessLevel = addOnly ? .addOnly : .readWrite
        try output.report(
            try ProgramPermission.grant(program.program, for: level, includesHidden: hidden)
        )
    }
}
