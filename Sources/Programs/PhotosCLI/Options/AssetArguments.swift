import ArgumentParser
import Foundation
import Photos
import PhotosManagement

/// Assets that are named on the command line.
enum AssetArguments {
    /// The help of arguments that name assets.
    static let help = ArgumentHelp(
        "The assets' identifiers, as list shows them, or their beginnings; - reads them from standard"
            + " input.",
        valueName: "id"
    )

    /// The asset with an identifier: `UUID/L0/001`, the UUID alone, or its beginning, in any case.
    ///
    /// - Throws: When there is none; a usage error when several identifiers begin so.
    static func asset(_ identifier: String, in library: PhotoLibraryBundle) throws -> PHAsset {
        try assets([identifier], in: library)[0]
    }

    /// The assets with these identifiers, in their order, each once.
    ///
    /// - Throws: When one of them is not there; the error names all that are not. A usage error when
    ///   several identifiers begin with an abbreviation.
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

    /// Identifiers with each abbreviation replaced by the identifier that it stands for; what stands for
    /// none stays as it is.
    ///
    /// - Throws: A usage error when several identifiers begin with an abbreviation.
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

    /// Identifiers as they are stored, each once.
    static func whole(_ identifiers: [String]) -> [String] {
        var seen: Set<String> = []
        return identifiers.map(whole).filter { seen.insert($0).inserted }
    }

    /// The error for assets in Recently Deleted.
    private static func gone(_ identifiers: [String]) -> PHPhotosError {
        let names = identifiers.map(TerminalStyle.safe).joined(separator: " ")
        return PHPhotosError(
            .identifierNotFound,
            userInfo: [
                NSLocalizedDescriptionKey:
                    "In Recently Deleted \(identifiers.count == 1 ? "is" : "are"): \(names).",
                NSLocalizedRecoverySuggestionErrorKey: "photos restore brings assets back.",
                PHLocalIdentifiersErrorKey: identifiers,
            ]
        )
    }

    /// The error for identifiers that no asset has.
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
                NSLocalizedRecoverySuggestionErrorKey: "photos list shows the identifiers.",
                PHLocalIdentifiersErrorKey: identifiers,
            ]
        )
    }

    /// Nothing is left out: who names an asset means it.
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

    /// As they were typed, without what names the same asset again.
    private static func unique(_ identifiers: [String]) -> [String] {
        var seen: Set<String> = []
        return identifiers.filter { seen.insert(whole($0)).inserted }
    }
}
