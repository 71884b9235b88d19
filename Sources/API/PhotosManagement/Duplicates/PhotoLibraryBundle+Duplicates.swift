internal import Foundation
internal import LibraryService
internal import PhotoModel
public import Photos

extension PhotoLibraryBundle {
    /// The duration of one step of the analysis, in seconds.
    private static let stepInSeconds = 2.0

    /// Finds photos that show the same picture but are not byte-identical.
    ///
    /// Photos are matched by the appearance of a small version, and then by the pixels of that
    /// version. Frames of one burst are not duplicates, nor are the files of one photo, such as a
    /// RAW and its JPEG. Photos whose cameras recorded different capture times are not duplicates
    /// either, however similar they look. Hidden and deleted photos, movies, and photos of a single
    /// color are skipped. Nothing is changed.
    ///
    /// The first call analyzes every photo that was not analyzed before, and generates missing
    /// thumbnails, which can take long. Later calls analyze only new photos, and take about a
    /// second for 100,000 photos.
    ///
    /// - Parameters:
    ///   - control: Stops the search from another thread; finished analysis is kept.
    ///   - progress: Called after each step with the number of photos still to be analyzed and the
    ///     number at the start. An error that it throws ends the search and is rethrown.
    /// - Returns: The groups, sorted by their oldest photo; empty when the search was stopped.
    /// - Throws: `PHPhotosError` when the library cannot be read.
    public func duplicatePhotos(
        control: OperationControl = OperationControl(),
        progress: (_ remaining: Int, _ total: Int) throws -> Void = { _, _ in }
    ) throws -> [DuplicatePhotos] {
        var total: Int?
        while !control.isStopped {
            let request = DuplicatesRequest(patience: Self.stepInSeconds)
            let reply = try edge { () throws(LibraryError) in try service.duplicates(request) }
            total = max(total ?? 0, reply.remaining)
            try progress(reply.remaining, total ?? 0)
            if reply.remaining == 0 { return try reply.groups.compactMap(photos) }
        }
        return []
    }

    private func photos(_ ids: RowIDBuffer) throws -> DuplicatePhotos? {
        let found = try using { try PHAsset.fetchAssetsChecked(.rowIDs(ids), options: nil) }
        return DuplicatePhotos((0..<found.count).map { found[$0] })
    }

    /// Keeps one photo of each group and moves the others to Recently Deleted.
    ///
    /// All groups are merged in one change, which can be undone. The method returns when the change
    /// is durable. The kept photo takes the places of the others in albums, and becomes a favorite
    /// when one of them was.
    ///
    /// - Parameters:
    ///   - groups: Groups from ``duplicatePhotos(control:progress:)``.
    ///   - choose: Returns the photo of a group to keep; the suggested one by default.
    /// - Returns: The library version that the change created; nil if there was nothing to merge.
    /// - Throws: `PHPhotosError`; then nothing was changed. The code is `userCancelled` when the
    ///   user declined the confirmation; see ``DeletionConfirmation``.
    @discardableResult
    public func merge(
        _ groups: [DuplicatePhotos],
        keeping choose: (DuplicatePhotos) -> PHAsset = \.suggested
    ) throws -> Int64? {
        let merges = groups.map { group -> Merge in
            let kept = choose(group)
            return Merge(kept: kept, others: group.photos.filter { $0 != kept }, in: self)
        }
        guard !merges.isEmpty else { return nil }
        return try commitChanges {
            for merge in merges { merge.request() }
            PHAssetChangeRequest.deleteAssets(merges.flatMap(\.others))
        }
    }

    /// The changes to the photo that is kept from a group.
    ///
    /// The photo becomes a favorite if another photo of the group is one. It is added to the albums
    /// of the other photos, at the positions of those photos.
    private struct Merge {
        /// An album to which the kept photo is added, with the album's members and the insertion
        /// index.
        ///
        /// The album does not contain the kept photo.
        struct Place {
            let album: PHAssetCollection
            let members: PHFetchResult<PHAsset>
            let index: Int
        }

        let kept: PHAsset
        let others: [PHAsset]
        private let places: [Place]

        /// Fetches the albums of the photos, before the change block begins.
        init(kept: PHAsset, others: [PHAsset], in library: PhotoLibraryBundle) {
            self.kept = kept
            self.others = others
            places = library.using {
                func albums(of asset: PHAsset) -> [PHAssetCollection] {
                    let result = PHAssetCollection.fetchAssetCollectionsContaining(
                        asset,
                        with: .album,
                        options: nil
                    )
                    return (0..<result.count).map { result[$0] }
                }
                var seen = Set(albums(of: kept))
                var places: [Place] = []
                for other in others {
                    for album in albums(of: other) where seen.insert(album).inserted {
                        let members = PHAsset.fetchAssets(in: album, options: nil)
                        let index = members.index(of: other)
                        places.append(
                            Place(
                                album: album,
                                members: members,
                                index: index == NSNotFound ? members.count : index
                            )
                        )
                    }
                }
                return places
            }
        }

        func request() {
            if !kept.isFavorite, others.contains(where: \.isFavorite) {
                PHAssetChangeRequest(for: kept).isFavorite = true
            }
            for place in places {
                PHAssetCollectionChangeRequest(for: place.album, assets: place.members)?
                    .insertAssets([kept], at: IndexSet(integer: place.index))
            }
        }
    }
}
