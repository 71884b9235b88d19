import ArgumentParser
import Foundation
import Photos
import PhotosManagement

/// Restores assets from Recently Deleted.
struct RestoreCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "restore",
        abstract: "Restore photos and movies from Recently Deleted.",
        discussion: """
            They return to their places in lists and albums.

            EXAMPLES
              photos list --deleted
              photos restore 5C9E3B50-9F0A-4D1B-8C7B-0B6C2A6E7D11
            """
    )

    @OptionGroup var location: LibraryOptions
    @OptionGroup var output: OutputOptions
    @OptionGroup var assets: AssetsArgument

    func run() throws {
        let library = try location.open()
        try output.report(of: assets.identifiers) {
            let assets = try DeletedAssets(library).named(assets.identifiers)
            try library.restore(assets)
            return ChangeReport(
                "Restored \(Wording.count(assets.count, "asset")).",
                outcome: "restored",
                of: assets.map(\.localIdentifier)
            )
        }
    }
}
