import ArgumentParser
import Foundation
import Photos
import PhotosManagement

/// Lists assets.
struct ListCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List photos and movies.",
        discussion: """
            One line per asset, oldest first. Hidden assets, and of bursts all frames but those that \
            stand for it, are left out unless asked for.

            A predicate is a format of NSPredicate, with PHAsset's properties as keys: creationDate, \
            mediaType (1 photo, 2 movie), mediaSubtypes (bits: 1 panorama, 2 HDR, 4 screenshot, \
            8 Live Photo, 16 depth effect, 64 animated, 131072 slow motion, 262144 time-lapse), \
            duration, pixelWidth, pixelHeight, isFavorite, burstIdentifier, originalFilename, keywords \
            and the others. Times are shown in this computer's time zone.

            EXAMPLES
              photos list --limit 20 --sort creationDate:desc
              photos list --predicate 'mediaType = 2 AND duration > 60'
              photos list --predicate "creationDate >= CAST('2024-05-01', 'NSDate')"
              photos list --predicate 'isFavorite = YES' --json | jq -r .localIdentifier
              photos list --sort pixelWidth:desc --sort creationDate
            """
    )

    @OptionGroup var location: LibraryOptions
    @OptionGroup var output: OutputOptions

    @Option(help: ArgumentHelp("Only assets for which this holds.", valueName: "format"))
    var predicate: String?

    @Option(
        help: ArgumentHelp(
            "The order: a property, with :desc for the largest first. May be given repeatedly.",
            valueName: "key[:desc]"
        )
    )
    var sort: [SortKey] = []

    @Option(help: ArgumentHelp("At most so many.", valueName: "n"))
    var limit: Int?

    @Flag(help: "Hidden assets too.")
    var includeHidden = false

    @Flag(help: "All frames of bursts.")
    var includeAllBurstAssets = false

    func validate() throws {
        if let limit, limit < 1 { throw ValidationError("--limit needs a number of 1 or more.") }
    }

    func run() throws {
        let library = try location.open()
        let result = try library.fetchAssets(with: options)
        // Records load in batches around the index that is asked for.
        for index in 0..<result.count {
            let asset = result.object(at: index)
            // One that was purged since the fetch has nothing to show.
            guard !asset.localIdentifier.isEmpty else { continue }
            let line = output.json ? JSONObject(asset).line : Self.line(asset)
            try StandardOutput.shared.write(line + "\n")
        }
    }

    private var options: PHFetchOptions {
        let options = PHFetchOptions()
        options.predicate = predicate.map { NSPredicate(format: $0) }
        if !sort.isEmpty {
            options.sortDescriptors = sort.map {
                NSSortDescriptor(key: $0.key, ascending: $0.isAscending)
            }
        }
        options.fetchLimit = limit ?? 0
        options.includeHiddenAssets = includeHidden
        options.includeAllBurstAssets = includeAllBurstAssets
        return options
    }

    /// Date, type, size, duration, identifier, name: columns of fixed width, since a list may be long.
    private static func line(_ asset: PHAsset) -> String {
        let date = asset.creationDate.map(LocalTime.text) ?? ""
        let size = asset.pixelWidth > 0 ? "\(asset.pixelWidth) x \(asset.pixelHeight)" : ""
        let duration = asset.duration > 0 ? LocalTime.duration(asset.duration) : ""
        let columns = [
            Columns.pad(date, to: 19), Columns.pad(asset.mediaType.name, to: 5),
            Columns.pad(size, to: 13, right: true), Columns.pad(duration, to: 8, right: true),
            TerminalStyle.dim(asset.localIdentifier),
            TerminalStyle.safe(asset.extendedMetadata.originalFilename ?? ""),
        ]
        return columns.joined(separator: "  ")
    }
}

/// A property to sort by, and which way.
struct SortKey: ExpressibleByArgument {
    let key: String
    let isAscending: Bool

    init?(argument: String) {
        let parts = argument.split(separator: ":", omittingEmptySubsequences: false)
        guard let key = parts.first, !key.isEmpty, parts.count <= 2 else { return nil }
        switch parts.count == 2 ? parts[1] : "asc" {
        case "asc": isAscending = true
        case "desc": isAscending = false
        default: return nil
        }
        self.key = String(key)
    }
}
