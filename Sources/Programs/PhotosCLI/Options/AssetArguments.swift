import ArgumentParser
import Foundation
import Photos
import PhotosManagement

/// Resolves assets that are named on the command line.
enum AssetArguments {
    /// The help text of arguments that name assets.
    static let help = ArgumentHelp(
        "The assets' identifiers, as shown by photos list, or their first characters; - reads them"
            + " from standard input.",
        valueName: "id"
    )

    /// Returns the asset with an identifier: `UUID/L0/001`, the UUID alone or an abbreviation.
    ///
    /// Letters can be uppercase or lowercase.
    ///
    /// - Throws: An error when no asset matches; a usage error when several do.
    static func asset(_ identifier: String, in library: PhotoLibraryBundle) throws -> PHAsset {
        try assets([identifier], in: library)[0]
    }

    /// Returns the assets with the given identifiers, in the order of the identifiers and without
    /// duplicates.
    ///
    /// - Throws: An error that names all missing assets; a usage error when an abbreviation matches
    ///   several assets.
    static func assets(_ identifiers: [String], in library: PhotoLibraryBundle) throws -> [PHAsset]
    {
        let identifiers = try resolved(identifiers) { predicate in
            let options = everything
            options.predicate = predicate
            return try library.fetchAssets(with: options)
        }
        let wanted = whole(identifiers)
        let result = PHAsset.fetchAssets(withLocalIdentifiers: wanted, options: everything)
        var found: [String: PHAsset] = [:]
        result.enumerateObjects { asset, _, _ in found[asset.localIdentifier] = asset }
        let assets = wanted.compactMap { found[$0] }
        if assets.count == wanted.count { return assets }
        if let error = PHPhotoLibrary.shared().unavailabilityReason { throw error }
        let missing = zip(wanted, unique(identifiers)).filter { found[$0.0] == nil }
        let deleted = try DeletedAssets(library).holding(missing.map(\.0))
        let unknown = missing.filter { !deleted.contains($0.0) }.map(\.1)
        if unknown.isEmpty { throw gone(missing.map(\.1)) }
        throw Self.unknown(unknown)
    }

    /// Replaces abbreviations with the matching identifiers, and leaves other texts unchanged.
    ///
    /// - Throws: A usage error when an abbreviation matches several assets.
    static func resolved(
        _ identifiers: [String],
        fetch: (NSPredicate) throws -> PHFetchResult<PHAsset>
    ) throws -> [String] {
        let found = try Abbreviations.resolved(
            identifiers.map { $0.uppercased() },
            noun: "asset"
        ) { CollectionArguments.all(try fetch($0)).map(\.localIdentifier) }
        return found.isEmpty ? identifiers : identifiers.map { found[$0.uppercased()] ?? $0 }
    }

    /// Converts identifiers to their full form, `UUID/L0/001` in uppercase, and removes duplicates.
    static func whole(_ identifiers: [String]) -> [String] {
        var seen: Set<String> = []
        return identifiers.map(whole).filter { seen.insert($0).inserted }
    }

    /// Returns the error for assets that are in Recently Deleted.
    private static func gone(_ identifiers: [String]) -> PHPhotosError {
        let names = identifiers.map(TerminalStyle.safe).joined(separator: " ")
        return PHPhotosError(
            .identifierNotFound,
            userInfo: [
                NSLocalizedDescriptionKey:
                    "\(identifiers.count == 1 ? "This asset is" : "These assets are") in Recently"
                    + " Deleted: \(names).",
                NSLocalizedRecoverySuggestionErrorKey: "Use photos restore to restore assets.",
                PHLocalIdentifiersErrorKey: identifiers,
            ]
        )
    }

    /// Returns the error for identifiers that belong to no asset.
    private static func unknown(_ identifiers: [String]) -> PHPhotosError {
        let shown = identifiers.map(TerminalStyle.safe)
        let message =
            shown.count == 1
            ? "There is no asset \(shown[0]) in the library."
            : "There are no assets \(shown.joined(separator: ", ")) in the library."
        return PHPhotosError(
            .identifierNotFound,
            userInfo: [
                NSLocalizedDescriptionKey: message,
                NSLocalizedRecoverySuggestionErrorKey: "Run photos list to see the identifiers.",
                PHLocalIdentifiersErrorKey: identifiers,
            ]
        )
    }

    /// The fetch options that include hidden assets and all burst frames, since the assets are
    /// named explicitly.
    private static var everything: PHFetchOptions {
        let options = PHFetchOptions()
        options.includeHiddenAssets = true
        options.includeAllBurstAssets = true
        return options
    }

    private static func whole(_ identifier: String) -> String {
        let upper = identifier.uppercased()
        return upper.contains("/") ? upper : upper + "/L0/001"
    }

    /// Removes duplicate identifiers of the same asset, and keeps the spelling of the first one.
    private static func unique(_ identifiers: [String]) -> [String] {
        var seen: Set<String> = []
        return identifiers.filter { seen.insert(whole($0)).inserted }
    }
}
