import Foundation
import Photos

/// Albums and folders that are named on the command line: by identifier, or by a title that only one
/// of them has.
enum CollectionArguments {
    /// What stands for the top level, where the collections are that no folder holds.
    static let topLevel = "/"

    /// The album that is meant.
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

    /// The album that is meant, or the smart album that has the title where no other album has it.
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

    /// The folder that is meant.
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

    /// The folder that is meant, nil for the top level.
    ///
    /// - Throws: When there is none, or several have the title.
    static func optionalFolder(_ name: String) throws -> PHCollectionList? {
        name == topLevel ? nil : try folder(name)
    }

    /// The album or folder that is meant.
    ///
    /// - Throws: When there is none, or several have the title.
    static func collection(_ name: String) throws -> PHCollection {
        let album = Result { try self.album(name) as PHCollection }
        let folder = Result { try self.folder(name) as PHCollection }
        switch (album, folder) {
        case (.success(let album), .success(let folder)):
            // An identifier names one kind, so both were found by the title.
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

    /// The collections that are meant, each once.
    static func unique<Collection: PHCollection>(
        _ names: [String],
        _ find: (String) throws -> Collection
    ) throws -> [Collection] {
        var seen: Set<String> = []
        return try names.map(find).filter { seen.insert($0.localIdentifier).inserted }
    }

    /// The objects of a result.
    static func all<Object: PHObject>(_ result: PHFetchResult<Object>) -> [Object] {
        result.objects(at: IndexSet(0..<result.count))
    }

    // MARK: - Looking up

    private static func whole(_ name: String, suffix: String) -> String {
        let upper = name.uppercased()
        return UUID(uuidString: upper) == nil ? upper : upper + suffix
    }

    /// The identifier that an abbreviation stands for; nil when it is none, or fits no collection.
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
                    "Say which one by its identifier: \(identifiers.joined(separator: ", ")).",
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
                    "photos albums shows titles and identifiers.",
                PHLocalIdentifiersErrorKey: [name],
            ]
        )
    }

    private static func isNotFound(_ error: any Error) -> Bool {
        (error as? PHPhotosError)?.code == .identifierNotFound
    }
}
