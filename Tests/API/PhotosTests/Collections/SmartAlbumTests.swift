import Foundation
import Photos
import PhotosManagement
import Testing

/// Smart albums through the public API, compared with SQLite's own tool over the same rows.
@Suite(.timeLimit(.minutes(2))) struct SmartAlbumTests {
    private let library: RowsLibrary

    init() throws { library = try RowsLibrary.shared.get() }

    private func albums(
        _ subtype: PHAssetCollectionSubtype = .any,
        _ configure: (PHFetchOptions) -> Void = { _ in }
    ) -> [PHAssetCollection] {
        let options = PHFetchOptions()
        configure(options)
        let result = PHAssetCollection.fetchAssetCollections(
            with: .smartAlbum,
            subtype: subtype,
            options: options
        )
        return (0..<result.count).map { result[$0] }
    }

    @Test(
        "Members and counts are what SQLite finds",
        arguments: [
            (.smartAlbumUserLibrary, "isVisible"),
            (.smartAlbumFavorites, "isVisible AND isFavorite"),
            (.smartAlbumVideos, "isVisible AND mediaType = 2"),
            (.smartAlbumPanoramas, "isVisible AND mediaSubtypes & 1"),
            (.smartAlbumScreenshots, "isVisible AND mediaSubtypes & 4"),
            (.smartAlbumLivePhotos, "isVisible AND mediaSubtypes & 8"),
            (.smartAlbumDepthEffect, "isVisible AND mediaSubtypes & 16"),
            (.smartAlbumSlomoVideos, "isVisible AND mediaSubtypes & 131072"),
            (.smartAlbumTimelapses, "isVisible AND mediaSubtypes & 262144"),
            (.smartAlbumBursts, "isVisible AND burstIdentifier IS NOT NULL"),
            (
                .smartAlbumAllHidden,
                """
                isHidden AND trashedDate IS NULL AND NOT isBurstHidden AND sourceType = 1
                """
            ),
            (.smartAlbumSpatial, "0"), (.smartAlbumUnableToUpload, "0"),
        ] as [(PHAssetCollectionSubtype, String)]
    )
    func members(subtype: PHAssetCollectionSubtype, condition: String) throws {
        try library.bundle.using {
            let album = try #require(albums(subtype).first)
            #expect(album.assetCollectionType == .smartAlbum)
            #expect(album.assetCollectionSubtype == subtype)
            let expected = try library.identifiers(where: condition)
            let result = PHAsset.fetchAssets(in: album, options: nil)
            #expect((0..<result.count).map { result[$0].localIdentifier } == expected)
            #expect(album.estimatedAssetCount == expected.count)
            let dates = (0..<result.count).compactMap { result[$0].creationDate }
            #expect(album.startDate == dates.min())
            #expect(album.endDate == dates.max())
            let key = try #require(PHAsset.fetchKeyAssets(in: album, options: nil))
            #expect(key.firstObject?.localIdentifier == expected.last)
        }
    }

    @Test("Every subtype that there is has one album, with a title and an identifier of its own")
    func identity() throws {
        library.bundle.using {
            let all = albums()
            #expect(all.count == 20)
            #expect(Set(all.map(\.localIdentifier)).count == 20)
            #expect(Set(all.compactMap(\.localizedTitle)).count == 20)
            #expect(albums(.smartAlbumGeneric).isEmpty)
            let identifiers = all.map(\.localIdentifier)
            let again = PHAssetCollection.fetchAssetCollections(
                withLocalIdentifiers: identifiers,
                options: nil
            )
            #expect((0..<again.count).map { again[$0].localIdentifier } == identifiers)
            #expect(again.firstObject == all.first)
        }
    }

    @Test("Smart albums cannot be changed, only what is in them deleted (behaviour 131)")
    func operations() throws {
        try library.bundle.using {
            let album = try #require(albums(.smartAlbumFavorites).first)
            for operation in [
                PHCollectionEditOperation.delete, .rename, .addContent, .removeContent,
                .createContent, .rearrangeContent,
            ] {
                #expect(!album.canPerform(operation), "\(operation)")
            }
            #expect(album.canPerform(.deleteContent))
            #expect(album.modificationDate == nil)
        }
    }

    @Test("No asset names a smart album as one that holds it (behaviour 69)")
    func containing() throws {
        try library.bundle.using {
            let asset = try #require(PHAsset.fetchAssets(with: nil).firstObject)
            let found = PHAssetCollection.fetchAssetCollectionsContaining(
                asset,
                with: .smartAlbum,
                options: nil
            )
            #expect(found.count == 0)
        }
    }

    @Test("What is hidden shows in no album but its own, whatever the options leave out")
    func hiddenLeaksNowhere() throws {
        let hidden = Set(try library.identifiers(where: "isHidden"))
        let deleted = Set(try library.identifiers(where: "trashedDate IS NOT NULL"))
        library.bundle.using {
            for album in albums() {
                let options = PHFetchOptions()
                options.includeAllBurstAssets = true
                for options in [nil, options] {
                    let result = PHAsset.fetchAssets(in: album, options: options)
                    let found = Set((0..<result.count).map { result[$0].localIdentifier })
                    #expect(found.isDisjoint(with: deleted))
                    if album.assetCollectionSubtype == .smartAlbumAllHidden {
                        #expect(found.isSubset(of: hidden))
                    } else {
                        #expect(found.isDisjoint(with: hidden))
                    }
                }
            }
        }
    }

    @Test("Predicates and orders of collections count")
    func options() {
        library.bundle.using {
            let filled = albums { $0.predicate = NSPredicate(format: "estimatedAssetCount > 0") }
            #expect(!filled.isEmpty && filled.allSatisfy { $0.estimatedAssetCount > 0 })
            let sorted = albums {
                $0.sortDescriptors = [
                    NSSortDescriptor(key: "estimatedAssetCount", ascending: false)
                ]
            }
            #expect(
                sorted.map(\.estimatedAssetCount)
                    == sorted.map(\.estimatedAssetCount).sorted(by: >)
            )
        }
    }
}
