import Foundation
import Photos
import PhotosManagement
import Testing

/// The guarantees of PhotoKit's collections, by the numbers of the documented behaviors.
@Suite(.timeLimit(.minutes(2))) struct CollectionRulesTests {
    /// A library with photos 1 to 6 and some collections.
    ///
    /// Photo 6 is hidden. The folder F contains the albums A (1, 2, 3) and B (4). The album C
    /// contains 5 and 2, and an empty album has the same title.
    private struct Tree {
        let world: ChangeWorld
        let folder: PHCollectionList
        let first: PHAssetCollection
        let second: PHAssetCollection
        let third: PHAssetCollection
        let empty: PHAssetCollection

        init() throws {
            world = try ChangeWorld(photos: 6, sql: "UPDATE asset SET isFavorite = id = 5;")
            let all = world.assets
            first = try world.album("A", with: Array(all[0...2]))
            second = try world.album("B", with: [all[3]])
            third = try world.album("C", with: [all[4], all[1]])
            empty = try world.album("C")
            let members = [first, second]
            try world.change {
                PHCollectionListChangeRequest.creationRequestForCollectionList(withTitle: "F")
                    .addChildCollections(members)
                PHAssetChangeRequest(for: all[5]).isHidden = true
            }
            folder = try #require(world.folders.first)
        }

        func options(
            _ format: String? = nil,
            _ arguments: [Any?] = [],
            sort: [(String, Bool)] = [],
            limit: Int = 0
        ) -> PHFetchOptions {
            let options = PHFetchOptions()
            options.predicate = format.map {
                NSPredicate(format: $0, argumentArray: arguments.compactMap(\.self))
            }
            options.sortDescriptors = sort.map { NSSortDescriptor(key: $0.0, ascending: $0.1) }
            options.fetchLimit = limit
            return options
        }

        func albums(_ options: PHFetchOptions?) -> [PHAssetCollection] {
            world.bundle.using {
                PHAssetCollection.fetchAssetCollections(
                    with: .album,
                    subtype: .any,
                    options: options
                ).all
            }
        }

        func smart(_ subtype: PHAssetCollectionSubtype, _ options: PHFetchOptions? = nil)
            -> [PHAssetCollection]
        {
            world.bundle.using {
                PHAssetCollection.fetchAssetCollections(
                    with: .smartAlbum,
                    subtype: subtype,
                    options: options
                ).all
            }
        }

        func now(_ album: PHAssetCollection) throws -> PHAssetCollection {
            try #require(world.albums.first { $0 == album })
        }
    }

    private static let subtypes: [PHAssetCollectionSubtype] =
        ([2, 3, 4, 5, 6, 100, 101] + Array(200...220) + [Int.max])
        .compactMap { PHAssetCollectionSubtype(rawValue: $0) }

    @Test("66; pains 14: any pair of type and subtype has an answer, `any` all of the type's")
    func typesAndSubtypes() throws {
        let tree = try Tree()
        #expect(Self.subtypes.count == 29)
        for subtype in Self.subtypes {
            func count(_ type: PHAssetCollectionType) -> Int {
                tree.world.bundle.using {
                    PHAssetCollection.fetchAssetCollections(
                        with: type,
                        subtype: subtype,
                        options: nil
                    ).count
                }
            }
            let isSmart = (201...220).contains(subtype.rawValue)
            #expect(count(.album) == ([.any, .albumRegular].contains(subtype) ? 4 : 0))
            #expect(count(.smartAlbum) == (subtype == .any ? 20 : isSmart ? 1 : 0))
        }
        let lists: [PHCollectionListSubtype] = [
            .momentListCluster, .momentListYear, .regularFolder, .rootFolder, .smartFolderEvents,
            .smartFolderFaces, .any,
        ]
        for subtype in lists {
            func titles(_ type: PHCollectionListType) -> [String?] {
                tree.world.bundle.using {
                    PHCollectionList.fetchCollectionLists(
                        with: type,
                        subtype: subtype,
                        options: nil
                    ).all.map(\.localizedTitle)
                }
            }
            let isFolder = [.any, .regularFolder].contains(subtype)
            #expect(titles(.folder) == (isFolder ? ["F"] : subtype == .rootFolder ? [nil] : []))
            #expect(titles(.smartFolder) == [])
        }
        tree.world.bundle.using {
            let groups = PHAssetCollection.fetchAssetCollections(
                withALAssetGroupURLs: [URL(fileURLWithPath: "/")],
                options: nil
            )
            #expect(groups.count == 0)
        }
    }

    @Test("64, 65: identifiers find their own kind, each once, in the order given")
    func identifiersNameTheirKind() throws {
        let tree = try Tree()
        let smart = try #require(tree.smart(.smartAlbumFavorites).first)
        let names = [tree.third, tree.folder, smart, tree.first, tree.third].map(
            \.localIdentifier
        )
        tree.world.bundle.using {
            let albums = PHAssetCollection.fetchAssetCollections(
                withLocalIdentifiers: names + ["", "x/L0/040"],
                options: nil
            )
            #expect(albums.all == [tree.third, smart, tree.first])
            let folders = PHCollectionList.fetchCollectionLists(
                withLocalIdentifiers: names,
                options: nil
            )
            #expect(folders.all == [tree.folder])
        }
    }

    @Test("67: the user library holds everything that shows, whatever albums hold")
    func userLibrary() throws {
        let tree = try Tree()
        let library = try #require(tree.smart(.smartAlbumUserLibrary).first)
        #expect(tree.world.numbers(in: library) == [1, 2, 3, 4, 5])
        #expect(library.estimatedAssetCount == 5)
        #expect(tree.world.albums.allSatisfy { $0.estimatedAssetCount < 5 })
    }

    @Test("68, 70, 71; pains 12: counts are known, of smart albums too, and can be asked for")
    func countsAreKnown() throws {
        let tree = try Tree()
        let all = tree.smart(.any)
        #expect(all.allSatisfy { $0.estimatedAssetCount != NSNotFound })
        let filled = tree.smart(.any, tree.options("estimatedAssetCount > 0"))
        #expect(filled == all.filter { $0.estimatedAssetCount > 0 })
        // The favorite, all five, all five in Recently Added or none, and the hidden one.
        #expect(filled.contains { $0.assetCollectionSubtype == .smartAlbumFavorites })
        #expect(filled.contains { $0.assetCollectionSubtype == .smartAlbumAllHidden })
        let none = tree.smart(.any, tree.options("estimatedAssetCount = 0"))
        #expect(none.count + filled.count == 20)
        #expect(tree.albums(tree.options("estimatedAssetCount == %@", [1])) == [tree.second])
    }

    @Test("73, 77: dates and counts follow what is in it; an object in hand stays as it was")
    func datesFollowMembers() throws {
        let tree = try Tree()
        let all = tree.world.assets
        let album = try tree.now(tree.third)
        #expect(album.startDate == all[1].creationDate)
        #expect(album.endDate == all[4].creationDate)
        #expect(try tree.now(tree.empty).startDate == nil)
        #expect(try tree.now(tree.empty).endDate == nil)
        let later = Date(timeIntervalSinceReferenceDate: 8e8)
        try tree.world.change { PHAssetChangeRequest(for: all[1]).creationDate = later }
        #expect(try tree.now(album).startDate == all[4].creationDate)
        #expect(try tree.now(album).endDate == later)
        try tree.world.change { PHAssetChangeRequest(for: all[4]).isHidden = true }
        #expect(try tree.now(album).startDate == later)
        #expect(try tree.now(album).estimatedAssetCount == 1)
        #expect(album.endDate == all[4].creationDate && album.estimatedAssetCount == 2)
        let favorites = try #require(tree.smart(.smartAlbumFavorites).first)
        #expect(favorites.estimatedAssetCount == 0 && favorites.startDate == nil)
        // Albums have no place.
        #expect(album.approximateLocation == nil)
        #expect(album.localizedLocationNames == [])
        #expect(tree.folder.startDate == nil && tree.folder.endDate == nil)
    }

    @Test("74, 75: titles may be the same, are the user's, and the root folder has none")
    func titles() throws {
        let tree = try Tree()
        #expect(tree.albums(tree.options("title = %@", ["C"])) == [tree.third, tree.empty])
        for album in tree.smart(.any) {
            #expect(album.localizedTitle?.isEmpty == false)
        }
    }

    /// Every format of a collection fetch found in published programs.
    @Test("Predicates of published programs select what they say")
    func predicates() throws {
        let tree = try Tree()
        let identifier = tree.first.localIdentifier
        let (start, end) = (tree.third.startDate, tree.third.endDate)
        let cases: [(String, [Any?], [PHAssetCollection])] = [
            ("title = %@", ["A"], [tree.first]), ("title  = %@", ["B"], [tree.second]),
            ("title in %@", [["A", "B", "x"]], [tree.first, tree.second]),
            ("localizedTitle = %@", ["A"], [tree.first]),
            ("localizedTitle == \"B\"", [], [tree.second]),
            ("localizedTitle == 'B'", [], [tree.second]),
            ("localizedTitle CONTAINS[cd] %@", ["c"], [tree.third, tree.empty]),
            ("localizedTitle CONTAINS[c] %@", ["a"], [tree.first]),
            ("localIdentifier = %@", [identifier], [tree.first]),
            ("estimatedAssetCount > 0", [], [tree.first, tree.second, tree.third]),
            ("(estimatedAssetCount != 0)", [], [tree.first, tree.second, tree.third]),
            ("estimatedAssetCount = 0", [], [tree.empty]),
            ("estimatedAssetCount = %i", [3], [tree.first]),
            ("startDate > %@", [start], [tree.second]),
            ("startDate = %@", [start], [tree.third]), ("endDate = %@", [end], [tree.third]),
            ("startDate = nil", [], [tree.empty]),
            ("assetCollectionType = 1 AND assetCollectionSubtype = 2", [], tree.albums(nil)),
            ("canContainAssets = YES", [], tree.albums(nil)),
            ("localizedLocationNames CONTAINS 'x' OR approximateLocation != nil", [], []),
        ]
        for (format, arguments, expected) in cases {
            #expect(tree.albums(tree.options(format, arguments)) == expected, "\(format)")
        }
        // Also in lists, and at the top level.
        tree.world.bundle.using {
            let inside = PHCollection.fetchCollections(
                in: tree.folder,
                options: tree.options("title = 'B'")
            )
            #expect(inside.all == [tree.second])
            let top = PHCollection.fetchTopLevelUserCollections(
                with: tree.options("canContainCollections = YES")
            )
            #expect(top.all == [tree.folder])
            let folders = PHCollectionList.fetchCollectionLists(
                with: .folder,
                subtype: .any,
                options: tree.options("localizedTitle BEGINSWITH 'F'")
            )
            #expect(folders.all == [tree.folder])
            let parents = PHCollectionList.fetchCollectionListsContaining(
                tree.first,
                options: tree.options("localizedTitle = 'x'")
            )
            #expect(parents.count == 0)
            let holding = PHAssetCollection.fetchAssetCollectionsContaining(
                tree.world.assets[1],
                with: .album,
                options: tree.options("title != 'A'")
            )
            #expect(holding.all == [tree.third])
        }
    }

    @Test("56, 58: orders and limits count, and options are copied")
    func orders() throws {
        let tree = try Tree()
        func sorted(_ key: String, _ ascending: Bool, limit: Int = 0) -> [PHAssetCollection] {
            tree.albums(tree.options(sort: [(key, ascending)], limit: limit))
        }
        #expect(sorted("localizedTitle", false).first?.localizedTitle == "C")
        #expect(sorted("title", true).map(\.localizedTitle) == ["A", "B", "C", "C"])
        #expect(
            sorted("estimatedAssetCount", false)
                == [tree.first, tree.third, tree.second, tree.empty]
        )
        #expect(sorted("startDate", true) == [tree.empty, tree.first, tree.third, tree.second])
        #expect(sorted("endDate", false) == [tree.third, tree.second, tree.first, tree.empty])
        #expect(sorted("endDate", false, limit: 2) == [tree.third, tree.second])
        #expect(sorted("modificationDate", true).count == 4)
        let smart = tree.smart(
            .any,
            tree.options(sort: [("estimatedAssetCount", false), ("localizedTitle", true)])
        )
        #expect(
            smart.map(\.estimatedAssetCount)
                == smart.map(\.estimatedAssetCount).sorted(by: >)
        )
        let options = tree.options("title = 'A'")
        let result = tree.world.bundle.using {
            PHAssetCollection.fetchAssetCollections(
                with: .album,
                subtype: .any,
                options: options
            )
        }
        options.predicate = nil
        options.fetchLimit = 1
        #expect(result.all == [tree.first])
    }

    @Test("62, 122, 131, 145: what can be done to a collection is said before")
    func operations() throws {
        let tree = try Tree()
        let all: [PHCollectionEditOperation] =
            (1...7).compactMap { PHCollectionEditOperation(rawValue: $0) }
        #expect(all.count == 7)
        func allowed(_ collection: PHCollection) -> [PHCollectionEditOperation] {
            all.filter(collection.canPerform)
        }
        #expect(allowed(tree.first) == all)
        #expect(allowed(tree.folder) == all)
        let smart = try #require(tree.smart(.smartAlbumVideos).first)
        #expect(allowed(smart) == [.deleteContent])
        let transient = PHAssetCollection.transientAssetCollection(with: [], title: nil)
        #expect(allowed(transient).isEmpty)
        #expect(allowed(PHAssetCollection()).isEmpty)
        #expect(allowed(PHCollectionList()).isEmpty)
        let gone = tree.empty
        try tree.world.change { PHAssetCollectionChangeRequest.deleteAssetCollections([gone]) }
        #expect(allowed(gone).isEmpty)
        // A change that is not allowed has no request.
        try tree.world.change {
            #expect(PHAssetCollectionChangeRequest(for: smart) == nil)
            #expect(PHAssetCollectionChangeRequest(for: smart, assets: nil) == nil)
            #expect(PHAssetCollectionChangeRequest(for: transient) == nil)
            #expect(PHAssetCollectionChangeRequest(for: PHAssetCollection()) == nil)
        }
        let error = tree.world.failure {
            PHAssetCollectionChangeRequest.deleteAssetCollections([smart])
        }
        #expect(error?.code == .changeNotSupported)
        #expect(error?.localizedDescription.isEmpty == false)
    }

    @Test("72: key assets are the first of an album, the last captured of a smart one")
    func keyAssets() throws {
        let tree = try Tree()
        let library = try #require(tree.smart(.smartAlbumUserLibrary).first)
        let last = PHAsset.fetchKeyAssets(in: library, options: nil)
        #expect(last?.all.map(\.number) == [5, 4, 3])
        let sorted = tree.options(sort: [("creationDate", true)], limit: 1)
        let first = PHAsset.fetchKeyAssets(in: library, options: sorted)
        #expect(first?.all.map(\.number) == [1])
        #expect(PHAsset.fetchKeyAssets(in: tree.third, options: nil)?.all.map(\.number) == [5, 2])
        #expect(PHAsset.fetchKeyAssets(in: tree.empty, options: nil)?.count == 0)
        let transient = PHAssetCollection.transientAssetCollection(
            with: tree.world.assets,
            title: nil
        )
        #expect(PHAsset.fetchKeyAssets(in: transient, options: nil)?.count == 3)
    }
}
