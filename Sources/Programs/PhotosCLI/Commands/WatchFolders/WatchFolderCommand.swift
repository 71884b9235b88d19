import ArgumentParser
import PhotosManagement

/// Manages the folders whose files the library daemon imports.
struct WatchFolderCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "watch-folder",
        abstract: "Import new files of a folder automatically.",
        discussion: """
            The library daemon imports the files of watch folders, such as the upload folder of a \
            phone or a camera: first those that are there, then new ones. Files in a watch folder \
            are never changed or removed. A file is imported once it was renamed into place, or \
            has not changed for 5 seconds; names that begin with a dot or end with .part, .tmp or \
            .crdownload are left out. Subfolders are included, links and libraries are not.

            The list of watch folders belongs to this user and machine, and not to the library.

            EXAMPLES
              photos watch-folder add ~/Phone --album Phone
              photos watch-folder list
              photos watch-folder remove ~/Phone
            """,
        subcommands: [
            WatchFolderAddCommand.self, WatchFolderRemoveCommand.self, WatchFolderListCommand.self,
        ]
    )

    @OptionGroup var location: LibraryOptions
}

/// The path of a watch folder.
struct WatchFolderArgument: ParsableArguments {
    @Argument(help: "The folder.", completion: .directory)
    var path: String

    func validate() throws {
        if path.isEmpty { throw ValidationError("The path of the folder is empty.") }
    }
}
