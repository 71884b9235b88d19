import ArgumentParser
import PhotosManagement

/// Adds a watch folder.
struct WatchFolderAddCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "add",
        abstract: "Add a watch folder.",
        discussion: """
            Imports are added to the album, which is created with the first one. If it is deleted \
            later, imports continue without an album.

            EXAMPLES
              photos watch-folder add ~/Phone
              photos watch-folder add /srv/uploads --album Uploads
            """
    )

    @OptionGroup var location: LibraryOptions
    @OptionGroup var folder: WatchFolderArgument

    @Option(help: ArgumentHelp("The album to which imports are added.", valueName: "name"))
    var album: String?

    func validate() throws {
        if album?.isEmpty == true { throw ValidationError("--album requires a title.") }
    }

    func run() throws {
        try WatchFolders(of: location.url).add(RawArguments.path(folder.path), album: album)
        guard (try? LibraryDaemon.state()) == nil else { return }
        StandardError.shared.say(
            "photos: No library daemon is running. Nothing is imported until one does: photos"
                + " daemon run, or systemctl --user enable --now photolibraryd.service."
        )
    }
}
