import ArgumentParser
import Foundation
import Photos
import PhotosJSON

/// Deletes folders.
struct FolderDeleteCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "delete",
        abstract: "Delete folders with the albums and folders in them.",
        discussion: """
            Photos and movies stay in the library. You are not asked for confirmation: photos undo \
            restores everything.

            EXAMPLES
              photos folder delete Holidays
            """
    )

    @OptionGroup var location: LibraryOptions
    @OptionGroup var output: OutputOptions

    @Argument(help: ArgumentHelp("The folders' identifiers or titles.", valueName: "folder"))
    var operands: [String]

    func run() throws {
        let library = try location.open()
        let names = try Operands.expanded(operands)
        try output.report(of: names) {
            let folders = try CollectionArguments.unique(names, CollectionArguments.folder)
            _ = try Changes.perform(in: library) {
                PHCollectionListChangeRequest.deleteCollectionLists(folders)
            }
            return ChangeReport(
                "Deleted \(Wording.names(folders)). Use photos undo to restore.",
                outcome: "deleted",
                of: folders.map(\.localIdentifier)
            )
        }
    }
}
