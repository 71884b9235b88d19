import ArgumentParser
import Photos
import PhotosJSON
import PhotosManagement

/// Keeps the originals of an album on this computer.
struct CloudKeepCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "keep",
        abstract: "Keep the originals of an album on this computer.",
        discussion: """
            photos cloud optimize then removes none of them, and those that were removed are \
            downloaded by the next session. The mark is of this computer only. With --stop, they \
            are like all others again.

            The JSON object is that of photos cloud optimize.

            EXAMPLES
              photos cloud keep Portfolio
              photos cloud keep Portfolio --stop
            """
    )

    @OptionGroup var location: LibraryOptions
    @OptionGroup var album: AlbumArgument

    @Flag(help: "Keep them no longer.")
    var stop = false

    @OptionGroup var output: OutputOptions

    func run() throws {
        _ = try location.open()
        let album = try CollectionArguments.album(album.album)
        let cloud = try CloudLibrary(of: location.url)
        guard try cloud.state().activity != .none else { throw CloudSyncCommand.notJoined }
        let storage = try cloud.setAlbum(album.localIdentifier, keepsOriginals: !stop)
        guard !output.json else {
            return try StandardOutput.shared.write(CloudJSON.storage(storage).line + "\n")
        }
        try StandardOutput.shared.write(
            stop
                ? "The originals of \(Wording.name(album)) may be removed.\n"
                : "The originals of \(Wording.name(album)) stay on this computer.\n"
        )
    }
}
