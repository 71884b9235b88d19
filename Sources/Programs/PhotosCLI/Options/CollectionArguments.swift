import Foundation
import Photos

/// Resolves albums and folders that are named on the command line, by identifier or by unique
/// title.
enum CollectionArguments {
    /// The name of the top level, which contains the collections that are not in a folder.
    static let topLevel = "/"

    /// Returns the album with an identifier or title.
    ///
    /// - Throws: When there is none, or several have the title.
    static func album(_ name: String) throws -> PHAssetCollection {
        let byIdentifier = PHAssetCollection.fetchAssetCollections(
            withLocalIdentifiers: [whole(name, suffix: "/L0/040")],
            options: nil
        )
        if let album = byIdentifier.firstObject { return album }
        let result = PHAssetCollection.fetchAssetCollections(
            with: .album,
            subtype: .any,
            options: titled(name)
        )
        let abbreviated =
            try result.count == 0
            ? identifier(name, noun: "album") {
                all(
                    PHAssetCollection.fetchAssetCollections(
                        with: .album,
                        subtype: .any,
                        options: $0
                    )
                ).map(\.localIdentifier)
            } : nil
        if let abbreviated { return try album(abbreviated) }
        return try only(all(result), name: name, kind: "album")
    }

    /// Returns the album with an identifier or title; if no album matches, returns the smart album
    /// with the title.
    ///
    /// - Throws: When there is none, or several have the title.
    static func anyAlbum(_ name: String) throws -> PHAssetCollection {
        do {
            return try album(name)
        } catch  where isNotFound(error) {
            let smart = CollectionTree.smartAlbums.first { $0.localizedTitle == name }
            guard let smart else { throw error }
            return smart
        }
    }

    /// Returns the folder with an identifier or title.
    ///
    /// - Throws: When there is none, or several have the title.
    static func folder(_ name: String) throws -> PHCollectionList {
        let byIdentifier = PHCollectionList.fetchCollectionLists(
            withLocalIdentifiers: [whole(name, suffix: "/L0/020")],
            options: nil
        )
        if let folder = byIdentifier.firstObject { return folder }
        let result = PHCollectionList.fetchCollectionLists(
            with: .folder,
            subtype: .any,
            options: titled(name)
        )
        let abbreviated =
            try result.count == 0
            ? identifier(name, noun: "folder") {
                all(
                    PHCollectionList.fetchCollectionLists(with: .folder, subtype: .any, options: $0)
                ).map(\.localIdentifier)
            } : nil
        if let abbreviated { return try folder(abbreviated) }
        return try only(all(result), name: name, kind: "folder")
    }

    /// Returns the folder with an identifier or title; nil for the name of the top level.
    ///
    /// - Throws: When there is none, or several have the title.
    static func optionalFolder(_ name: String) throws -> PHCollectionList? {
        name == topLevel ? nil : try folder(name)
    }

    /// Returns the album or folder with an identifier or title.
    ///
    /// - Throws: When there is none, or several have the title.
    static func collection(_ name: String) throws -> PHCollection {
        let album = Result { try self.album(name) as PHCollection }
        let folder = Result { try self.folder(name) as PHCollection }
        switch (album, folder) {
        case (.success(let album), .success(let folder)):
            // An identifier has only one kind, so both were found by title.
            return try only([album, folder], name: name, kind: "album or folder")
        case (.success(let collection), .failure(let error)),
            (.failure(let error), .success(let collection)):
            if isNotFound(error) { return collection }
            throw error
        case (.failure(let first), .failure(let second)):
            guard isNotFound(first) else { throw first }
            guard isNotFound(second) else { throw second }
            throw missing(name, kind: "album or folder")
        }
    }

    /// Resolves names to collections, without duplicates.
    static func unique<Collection: PHCollection>(
        _ names: [String],
        _ find: (String) throws -> Collection
    ) throws -> [Collection] {
        var seen: Set<String> = []
        return try names.map(find).filter { seen.insert($0.localIdentifier).inserted }
    }

    /// Returns all objects of a result.
    static func all<Object: PHObject>(_ result: PHFetchResult<Object>) -> [Object] {
        result.objects(at: IndexSet(0..<result.count))
    }

    // MARK: - Look-up

    private static func whole(_ name: String, suffix: String) -> String {
        let upper = name.uppercased()
        return UUID(uuidString: upper) == nil ? upper : upper + suffix
    }

    /// Returns the identifier that an abbreviation matches; nil if the text is not an abbreviation
    /// or matches nothing.
    private static func identifier(
        _ name: String,
        noun: String,
        find: (PHFetchOptions) -> [String]
    ) throws -> String? {
        try Abbreviations.resolved([name.uppercased()], noun: noun) { predicate in
            let options = PHFetchOptions()
            options.predicate = predicate
            return find(options)
        }.values.first
    }

    private static func titled(_ title: String) -> PHFetchOptions {
        let options = PHFetchOptions()
        options.predicate = NSPredicate(format: "localizedTitle = %@", title)
        return options
    }

    private static func only<Collection: PHCollection>(
        _ found: [Collection],
        name: String,
        kind: String
    ) throws -> Collection {
        if found.count == 1 { return found[0] }
        if let error = PHPhotoLibrary.shared().unavailabilityReason { throw error }
        if found.isEmpty { throw missing(name, kind: kind) }
        let identifiers = found.map(\.localIdentifier)
        throw PHPhotosError(
            .multipleIdentifiersFound,
            userInfo: [
                NSLocalizedDescriptionKey:
                    "More than one \(kind) is called \(TerminalStyle.quoted(name)).",
                NSLocalizedRecoverySuggestionErrorKey:
                    "Give an identifier instead: \(identifiers.joined(separator: ", ")).",
                PHLocalIdentifiersErrorKey: identifiers,
            ]
        )
    }

    private static func missing(_ name: String, kind: String) -> any Error {
        if let error = PHPhotoLibrary.shared().unavailabilityReason { return error }
        return PHPhotosError(
            .identifierNotFound,
            userInfo: [
                NSLocalizedDescriptionKey:
                    "There is no \(kind) \(TerminalStyle.quoted(name)) in the library.",
                NSLocalizedRecoverySuggestionErrorKey:
                    "Run photos albums to see titles and identifiers.",
                PHLocalIdentifiersErrorKey: [name],
            ]
        )
    }

    private static func isNotFound(_ error: any Error) -> Bool {
        (error as? PHPhotosError)?.code == .identifierNotFound
    }
}
