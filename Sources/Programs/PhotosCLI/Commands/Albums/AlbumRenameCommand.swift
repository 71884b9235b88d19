import ArgumentParser
import Foundation
import Photos
import PhotosJSON

/// Renames an album.
struct AlbumRenameCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rename",
        abstract: "Rename an album.",
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
        let library = try location.open()
        try output.report(of: [album.album]) {
            let album = try CollectionArguments.album(album.album)
            let change = try Changes.perform(in: library) {
                try Changes.request(for: album).title = title
            }
            let renamed = try CollectionArguments.album(album.localIdentifier)
            let isChanged = !change.changed.isEmpty
            let new = TerminalStyle.quoted(title)
            let outcome = isChanged ? "renamed" : "unchanged"
            return ChangeReport(
                isChanged
                    ? "Renamed \(Wording.name(album)) to \(new)."
                    : "Unchanged: \(Wording.name(album)) already has this title.",
                lines: [JSONObject(outcome: outcome, of: renamed, in: Changes.folder(of: renamed))]
            )
        }
    }
}
