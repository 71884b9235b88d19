import ArgumentParser
import Foundation
import Photos
import PhotosJSON

/// Moves albums and folders within a folder.
struct FolderMoveCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "move",
        abstract: "Move albums and folders to another position in their folder.",
        discussion: """
            They are placed one after the other, in the given order. Positions do not count those \
            that move.

            EXAMPLES
              photos folder move Holidays 'Winter 2025' --to 0
              photos folder move / Holidays --to 0
            """
    )

    @OptionGroup var location: LibraryOptions
    @OptionGroup var output: OutputOptions

    @Argument(
        help: ArgumentHelp(
            "The folder's identifier or title; / for the top level.",
            valueName: "folder"
        )
    )
    var folder: String

    @OptionGroup var collections: CollectionsArgument

    @Option(
        name: .customLong("to"),
        parsing: .unconditional,
        help: ArgumentHelp("The new position of the first one, counted from 0.", valueName: "n")
    )
    var place: Int

    func validate() throws {
        if place < 0 { throw ValidationError("--to must be 0 or greater.") }
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
                    ? "Moved \(names) in \(name) to position \(place)."
                    : "Unchanged: \(names) in \(name) already at position \(place).",
                outcome: isChanged ? "moved" : "unchanged",
                of: collections.map(\.localIdentifier)
            )
        }
    }
}
