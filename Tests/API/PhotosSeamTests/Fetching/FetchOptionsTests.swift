import Foundation
import LibraryService
import PhotoModel
import Photos
import Testing

@Suite(.timeLimit(.minutes(2))) struct FetchOptionsTests {
    private func request(_ fetch: () -> PHFetchResult<PHAsset>) throws -> AssetFetchRequest {
        let library = FakeLibrary()
        _ = library.use(fetch)
        return try #require(library.requests.last)
    }

    @Test func nothingAskedForAsksForNothing() throws {
        let plain = AssetFetchRequest(scope: .library)
        #expect(try request { PHAsset.fetchAssets(with: nil) } == plain)
        #expect(try request { PHAsset.fetchAssets(with: PHFetchOptions()) } == plain)
    }

    @Test func everyOptionCrossesTheSeam() throws {
        let options = PHFetchOptions()
        options.predicate = NSPredicate(value: true)
        options.sortDescriptors = [
            NSSortDescriptor(key: "creationDate", ascending: false),
            NSSortDescriptor(keyPath: \PHAsset.pixelWidth, ascending: true),
        ]
        options.includeHiddenAssets = true
        options.includeAllBurstAssets = true
        options.includeAssetSourceTypes = [.typeUserLibrary, .typeiTunesSynced]
        options.fetchLimit = 5
        var expected = AssetFetchRequest(scope: .library)
        expected.mediaType = .video
        expected.predicate = .constant(true)
        expected.sort = [
            AssetFetchRequest.SortKey("creationDate", ascending: false),
            AssetFetchRequest.SortKey("pixelWidth", ascending: true),
        ]
        expected.includesHidden = true
        expected.includesAllBurstMembers = true
        expected.sourceTypes = [.userLibrary, .computerSynced]
        expected.limit = 5
        #expect(try request { PHAsset.fetchAssets(with: .video, options: options) } == expected)
        let copy = try #require(options.copy() as? PHFetchOptions)
        #expect(try request { PHAsset.fetchAssets(with: .video, options: copy) } == expected)
        #expect(copy.wantsIncrementalChangeDetails && !copy.prefetchAssetExtendedMetadata)
    }

    @Test func scopesCrossTheSeam() throws {
        let names = ["A/L0/001", "B/L0/001"]
        #expect(
            try request { PHAsset.fetchAssets(withLocalIdentifiers: names, options: nil) }.scope
                == .identifiers(names)
        )
        #expect(
            try request { PHAsset.fetchAssets(withBurstIdentifier: "b", options: nil) }.scope
                == .burst("b")
        )
    }

    @Test func negativeLimitIsNone() throws {
        let options = PHFetchOptions()
        options.fetchLimit = -3
        #expect(try request { PHAsset.fetchAssets(with: options) }.limit == 0)
    }

    @Test func optionsAreCopiedIntoTheFetch() throws {
        let library = FakeLibrary(assets: 3)
        let options = PHFetchOptions()
        let result = library.use { PHAsset.fetchAssets(with: options) }
        options.fetchLimit = 1
        options.predicate = NSPredicate(value: false)
        #expect(result.count == 3)
        #expect(result.lastObject != nil)
    }
}

@Suite(.timeLimit(.minutes(2))) struct SortDescriptorTests {
    @Test func keysCanBeReadBack() {
        let descriptor = NSSortDescriptor(key: "creationDate", ascending: false)
        #expect(descriptor.key == "creationDate")
        #expect(!descriptor.ascending)
        let reversed = descriptor.reversedSortDescriptor as? NSSortDescriptor
        #expect(reversed?.key == "creationDate")
        #expect(reversed?.ascending == true)
        #expect((descriptor.copy() as? NSSortDescriptor)?.key == "creationDate")
        #expect(NSSortDescriptor(key: nil, ascending: true).key == nil)
    }

    @Test func keyPathsHaveTheirNames() {
        #expect(
            NSSortDescriptor(keyPath: \PHAsset.creationDate, ascending: true).key == "creationDate"
        )
        #expect(NSSortDescriptor(keyPath: \PHAsset.duration, ascending: true).key == "duration")
        #expect(NSSortDescriptor(keyPath: \PHAsset.mediaType, ascending: true).key == "mediaType")
        #expect(
            NSSortDescriptor(keyPath: \PHAsset.localIdentifier, ascending: true).key
                == "localIdentifier"
        )
        #expect(NSSortDescriptor(keyPath: \NSString.length, ascending: true).key == nil)
    }

    @Test func descriptorsSortObjectsToo() {
        let library = FakeLibrary(assets: 5)
        let assets = library.use {
            PHAsset.fetchAssets(with: nil).objects(at: IndexSet(integersIn: 0..<5))
        }
        let byDate = NSSortDescriptor(key: "creationDate", ascending: false)
        let sorted = assets.sorted { byDate.compare($0, to: $1) == .orderedAscending }
        #expect(sorted == assets.reversed())
        let byType = NSSortDescriptor(key: "mediaType", ascending: true)
        #expect(byType.compare(assets[0], to: assets[1]) == .orderedDescending)
        #expect(byDate.compare(PHAsset(), to: assets[0]) == .orderedDescending)
        #expect(byDate.compare(PHAsset(), to: PHAsset()) == .orderedSame)
    }
}
