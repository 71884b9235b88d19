import ArgumentParser
import PhotosManagement

/// Removes a watch folder.
struct WatchFolderRemoveCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove",
        abstract: "Remove a watch folder.",
        discussion: """
            Nothing more is imported from the folder. Imported photos stay in the library, and the \
            files in the folder stay, too.

            EXAMPLES
              photos watch-folder remove ~/Phone
            """
    )

    @OptionGroup var location: LibraryOptions
    @OptionGroup var folder: WatchFolderArgument

    func run() throws {
        try WatchFolders(of: location.url).remove(RawArguments.path(folder.path))
    }
}
