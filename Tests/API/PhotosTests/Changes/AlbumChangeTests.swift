import Foundation
import Photos
import PhotosManagement
import Testing

@Suite(.timeLimit(.minutes(2))) struct AlbumChangeTests {
    @Test func albumsAreMadeFilledRenamedAndDeleted() throws {
        let world = try ChangeWorld(photos: 3)
        let album = try world.album("Trip", with: world.assets)
        #expect(album.localizedTitle == "Trip")
        #expect(album.localIdentifier.hasSuffix("/L0/040"))
        #expect(album.estimatedAssetCount == 3)
        #expect(album.startDate == world.assets.first?.creationDate)
        #expect(album.endDate == world.assets.last?.creationDate)
        try world.change {
            let request = PHAssetCollectionChangeRequest(for: album)
            #expect(request?.title == "Trip")
            request?.title = "Journey"
            #expect(request?.title == "Journey")
        }
        #expect(world.albums.map(\.localizedTitle) == ["Journey"])
        // Behavior 121.
        try world.change { PHAssetCollectionChangeRequest.deleteAssetCollections([album]) }
        #expect(world.albums.isEmpty)
        #expect(world.assets.count == 3)
    }

    /// Behavior 75.
    @Test func titlesNeedNotDiffer() throws {
        let world = try ChangeWorld()
        let (first, second) = (try world.album("Same"), try world.album("Same"))
        #expect(first != second)
        #expect(world.albums == [first, second])
    }

    /// Behaviors 24, 25 and 127.
    @Test func placeholdersCanBeUsedInTheSameBlock() throws {
        let world = try ChangeWorld()
        let file = try world.photo()
        var placeholders: [PHObjectPlaceholder] = []
        try world.change {
            let folder = PHCollectionListChangeRequest.creationRequestForCollectionList(
                withTitle: "Folder"
            )
            let album = PHAssetCollectionChangeRequest.creationRequestForAssetCollection(
                withTitle: "Draft"
            )
            album.title = "Album"
            folder.addChildCollections([album.placeholderForCreatedAssetCollection])
            let asset = PHAssetChangeRequest.creationRequestForAssetFromImage(atFileURL: file)
            guard let placeholder = asset?.placeholderForCreatedAsset else { return }
            album.addAssets([placeholder] as NSArray)
            placeholders = [
                placeholder, album.placeholderForCreatedAssetCollection,
                folder.placeholderForCreatedCollectionList,
            ]
        }
        let album = try #require(world.albums.first)
        let folder = try #require(world.folders.first)
        let asset = try #require(world.assets.first)
        #expect(album.localizedTitle == "Album")
        #expect(world.topLevel == [folder])
        #expect(PHCollection.fetchCollections(in: folder, options: nil).all == [album])
        #expect(PHAsset.fetchAssets(in: album, options: nil).all == [asset])
        for (placeholder, object) in zip(placeholders, [asset, album, folder] as [PHObject]) {
            #expect(placeholder.isEqual(object))
            #expect(object.isEqual(placeholder))
            #expect(placeholder.hash == object.hash)
            #expect(placeholder.localIdentifier == object.localIdentifier)
        }
    }

    @Test func everyKindOfCollectionCanBePassed() throws {
        let world = try ChangeWorld(photos: 6)
        let all = world.assets
        let album = try world.album()
        let result = world.bundle.using {
            PHAsset.fetchAssets(withLocalIdentifiers: [all[5].localIdentifier], options: nil)
        }
        try world.change {
            let request = PHAssetCollectionChangeRequest(for: album)
            request?.addAssets([all[0]])
            request?.addAssets([all[1]] as NSArray)
            request?.addAssets(Set([all[2]]))
            request?.addAssets(NSSet(object: all[3]))
            request?.addAssets(NSOrderedSet(object: all[4]))
            request?.addAssets(result)
        }
        #expect(world.numbers(in: album) == [1, 2, 3, 4, 5, 6])
    }

    /// Behavior 130.
    @Test func assetsThatAreThereStayWhereTheyAre() throws {
        let world = try ChangeWorld(photos: 3)
        let album = try world.album(with: world.assets)
        try world.change {
            PHAssetCollectionChangeRequest(for: album)?.addAssets([world.assets[0]])
        }
        #expect(world.numbers(in: album) == [1, 2, 3])
    }

    /// Pains 18.
    @Test func albumsAreFoundOrMadeByTitle() async throws {
        let world = try ChangeWorld(photos: 1)
        let bundle = world.bundle
        let identifiers = try await withThrowingTaskGroup(of: String.self) { group in
            for _ in 0..<16 {
                group.addTask { try bundle.album(titled: "Shared").localIdentifier }
            }
            return try await group.reduce(into: Set()) { $0.insert($1) }
        }
        #expect(identifiers.count == 1)
        #expect(world.albums.count == 1)
        var request: PHAssetCollectionChangeRequest?
        try world.change {
            request = PHAssetCollectionChangeRequest.requestForAssetCollection(titled: "Shared")
            request?.addAssets(world.assets)
            #expect(request?.committedLocalIdentifier == nil)
        }
        #expect(request?.committedLocalIdentifier == identifiers.first)
        #expect(world.albums.map(\.estimatedAssetCount) == [1])
    }

    /// Behavior 121.
    @Test func foldersTakeWhatIsInThemAlong() throws {
        let world = try ChangeWorld(photos: 1)
        let album = try world.album("Inside", with: world.assets)
        try world.album("Outside")
        try world.change {
            let outer = PHCollectionListChangeRequest.creationRequestForCollectionList(
                withTitle: "Outer"
            )
            let inner = PHCollectionListChangeRequest.creationRequestForCollectionList(
                withTitle: "Inner"
            )
            inner.addChildCollections([album])
            outer.addChildCollections([inner.placeholderForCreatedCollectionList])
        }
        let outer = try #require(world.folders.first { $0.localizedTitle == "Outer" })
        try world.change { PHCollectionListChangeRequest.deleteCollectionLists([outer]) }
        #expect(world.folders.isEmpty)
        #expect(world.albums.map(\.localizedTitle) == ["Outside"])
        #expect(world.assets.count == 1)
    }

    /// Behaviors 72, 76 and 79.
    @Test func collectionsOfNoLibraryCannotBeChanged() throws {
        let world = try ChangeWorld(photos: 1)
        let memory = PHAssetCollection.transientAssetCollection(with: world.assets, title: "M")
        let list = PHCollectionList.transientCollectionList(with: [memory], title: "L")
        try world.change {
            #expect(PHAssetCollectionChangeRequest(for: PHAssetCollection()) == nil)
            #expect(PHAssetCollectionChangeRequest(for: memory) == nil)
            #expect(PHCollectionListChangeRequest(for: PHCollectionList()) == nil)
            #expect(PHCollectionListChangeRequest(for: list) == nil)
        }
        let failure = world.failure {
            PHCollectionListChangeRequest.creationRequestForCollectionList(withTitle: "F")
                .addChildCollections([memory])
        }
        #expect(failure?.code == .changeNotSupported)
        #expect(world.folders.isEmpty)
    }
}
