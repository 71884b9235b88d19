import ArgumentParser
import Foundation
import Photos
import PhotosJSON

/// Gives a folder another title.
struct FolderRenameCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rename",
        abstract: "Give a folder another title.",
        discussion: """
            EXAMPLES
              photos folder rename Holidays Travels
            """
    )

    @OptionGroup var location: LibraryOptions
    @OptionGroup var output: OutputOptions

    @Argument(help: ArgumentHelp("The folder's identifier, or its title.", valueName: "folder"))
    var folder: String

    @Argument(help: ArgumentHelp("The new title.", valueName: "title"))
    var title: String

    func validate() throws { try Titles.validate(title, what: "The title") }

    func run() throws {
        _ = try location.open()
        try output.tell(of: [folder]) {
            let folder = try CollectionArguments.folder(folder)
            try Changes.perform { try Changes.request(for: folder).title = title }
            let renamed = try CollectionArguments.folder(folder.localIdentifier)
            return ChangeReport(
                "Renamed \(Wording.name(folder)) to \(TerminalStyle.quoted(title)).",
                lines: [
                    JSONObject(outcome: "renamed", of: renamed, in: Changes.folder(of: renamed))
                ]
            )
        }
    }
}
