import ArgumentParser
import Foundation
import Photos
import PhotosJSON
import PhotosManagement

/// Shows bursts with their frames.
struct BurstsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "bursts",
        abstract: "List bursts with their frames.",
        discussion: """
            The oldest burst comes first: one line for the burst, then one for each frame. The key \
            frame, marked *, represents the burst in lists that omit the other frames. The library \
            chooses the sharpest frame; photos set --burst-pick overrides the choice, and picked \
            frames are marked +. With --json, each line is a burst, with its frames in the format \
            of photos list.

            EXAMPLES
              photos bursts
              photos bursts --json | jq -c '[.burstIdentifier, (.frames | length)]'
              photos set 5C9E3B50-9F0A-4D1B-8C7B-0B6C2A6E7D11 --burst-pick true
            """
    )

    @OptionGroup var location: LibraryOptions
    @OptionGroup var output: OutputOptions

    @Flag(help: "Include hidden frames.")
    var includeHidden = false

    func run() throws {
        let library = try location.open()
        if let error = PHPhotoLibrary.shared().unavailabilityReason { throw error }
        let album = PHAssetCollection.fetchAssetCollections(
            with: .smartAlbum,
            subtype: .smartAlbumBursts,
            options: nil
        ).firstObject
        guard let album else { return }
        let all = PHAsset.fetchAssets(in: album, options: options)
        var seen: Set<String> = []
        for index in 0..<all.count {
            guard let identifier = all[index].burstIdentifier, seen.insert(identifier).inserted
            else { continue }
            let frames = CollectionArguments.all(
                PHAsset.fetchAssets(withBurstIdentifier: identifier, options: options)
            )
            let text =
                output.json
                ? JSONObject(burst: identifier, frames: frames).line + "\n"
                : Self.text(of: identifier, frames, times: try WallTimes(of: frames, in: library))
            try StandardOutput.shared.write(text)
        }
    }

    /// The fetch options that include all frames of bursts.
    private var options: PHFetchOptions {
        let options = PHFetchOptions()
        options.includeAllBurstAssets = true
        options.includeHiddenAssets = includeHidden
        return options
    }

    private static func text(
        of identifier: String,
        _ frames: [PHAsset],
        times: WallTimes
    ) -> String {
        let name = TerminalStyle.bold(TerminalStyle.safe(identifier))
        let lines = frames.map { frame in
            let marks =
                (frame.representsBurst ? "*" : " ")
                + (frame.burstSelectionTypes.contains(.userPick) ? "+" : " ")
            let columns = [
                marks, Columns.pad(times[frame], to: 19),
                TerminalStyle.dim(frame.localIdentifier),
                TerminalStyle.safe(frame.extendedMetadata.originalFilename ?? ""),
            ]
            return "  " + columns.joined(separator: "  ")
        }
        let header = "\(name)  \(Wording.count(frames.count, "frame"))"
        return ([header] + lines).joined(separator: "\n") + "\n"
    }
}

extension JSONObject {
    /// Creates the JSON representation of a burst with its frames.
    init(burst identifier: String, frames: [PHAsset]) {
        self.init()
        let picks = frames.filter { $0.burstSelectionTypes.contains(.userPick) }
        add("burstIdentifier", identifier)
        add("keyFrame", frames.first(where: \.representsBurst)?.localIdentifier)
        add("userPicks", picks.map(\.localIdentifier))
        add("frames", frames.map { JSONObject($0) })
    }
}
