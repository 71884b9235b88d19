import Foundation
import Photos
import PhotosManagement
import Testing

@Suite(.timeLimit(.minutes(2))) struct CollectionTests {
    private struct Tree {
        let world: ChangeWorld
        let folder: PHCollectionList
        let inside: PHAssetCollection
        let outside: PHAssetCollection

        init() throws {
            world = try ChangeWorld(photos: 5)
            inside = try world.album("Inside", with: world.assets)
            outside = try world.album("Été", with: [world.assets[4], world.assets[0]])
            let inside = inside
            try world.change { [world] in
                let request = PHCollectionListChangeRequest.creationRequestForCollectionList(
                    withTitle: "Folder"
                )
                request.addChildCollections([inside])
                _ = world
            }
            folder = try #require(world.folders.first)
        }

        func albums(
            _ predicate: NSPredicate? = nil,
            sort: [NSSortDescriptor]? = nil
        ) -> [String?] {
            let options = PHFetchOptions()
            options.predicate = predicate
            options.sortDescriptors = sort
            return world.bundle.using {
                PHAssetCollection.fetchAssetCollections(
                    with: .album,
                    subtype: .albumRegular,
                    options: options
                )
            }.all.map(\.localizedTitle)
        }
    }

    /// Behaviors 61, 63 and 76.
    @Test func theTreeIsFetched() throws {
        let tree = try Tree()
        let (world, folder) = (tree.world, tree.folder)
        #expect(world.topLevel == [tree.outside, folder])
        #expect(world.topLevel.map { $0 is PHCollectionList } == [false, true])
        #expect(PHCollection.fetchCollections(in: folder, options: nil).all == [tree.inside])
        let parents = PHCollectionList.fetchCollectionListsContaining(tree.inside, options: nil)
        #expect(parents.all == [folder])
        #expect(world.albums == [tree.inside, tree.outside])
        #expect(folder.localIdentifier.hasSuffix("/L0/020"))
        #expect(folder.collectionListType == .folder)
        #expect(folder.collectionListSubtype == .regularFolder)
        #expect(folder.canContainCollections)
        #expect(!folder.canContainAssets)
        #expect(tree.inside.canContainAssets)
        #expect(tree.inside.assetCollectionType == .album)
        #expect(tree.inside.assetCollectionSubtype == .albumRegular)
    }

    /// Behavior 62.
    @Test func thereIsOneRootFolder() throws {
        let tree = try Tree()
        let roots = tree.world.bundle.using {
            PHCollectionList.fetchCollectionLists(
                with: .folder,
                subtype: .rootFolder,
                options: nil
            )
        }
        let root = try #require(roots.firstObject)
        #expect(roots.count == 1)
        #expect(root.collectionListSubtype == .rootFolder)
        #expect(
            PHCollection.fetchCollections(in: root, options: nil).all == tree.world.topLevel
        )
        #expect(!root.canPerform(.delete))
        #expect(!root.canPerform(.rename))
        #expect(root.canPerform(.addContent))
        #expect(root.canPerform(.rearrangeContent))
        #expect(tree.folder.canPerform(.delete))
        #expect(tree.inside.canPerform(.rename))
        #expect(!PHAssetCollection().canPerform(.rename))
    }

    /// Behaviors 59, 70, 72 and 73.
    @Test func albumsHaveTheirOwnOrderCountAndDates() throws {
        let tree = try Tree()
        #expect(tree.world.numbers(in: tree.outside) == [5, 1])
        #expect(tree.outside.estimatedAssetCount == 2)
        #expect(tree.outside.startDate == tree.world.assets[0].creationDate)
        #expect(tree.outside.endDate == tree.world.assets[4].creationDate)
        let keys = PHAsset.fetchKeyAssets(in: tree.inside, options: nil)
        #expect(keys?.all.map(\.number) == [1, 2, 3])
        let options = PHFetchOptions()
        options.fetchLimit = 1
        #expect(PHAsset.fetchKeyAssets(in: tree.inside, options: options)?.count == 1)
        #expect(PHAsset.fetchKeyAssets(in: PHAssetCollection(), options: nil) == nil)
        let sorted = PHFetchOptions()
        sorted.sortDescriptors = [NSSortDescriptor(key: "creationDate", ascending: true)]
        let result = PHAsset.fetchAssets(in: tree.outside, options: sorted)
        #expect(result.all.map(\.number) == [1, 5])
    }

    @Test func albumsOfAnAssetAreFound() throws {
        let tree = try Tree()
        func albums(_ asset: PHAsset, _ type: PHAssetCollectionType) -> [PHAssetCollection] {
            PHAssetCollection.fetchAssetCollectionsContaining(asset, with: type, options: nil).all
        }
        #expect(albums(tree.world.assets[0], .album) == [tree.inside, tree.outside])
        #expect(albums(tree.world.assets[1], .album) == [tree.inside])
        // Behavior 69.
        #expect(albums(tree.world.assets[0], .smartAlbum).isEmpty)
    }

    @Test func predicatesAndOrdersWork() throws {
        let tree = try Tree()
        #expect(tree.albums(NSPredicate(format: "localizedTitle == %@", "Inside")) == ["Inside"])
        #expect(tree.albums(NSPredicate(format: "title CONTAINS[cd] 'ete'")) == ["Été"])
        #expect(tree.albums(NSPredicate(format: "estimatedAssetCount > 2")) == ["Inside"])
        #expect(
            tree.albums(sort: [NSSortDescriptor(key: "localizedTitle", ascending: false)])
                == ["Été", "Inside"]
        )
        #expect(
            tree.albums(
                sort: [
                    NSSortDescriptor(
                        keyPath: \PHAssetCollection.estimatedAssetCount,
                        ascending: true
                    )
                ]
            ) == ["Été", "Inside"]
        )
        let block = NSPredicate { object, _ in
            (object as? PHAssetCollection)?.estimatedAssetCount == 2
        }
        #expect(tree.albums(block) == ["Été"])
        let format = NSPredicate(format: "estimatedAssetCount == 2")
        #expect(format.evaluate(with: tree.outside))
        #expect(!format.evaluate(with: tree.inside))
    }

    /// Behaviors 47 and 64.
    @Test func identifiersFindEachOnce() throws {
        let tree = try Tree()
        let identifiers = [
            tree.outside.localIdentifier, "unknown", tree.inside.localIdentifier,
            tree.outside.localIdentifier,
        ]
        let result = tree.world.bundle.using {
            PHAssetCollection.fetchAssetCollections(
                withLocalIdentifiers: identifiers,
                options: nil
            )
        }
        #expect(Set(result.all) == [tree.inside, tree.outside])
        #expect(result.count == 2)
        #expect(result.contains(tree.inside))
        #expect(result.index(of: PHAssetCollection()) == NSNotFound)
        let folders = tree.world.bundle.using {
            PHCollectionList.fetchCollectionLists(
                withLocalIdentifiers: [tree.folder.localIdentifier],
                options: nil
            )
        }
        #expect(folders.all == [tree.folder])
    }

    @Test func everyPropertyHasItsKey() throws {
        let tree = try Tree()
        #expect(tree.outside.value(forKey: "localizedTitle") as? String == "Été")
        #expect(tree.outside.value(forKey: "title") as? String == "Été")
        #expect((tree.outside.value(forKey: "estimatedAssetCount") as? NSNumber)?.intValue == 2)
        #expect(tree.outside.value(forKey: "startDate") as? Date == tree.outside.startDate)
        #expect(
            (tree.folder.value(forKey: "collectionListSubtype") as? NSNumber)?.intValue == 100
        )
        #expect(tree.folder.value(forKey: "estimatedAssetCount") == nil)
    }

    /// Behavior 79.
    @Test func collectionsInMemoryHoldWhatTheyWereGiven() throws {
        let tree = try Tree()
        let assets = tree.world.assets
        let album = PHAssetCollection.transientAssetCollection(
            with: [assets[3], assets[1]],
            title: "Picks"
        )
        #expect(album.localizedTitle == "Picks")
        #expect(album.estimatedAssetCount == 2)
        #expect(album.startDate == assets[1].creationDate)
        #expect(PHAsset.fetchAssets(in: album, options: nil).all.map(\.number) == [4, 2])
        #expect(!album.canPerform(.addContent))
        let whole = PHAssetCollection.transientAssetCollection(
            withAssetFetchResult: PHAsset.fetchAssets(in: tree.outside, options: nil),
            title: nil
        )
        #expect(PHAsset.fetchAssets(in: whole, options: nil).all.map(\.number) == [5, 1])
        let list = PHCollectionList.transientCollectionList(
            with: [album, tree.outside, tree.folder],
            title: "List"
        )
        let children = PHCollection.fetchCollections(in: list, options: nil)
        #expect(children.all == [album, tree.outside, tree.folder])
        #expect(children.index(of: tree.folder) == 2)
    }
}
