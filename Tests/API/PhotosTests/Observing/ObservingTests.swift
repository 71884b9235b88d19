import Foundation
import Photos
import PhotosManagement
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(5))) struct ObservingTests {
    private let library: ChangingLibrary
    private let log = CallLog()

    init() throws {
        library = try ChangingLibrary()
        library.photos.register(log as any PHPhotoLibraryChangeObserver)
    }

    private func change(
        _ what: Comment = "a call",
        _ body: () throws -> Void
    ) throws -> PHChange {
        let count = log.count
        try body()
        wait(for: what) { log.count > count }
        return try #require(log.last)
    }

    /// Adds an album, and waits until it is reported, so that a later change is not mistaken for
    /// it.
    private func addAlbum(
        _ title: String,
        _ assets: [PHAsset] = []
    ) throws -> PHAssetCollection {
        // A program that fetched no albums receives nothing.
        let albums = library.albums()
        return try withExtendedLifetime(albums) {
            var album: PHAssetCollection?
            _ = try change { album = try library.addAlbum(title, assets) }
            return try #require(album)
        }
    }

    private func favorite(_ asset: PHAsset) throws {
        try library.change { PHAssetChangeRequest(for: asset).isFavorite = !asset.isFavorite }
    }

    @Test("82: changes by this process, one call for each block")
    func ownChanges() throws {
        var result = library.assets()
        for number in 0..<5 {
            let asset = result[number]
            let change = try change { try favorite(asset) }
            let details = try #require(change.changeDetails(for: result))
            #expect(details.changedIndexes == [number])
            #expect(details.changedObjects.first?.isFavorite == true)
            result = details.fetchResultAfterChanges
            let object = try #require(change.changeDetails(for: asset))
            #expect(object.objectBeforeChanges === asset)
            #expect(object.objectAfterChanges?.isFavorite == true)
            #expect(!object.assetContentChanged)
        }
        #expect(log.count == 5)
    }

    @Test("82: changes by another process")
    func foreignChanges() throws {
        var result = library.assets()
        let asset = result[7]
        let client = try library.client("favorite", asset.localIdentifier, "3")
        for number in 1...3 {
            #expect(client.line()?.hasPrefix("committed") == true)
            wait(for: "call \(number)") { log.count == number }
            let details = try #require(log.last?.changeDetails(for: result))
            #expect(details.changedIndexes == [7])
            result = details.fetchResultAfterChanges
            client.send("next")
        }
        #expect(client.finish().status == 0)
        #expect(log.count == 3)
        #expect(result[7].isFavorite)
    }

    @Test("Another process hears of what this one does")
    func heardElsewhere() throws {
        let client = try library.client("observe")
        #expect(client.line() == "ready 50")
        let asset = library.assets()[3]
        try favorite(asset)
        #expect(client.line() == "changed 0 0 1")
        try library.change { PHAssetChangeRequest.deleteAssets([asset] as NSArray) }
        #expect(client.line() == "changed 1 0 0")
        #expect(client.finish().status == 0)
    }

    @Test("82: an import by another process")
    func imports() throws {
        let folder = try Folder()
        _ = try Tool.run(
            Tool.executable("photos-samples"),
            ["--out", folder.url.path, "--count", "6", "--megapixels", "0.1"]
        )
        var result = library.assets()
        let before = result.count
        _ = try Tool.run(
            Tool.executable("photos"),
            ["--library", library.url.path, "import", "--json", folder.url.path]
        )
        let fresh = library.assets()
        #expect(fresh.count > before)
        wait(for: "the import is told") {
            if let details = log.last?.changeDetails(for: result) {
                result = details.fetchResultAfterChanges
            }
            return result.count == fresh.count
        }
        #expect(names(result) == names(fresh))
    }

    private func names(_ result: PHFetchResult<PHAsset>) -> [String] {
        (0..<result.count).map { result[$0].localIdentifier }
    }

    @Test("87, 96: deleted assets leave, and restored ones come back")
    func deletion() throws {
        let result = library.assets()
        let asset = result[10]
        let gone = try change {
            try library.change { PHAssetChangeRequest.deleteAssets([asset] as NSArray) }
        }
        let object = try #require(gone.changeDetails(for: asset))
        #expect(object.objectWasDeleted)
        #expect(object.objectAfterChanges == nil)
        let details = try #require(gone.changeDetails(for: result))
        #expect(details.removedIndexes == [10])
        #expect(details.removedObjects == [asset])
    }

    @Test("96: what nobody looked at before it was deleted is told as it was")
    func neverLookedAt() throws {
        let album = try addAlbum("Gone")
        _ = try addAlbum("Kept")
        let albums = library.albums()
        let gone = try change {
            try library.change {
                PHAssetCollectionChangeRequest.deleteAssetCollections([album] as NSArray)
            }
        }
        let details = try #require(gone.changeDetails(for: albums))
        #expect(details.removedIndexes == [0])
        #expect(details.removedObjects.map(\.localIdentifier) == [album.localIdentifier])
        #expect(details.removedObjects.map(\.localizedTitle) == ["Gone"])
        #expect(details.removedObjects == [album])
        #expect(gone.changeDetails(for: details.removedObjects[0])?.objectWasDeleted == true)
        #expect(details.fetchResultAfterChanges.firstObject?.localizedTitle == "Kept")
    }

    @Test("96: what stops matching is removed, what begins to match is inserted")
    func matching() throws {
        let favorites = library.assets {
            $0.predicate = NSPredicate(format: "isFavorite == YES")
        }
        let plain = library.assets { options in
            options.predicate = NSPredicate { object, _ in
                (object as? PHAsset)?.isFavorite == false
            }
        }
        let asset = library.assets()[20]
        let change = try change { try favorite(asset) }
        let came = try #require(change.changeDetails(for: favorites))
        #expect(came.insertedIndexes == [0])
        #expect(came.insertedObjects == [asset])
        #expect(came.changedIndexes == [])
        let went = try #require(change.changeDetails(for: plain))
        #expect(went.removedIndexes == [20])
        #expect(went.removedObjects == [asset])
        let next = try self.change {
            try favorite(try #require(came.fetchResultAfterChanges.firstObject))
        }
        let back = try #require(next.changeDetails(for: went.fetchResultAfterChanges))
        #expect(back.insertedIndexes == [20])
        let left = try #require(next.changeDetails(for: came.fetchResultAfterChanges))
        #expect(left.removedIndexes == [0])
        #expect(left.fetchResultAfterChanges.count == 0)
    }

    @Test("96: assets that are added to an album are inserted if a block accepts them")
    func matchingMembers() throws {
        let all = library.assets()
        let album = try addAlbum("Album", [all[0]])
        let options = PHFetchOptions()
        options.predicate = NSPredicate { object, _ in
            (object as? PHAsset)?.isFavorite == false
        }
        let result = library.bundle.using { PHAsset.fetchAssets(in: album, options: options) }
        #expect(result.all == [all[0]])
        let added = try change {
            try library.change {
                PHAssetCollectionChangeRequest(for: album)?.addAssets([all[1], all[2]] as NSArray)
            }
        }
        let details = try #require(added.changeDetails(for: result))
        #expect(details.hasIncrementalChanges)
        #expect(details.insertedObjects == [all[1], all[2]])
        #expect(details.fetchResultAfterChanges.all == [all[0], all[1], all[2]])
        _ = try change { try favorite(all[3]) }
        let more = try change {
            try library.change {
                PHAssetCollectionChangeRequest(for: album)?.addAssets([all[3], all[4]] as NSArray)
            }
        }
        let next = try #require(more.changeDetails(for: details.fetchResultAfterChanges))
        #expect(next.insertedObjects == [all[4]])
        #expect(next.fetchResultAfterChanges.all == [all[0], all[1], all[2], all[4]])
    }

    @Test("95, 96: a changed sort value is a change and a move")
    func moves() throws {
        let result = library.assets {
            $0.sortDescriptors = [NSSortDescriptor(key: "creationDate", ascending: true)]
        }
        let asset = result[4]
        let change = try change {
            try library.change {
                PHAssetChangeRequest(for: asset).creationDate = RowsLibrary.date(1_000)
            }
        }
        let details = try #require(change.changeDetails(for: result))
        #expect(details.hasMoves)
        var moves: [[Int]] = []
        details.enumerateMoves { moves.append([$0, $1]) }
        #expect(moves == [[4, 49]])
        #expect(details.changedIndexes == [49])
        #expect(details.removedIndexes == [])
        #expect(details.insertedIndexes == [])
        let (before, after) = (all(result), all(details.fetchResultAfterChanges))
        #expect(before.applying(try #require(details.difference)) == after)
    }

    private func all<Object>(_ result: PHFetchResult<Object>) -> [Object] {
        result.objects(at: IndexSet(integersIn: 0..<result.count))
    }

    @Test("59: contents of an album in its own order, the album itself, and lists of albums")
    func albums() throws {
        let assets = all(library.assets())
        let album = try addAlbum("Trip", Array(assets[0..<5]))
        var members = library.members(of: album)
        var list = library.albums {
            $0.sortDescriptors = [NSSortDescriptor(key: "localizedTitle", ascending: true)]
        }
        try library.change {
            let request = PHAssetCollectionChangeRequest(for: album, assets: members)
            request?.moveAssets(at: [0], to: 4)
            request?.addAssets([assets[9]] as NSArray)
        }
        wait(for: "the change of the album") { log.last?.changeDetails(for: members) != nil }
        let moved = try #require(log.last)
        let details = try #require(moved.changeDetails(for: members))
        #expect(details.hasMoves)
        #expect(details.insertedObjects == [assets[9]])
        #expect(
            all(members).applying(try #require(details.difference))
                == all(details.fetchResultAfterChanges)
        )
        #expect(
            all(details.fetchResultAfterChanges)
                == [assets[1], assets[2], assets[3], assets[4], assets[0], assets[9]]
        )
        members = details.fetchResultAfterChanges
        let count = try #require(moved.changeDetails(for: album)?.objectAfterChanges)
        #expect(count.estimatedAssetCount == 6)
        list = moved.changeDetails(for: list)?.fetchResultAfterChanges ?? list
        #expect(list.firstObject?.estimatedAssetCount == 6)

        let second = try change { _ = try library.addAlbum("Aunt") }
        let inserted = try #require(second.changeDetails(for: list))
        #expect(inserted.insertedIndexes == [0])
        #expect(inserted.insertedObjects.first?.localizedTitle == "Aunt")
        list = inserted.fetchResultAfterChanges

        let deleted = try change {
            try library.change {
                PHAssetCollectionChangeRequest.deleteAssetCollections([album] as NSArray)
            }
        }
        #expect(deleted.changeDetails(for: album)?.objectWasDeleted == true)
        #expect(deleted.changeDetails(for: list)?.removedIndexes == [1])
        #expect(deleted.changeDetails(for: members)?.fetchResultAfterChanges.count == 0)
        #expect(deleted.changeDetails(for: assets[1]) == nil, "albums do not change their assets")
    }

    @Test func folderContents() throws {
        let top = library.bundle.using { PHCollection.fetchTopLevelUserCollections(with: nil) }
        let first = try change { _ = try library.addAlbum("A") }
        let came = try #require(first.changeDetails(for: top))
        #expect(came.insertedIndexes == [0])
        let second = try change {
            try library.change {
                _ = PHCollectionListChangeRequest.creationRequestForCollectionList(withTitle: "F")
            }
        }
        let folders = try #require(second.changeDetails(for: came.fetchResultAfterChanges))
        #expect(folders.insertedObjects.first is PHCollectionList)
        #expect(folders.fetchResultAfterChanges.count == 2)
    }

    @Test("A fetch limit is a window that slides")
    func limits() throws {
        let newest = library.assets {
            $0.sortDescriptors = [NSSortDescriptor(key: "creationDate", ascending: false)]
            $0.fetchLimit = 5
        }
        let asset = newest[0]
        let change = try change {
            try library.change { PHAssetChangeRequest.deleteAssets([asset] as NSArray) }
        }
        let details = try #require(change.changeDetails(for: newest))
        #expect(details.removedIndexes == [0])
        #expect(details.insertedIndexes == [4])
        #expect(details.fetchResultAfterChanges.count == 5)
    }

    @Test("Changes that touch nothing fetched are not told")
    func silence() throws {
        let few = library.assets {
            $0.predicate = NSPredicate(format: "mediaType == %d", PHAssetMediaType.video.rawValue)
        }
        // The result and its objects are released at once.
        let name = try #require(
            library.bundle.using {
                PHAsset.fetchAssets(with: .image, options: nil).firstObject?.localIdentifier
            }
        )
        library.photos.register(log as any PHPhotoLibraryPersistentChangesObserver)
        let client = try library.client("favorite", name, "2")
        for number in 1...2 {
            #expect(client.line()?.hasPrefix("committed") == true)
            // Called last, so a change would have been reported before.
            wait(for: "commit \(number)") { log.calls.withLock(\.history) == number }
            client.send("next")
        }
        _ = client.finish()
        #expect(log.count == 0)
        #expect(few.count == 10)
    }

    @Test("New albums are told to a program that released its albums; changed assets are not")
    func releasedAlbums() throws {
        library.photos.register(log as any PHPhotoLibraryPersistentChangesObserver)
        // The result is released at once.
        let count = library.albums().count
        #expect(count == 0)
        // The first asset, without fetching it.
        let name = "00001EEF-0000-4000-8000-000000000001/L0/001"
        let client = try library.client("favorite", name, "1")
        #expect(client.line()?.hasPrefix("committed") == true)
        wait(for: "the commit") { log.calls.withLock(\.history) == 1 }
        client.send("next")
        _ = client.finish()
        #expect(log.count == 0)
        try library.change {
            _ = PHAssetCollectionChangeRequest.creationRequestForAssetCollection(withTitle: "A")
        }
        wait(for: "a call") { log.count == 1 }
    }

    @Test("A new photo is told to a program that released an empty result")
    func releasedEmptyResult() throws {
        let world = try ChangeWorld()
        world.library.register(log as any PHPhotoLibraryChangeObserver)
        let count = world.assets.count
        #expect(count == 0)
        let photo = try world.photo()
        let source = SourcePath(photo.path)
        _ = try LibraryImport(library: world.bundle, paths: [source]).run { _ in }
        wait(for: "a call") { log.count > 0 }
        let found = world.assets.count
        #expect(found == 1)
    }

    @Test("A new photo that is hidden is not told to a program that released its result")
    func releasedResultAndHiddenPhoto() throws {
        let world = try ChangeWorld()
        world.library.register(log as any PHPhotoLibraryChangeObserver)
        world.library.register(log as any PHPhotoLibraryPersistentChangesObserver)
        let count = world.bundle.using { PHAsset.fetchAssets(with: nil).count }
        #expect(count == 0)
        let photo = try world.photo()
        try world.change {
            let request = PHAssetChangeRequest.creationRequestForAssetFromImage(atFileURL: photo)
            request?.isHidden = true
        }
        // Called last, so a change would have been reported before.
        wait(for: "the commit") { log.calls.withLock(\.history) == 1 }
        #expect(log.count == 0)
        #expect(world.assets.map(\.isHidden) == [true])
    }

    @Test("100: the bundle goes away")
    func availability() throws {
        let result = library.assets()
        library.photos.register(log as any PHPhotoLibraryAvailabilityObserver)
        let away = library.url.deletingLastPathComponent().appendingPathComponent("away")
        try FileManager.default.moveItem(at: library.url, to: away)
        wait(for: "a call") { log.calls.withLock(\.unavailable) == 1 }
        let reason = try #require(library.photos.unavailabilityReason as? PHPhotosError)
        #expect(reason.code == .libraryVolumeOffline)
        #expect(reason.failureReason != nil)
        try FileManager.default.moveItem(at: away, to: library.url)
        let asset = result[0]
        let change = try change { try favorite(asset) }
        #expect(change.changeDetails(for: result)?.changedIndexes == [0])
        #expect(library.photos.unavailabilityReason == nil)
        #expect(log.calls.withLock(\.unavailable) == 1)
    }

    @Test("110: history observers hear of every commit")
    func historyObservers() throws {
        library.photos.register(log as any PHPhotoLibraryPersistentChangesObserver)
        _ = try library.addAlbum("A")
        wait(for: "a call") { log.calls.withLock(\.history) == 1 }
    }

    @Test("A change that is kept answers later, too")
    func keptChange() throws {
        let result = library.assets()
        let asset = result[2]
        let first = try change { try favorite(asset) }
        let second = try change {
            try library.change { PHAssetChangeRequest.deleteAssets([result[0]] as NSArray) }
        }
        let late = try #require(first.changeDetails(for: result))
        #expect(late.fetchResultAfterChanges[late.changedIndexes?.first ?? 0] == asset)
        // The next change continues from the state that the first one led to.
        let after = late.fetchResultAfterChanges
        let end = second.changeDetails(for: after)?.fetchResultAfterChanges ?? after
        #expect(names(end) == names(library.assets()))
    }
}
