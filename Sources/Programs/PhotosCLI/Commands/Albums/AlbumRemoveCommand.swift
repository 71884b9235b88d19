import ArgumentParser
import Foundation
import Photos

/// Removes assets from an album.
struct AlbumRemoveCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove",
        abstract: "Remove photos and movies from an album.",
        discussion: """
            They stay in the library and in other albums.

            EXAMPLES
              photos album remove Summer 5C9E3B50-9F0A-4D1B-8C7B-0B6C2A6E7D11
            """
    )

    @OptionGroup var location: LibraryOptions
    @OptionGroup var output: OutputOptions
    @OptionGroup var album: AlbumArgument
    @OptionGroup var assets: AssetsArgument

    func run() throws {
        let library = try location.open()
        try output.report(of: assets.identifiers) {
            let album = try CollectionArguments.album(album.album)
            let assets = try AssetArguments.assets(assets.identifiers, in: library)
            try AlbumMembers(album).requireAll(assets)
            _ = try Changes.perform(in: library) {
                try Changes.request(for: album).removeAssets(assets)
            }
            return ChangeReport(
                "Removed \(Wording.count(assets.count, "asset")) from \(Wording.name(album)).",
                outcome: "removed",
                of: assets.map(\.localIdentifier)
            )
        }
    }
}
