import Foundation
import Photos
import PhotosManagement

/// Performs changes of the library; each command makes one atomic change.
enum Changes {
    /// Performs the changes that `body` requests and waits until they are durable.
    ///
    /// `body` may only throw before it requests a change.
    ///
    /// - Returns: The result of `body` and the identifiers of the changed objects, which are empty
    ///   if the library already had the requested state.
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

    /// Returns a change request for an album.
    static func request(
        for album: PHAssetCollection,
        assets: PHFetchResult<PHAsset>? = nil
    ) throws -> PHAssetCollectionChangeRequest {
        guard let request = PHAssetCollectionChangeRequest(for: album, assets: assets) else {
            throw refused(album)
        }
        return request
    }

    /// Returns a change request for the contents of a folder, or of the top level if `folder` is
    /// nil.
    static func request(for folder: PHCollectionList?) throws -> PHCollectionListChangeRequest {
        try request(for: folder, children: children(of: folder))
    }

    /// Returns a change request for the contents of a folder, or of the top level if `folder` is
    /// nil.
    ///
    /// The indexes in the request refer to `children`.
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

    /// Returns the contents of a folder, or of the top level if `folder` is nil.
    static func children(of folder: PHCollectionList?) -> PHFetchResult<PHCollection> {
        if let folder { return PHCollection.fetchCollections(in: folder, options: nil) }
        return PHCollection.fetchTopLevelUserCollections(with: nil)
    }

    /// Returns the folder that contains a collection; nil for a collection at the top level.
    static func folder(of collection: PHCollection) -> PHCollectionList? {
        PHCollectionList.fetchCollectionListsContaining(collection, options: nil).firstObject
    }

    private static func refused(_ collection: PHCollection?) -> PHPhotosError {
        let name = collection.map(Wording.name) ?? "the top level"
        return PHPhotosError(
            .changeNotSupported,
            userInfo: [NSLocalizedDescriptionKey: "The library does not allow changes to \(name)."]
        )
    }
}

/// Calculates zero-based positions in lists.
enum Places {
    /// Returns the indexes of `count` objects after their insertion at a position in a list of
    /// `others` objects.
    ///
    /// - Throws: When the position is beyond the end of the list.
    static func indexes(at place: Int, for count: Int, among others: Int, in list: String) throws
        -> IndexSet
    {
        guard place <= others else {
            throw PHPhotosError(
                .changeNotSupported,
                userInfo: [
                    NSLocalizedDescriptionKey: "There is no position \(place) in \(list).",
                    NSLocalizedFailureReasonErrorKey:
                        "Positions start at 0, and the last one is \(others).",
                ]
            )
        }
        return IndexSet(place..<place + count)
    }
}
