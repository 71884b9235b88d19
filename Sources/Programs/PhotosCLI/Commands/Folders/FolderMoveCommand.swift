import ArgumentParser
import Foundation
import Photos
import PhotosJSON

/// Moves albums and folders within a folder.
struct FolderMoveCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "move",
        abstract: "Put albums and folders of a folder to another place in it.",
        discussion: """
            They come to stand one after the other, in the order given. Places do not count those that \
            move.

            EXAMPLES
              photos folder move Holidays 'Winter 2025' --to 0
              photos folder move / Holidays --to 0
            """
    )

    @OptionGroup var location: LibraryOptions
    @OptionGroup var output: OutputOptions

    @Argument(
        help: ArgumentHelp(
            "The folder's identifier or title, / for the top level.",
            valueName: "folder"
        )
    )
    var folder: String

    @OptionGroup var collections: CollectionsArgument

    @Option(
        name: .customLong("to"),
        parsing: .unconditional,
        help: ArgumentHelp("The new place of the first one, counted from 0.", valueName: "n")
    )
    var place: Int

    func validate() throws {
        if place < 0 { throw ValidationError("--to needs a number of 0 or more.") }
    }

    func run() throws {
        let library = try location.open()
        try output.report(of: collections.names) {
            let folder = try CollectionArguments.optionalFolder(folder)
            let collections = try collections.all()
            let members = FolderMembers(folder)
            try members.requireAll(collections)
            let isChanged = try !members.put(collections, at: place, in: library).isEmpty
            let name = folder.map(Wording.name) ?? "the top level"
            let names = Wording.names(collections)
            return ChangeReport(
                isChanged
                    ? "Moved \(names) in \(name) to place \(place)."
                    : "Unchanged: \(names) in \(name) already at place \(place).",
                outcome: isChanged ? "moved" : "unchanged",
                of: collections.map(\.localIdentifier)
            )
        }
    }
}
