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
            They disappear from all lists and albums. photos restore and photos undo bring them \
            back. After 30 days they are permanently deleted. On a terminal you are asked for \
            confirmation, unless --yes is given; without a terminal there is no prompt, because \
            nothing is lost. If you answer no, nothing is changed and the exit status is 1.

            EXAMPLES
              photos delete 5C9E3B50-9F0A-4D1B-8C7B-0B6C2A6E7D11
              photos list --deleted
            """
    )

    @OptionGroup var location: LibraryOptions
    @OptionGroup var output: OutputOptions
    @OptionGroup var assets: AssetsArgument

    @Flag(name: .shortAndLong, help: "Do not ask for confirmation.")
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
                "Moved \(count) to Recently Deleted. Use photos undo to restore.",
                outcome: "deleted",
                of: assets.map(\.localIdentifier)
            )
        }
    }
}
