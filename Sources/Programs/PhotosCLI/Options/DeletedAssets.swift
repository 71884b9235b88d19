import Foundation
import Photos
import PhotosManagement

/// Finds assets in Recently Deleted.
struct DeletedAssets {
    private let library: PhotoLibraryBundle

    init(_ library: PhotoLibraryBundle) { self.library = library }

    /// Returns all assets in Recently Deleted.
    func all() throws -> [PHAsset] {
        CollectionArguments.all(try library.recentlyDeletedAssets(with: Self.everything))
    }

    /// Returns the given identifiers that belong to assets in Recently Deleted.
    func holding(_ identifiers: [String]) throws -> Set<String> {
        Set(try assets(identifiers).map(\.localIdentifier))
    }

    private static var everything: PHFetchOptions {
        let options = PHFetchOptions()
        options.includeHiddenAssets = true
        options.includeAllBurstAssets = true
        return options
    }

    private func assets(_ identifiers: [String]) throws -> [PHAsset] {
        let options = Self.everything
        options.predicate = NSPredicate(format: "localIdentifier IN %@", identifiers)
        return CollectionArguments.all(try library.recentlyDeletedAssets(with: options))
    }

    /// Returns the assets in Recently Deleted with the given identifiers, in the order of the
    /// identifiers and without duplicates.
    ///
    /// - Throws: An error that names all assets that are not in Recently Deleted.
    func named(_ identifiers: [String]) throws -> [PHAsset] {
        var found: [String: PHAsset] = [:]
        let identifiers = try AssetArguments.resolved(identifiers) { predicate in
            let options = Self.everything
            options.predicate = predicate
            return try library.recentlyDeletedAssets(with: options)
        }
        let wanted = AssetArguments.whole(identifiers)
        for asset in try assets(wanted) { found[asset.localIdentifier] = asset }
        let missing = wanted.filter { found[$0] == nil }
        guard missing.isEmpty else {
            throw PHPhotosError(
                .identifierNotFound,
                userInfo: [
                    NSLocalizedDescriptionKey:
                        "Recently Deleted does not contain \(missing.map(TerminalStyle.safe).joined(separator: ", ")).",
                    NSLocalizedRecoverySuggestionErrorKey:
                        "Run photos list --deleted to see its contents.",
                    PHLocalIdentifiersErrorKey: missing,
                ]
            )
        }
        return wanted.compactMap { found[$0] }
    }
}
