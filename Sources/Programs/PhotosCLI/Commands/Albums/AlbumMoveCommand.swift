import ArgumentParser
import Foundation
import Photos

/// Moves assets within an album.
struct AlbumMoveCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "move",
        abstract: "Put photos and movies of an album to another place in it.",
        discussion: """
            They come to stand one after the other, in the order given. Places count what photos list \
            --album shows, without those that move.

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
        help: ArgumentHelp("The new place of the first one, counted from 0.", valueName: "n")
    )
    var place: Int

    func validate() throws {
        if place < 0 { throw ValidationError("--to needs a number of 0 or more.") }
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
                    ? "Moved \(count) in \(Wording.name(album)) to place \(place)."
                    : "Unchanged: \(count) in \(Wording.name(album)) already at place \(place).",
                outcome: isChanged ? "moved" : "unchanged",
                of: identifiers
            )
        }
    }
}
