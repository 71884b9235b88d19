import ArgumentParser
import Foundation
import Photos
import PhotosJSON

/// Creates a folder.
struct FolderCreateCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "create",
        abstract: "Create a folder for albums and other folders.",
        discussion: """
            Prints the folder's identifier. Several folders can have the same title.

            EXAMPLES
              photos folder create Holidays
              photos folder create 2024 --in Holidays
            """
    )

    @OptionGroup var location: LibraryOptions
    @OptionGroup var output: OutputOptions

    @Argument(help: ArgumentHelp("The folder's title.", valueName: "title"))
    var title: String

    @Option(
        name: .customLong("in"),
        help: ArgumentHelp(
            "The folder to create it in: its identifier or title.",
            valueName: "folder"
        )
    )
    var folder: String?

    func validate() throws { try Titles.validate(title, what: "The title") }

    func run() throws {
        let library = try location.open()
        try output.report(of: [nil]) {
            let folder = try folder.flatMap(CollectionArguments.optionalFolder)
            let identifier = try Changes.perform(in: library) {
                let parent = try folder.map(Changes.request(for:))
                let request =
                    PHCollectionListChangeRequest
                    .creationRequestForCollectionList(withTitle: title)
                let placeholder = request.placeholderForCreatedCollectionList
                parent?.addChildCollections([placeholder])
                return placeholder.localIdentifier
            }.result
            let made = try CollectionArguments.folder(identifier)
            return ChangeReport(
                "Created \(Wording.name(made)).",
                result: identifier,
                lines: [JSONObject(outcome: "created", of: made, in: folder)]
            )
        }
    }
}
