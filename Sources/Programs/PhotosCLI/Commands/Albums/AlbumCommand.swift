import ArgumentParser

/// Manages albums.
struct AlbumCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "album",
        abstract: "Make, fill, sort, rename and delete albums.",
        discussion: """
            An album is named by its identifier, or by its title when no other album has it; photos \
            albums shows both. An album holds photos and movies in an order of its own and keeps none \
            of them alive: deleting it deletes nothing else. photos undo takes each of these back.

            EXAMPLES
              photos album create 'Summer 2024' --in Holidays
              photos list --predicate 'isFavorite = YES' --json | jq -r .localIdentifier |
                  xargs photos album add Favourites
              photos album move Favourites 5C9E3B50-9F0A-4D1B-8C7B-0B6C2A6E7D11 --to 0
              photos list --album Favourites
            """,
        subcommands: [
            AlbumCreateCommand.self, AlbumAddCommand.self, AlbumRemoveCommand.self,
            AlbumMoveCommand.self, AlbumRenameCommand.self, AlbumDeleteCommand.self,
        ]
    )

    @OptionGroup var location: LibraryOptions
}

/// The album argument of a subcommand.
struct AlbumArgument: ParsableArguments {
    @Argument(help: ArgumentHelp("The album's identifier, or its title.", valueName: "album"))
    var album: String
}

/// The assets argument of a subcommand.
struct AssetsArgument: ParsableArguments {
    @Argument(help: AssetArguments.help)
    var operands: [String]

    /// The identifiers and abbreviations, including those read from standard input.
    var identifiers: [String] { get throws { try Operands.expanded(operands) } }
}
