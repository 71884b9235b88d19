package import CloudSync
internal import Dispatch
internal import ImagePipeline
package import PhotoLibrary
package import PhotoModel

/// The library operations that a sync host uses for optimized storage.
///
/// Each function calls the function of `LibraryStore` with the same name, unless it is documented
/// otherwise.
extension LibraryEngine {
    package func optimizedStorage() throws(LibraryError) -> OptimizedStorage? {
        try inLibrary { () throws in try store.optimizedStorage() }
    }

    package func setOptimizedStorage(_ storage: OptimizedStorage?) throws(LibraryError) {
        try inLibrary { () throws in try store.setOptimizedStorage(storage) }
    }

    package func keptAlbums() throws(LibraryError) -> [String] {
        try inLibrary { () throws in try store.keptAlbums() }
    }

    package func setAlbum(_ uuid: String, isKept: Bool) throws(LibraryError) {
        try inLibrary { () throws in try store.setAlbum(uuid, isKept: isKept) }
    }

    package func volumeSpace(isSettled: Bool = false) throws(LibraryError) -> VolumeSpace {
        try inLibrary { () throws in try store.volumeSpace(isSettled: isSettled) }
    }

    package func neededContents() throws(LibraryError) -> [ContentID] {
        try inLibrary { () throws in try store.neededContents() }
    }

    package func removableOriginals(
        bytes: Int64,
        limit: Int,
        except excluded: Set<ContentID>
    ) throws(LibraryError) -> [RemovableOriginal] {
        try inLibrary { () throws in
            try store.removableOriginals(bytes: bytes, limit: limit, except: excluded)
        }
    }

    package func removeOriginals(
        _ contents: [ContentID]
    ) throws(LibraryError) -> [ContentID] {
        try inLibrary { () throws in try store.removeOriginals(contents) }
    }

    /// Makes the renditions that remain stored after photos' originals are removed.
    ///
    /// The caller removes the originals afterward. The call runs on another thread.
    ///
    /// - Returns: The UUIDs of the photos that have them now.
    package func makeRemainingPictures(of assets: [String]) async throws(LibraryError)
        -> Set<String>
    {
        let outcome = await withCheckedContinuation { continuation in
            DispatchQueue.global(qos: .utility).async { [self] in
                continuation.resume(
                    returning: Result { () throws(LibraryError) in
                        try inLibrary { () throws in
                            try renditionBuilder.makeRemaining(of: assets)
                        }
                    }
                )
            }
        }
        return try outcome.get()
    }

    /// Permits removed originals to be downloaded again if the renditions kept in their place were
    /// lost.
    package func requestLostPictures() throws(LibraryError) {
        try inLibrary { () throws in try renditionBuilder.requestLostPictures() }
    }
}
