import ArgumentParser
import Foundation
import Photos
import PhotosManagement

/// Moves assets to Recently Deleted.
struct DeleteCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "delete",
        abstract: "Move photos and movies to Recently Deleted.",
        discussion: """
            They leave every list and album, and come back with photos restore or photos undo. After \
            30 days they are removed for good. On a terminal you are asked first, unless --yes is \
            given; without one nobody is asked, since nothing is lost. Who says no changes nothing, and \
            the exit status is 1.

            EXAMPLES
              photos delete 5C9E3B50-9F0A-4D1B-8C7B-0B6C2A6E7D11
              photos list --deleted
            """
    )

    @OptionGroup var location: LibraryOptions
    @OptionGroup var output: OutputOptions
    @OptionGroup var assets: AssetsArgument

    @Flag(name: .shortAndLong, help: "Do not ask.")
    var yes = false

    func run() throws {
        let library = try location.open()
        if yes { try Abbreviations.refuse(in: assets.identifiers, because: "--yes") }
        try output.report(of: assets.identifiers) {
            let assets = try AssetArguments.assets(assets.identifiers, in: library)
            let count = Wording.count(assets.count, "asset")
            if !yes { Confirmation.beforeDeleting(from: library) }
            _ = try Changes.perform(in: library) { PHAssetChangeRequest.deleteAssets(assets) }
            return ChangeReport(
                "Moved \(count) to Recently Deleted. photos undo takes that back.",
                outcome: "deleted",
                of: assets.map(\.localIdentifier)
            )
        }
    }
}
