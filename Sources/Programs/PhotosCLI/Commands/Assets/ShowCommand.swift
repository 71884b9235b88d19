import ArgumentParser
import Foundation
import Photos
import PhotosManagement
import PhotosJSON

/// Shows the details of an asset.
struct ShowCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Show the details of a photo or movie.",
        discussion: """
            Shows the metadata, the stored files with their SHA-256, the albums that contain the \
            asset, and its versions.

            EXAMPLES
              photos show 5C9E3B50-9F0A-4D1B-8C7B-0B6C2A6E7D11
              photos show 5C9E3B50-9F0A-4D1B-8C7B-0B6C2A6E7D11/L0/001 --json | jq .resources
            """
    )

    @OptionGroup var location: LibraryOptions
    @OptionGroup var output: OutputOptions

    @Argument(
        help: ArgumentHelp("The asset's identifier, as shown by photos list.", valueName: "id")
    )
    var identifier: String

    func run() throws {
        let library = try location.open()
        let asset = try AssetArguments.asset(identifier, in: library)
        guard let facts = try library.facts(for: [asset.localIdentifier]).first else {
            throw ValidationError("The asset \(identifier) has just been deleted.")
        }
        let details = AssetDetails(
            asset: asset,
            facts: facts,
            resources: try library.resources(of: asset.localIdentifier),
            albums: CollectionArguments.all(
                PHAssetCollection.fetchAssetCollectionsContaining(
                    asset,
                    with: .album,
                    options: nil
                )
            ),
            place: try library.cloudPlaces(of: [asset.localIdentifier])?[asset.localIdentifier]
        )
        if output.json {
            try StandardOutput.shared.write(JSONObject(details).line + "\n")
        } else {
            try StandardOutput.shared.write(AssetSheet(details).text)
        }
    }
}
