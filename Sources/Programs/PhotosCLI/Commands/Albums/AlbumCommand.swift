import ArgumentParser

/// Manages albums.
struct AlbumCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "album",
        abstract: "Create, fill, sort, rename and delete albums.",
        discussion: """
            Specify an album by its identifier, or by its title if no other album has the same \
            title; photos albums shows both. An album contains photos and movies in an order of \
            its own. Deleting an album does not delete its photos and movies. Each of these \
            changes can be undone with photos undo.

            EXAMPLES
              photos album create 'Summer 2024' --in Holidays
              photos list --predicate 'isFavorite = YES' --json | jq -r .localIdentifier |
                  xargs photos album add Best
              photos album move Best 5C9E3B50-9F0A-4D1B-8C7B-0B6C2A6E7D11 --to 0
              photos list --album Best
            """,
        subcommands: [
            AlbumCreateCommand.self, AlbumAddCommand.self, AlbumRemoveCommand.self,
            AlbumMoveCommand.self, AlbumRenameCommand.self, AlbumDeleteCommand.self,
        ]
    )

    @OptionGroup var location: LibraryOptions
}

/// The argument that names the album of a subcommand.
struct AlbumArgument: ParsableArguments {
    @Argument(help: ArgumentHelp("The album's identifier or title.", valueName: "album"))
    var album: String
}

/// The argument that names the assets of a subcommand.
struct AssetsArgument: ParsableArguments {
    @Argument(help: AssetArguments.help)
    var operands: [String]

    /// The identifiers and abbreviations, including those read from standard input.
    var identifiers: [String] { get throws { try Operands.expanded(operands) } }
}
