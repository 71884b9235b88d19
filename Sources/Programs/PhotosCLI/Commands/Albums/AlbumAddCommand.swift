import ArgumentParser
import Foundation
import Photos
import PhotosJSON

/// Adds assets to an album.
struct AlbumAddCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "add",
        abstract: "Add photos and movies to an album.",
        discussion: """
            They are added to the end in the given order; those that the album already contains \
            stay where they are. With --at, all of them move to that position.

            EXAMPLES
              photos album add Summer 5C9E3B50-9F0A-4D1B-8C7B-0B6C2A6E7D11
              photos album add Summer 5C9E3B50-9F0A-4D1B-8C7B-0B6C2A6E7D11 --at 0
            """
    )

    @OptionGroup var location: LibraryOptions
    @OptionGroup var output: OutputOptions
    @OptionGroup var album: AlbumArgument
    @OptionGroup var assets: AssetsArgument

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("The position of the first one, counted from 0.", valueName: "n")
    )
    var at: Int?

    func validate() throws {
        if let at, at < 0 { throw ValidationError("--at must be 0 or greater.") }
    }

    func run() throws {
        let library = try location.open()
        try output.report(of: assets.identifiers) {
            let album = try CollectionArguments.album(album.album)
            let assets = try AssetArguments.assets(assets.identifiers, in: library)
            let members = AlbumMembers(album)
            let present = members.holding(assets)
            let name = Wording.name(album)
            var isChanged = true
            if let at {
                isChanged = try members.put(assets, at: at, present: present, in: library)
            } else {
                _ = try Changes.perform(in: library) {
                    try Changes.request(for: album).addAssets(assets)
                }
            }
            let added = assets.count - present.count
            var summary = "Added \(Wording.count(added, "asset")) to \(name)."
            if !present.isEmpty {
                summary += at == nil || !isChanged ? " Already there: " : " Moved within it: "
                summary += Wording.count(present.count, "asset") + "."
            }
            let old = at == nil || !isChanged ? "present" : "moved"
            return ChangeReport(
                summary,
                lines: assets.map {
                    let isPresent = present.contains($0.localIdentifier)
                    return JSONObject(outcome: isPresent ? old : "added", of: $0.localIdentifier)
                }
            )
        }
    }
}
