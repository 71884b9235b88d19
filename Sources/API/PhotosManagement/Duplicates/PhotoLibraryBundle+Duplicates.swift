internal import Foundation
internal import LibraryService
internal import PhotoModel
public import Photos

extension PhotoLibraryBundle {
    /// How long one step of looking at photos takes, in seconds.
    private static let stepInSeconds = 2.0

    /// Finds photos that show the same picture in other bytes.
    ///
    /// Photos are told by what they look like small, and then by the pixels of that. Frames of one burst
    /// are not duplicates, nor are photos of which cameras say that they were taken at two times,
    /// however alike they look; nor are the files of one photo, such as a RAW and its JPEG. Hidden and
    /// deleted photos, movies, and photos of a single colour are left out. Nothing is changed.
    ///
    /// The first call looks at every photo of which there is no small picture yet, which can take long;
    /// later ones look at what is new, and take about a second for 100,000 photos.
    ///
    /// - Parameters:
    ///   - control: Stops it from another thread; what was looked at stays known.
    ///   - progress: Told after each step: how many photos have to be looked at still, and how many there
    ///     were. What it throws ends the search and is thrown on.
    /// - Returns: The groups, the one with the oldest photo first; none when it was stopped.
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

    /// Keeps one photo of each group and moves the others to Recently Deleted, as one change that undo
    /// takes back; waits until it is durable.
    ///
    /// What is kept takes the others' places in albums, and is a favourite when one of them was.
    ///
    /// - Parameters:
    ///   - groups: Groups as ``duplicatePhotos(control:progress:)`` found them.
    ///   - choose: Which one to keep of a group; the suggested one unless it is said.
    /// - Throws: `PHPhotosError`; then nothing was changed. With code `userCancelled` when the person
    ///   who was asked said no, see ``DeletionConfirmation``.
    public func merge(
        _ groups: [DuplicatePhotos],
        keeping choose: (DuplicatePhotos) -> PHAsset = \.suggested
    ) throws {
        let merges = groups.map { group -> Merge in
            let kept = choose(group)
            return Merge(kept: kept, others: group.photos.filter { $0 != kept }, in: self)
        }
        guard !merges.isEmpty else { return }
        try photoLibrary.performChangesAndWait {
            for merge in merges { merge.request() }
            PHAssetChangeRequest.deleteAssets(merges.flatMap(\.others))
        }
    }

    /// What keeping one photo of a group comes to.
    private struct Merge {
        /// An album that the kept one is not in, its members, and where in it another one is.
        struct Place {
            let album: PHAssetCollection
            let members: PHFetchResult<PHAsset>
            let index: Int
        }

        let kept: PHAsset
        let others: [PHAsset]
        private let places: [Place]

        /// Looks up what has to be known before a change block begins.
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
