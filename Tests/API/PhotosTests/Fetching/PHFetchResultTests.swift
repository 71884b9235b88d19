import Foundation
import Photos
import PhotosManagement
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(2))) struct PHFetchResultTests {
    private let result: PHFetchResult<PHAsset>
    private let identifiers: [String]

    init() throws {
        let library = try RowsLibrary.shared.get()
        result = try library.bundle.fetchAssets(with: nil)
        identifiers = try library.identifiers(where: "isVisible = 1")
    }

    /// Returns the indexes that an enumeration visited, in order.
    private func visited(
        _ options: NSEnumerationOptions,
        at indexes: IndexSet? = nil,
        stoppingAt last: Int? = nil
    ) -> [Int] {
        let seen = Visits()
        let visit: (PHAsset, Int, UnsafeMutablePointer<ObjCBool>) -> Void = { asset, index, stop in
            #expect(asset.localIdentifier == identifiers[index])
            seen.indexes.withLock { $0.append(index) }
            if index == last { stop.pointee = true }
        }
        if let indexes {
            result.enumerateObjects(at: indexes, options: options, using: visit)
        } else {
            result.enumerateObjects(options: options, using: visit)
        }
        return seen.indexes.withLock { $0 }
    }

    private final class Visits: Sendable {
        let indexes = Mutex<[Int]>([])
    }

    @Test func indexingAndEndsAgree() {
        #expect(result.count == identifiers.count)
        #expect(result.firstObject?.localIdentifier == identifiers.first)
        #expect(result.lastObject?.localIdentifier == identifiers.last)
        #expect(result[5] == result.object(at: 5))
        #expect(
            result.objects(at: IndexSet([0, 3, 300])).map(\.localIdentifier)
                == [0, 3, 300].map { identifiers[$0] }
        )
    }

    @Test func emptyResultHasNoEnds() {
        let empty = PHFetchResult<PHAsset>()
        #expect(empty.count == 0)
        #expect(empty.firstObject == nil)
        #expect(empty.lastObject == nil)
        #expect(empty.objects(at: IndexSet()).isEmpty)
        #expect(empty.index(of: PHAsset()) == NSNotFound)
        #expect(empty.countOfAssets(with: .image) == 0)
        empty.enumerateObjects { _, _, _ in Issue.record("nothing to visit") }
    }

    @Test func enumerationGoesForwardsAndBackwards() {
        let all = Array(0..<result.count)
        #expect(visited([]) == all)
        #expect(visited(.reverse) == all.reversed())
        #expect(visited([], at: IndexSet([2, 7, 400])) == [2, 7, 400])
        #expect(visited(.reverse, at: IndexSet([2, 7, 400])) == [400, 7, 2])
        #expect(visited([], at: IndexSet()).isEmpty)
        let seen = Visits()
        result.enumerateObjects { _, index, _ in seen.indexes.withLock { $0.append(index) } }
        #expect(seen.indexes.withLock { $0 } == all)
    }

    @Test func concurrentEnumerationVisitsEachOnce() {
        #expect(visited(.concurrent).sorted() == Array(0..<result.count))
        #expect(visited([.concurrent, .reverse]).sorted() == Array(0..<result.count))
    }

    @Test func flagStopsTheEnumeration() {
        #expect(visited([], stoppingAt: 4) == [0, 1, 2, 3, 4])
        #expect(visited(.reverse, stoppingAt: result.count - 2).count == 2)
        #expect(visited(.concurrent, stoppingAt: 3).count <= result.count)
    }

    @Test func fastEnumerationTakesEveryCollection() {
        let assets = result.objects(at: IndexSet(integersIn: 0..<3))
        let collections: [any NSFastEnumeration] = [
            assets, Set(assets), assets as NSArray, NSArray(array: assets), NSSet(array: assets),
            NSOrderedSet(array: assets),
        ]
        for collection in collections {
            let found = NSFastEnumerationIterator(collection).compactMap { $0 as? PHAsset }
            #expect(Set(found) == Set(assets))
        }
        let all = NSFastEnumerationIterator(result).compactMap { ($0 as? PHAsset)?.localIdentifier }
        #expect(all == identifiers)
    }

    @Test func enumerationWorksInAnAutoreleasePool() {
        let found = (0..<result.count).map { index in
            autoreleasepool { result.object(at: index).localIdentifier }
        }
        #expect(found == identifiers)
    }

    @Test func copyIsTheResultItself() {
        #expect(result.copy() as? PHFetchResult<PHAsset> === result)
    }

    @Test func testDoublesCanOverrideEverything() {
        final class Double: PHFetchResult<PHAsset>, @unchecked Sendable {
            override var count: Int { 2 }
            override func object(at index: Int) -> PHAsset { PHAsset() }
        }
        let double = Double()
        #expect(double.firstObject != nil)
        var visits = 0
        double.enumerateObjects { _, _, _ in visits += 1 }
        #expect(visits == 2)
    }

    @Test func indexOutOfBoundsStopsTheProgram() async {
        await #expect(processExitsWith: .failure) { _ = PHFetchResult<PHAsset>()[0] }
        await #expect(processExitsWith: .failure) {
            _ = PHFetchResult<PHAsset>().objects(at: IndexSet(integer: 3))
        }
        await #expect(processExitsWith: .failure) {
            _ = PHFetchResult<PHAsset>()
                .index(of: PHAsset(), in: NSRange(location: 0, length: 1))
        }
        await #expect(processExitsWith: .failure) {
            PHFetchResult<PHAsset>().enumerateObjects(at: IndexSet(integer: 0)) { _, _, _ in }
        }
    }

    @Test(.timeLimit(.minutes(2))) func manyThreadsFetchAndLook() async throws {
        let library = try RowsLibrary.shared.get()
        await withTaskGroup { group in
            for task in 0..<64 {
                group.addTask {
                    for step in 0..<5 {
                        let options = PHFetchOptions()
                        options.predicate = NSPredicate(format: "rating == %d", (task + step) % 6)
                        let result = library.bundle.using { PHAsset.fetchAssets(with: options) }
                        result.enumerateObjects { asset, _, _ in
                            #expect(asset.rating.rawValue == (task + step) % 6)
                        }
                    }
                }
            }
        }
    }
}
