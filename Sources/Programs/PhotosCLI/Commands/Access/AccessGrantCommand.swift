import ArgumentParser
import Photos
import PhotosManagement

/// Grants a permission to a program.
struct AccessGrantCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "grant",
        abstract: "Give a program access to photo libraries.",
        discussion: """
            The program does not need to have asked or run before. Without --add-only, it may see \
            and change everything except hidden photos. --hidden includes them, until --no-hidden \
            is given.

            EXAMPLES
              photos access grant ~/bin/frames
              photos access grant org.example.Scanner --add-only
              photos access grant org.example.Backup --hidden
            """
    )

    @OptionGroup var location: LibraryOptions
    @OptionGroup var output: OutputOptions
    @OptionGroup var program: ProgramArgument

    @Flag(name: .customLong("add-only"), help: "Let it add photos without seeing any.")
    var addOnly = false

    @Flag(
        inversion: .prefixedNo,
        help: "Whether it may also see hidden photos; unchanged if not given."
    )
    var hidden: Bool?

    func validate() throws {
        if addOnly, hidden == true {
            throw ValidationError("--hidden cannot be combined with --add-only.")
        }
    }

    func run() throws {
        let level: PHAccessLevel = addOnly ? .addOnly : .readWrite
        try output.report(
            try ProgramPermission.grant(program.program, for: level, includesHidden: hidden)
        )
    }
}
