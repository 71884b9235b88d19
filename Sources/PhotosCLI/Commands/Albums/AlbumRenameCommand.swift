import ArgumentParser
import Foundation
import Photos
import PhotosJSON

/// Gives an album another title.
struct AlbumRenameCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rename",
        abstract: "Give an album another title.",
        discussion: """
            EXAMPLES
              photos album rename Summer 'Summer 2024'
            """
    )

    @OptionGroup var location: LibraryOptions
    @OptionGroup var output: OutputOptions
    @OptionGroup var album: AlbumArgument

    @Argument(help: ArgumentHelp("The new title.", valueName: "title"))
    var title: String

    func validate() throws { try Titles.validate(title, what: "The title") }

    func run() throws {
        _ = try location.open()
        try output.tell(of: [album.album]) {
            let album = try CollectionArguments.album(album.album)
            try Changes.perform { try Changes.request(for: album).title = title }
            let renamed = try CollectionArguments.album(album.localIdentifier)
            return ChangeReport(
                "Renamed \(Wording.name(album)) to \(TerminalStyle.quoted(title)).",
                lines: [
                    JSONObject(outcome: "renamed", of: renamed, in: Changes.folder(of: renamed))
                ]
            )
        }
    }
}
