import ArgumentParser
import Foundation
import Photos

/// Moves assets within an album.
struct AlbumMoveCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "move",
        abstract: "Move photos and movies to another position in an album.",
        discussion: """
            They are placed one after the other, in the given order. Positions count the lines of \
            photos list --album without those that move.

            EXAMPLES
              photos album move Summer 5C9E3B50-9F0A-4D1B-8C7B-0B6C2A6E7D11 --to 0
            """
    )

    @OptionGroup var location: LibraryOptions
    @OptionGroup var output: OutputOptions
    @OptionGroup var album: AlbumArgument
    @OptionGroup var assets: AssetsArgument

    @Option(
        name: .customLong("to"),
        parsing: .unconditional,
        help: ArgumentHelp("The new position of the first one, counted from 0.", valueName: "n")
    )
    var place: Int

    func validate() throws {
        if place < 0 { throw ValidationError("--to must be 0 or greater.") }
    }

    func run() throws {
        let library = try location.open()
        try output.report(of: assets.identifiers) {
            let album = try CollectionArguments.album(album.album)
            let assets = try AssetArguments.assets(assets.identifiers, in: library)
            let members = AlbumMembers(album)
            try members.requireAll(assets)
            let identifiers = assets.map(\.localIdentifier)
            let isChanged = try members.put(
                assets,
                at: place,
                present: Set(identifiers),
                in: library
            )
            let count = Wording.count(assets.count, "asset")
            return ChangeReport(
                isChanged
                    ? "Moved \(count) in \(Wording.name(album)) to position \(place)."
                    : "Unchanged: \(count) in \(Wording.name(album)) already at position \(place).",
                outcome: isChanged ? "moved" : "unchanged",
                of: identifiers
            )
        }
    }
}
