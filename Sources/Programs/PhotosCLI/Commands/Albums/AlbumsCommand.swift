import ArgumentParser
import Foundation
import Photos
import PhotosJSON

/// Shows the tree of albums and folders, and the smart albums.
struct AlbumsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "albums",
        abstract: "List albums, folders and smart albums.",
        discussion: """
            Prints one line per album or folder in the user's order, with a folder's contents \
            below it, followed by the smart albums that are not empty, in an order of their own. \
            Albums have the number of their photos and movies, without hidden ones, and the days \
            of the first and the last. With --json, a folder precedes its contents, which refer to \
            it by parentLocalIdentifier, and empty smart albums are included.

            EXAMPLES
              photos albums
              photos albums --smart
              photos albums --own --json | jq 'select(.estimatedAssetCount == 0)'
              photos list --album Videos
            """
    )

    @OptionGroup var location: LibraryOptions
    @OptionGroup var output: OutputOptions

    @Flag(help: "Only the albums and folders that users created.")
    var own = false

    @Flag(help: "Only the smart albums, including empty ones.")
    var smart = false

    func validate() throws {
        if own, smart {
            throw ValidationError(
                "Give --own or --smart, not both; without them, both kinds are shown."
            )
        }
    }

    func run() throws {
        _ = try location.open()
        if let error = PHPhotoLibrary.shared().unavailabilityReason { throw error }
        try output.json ? writeObjects() : writeTree()
    }

    private func writeObjects() throws {
        if !smart {
            try CollectionTree.walk { collection, folder, _ in
                try StandardOutput.shared.write(JSONObject(collection, in: folder).line + "\n")
            }
        }
        if !own {
            for album in CollectionTree.smartAlbums {
                try StandardOutput.shared.write(JSONObject(album, in: nil).line + "\n")
            }
        }
    }

    private func writeTree() throws {
        var rows = Columns()
        var isEmpty = true
        if !smart {
            CollectionTree.walk { collection, _, depth in
                rows.add(Self.row(collection, depth: depth))
                isEmpty = false
            }
        }
        if !own {
            let albums = CollectionTree.smartAlbums.filter { smart || $0.estimatedAssetCount > 0 }
            if !isEmpty, !albums.isEmpty { rows.add([]) }
            for album in albums { rows.add(Self.row(album, depth: 0)) }
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

/// The tree of the user's albums and folders, and the smart albums.
enum CollectionTree {
    /// Visits each of the user's collections in preorder.
    ///
    /// - Parameter body: Called with a collection, its parent folder (nil at the top level), and
    ///   its depth, 0 at the top level.
    static func walk(_ body: (PHCollection, PHCollectionList?, Int) throws -> Void) rethrows {
        let top = PHCollection.fetchTopLevelUserCollections(with: nil)
        // A stack: the next collection is last.
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

    /// All smart albums, including empty ones.
    static var smartAlbums: [PHAssetCollection] {
        CollectionArguments.all(
            PHAssetCollection.fetchAssetCollections(
                with: .smartAlbum,
                subtype: .any,
                options: nil
            )
        )
    }
}
