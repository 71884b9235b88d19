import Foundation
import Photos
import PhotosManagement

/// Changes of the library: each verb makes one, whole or not at all.
enum Changes {
    /// Makes the changes that `body` asks for, and waits until they are durable.
    ///
    /// `body` throws, if at all, before it asks for anything.
    ///
    /// - Returns: What `body` returned, and the identifiers of the objects that changed. There are none
    ///   where the library already was as asked for.
    static func perform<Result>(
        in library: PhotoLibraryBundle,
        _ body: @escaping () throws -> Result
    ) throws -> (result: Result, changed: Set<String>) {
        var outcome: Swift.Result<Result, any Error>?
        let entry = try library.performChanges {
            outcome = Swift.Result(catching: body)
        }
        guard let outcome else { throw PHPhotosError(.internalError) }
        return (try outcome.get(), Set(entry?.changes.map(\.localIdentifier) ?? []))
    }

    /// A change request for an album.
    static func request(
        for album: PHAssetCollection,
        assets: PHFetchResult<PHAsset>? = nil
    ) throws -> PHAssetCollectionChangeRequest {
        guard let request = PHAssetCollectionChangeRequest(for: album, assets: assets) else {
            throw refused(album)
        }
        return request
    }

    /// A change request for what a folder holds; nil for the top level.
    static func request(for folder: PHCollectionList?) throws -> PHCollectionListChangeRequest {
        try request(for: folder, children: children(of: folder))
    }

    /// A change request whose indexes count in a list of children.
    static func request(
        for folder: PHCollectionList?,
        children: PHFetchResult<PHCollection>
    ) throws -> PHCollectionListChangeRequest {
        let request =
            if let folder {
                PHCollectionListChangeRequest(for: folder, childCollections: children)
            } else {
                PHCollectionListChangeRequest(
                    forTopLevelCollectionListUserCollections: children
                )
            }
        guard let request else { throw refused(folder) }
        return request
    }

    /// What a folder holds, or, for nil, what no folder holds.
    static func children(of folder: PHCollectionList?) -> PHFetchResult<PHCollection> {
        if let folder { return PHCollection.fetchCollections(in: folder, options: nil) }
        return PHCollection.fetchTopLevelUserCollections(with: nil)
    }

    /// The folder that holds a collection; nil at the top level.
    static func folder(of collection: PHCollection) -> PHCollectionList? {
        PHCollectionList.fetchCollectionListsContaining(collection, options: nil).firstObject
    }

    private static func refused(_ collection: PHCollection?) -> PHPhotosError {
        let name = collection.map(Wording.name) ?? "the top level"
        return PHPhotosError(
            .changeNotSupported,
            userInfo: [NSLocalizedDescriptionKey: "The library does not let \(name) be changed."]
        )
    }
}

/// Places in lists, counted from 0.
enum Places {
    /// The indexes that `count` objects get at a place among `others` objects.
    ///
    /// - Throws: When the list is not that long.
    static func indexes(at place: Int, for count: Int, among others: Int, in list: String) throws
        -> IndexSet
    {
        guard place <= others else {
            throw PHPhotosError(
                .changeNotSupported,
                userInfo: [
                    NSLocalizedDescriptionKey: "There is no place \(place) in \(list).",
                    NSLocalizedFailureReasonErrorKey:
                        "Places count from 0; \(others) is the last one.",
                ]
            )
        }
        return IndexSet(place..<place + count)
    }
}
