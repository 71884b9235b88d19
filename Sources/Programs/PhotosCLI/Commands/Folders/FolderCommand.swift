import ArgumentParser
import Photos

/// Manages folders.
struct FolderCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "folder",
        abstract: "Create, fill, sort, rename and delete folders of albums.",
        discussion: """
            A folder contains albums and other folders. Specify folders and albums by their \
            identifiers, or by titles that are unique; photos albums shows both. In place of a \
            folder, / stands for the top level, which contains everything that is in no folder.

            EXAMPLES
              photos folder create Holidays
              photos folder add Holidays 'Summer 2024' 'Winter 2025'
              photos folder add / 'Summer 2024'
              photos folder move Holidays 'Winter 2025' --to 0
            """,
        subcommands: [
            FolderCreateCommand.self, FolderAddCommand.self, FolderMoveCommand.self,
            FolderRenameCommand.self, FolderDeleteCommand.self,
        ]
    )

    @OptionGroup var location: LibraryOptions
}

/// The argument that names the albums and folders of a subcommand.
struct CollectionsArgument: ParsableArguments {
    @Argument(
        help: ArgumentHelp(
            "The identifiers or titles of albums and folders.",
            valueName: "collection"
        )
    )
    var operands: [String]

    /// The identifiers and titles, including those read from standard input.
    var names: [String] { get throws { try Operands.expanded(operands) } }

    /// Returns the named collections, without duplicates.
    func all() throws -> [PHCollection] {
        try CollectionArguments.unique(names, CollectionArguments.collection)
    }
}
