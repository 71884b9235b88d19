import ArgumentParser
import Foundation
import Photos
import PhotosJSON

/// Adds assets to an album.
struct AlbumAddCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "add",
        abstract: "Put photos and movies into an album.",
        discussion: """
            They go to the end in the order given; those that the album holds stay where they are. With \
            --at they all go to that place.

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
        help: ArgumentHelp("The place of the first one, counted from 0.", valueName: "n")
    )
    var at: Int?

    func validate() throws {
        if let at, at < 0 { throw ValidationError("--at needs a number of 0 or more.") }
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
            var summary = "Put \(Wording.count(added, "asset")) into \(name)."
            if !present.isEmpty {
                let verb = at == nil || !isChanged ? "stayed where" : "moved; before"
                summary += " \(Wording.count(present.count, "asset")) \(verb)"
                summary += present.count == 1 ? " it was there." : " they were there."
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
