import Foundation
import Photos
import PhotosManagement

/// The assets of an album, in the album's order, as `photos list --album` shows them.
struct AlbumMembers {
    private let album: PHAssetCollection
    private let shown: PHFetchResult<PHAsset>

    init(_ album: PHAssetCollection) {
        self.album = album
        shown = PHAsset.fetchAssets(in: album, options: nil)
    }

    /// Returns the identifiers of the given assets that the album contains, including hidden ones
    /// and burst frames.
    func holding(_ assets: [PHAsset]) -> Set<String> {
        let options = Self.options(for: assets)
        options.includeHiddenAssets = true
        options.includeAllBurstAssets = true
        let found = PHAsset.fetchAssets(in: album, options: options)
        return Set(CollectionArguments.all(found).map(\.localIdentifier))
    }

    /// Throws an error unless the album contains all given assets.
    ///
    /// - Throws: An error that names the missing assets.
    func requireAll(_ assets: [PHAsset]) throws {
        let held = holding(assets)
        let missing = assets.map(\.localIdentifier).filter { !held.contains($0) }
        guard !missing.isEmpty else { return }
        let name = Wording.name(album)
        throw PHPhotosError(
            .identifierNotFound,
            userInfo: [
                NSLocalizedDescriptionKey:
                    "\(name.prefix(1).uppercased() + name.dropFirst()) does not contain"
                    + " \(missing.joined(separator: ", ")).",
                NSLocalizedRecoverySuggestionErrorKey:
                    "Run photos list --album to see its contents.",
                PHLocalIdentifiersErrorKey: missing,
            ]
        )
    }

    /// Moves assets to a position in the album, in the given order, and adds those that the album
    /// does not contain.
    ///
    /// - Returns: `true` if the album changed.
    /// - Throws: When the position is beyond the end of the album.
    func put(
        _ assets: [PHAsset],
        at place: Int,
        present: Set<String>,
        in library: PhotoLibraryBundle
    ) throws -> Bool {
        let moving = present.isEmpty ? 0 : shownCount(of: assets)
        let indexes = try Places.indexes(
            at: place,
            for: assets.count,
            among: shown.count - moving,
            in: Wording.name(album)
        )
        let change = try Changes.perform(in: library) {
            try Changes.request(for: album, assets: shown).insertAssets(assets, at: indexes)
        }
        return !change.changed.isEmpty
    }

    private func shownCount(of assets: [PHAsset]) -> Int {
        PHAsset.fetchAssets(in: album, options: Self.options(for: assets)).count
    }

    private static func options(for assets: [PHAsset]) -> PHFetchOptions {
        let options = PHFetchOptions()
        let identifiers = assets.map(\.localIdentifier)
        options.predicate = NSPredicate(format: "localIdentifier IN %@", identifiers)
        return options
    }
}
