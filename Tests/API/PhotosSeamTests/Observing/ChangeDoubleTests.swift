import Foundation
import Photos
import Testing

/// Test doubles as programs write them (compatibility 4).
@Suite(.timeLimit(.minutes(2))) struct ChangeDoubleTests {
    private final class NamedResult: PHFetchResult<PHAsset>, @unchecked Sendable {
        private let assets: [NamedAsset]

        init(_ names: [String]) {
            assets = names.map(NamedAsset.init)
            super.init()
        }

        override var count: Int { assets.count }
        override func object(at index: Int) -> PHAsset { assets[index] }
    }

    private final class DoubledChange: PHChange, @unchecked Sendable {
        override func __changeDetails(
            for object: PHObject
        ) -> PHObjectChangeDetails<PHObject>? {
            DoubledObjectDetails(object)
        }

        override func __changeDetails(
            for fetchResult: PHFetchResult<AnyObject>
        ) -> PHFetchResultChangeDetails<PHObject>? {
            DoubledDetails()
        }
    }

    private final class DoubledObjectDetails: PHObjectChangeDetails<PHObject>, @unchecked Sendable {
        private let object: PHObject

        init(_ object: PHObject) {
            self.object = object
            super.init()
        }

        override var objectBeforeChanges: PHObject { object }
        override var objectAfterChanges: PHObject? { NamedAsset("after") }
        override var assetContentChanged: Bool { true }
    }

    private final class DoubledDetails: PHFetchResultChangeDetails<PHObject>, @unchecked Sendable {
        override var hasIncrementalChanges: Bool { true }
        override var insertedIndexes: IndexSet? { [3] }
        override var insertedObjects: [PHObject] { [NamedAsset("new")] }
        override var hasMoves: Bool { true }
        override func enumerateMoves(_ handler: @escaping (Int, Int) -> Void) { handler(1, 2) }
    }

    @Test func changesCanBeOverridden() throws {
        let change = DoubledChange()
        let asset = NamedAsset("before")
        let object = try #require(change.changeDetails(for: asset))
        #expect(object.objectBeforeChanges === asset)
        #expect(object.objectAfterChanges?.localIdentifier == "after")
        #expect(object.assetContentChanged)
        let result = NamedResult(["a", "b"])
        let details: PHFetchResultChangeDetails<PHAsset> = try #require(
            change.changeDetails(for: result)
        )
        #expect(details.fetchResultBeforeChanges === result)
        #expect(details.insertedIndexes == [3])
        #expect(details.insertedObjects.map(\.localIdentifier) == ["new"])
        #expect(details.removedIndexes == [])
        #expect(details.hasMoves)
        var moves: [[Int]] = []
        details.enumerateMoves { moves.append([$0, $1]) }
        #expect(moves == [[1, 2]])
    }

    @Test func emptyDoublesSayNothing() {
        let change = PHChange()
        #expect(change.changeDetails(for: NamedAsset("x")) == nil)
        #expect(change.changeDetails(for: PHFetchResult<PHAsset>()) == nil)
        let details = PHFetchResultChangeDetails<PHAsset>()
        #expect(details.hasIncrementalChanges)
        #expect(details.fetchResultAfterChanges.count == 0)
        #expect(details.removedIndexes == [])
        #expect(PHObjectChangeDetails<PHAsset>().objectAfterChanges == nil)
        #expect(PHPersistentObjectChangeDetails().objectType == .asset)
        #expect(PHPersistentChange().changeToken == PHPersistentChangeToken())
        #expect(Array(PHPersistentChangeFetchResult()).isEmpty)
    }

    @Test("98: details of results that a program made itself")
    func comparedDoubles() {
        let details = PHFetchResultChangeDetails(
            from: NamedResult(["a", "b", "c", "d"]),
            to: NamedResult(["d", "a", "x", "c"]),
            changedObjects: [NamedAsset("c"), NamedAsset("b")]
        )
        var list = ["a", "b", "c", "d"]
        for index in (details.removedIndexes ?? []).reversed() { list.remove(at: index) }
        for (index, object) in zip(details.insertedIndexes ?? [], details.insertedObjects) {
            list.insert(object.localIdentifier, at: index)
        }
        details.enumerateMoves { list.insert(list.remove(at: $0), at: $1) }
        #expect(list == ["d", "a", "x", "c"])
        #expect(details.changedIndexes == [3])
        #expect(details.removedObjects.map(\.localIdentifier) == ["b"])
    }
}
