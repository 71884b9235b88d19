import ArgumentParser
import Foundation
import Photos

/// Shows albums and folders as a tree.
struct AlbumsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "albums",
        abstract: "Show the albums and folders.",
        discussion: """
            A line each, in the order that people gave them, what a folder holds below it. Albums have \
            the number of their photos and movies, hidden ones aside, and the days of the first and the \
            last. With --json a folder comes before what it holds, which names it as \
            parentLocalIdentifier.

            EXAMPLES
              photos albums
              photos albums --json | jq 'select(.estimatedAssetCount == 0)'
            """
    )

    @OptionGroup var location: LibraryOptions
    @OptionGroup var output: OutputOptions

    func run() throws {
        _ = try location.open()
        if let error = PHPhotoLibrary.shared().unavailabilityReason { throw error }
        var rows = Columns()
        try CollectionTree.walk { collection, folder, depth in
            if output.json {
                try StandardOutput.shared.write(JSONObject(collection, in: folder).line + "\n")
            } else {
                rows.add(Self.row(collection, depth: depth))
            }
        }
        for line in rows.lines(rightAligned: [1]) {
            try StandardOutput.shared.write(line + "\n")
        }
    }

    private static func row(_ collection: PHCollection, depth: Int) -> [String] {
        let indent = String(repeating: "  ", count: depth)
        let title = TerminalStyle.safe(collection.localizedTitle ?? "")
        let identifier = TerminalStyle.dim(collection.localIdentifier)
        guard let album = collection as? PHAssetCollection else {
            return [indent + title + "/", "", "", identifier]
        }
        let days = [album.startDate, album.endDate].compactMap { $0.map(LocalTime.day) }
        let range = days.first == days.last ? days.first ?? "" : days.joined(separator: " – ")
        return [indent + title, "\(album.estimatedAssetCount)", range, identifier]
    }
}

/// The albums and folders of people, from the top.
enum CollectionTree {
    /// Visits each collection, a folder before what it holds.
    ///
    /// - Parameter body: Gets a collection, the folder that holds it (nil at the top), and how many
    ///   folders it is in.
    static func walk(_ body: (PHCollection, PHCollectionList?, Int) throws -> Void) rethrows {
        let top = PHCollection.fetchTopLevelUserCollections(with: nil)
        // The next one is last.
        var waiting = CollectionArguments.all(top).reversed().map {
            (collection: $0, folder: PHCollectionList?.none, depth: 0)
        }
        while let (collection, folder, depth) = waiting.popLast() {
            try body(collection, folder, depth)
            guard let list = collection as? PHCollectionList else { continue }
            let children = PHCollection.fetchCollections(in: list, options: nil)
            waiting += CollectionArguments.all(children).reversed().map { ($0, list, depth + 1) }
        }
    }
}
