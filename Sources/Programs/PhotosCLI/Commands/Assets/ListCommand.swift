import ArgumentParser
import Foundation
import Photos
import PhotosManagement
import PhotosJSON

/// Lists assets.
struct ListCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List photos and movies.",
        discussion: """
            Prints one line per asset, oldest first, or in the order of the album. Hidden assets \
            are omitted unless requested, as are burst frames other than the key frame and the \
            picked ones. Recently Deleted is listed completely, in the order in which its assets \
            will be permanently deleted.

            A predicate is an NSPredicate format string. Its keys are PHAsset's properties: \
            creationDate, mediaType (1 photo, 2 movie), mediaSubtypes (bits: 1 panorama, 2 HDR, 4 \
            screenshot, 8 Live Photo, 16 depth effect, 64 animated, 131072 slow motion, 262144 \
            time-lapse), duration, pixelWidth, pixelHeight, isFavorite, burstIdentifier, \
            originalFilename, keywords and the others. Further keys are cameraMake, cameraModel, \
            lensModel, aperture, exposureTime, isoSpeed, focalLength, latitude, longitude, \
            altitude, and places, which CONTAINS the names of the nearest place, its region and \
            its country. Times are those of the camera's clock, or in this computer's time zone if \
            that is unknown.

            EXAMPLES
              photos list --limit 20 --sort creationDate:desc
              photos list --predicate 'mediaType = 2 AND duration > 60'
              photos list --predicate "creationDate >= CAST('2024-05-01', 'NSDate')"
              photos list --predicate 'isFavorite = YES' --json | jq -r .localIdentifier
              photos list --predicate 'places CONTAINS[cd] "munich"'
              photos list --sort pixelWidth:desc --sort creationDate
              photos list --album 'Summer 2024'
              photos list --album Videos
              photos list --deleted
            """
    )

    @OptionGroup var location: LibraryOptions
    @OptionGroup var output: OutputOptions

    @Option(help: ArgumentHelp("Only assets that match this predicate.", valueName: "format"))
    var predicate: String?

    @Option(
        help: ArgumentHelp(
            "A property to sort by, with :desc for descending order. Can be repeated.",
            valueName: "key[:desc]"
        )
    )
    var sort: [SortKey] = []

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("The maximum number of assets.", valueName: "n")
    )
    var limit: Int?

    @Option(
        help: ArgumentHelp(
            "Only the contents of this album or smart album, in its order; its identifier or title.",
            valueName: "album"
        )
    )
    var album: String?

    @Flag(help: "List Recently Deleted instead, with the time of deletion.")
    var deleted = false

    @Flag(help: "Include hidden assets.")
    var includeHidden = false

    @Flag(help: "Include all frames of bursts.")
    var includeAllBurstAssets = false

    func validate() throws {
        if let limit, limit < 1 { throw ValidationError("--limit must be 1 or greater.") }
        if deleted, album != nil {
            throw ValidationError(
                "--deleted cannot be combined with --album: assets in Recently Deleted are in no album."
            )
        }
    }

    func run() throws {
        let library = try location.open()
        let result = try fetch(from: library)
        // The result loads records in batches around a requested index.
        for start in stride(from: 0, to: result.count, by: Self.portion) {
            let indexes = start..<min(start + Self.portion, result.count)
            // An asset that was purged since the fetch has no data to show.
            let assets = indexes.map { result.object(at: $0) }.filter {
                !$0.localIdentifier.isEmpty
            }
            var dates: [String: Date] = [:]
            if deleted {
                for facts in try library.facts(for: assets.map(\.localIdentifier)) {
                    dates[facts.localIdentifier] = facts.trashedDate
                }
            }
            let places =
                output.json ? try library.cloudPlaces(of: assets.map(\.localIdentifier)) : nil
            let isPadded = StandardOutput.isTerminal && !output.json
            let width = isPadded ? Self.nameWidth(of: assets) : 0
            let times = output.json || deleted ? nil : try WallTimes(of: assets, in: library)
            for asset in assets {
                try report(
                    asset,
                    time: times?[asset],
                    deleted: dates[asset.localIdentifier],
                    place: places?[asset.localIdentifier],
                    nameWidth: width
                )
            }
        }
    }

    private static let portion = 256

    private func report(
        _ asset: PHAsset,
        time: String?,
        deleted date: Date?,
        place: CloudPlace?,
        nameWidth: Int
    ) throws {
        var line: String
        if output.json {
            var object = JSONObject(asset)
            if deleted { object.add("trashedDate", date) }
            if let place { object.add("cloud", place.rawValue) }
            line = object.line
        } else {
            line = Self.line(
                asset,
                time: time ?? date.map(LocalTime.text) ?? "",
                nameWidth: nameWidth
            )
        }
        line += "\n"
        try StandardOutput.shared.write(line)
    }

    private func fetch(from library: PhotoLibraryBundle) throws -> PHFetchResult<PHAsset> {
        if deleted { return try library.recentlyDeletedAssets(with: options) }
        guard let album else { return try library.fetchAssets(with: options) }
        return try library.fetchAssets(
            in: CollectionArguments.anyAlbum(album),
            with: options
        )
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
        options.includeHiddenAssets = includeHidden || deleted
        options.includeAllBurstAssets = includeAllBurstAssets || deleted
        return options
    }

    /// Returns the width of the name column on a terminal, from 12 to 40 characters.
    private static func nameWidth(of assets: [PHAsset]) -> Int {
        let widths = assets.map { name(of: $0).count }
        return min(max(widths.max() ?? 0, 12), 40)
    }

    private static func name(of asset: PHAsset) -> String {
        TerminalStyle.safe(asset.extendedMetadata.originalFilename ?? "")
    }

    /// Formats an asset as a line with its time, type, size, duration, identifier and name.
    ///
    /// The columns have fixed widths, since a list may be long.
    ///
    /// On a terminal, the name comes before the identifier because people scan for names.
    private static func line(_ asset: PHAsset, time: String, nameWidth: Int) -> String {
        let size = asset.pixelWidth > 0 ? "\(asset.pixelWidth) x \(asset.pixelHeight)" : ""
        let duration = asset.duration > 0 ? LocalTime.duration(asset.duration) : ""
        var columns = [
            Columns.pad(time, to: 19), Columns.pad(asset.mediaType.name, to: 5),
            Columns.pad(size, to: 13, right: true), Columns.pad(duration, to: 8, right: true),
        ]
        let identifier = TerminalStyle.dim(asset.localIdentifier)
        columns +=
            StandardOutput.isTerminal
            ? [Columns.pad(name(of: asset), to: nameWidth), identifier]
            : [identifier, name(of: asset)]
        return columns.joined(separator: "  ")
    }
}

/// A property to sort by, with its direction.
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
