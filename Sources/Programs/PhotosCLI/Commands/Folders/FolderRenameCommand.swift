import ArgumentParser
import Foundation
import Photos
import PhotosJSON

/// Renames a folder.
struct FolderRenameCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rename",
        abstract: "Rename a folder.",
        discussion: """
            EXAMPLES
              photos folder rename Holidays Travels
            """
    )

    @OptionGroup var location: LibraryOptions
    @OptionGroup var output: OutputOptions

    @Argument(help: ArgumentHelp("The folder's identifier or title.", valueName: "folder"))
    var folder: String

    @Argument(help: ArgumentHelp("The new title.", valueName: "title"))
    var title: String

    func validate() throws { try Titles.validate(title, what: "The title") }

    func run() throws {
        let library = try location.open()
        try output.report(of: [folder]) {
            let folder = try CollectionArguments.folder(folder)
            let change = try Changes.perform(in: library) {
                try Changes.request(for: folder).title = title
            }
            let renamed = try CollectionArguments.folder(folder.localIdentifier)
            let isChanged = !change.changed.isEmpty
            let new = TerminalStyle.quoted(title)
            let outcome = isChanged ? "renamed" : "unchanged"
            return ChangeReport(
                isChanged
                    ? "Renamed \(Wording.name(folder)) to \(new)."
                    : "Unchanged: \(Wording.name(folder)) already has this title.",
                lines: [JSONObject(outcome: outcome, of: renamed, in: Changes.folder(of: renamed))]
            )
        }
    }
}
