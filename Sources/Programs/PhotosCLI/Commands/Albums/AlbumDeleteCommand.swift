import ArgumentParser
import Foundation
import Photos
import PhotosJSON

/// Deletes albums.
struct AlbumDeleteCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "delete",
        abstract: "Delete albums; what they hold stays in the library.",
        discussion: """
            Nothing is asked: photos undo brings them back with what they held.

            EXAMPLES
              photos album delete Summer
            """
    )

    @OptionGroup var location: LibraryOptions
    @OptionGroup var output: OutputOptions

    @Argument(help: ArgumentHelp("The albums' identifiers, or titles.", valueName: "album"))
    var operands: [String]

    func run() throws {
        let library = try location.open()
        let names = try Operands.expanded(operands)
        try output.report(of: names) {
            let albums = try CollectionArguments.unique(names, CollectionArguments.album)
            _ = try Changes.perform(in: library) {
                PHAssetCollectionChangeRequest.deleteAssetCollections(albums)
            }
            return ChangeReport(
                "Deleted \(Wording.names(albums)). photos undo takes that back.",
                outcome: "deleted",
                of: albums.map(\.localIdentifier)
            )
        }
    }
}
