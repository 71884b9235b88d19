import Foundation
import LibraryService
import PhotoModel
import Photos
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(1))) struct ChangeDetailsTests {
    private let library = FakeLibrary(assets: 20)
    private let connection: LibraryConnection
    private let log = ChangeLog(keepsChanges: true)

    init() {
        connection = library.connection
        connection.library.register(log as any PHPhotoLibraryChangeObserver)
    }

    private func fetch(_ configure: (PHFetchOptions) -> Void = { _ in }) -> PHFetchResult<PHAsset> {
        PHPhotoLibrary.using(connection) {
            let options = PHFetchOptions()
            configure(options)
            return PHAsset.fetchAssets(with: options)
        }
    }

    /// Returns the change that reports what `body` does.
    private func change(_ body: () -> Void) throws -> PHChange {
        let count = log.count
        body()
        wait(for: "a call") { log.count > count }
        return try #require(log.calls.withLock { $0.changes.last })
    }

    @Test("86, 87, 89: what did not change has no details, and the before is what was passed in")
    func identity() throws {
        let (result, few) = (fetch(), fetch { $0.fetchLimit = 3 })
        let asset = result[4]
        let other = result[5]
        let change = try change { library.toggle(5) }
        let details = try #require(change.changeDetails(for: result))
        #expect(details.fetchResultBeforeChanges === result)
        #expect(details.changedIndexes == [4])
        #expect(details.changedObjects.first?.isFavorite == true)
        #expect(change.changeDetails(for: few) == nil)
        let object = try #require(change.changeDetails(for: asset))
        #expect(object.objectBeforeChanges === asset)
        #expect(object.objectAfterChanges?.isFavorite == true)
        #expect(!object.objectWasDeleted)
        #expect(!object.assetContentChanged)
        #expect(asset.isFavorite == false)
        #expect(change.changeDetails(for: other) == nil)
        #expect(change.changeDetails(for: PHAsset()) == nil)
        #expect(change.changeDetails(for: PHFetchResult<PHAsset>()) == nil)
    }

    @Test("87: a deleted object")
    func deletion() throws {
        let result = fetch()
        let asset = result[4]
        let change = try change { library.remove(5) }
        let object = try #require(change.changeDetails(for: asset))
        #expect(object.objectWasDeleted)
        #expect(object.objectAfterChanges == nil)
        let details = try #require(change.changeDetails(for: result))
        #expect(details.removedIndexes == [4])
        #expect(details.removedObjects == [asset])
        #expect(details.fetchResultAfterChanges.count == 19)
        #expect(details.description.contains("removed=1"))
    }

    @Test("88: content and metadata are told apart")
    func contentChange() throws {
        let asset = fetch()[4]
        let change = try change {
            library.commit(touching: [5]) { $0[4].hasAdjustments = true }
        }
        #expect(change.changeDetails(for: asset)?.assetContentChanged == true)
    }

    @Test("90: details start at the result's own state, whatever was missed")
    func skippedChanges() throws {
        let result = fetch()
        _ = try change { library.remove(1) }
        _ = try change { library.remove(10) }
        let last = try change { library.toggle(20) }
        let details = try #require(last.changeDetails(for: result))
        #expect(details.removedIndexes == [0, 9])
        #expect(details.changedIndexes == [17])
        let after = details.fetchResultAfterChanges
        #expect(last.changeDetails(for: after) == nil)
        // An earlier change reports nothing about a later result.
        let first = try #require(log.calls.withLock { $0.changes.first })
        #expect(first.changeDetails(for: after) == nil)
    }

    @Test func theSameIsSaidTwice() throws {
        let result = fetch()
        let change = try change { library.toggle(5) }
        let advances = library.state.withLock(\.past.advances)
        let (one, two) = (change.changeDetails(for: result), change.changeDetails(for: result))
        #expect(one?.changedIndexes == two?.changedIndexes)
        #expect(library.state.withLock(\.past.advances) == advances, "what was found is remembered")
    }

    @Test("97: without steps the result after is there all the same")
    func withoutSteps() throws {
        let result = fetch { $0.wantsIncrementalChangeDetails = false }
        let change = try change { library.remove(2) }
        let details = try #require(change.changeDetails(for: result))
        #expect(!details.hasIncrementalChanges)
        #expect(details.fetchResultAfterChanges.count == 19)
        #expect(details.description.contains("reload"))
        let next = try self.change { library.remove(3) }
        let more = try #require(next.changeDetails(for: details.fetchResultAfterChanges))
        #expect(!more.hasIncrementalChanges, "the wish goes on")
    }

    @Test func otherLibrariesAreNotMeant() throws {
        let other = FakeLibrary(assets: 20)
        let foreign = other.use { PHAsset.fetchAssets(with: nil) }
        let own = fetch()
        let asset = foreign[4]
        let change = try change { library.toggle(5) }
        #expect(change.changeDetails(for: foreign) == nil)
        #expect(change.changeDetails(for: asset) == nil)
        #expect(change.changeDetails(for: own) != nil)
    }

    @Test func failureIsLoggedAndGivesNil() throws {
        let (result, unseen) = (fetch(), fetch { $0.fetchLimit = 19 })
        let asset = result[4]
        let change = try change { library.toggle(5) }
        connection.library.unregisterChangeObserver(log)
        library.state.withLock { $0.failure = LibraryError(.inputOutput, "The disk failed.") }
        #expect(change.changeDetails(for: asset) == nil)
        #expect(library.log.messages.contains("error: The disk failed."))
        library.state.withLock { $0.failure = nil }
        #expect(change.changeDetails(for: asset) != nil)
        #expect(change.changeDetails(for: unseen) != nil)
    }

    @Test func closuresAreAskedAboutWhatChanged() throws {
        let asked = Box()
        let result = fetch { options in
            options.predicate = NSPredicate { object, _ in
                guard let asset = object as? PHAsset else { return false }
                asked.add(asset.localIdentifier)
                return !asset.isFavorite
            }
        }
        #expect(result.count == 20)
        asked.clear()
        let change = try change { library.toggle(5) }
        _ = change.changeDetails(for: result)
        #expect(asked.all == [FakeLibrary.uuid(5) + "/L0/001"])
    }

    @Test("98: details of any two results")
    func comparison() throws {
        let before = fetch()
        library.remove(3)
        library.toggle(7)
        let after = fetch()
        let details = PHFetchResultChangeDetails(
            from: before,
            to: after,
            changedObjects: [after[5]]
        )
        #expect(details.removedIndexes == [2])
        #expect(details.changedIndexes == [5])
        #expect(details.insertedIndexes == [])
        #expect(!details.hasMoves)
        // Objects of other connections are found by identifier.
        let foreign = library.use { PHAsset.fetchAssets(with: nil) }
        let same = PHFetchResultChangeDetails(from: before, to: foreign, changedObjects: [])
        #expect(same.removedIndexes == [2])
        let back = PHFetchResultChangeDetails(from: after, to: before, changedObjects: [])
        #expect(back.insertedIndexes == [2])
        #expect(back.insertedObjects == [before[2]])
    }
}

/// Collects names from any thread.
private final class Box: @unchecked Sendable {
    // Guarded by the lock.
    private let lock = NSLock()
    private var names: [String] = []

    var all: [String] { lock.withLock { names } }

    func add(_ name: String) { lock.withLock { names.append(name) } }

    func clear() { lock.withLock { names = [] } }
}
