import Foundation
import Photos
import PhotosManagement
import Testing

/// Hidden and deleted assets do not leak: every API that returns assets, with assets of each kind.
///
/// Behaviors 35, 51, 52 and 120; pains 16 and 19.
@Suite(.timeLimit(.minutes(5))) struct VisibilityTests {
    /// Six photos with files in one album, all of them favorites with a keyword.
    private struct Sorts {
        let world: ChangeWorld
        let album: PHAssetCollection
        /// The assets as fetched before anything was hidden or deleted.
        let before: [PHAsset]
        let start: PHPersistentChangeToken
        let seen: PHFetchResult<PHAsset>

        var shown: Set<String> { ids(before[0...2]) }
        var hidden: Set<String> { ids(before[3...3]) }
        var deleted: Set<String> { ids(before[4...5]) }
        var secret: Set<String> { hidden.union(deleted) }

        private func ids(_ assets: ArraySlice<PHAsset>) -> Set<String> {
            Set(assets.map(\.localIdentifier))
        }

        init() throws {
            world = try ChangeWorld()
            let world = world
            // The first samples are frames of a burst.
            let files = try (0..<6).map { try world.photo($0 + 10, named: "photo-\($0).jpg") }
            try world.change {
                for (index, file) in files.enumerated() {
                    let request = PHAssetChangeRequest.creationRequestForAssetFromImage(
                        atFileURL: file
                    )
                    request?.isFavorite = true
                    request?.addKeyword("secret")
                    // The invisible assets are the earliest and the latest.
                    let days = [1, 2, 3, 100, -100, 200][index]
                    request?.creationDate = Date(
                        timeIntervalSinceReferenceDate: 7e8 + Double(days) * 86_400
                    )
                }
            }
            before = world.assets.sorted {
                ($0.extendedMetadata.originalFilename ?? "")
                    < ($1.extendedMetadata.originalFilename ?? "")
            }
            let before = before
            try #require(before.count == 6)
            _ = try world.album("All", with: before)
            start = world.library.currentChangeToken
            seen = world.bundle.using { PHAsset.fetchAssets(with: nil) }
            try world.change {
                PHAssetChangeRequest(for: before[3]).isHidden = true
                PHAssetChangeRequest(for: before[5]).isHidden = true
            }
            try world.change { PHAssetChangeRequest.deleteAssets([before[4], before[5]]) }
            album = try #require(world.albums.first)
        }

        func options(hidden: Bool = false, _ predicate: NSPredicate? = nil) -> PHFetchOptions {
            let options = PHFetchOptions()
            options.includeHiddenAssets = hidden
            options.includeAllBurstAssets = true
            options.includeAssetSourceTypes = [
                .typeUserLibrary, .typeCloudShared, .typeiTunesSynced,
            ]
            options.predicate = predicate
            return options
        }

        var smartAlbums: [PHAssetCollection] {
            PHAssetCollection.fetchAssetCollections(
                with: .smartAlbum,
                subtype: .any,
                options: nil
            ).all
        }

        /// Returns every fetch of assets that names none of them.
        func fetches(_ options: PHFetchOptions?) -> [(String, PHFetchResult<PHAsset>)] {
            var fetches = [
                ("all", PHAsset.fetchAssets(with: options)),
                ("images", PHAsset.fetchAssets(with: .image, options: options)),
                ("the album", PHAsset.fetchAssets(in: album, options: options)),
            ]
            if let keys = PHAsset.fetchKeyAssets(in: album, options: options) {
                fetches.append(("the album's key assets", keys))
            }
            for smart in smartAlbums where smart.assetCollectionSubtype != .smartAlbumAllHidden {
                let name = "\(smart.assetCollectionSubtype)"
                fetches.append((name, PHAsset.fetchAssets(in: smart, options: options)))
                if let keys = PHAsset.fetchKeyAssets(in: smart, options: options) {
                    fetches.append(("key assets of \(name)", keys))
                }
            }
            return fetches
        }

        /// Predicates that match all of them, by every property that a search may use.
        var searches: [NSPredicate] {
            [
                NSPredicate(format: "isHidden == YES OR isHidden == NO"),
                NSPredicate(format: "isHidden == YES"), NSPredicate(format: "isFavorite == YES"),
                NSPredicate(format: "keywords CONTAINS 'secret'"),
                NSPredicate(format: "originalFilename BEGINSWITH 'photo'"),
                NSPredicate(format: "localIdentifier IN %@", before.map(\.localIdentifier)),
                NSPredicate(format: "SELF IN %@", before), NSPredicate(value: true),
                NSPredicate { _, _ in true },
            ]
        }
    }

    private func identifiers(_ result: PHFetchResult<PHAsset>) -> Set<String> {
        Set(result.all.map(\.localIdentifier))
    }

    @Test("No fetch shows what is hidden or deleted without being asked, nor counts it")
    func fetches() throws {
        let sorts = try Sorts()
        sorts.world.bundle.using {
            let plain = sorts.fetches(nil) + sorts.fetches(sorts.options())
            for (name, result) in plain {
                #expect(identifiers(result).isSubset(of: sorts.shown), "\(name)")
                #expect(result.countOfAssets(with: .image) == result.count, "\(name)")
            }
            for search in sorts.searches {
                for (name, result) in sorts.fetches(sorts.options(search)) {
                    #expect(identifiers(result).isSubset(of: sorts.shown), "\(name): \(search)")
                }
            }
            #expect(identifiers(PHAsset.fetchAssets(with: nil)) == sorts.shown)
            #expect(identifiers(PHAsset.fetchAssets(in: sorts.album, options: nil)) == sorts.shown)
        }
    }

    @Test("Who asks for hidden assets gets those, and no deleted ones")
    func hiddenOnDemand() throws {
        let sorts = try Sorts()
        let visible = sorts.shown.union(sorts.hidden)
        sorts.world.bundle.using {
            for (name, result) in sorts.fetches(sorts.options(hidden: true)) {
                #expect(identifiers(result).isDisjoint(with: sorts.deleted), "\(name)")
            }
            for search in sorts.searches {
                for (name, result) in sorts.fetches(sorts.options(hidden: true, search)) {
                    #expect(identifiers(result).isDisjoint(with: sorts.deleted), "\(name)")
                }
            }
            let all = PHAsset.fetchAssets(with: sorts.options(hidden: true))
            #expect(identifiers(all) == visible)
            let album = PHAsset.fetchAssets(in: sorts.album, options: sorts.options(hidden: true))
            #expect(identifiers(album) == visible)
            // Behavior 52: a program that has an identifier has seen the asset.
            let named = PHAsset.fetchAssets(
                withLocalIdentifiers: sorts.before.map(\.localIdentifier),
                options: nil
            )
            #expect(identifiers(named) == visible)
            // Assets that were added individually are included; deleted ones are not.
            let transient = PHAssetCollection.transientAssetCollection(
                with: sorts.before,
                title: nil
            )
            #expect(identifiers(PHAsset.fetchAssets(in: transient, options: nil)) == visible)
            #expect(transient.estimatedAssetCount == visible.count)
            #expect(transient.startDate == sorts.before[0].creationDate)
            #expect(transient.endDate == sorts.before[3].creationDate)
        }
    }

    @Test("Albums count and date what they show; the album of what is hidden shows that alone")
    func counts() throws {
        let sorts = try Sorts()
        try sorts.world.bundle.using {
            let albums = [sorts.album] + sorts.smartAlbums
            for album in albums {
                let result = PHAsset.fetchAssets(in: album, options: nil)
                let name = album.localizedTitle ?? ""
                #expect(album.estimatedAssetCount == result.count, "\(name)")
                let dates = result.all.compactMap(\.creationDate)
                #expect(album.startDate == dates.min(), "\(name)")
                #expect(album.endDate == dates.max(), "\(name)")
            }
            let hidden = try #require(
                albums.first { $0.assetCollectionSubtype == .smartAlbumAllHidden }
            )
            for options in [nil, sorts.options(), sorts.options(hidden: true)] {
                let found = identifiers(PHAsset.fetchAssets(in: hidden, options: options))
                #expect(found == sorts.hidden)
            }
            let keys = PHAsset.fetchKeyAssets(in: hidden, options: nil)
            #expect(keys.map(identifiers) == sorts.hidden)
            // A deleted asset is in no album, a hidden one in those that it was added to (35).
            func albumsHolding(_ asset: PHAsset) -> [PHAssetCollection] {
                PHAssetCollection.fetchAssetCollectionsContaining(
                    asset,
                    with: .album,
                    options: nil
                ).all
            }
            #expect(albumsHolding(sorts.before[3]) == [sorts.album])
            #expect(albumsHolding(sorts.before[4]).isEmpty)
            #expect(albumsHolding(sorts.before[5]).isEmpty)
        }
    }

    @Test("Changes and history tell of the deleted as deleted, of the hidden as changed")
    func history() throws {
        let sorts = try Sorts()
        let library = sorts.world.library
        var updated: Set<String> = []
        var deleted: Set<String> = []
        for change in try library.fetchPersistentChanges(since: sorts.start) {
            let details = try change.changeDetails(for: .asset)
            #expect(details.insertedLocalIdentifiers.isEmpty)
            #expect(details.updatedLocalIdentifiers.isDisjoint(with: deleted))
            updated.formUnion(details.updatedLocalIdentifiers)
            deleted.formUnion(details.deletedLocalIdentifiers)
        }
        #expect(deleted == sorts.deleted)
        #expect(updated.subtracting(deleted) == sorts.hidden)
        sorts.world.bundle.using {
            let now = PHAsset.fetchAssets(with: nil)
            let details = PHFetchResultChangeDetails(
                from: sorts.seen,
                to: now,
                changedObjects: []
            )
            #expect(Set(details.removedObjects.map(\.localIdentifier)) == sorts.secret)
            #expect(details.insertedObjects.isEmpty)
        }
    }

    @Test("Cloud identifiers lead to no deleted asset, and from none")
    func cloudIdentifiers() throws {
        let sorts = try Sorts()
        let library = sorts.world.library
        let names = sorts.before.map(\.localIdentifier)
        let cloud = library.cloudIdentifierMappings(forLocalIdentifiers: names)
        for name in names {
            let isFound = (try? cloud[name]?.get()) != nil
            #expect(isFound == !sorts.deleted.contains(name))
        }
        try sorts.world.bundle.restore(try sorts.world.bundle.recentlyDeletedAssets().all)
        let all = library.cloudIdentifierMappings(forLocalIdentifiers: names)
            .compactMapValues { try? $0.get() }
        #expect(all.count == 6)
        try sorts.world.change { PHAssetChangeRequest.deleteAssets([sorts.before[4]]) }
        let local = library.localIdentifierMappings(for: Array(all.values))
        for (name, identifier) in all {
            let found = try? local[identifier]?.get()
            #expect(found == (name == sorts.before[4].localIdentifier ? nil : name))
        }
    }

    /// Requests a picture, and returns it or the reason that there is none.
    private func picture(
        of asset: PHAsset,
        _ version: PHImageRequestOptionsVersion = .current
    ) -> (image: UIImage?, error: (any Error)?) {
        let options = PHImageRequestOptions()
        options.version = version
        options.isSynchronous = true
        var answer: (image: UIImage?, error: (any Error)?)
        PHImageManager.default().requestImage(
            for: asset,
            targetSize: CGSize(width: 64, height: 64),
            contentMode: .aspectFit,
            options: options
        ) { image, info in answer = (image, info?[PHImageErrorKey] as? any Error) }
        return answer
    }

    private func data(of asset: PHAsset) -> (data: Data?, error: (any Error)?) {
        let options = PHImageRequestOptions()
        options.isSynchronous = true
        var answer: (data: Data?, error: (any Error)?)
        PHImageManager.default().requestImageDataAndOrientation(for: asset, options: options) {
            data,
            _,
            _,
            info in
            answer = (data, info?[PHImageErrorKey] as? any Error)
        }
        return answer
    }

    @Test("Pictures and files take an object in hand; after a purge there are none, and a reason")
    func picturesAndFiles() throws {
        let sorts = try Sorts()
        let bundle = sorts.world.bundle
        // The only way to get an object of a deleted asset.
        let deleted = try bundle.recentlyDeletedAssets()
        #expect(identifiers(deleted) == sorts.deleted)
        for asset in deleted.all + sorts.before {
            let isDeleted = sorts.deleted.contains(asset.localIdentifier)
            #expect(asset.canPerform(.properties) == !isDeleted)
            #expect(picture(of: asset).image != nil)
            #expect(data(of: asset).data?.isEmpty == false)
            #expect(PHAssetResource.assetResources(for: asset).count == 1)
        }
        let resources = deleted.all.flatMap { PHAssetResource.assetResources(for: $0) }
        try bundle.purge(deleted.all)
        #expect(resources.count == 2)
        for asset in sorts.before where sorts.deleted.contains(asset.localIdentifier) {
            // Not the version that the image manager still has in memory.
            let (image, reason) = picture(of: asset, .original)
            #expect(image == nil && reason != nil)
            let (bytes, why) = data(of: asset)
            #expect(bytes == nil && why != nil)
            #expect(PHAssetResource.assetResources(for: asset).isEmpty)
        }
        #expect(try bundle.recentlyDeletedAssets().count == 0)
        #expect(sorts.world.storedFiles.count == 4)
    }

    @Test("The owner's tools say of a deleted asset that it is deleted")
    func ownersTools() throws {
        let sorts = try Sorts()
        let bundle = sorts.world.bundle
        let facts = try bundle.facts(for: sorts.before.map(\.localIdentifier))
        let trashed = facts.filter { $0.trashedDate != nil }.map(\.localIdentifier)
        #expect(facts.count == 6 && Set(trashed) == sorts.deleted)
        for (index, asset) in sorts.before.enumerated() {
            let file = sorts.world.folder.file("photo-\(index).jpg")
            let known = try bundle.assets(withContentOf: file)
            #expect(known.map(\.localIdentifier) == [asset.localIdentifier])
            #expect(
                known.map(\.isInRecentlyDeleted)
                    == [sorts.deleted.contains(asset.localIdentifier)]
            )
        }
    }
}
