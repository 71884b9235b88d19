import ArgumentParser
import Photos
import PhotosManagement

/// Limits a program's access to selected assets.
struct AccessLimitCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "limit",
        abstract: "Give a program access to selected photos of a library only.",
        discussion: """
            The identifiers replace the previous selection. Without identifiers, the program sees \
            nothing of the library until it adds photos or you select some. It sees no albums.

            EXAMPLES
              photos access limit org.example.Frames 5C9E3B50-9F0A-4D1B-8C7B-0B6C2A6E7D11
              photos list --predicate 'isFavorite = YES' --json | jq -r .localIdentifier |
                  xargs photos access limit org.example.Frames
            """
    )

    @OptionGroup var location: LibraryOptions
    @OptionGroup var output: OutputOptions
    @OptionGroup var program: ProgramArgument

    @Argument(help: AssetArguments.help)
    var operands: [String] = []

    @Flag(
        inversion: .prefixedNo,
        help: "Whether it may see the selected photos that are hidden; unchanged if not given."
    )
    var hidden: Bool?

    func run() throws {
        let library = try location.open()
        let assets = try AssetArguments.assets(Operands.expanded(operands), in: library)
        try output.report(
            try ProgramPermission.limit(
                program.program,
                to: assets.map(\.localIdentifier),
                of: library,
                includesHidden: hidden
            )
        )
    }
}
