import Foundation
import Photos
import PhotosManagement
import Testing

/// Collections in memory, wherever a collection can be used (behavior 79).
@Suite(.timeLimit(.minutes(2))) struct TransientCollectionTests {
    private let world: ChangeWorld
    private let stored: PHAssetCollection
    private let favorites: PHAssetCollection
    private let picks: PHAssetCollection
    private let list: PHCollectionList

    init() throws {
        world = try ChangeWorld(photos: 5, sql: "UPDATE asset SET isFavorite = id < 3;")
        stored = try world.album("Stored", with: [world.assets[0]])
        favorites = try #require(
            world.bundle.using {
                PHAssetCollection.fetchAssetCollections(
                    with: .smartAlbum,
                    subtype: .smartAlbumFavorites,
                    options: nil
                ).firstObject
            }
        )
        picks = PHAssetCollection.transientAssetCollection(
            with: [world.assets[4], world.assets[1], world.assets[2]],
            title: "Picks"
        )
        let inner = PHCollectionList.transientCollectionList(with: [picks], title: "Inner")
        list = PHCollectionList.transientCollectionList(
            with: [inner, stored, picks, favorites, picks],
            title: "List"
        )
    }

    private func titles(_ configure: (PHFetchOptions) -> Void = { _ in }) -> [String?] {
        let options = PHFetchOptions()
        configure(options)
        return world.bundle.using {
            PHCollection.fetchCollections(in: list, options: options)
        }.all.map(\.localizedTitle)
    }

    @Test func aListHoldsCollectionsOfEverySort() {
        #expect(titles() == ["Inner", "Stored", "Picks", favorites.localizedTitle])
        #expect(titles { $0.fetchLimit = 2 } == ["Inner", "Stored"])
        let children = PHCollection.fetchCollections(in: list, options: nil)
        #expect(children.index(of: picks) == 2)
        #expect(children.contains(favorites))
        let inner = children[0] as? PHCollectionList
        let innermost = inner.map { PHCollection.fetchCollections(in: $0, options: nil).all }
        #expect(innermost == [picks])
        #expect(list.canContainCollections && !list.canContainAssets)
        #expect(list.collectionListType == .folder)
        #expect(picks.assetCollectionType == .album)
    }

    @Test func aListIsFilteredAndSortedAsAFolderIs() throws {
        #expect(titles { $0.predicate = NSPredicate(format: "title BEGINSWITH 'P'") } == ["Picks"])
        #expect(
            titles { $0.predicate = NSPredicate(format: "estimatedAssetCount >= 2") }
                == ["Picks", favorites.localizedTitle]
        )
        #expect(
            titles { $0.predicate = NSPredicate(format: "canContainCollections = YES") }
                == ["Inner"]
        )
        let start = try #require(picks.startDate)
        #expect(
            titles { $0.predicate = NSPredicate(format: "startDate == %@", start as NSDate) }
                == ["Picks"]
        )
        #expect(
            titles { $0.predicate = NSPredicate(format: "assetCollectionType = 2") }
                == [favorites.localizedTitle]
        )
        let identifier = picks.localIdentifier
        #expect(
            titles { $0.predicate = NSPredicate(format: "localIdentifier = %@", identifier) }
                == ["Picks"]
        )
        #expect(
            titles {
                $0.sortDescriptors = [
                    NSSortDescriptor(key: "estimatedAssetCount", ascending: false)
                ]
                $0.fetchLimit = 2
            } == ["Picks", favorites.localizedTitle]
        )
        let closure = NSPredicate { object, _ in (object as? PHAssetCollection) != nil }
        #expect(
            titles {
                $0.predicate = NSCompoundPredicate(andPredicateWithSubpredicates: [
                    closure, NSPredicate(format: "title != 'Stored'"),
                ])
            } == ["Picks", favorites.localizedTitle]
        )
        // An unsupported query returns nothing, as everywhere.
        #expect(titles { $0.predicate = NSPredicate(format: "nonsense = 1") } == [])
    }

    @Test func aListOfStoredCollectionsKeepsUpWithTheLibrary() throws {
        let folder = PHCollectionList.transientCollectionList(
            with: [favorites, stored],
            title: nil
        )
        let children = PHCollection.fetchCollections(in: folder, options: nil)
        #expect(children.all == [favorites, stored])
        let album = stored
        try world.change { PHAssetCollectionChangeRequest.deleteAssetCollections([album]) }
        #expect(PHCollection.fetchCollections(in: folder, options: nil).all == [favorites])
        #expect(children.count == 2)
    }

    @Test func theRootFolderCanBeInAList() throws {
        let root = try #require(
            world.bundle.using {
                PHCollectionList.fetchCollectionLists(
                    with: .folder,
                    subtype: .rootFolder,
                    options: nil
                ).firstObject
            }
        )
        let folder = PHCollectionList.transientCollectionList(with: [stored, root], title: nil)
        #expect(PHCollection.fetchCollections(in: folder, options: nil).all == [stored, root])
    }

    @Test func anAlbumInMemoryIsFetchedFromAsAnyOther() throws {
        func numbers(_ configure: (PHFetchOptions) -> Void) -> [Int] {
            let options = PHFetchOptions()
            configure(options)
            return PHAsset.fetchAssets(in: picks, options: options).all.map(\.number)
        }
        #expect(numbers { _ in } == [5, 2, 3])
        #expect(numbers { $0.fetchLimit = 1 } == [5])
        #expect(numbers { $0.predicate = NSPredicate(format: "isFavorite = YES") } == [2])
        #expect(
            numbers {
                $0.sortDescriptors = [NSSortDescriptor(key: "creationDate", ascending: true)]
            } == [2, 3, 5]
        )
        #expect(PHAsset.fetchKeyAssets(in: picks, options: nil)?.all.map(\.number) == [5, 2, 3])
        #expect(PHAsset.fetchAssets(in: picks, options: nil).countOfAssets(with: .image) == 3)
        let parents = PHCollectionList.fetchCollectionListsContaining(picks, options: nil)
        #expect(parents.count == 0)
    }

    @Test func noneIsEverStored() throws {
        let names = [picks.localIdentifier, list.localIdentifier]
        world.bundle.using {
            let albums = PHAssetCollection.fetchAssetCollections(
                withLocalIdentifiers: names,
                options: nil
            )
            #expect(albums.count == 0)
            let lists = PHCollectionList.fetchCollectionLists(
                withLocalIdentifiers: names,
                options: nil
            )
            #expect(lists.count == 0)
        }
        let (album, folder) = (picks, list)
        try world.change {
            #expect(PHAssetCollectionChangeRequest(for: album) == nil)
            #expect(PHCollectionListChangeRequest(for: folder) == nil)
        }
        let error = world.failure {
            PHCollectionListChangeRequest.creationRequestForCollectionList(withTitle: "F")
                .addChildCollections([album])
        }
        #expect(error?.code == .changeNotSupported)
        #expect(world.folders.isEmpty)
    }
}
