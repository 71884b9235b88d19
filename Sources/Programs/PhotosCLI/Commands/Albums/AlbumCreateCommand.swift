import ArgumentParser
import Foundation
import Photos
import PhotosManagement
import PhotosManagement
import PhotosJSON

/// Creates an album.
struct AlbumCreateCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "create",
        abstract: "Create an album.",
        discussion: """
            Prints the album's identifier. Several albums can have the same title. With \
            --if-absent, an existing album with the title is used instead, so that only one of \
            several concurrent programs creates it.

            EXAMPLES
              photos album create 'Summer 2024'
              album=$(photos album create 'Summer 2024' --in Holidays)
              photos album create --if-absent Best
            """
    )

    @OptionGroup var location: LibraryOptions
    @OptionGroup var output: OutputOptions

    @Argument(help: ArgumentHelp("The album's title.", valueName: "title"))
    var title: String

    @Option(
        name: .customLong("in"),
        help: ArgumentHelp(
            "The folder to create the album in: its identifier or title.",
            valueName: "folder"
        )
    )
    var folder: String?

    @Flag(help: "Use the oldest top-level album with this title, if there is one.")
    var ifAbsent = false

    func validate() throws {
        try Titles.validate(title, what: "The title")
        if ifAbsent, folder != nil {
            throw ValidationError(
                "--if-absent searches the top level only: do not combine it with --in."
            )
        }
    }

    func run() throws {
        let library = try location.open()
        try output.report(of: [nil]) { try ifAbsent ? findOrMake(in: library) : make(in: library) }
    }

    private func make(in library: PhotoLibraryBundle) throws -> ChangeReport {
        let folder = try folder.flatMap(CollectionArguments.optionalFolder)
        let identifier = try Changes.perform(in: library) {
            let parent = try folder.map(Changes.request(for:))
            let request =
                PHAssetCollectionChangeRequest
                .creationRequestForAssetCollection(withTitle: title)
            let placeholder = request.placeholderForCreatedAssetCollection
            parent?.addChildCollections([placeholder])
            return placeholder.localIdentifier
        }.result
        return try report("Created", "created", identifier, in: folder)
    }

    private func findOrMake(in library: PhotoLibraryBundle) throws -> ChangeReport {
        let (request, own) = try Changes.perform(in: library) {
            let request = PHAssetCollectionChangeRequest.requestForAssetCollection(titled: title)
            return (request, request.placeholderForCreatedAssetCollection.localIdentifier)
        }.result
        let identifier = request.committedLocalIdentifier ?? own
        return identifier == own
            ? try report("Created", "created", identifier)
            : try report("Found", "present", identifier)
    }

    private func report(
        _ words: String,
        _ outcome: String,
        _ identifier: String,
        in folder: PHCollectionList? = nil
    ) throws -> ChangeReport {
        let album = try CollectionArguments.album(identifier)
        return ChangeReport(
            "\(words) \(Wording.name(album)).",
            result: identifier,
            lines: [JSONObject(outcome: outcome, of: album, in: folder)]
        )
    }
}
