import ArgumentParser
import Foundation
import Photos
import PhotosManagement

/// Reverts assets to their originals.
struct RevertCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "revert",
        abstract: "Revert edited photos and movies to their originals.",
        discussion: """
            Removes their edits, whichever program made them; photos undo restores them. Unedited \
            photos and movies stay unchanged.

            EXAMPLES
              photos revert 5C9E3B50-9F0A-4D1B-8C7B-0B6C2A6E7D11
              photos list --predicate 'hasAdjustments = true' --json |
                  jq -r .localIdentifier | xargs photos revert
            """
    )

    @OptionGroup var location: LibraryOptions
    @OptionGroup var output: OutputOptions
    @OptionGroup var assets: AssetsArgument

    func run() throws {
        let library = try location.open()
        try output.report(of: assets.identifiers) {
            let assets = try AssetArguments.assets(assets.identifiers, in: library)
            let change = try Changes.perform(in: library) {
                for asset in assets {
                    PHAssetChangeRequest(for: asset).revertAssetContentToOriginal()
                }
            }
            return ChangeReport(
                outcome: "reverted",
                of: assets.map(\.localIdentifier),
                changed: change.changed
            ) { "Reverted \(Wording.count($0, "asset"))." }
        }
    }
}
