import ArgumentParser
import Foundation
import Photos
import PhotosJSON

/// Deletes albums.
struct AlbumDeleteCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "delete",
        abstract: "Delete albums, but not the photos and movies in them.",
        discussion: """
            You are not asked for confirmation: photos undo restores the albums with their \
            contents.

            EXAMPLES
              photos album delete Summer
            """
    )

    @OptionGroup var location: LibraryOptions
    @OptionGroup var output: OutputOptions

    @Argument(help: ArgumentHelp("The albums' identifiers or titles.", valueName: "album"))
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
                "Deleted \(Wording.names(albums)). Use photos undo to restore.",
                outcome: "deleted",
                of: albums.map(\.localIdentifier)
            )
        }
    }
}
