import Foundation
import LibraryService
import PhotoModel
import Photos
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(1))) struct MonitorLifeTests {
    @Test func watchesOnlyWhileSomebodyObserves() {
        let library = FakeLibrary(assets: 3)
        let connection = library.connection
        let shared = connection.library
        #expect(!connection.monitor.isWatching)
        let log = ChangeLog()
        shared.register(log as any PHPhotoLibraryChangeObserver)
        shared.register(log as any PHPhotoLibraryAvailabilityObserver)
        #expect(connection.monitor.isWatching)
        shared.unregisterChangeObserver(log)
        #expect(connection.monitor.isWatching)
        shared.unregisterAvailabilityObserver(log)
        #expect(!connection.monitor.isWatching)
    }

    /// The second observer is added while the watch of the first one begins, after a commit.
    @Test func observersThatComeTogetherMissNothing() {
        let library = FakeLibrary(assets: 3)
        let connection = library.connection
        let result = PHPhotoLibrary.using(connection) { PHAsset.fetchAssets(with: nil) }
        let (first, second) = (ChangeLog(), ChangeLog())
        library.state.withLock { state in
            state.whileSubscribing = {
                library.toggle(1)
                connection.library.register(second as any PHPhotoLibraryChangeObserver)
            }
        }
        connection.library.register(first as any PHPhotoLibraryChangeObserver)
        wait(for: "the first is told of the commit") { first.count == 1 }
        library.toggle(2)
        wait(for: "both are told of the next") { first.count == 2 && second.count == 1 }
        #expect(library.state.withLock { $0.past.subscriptions } == 1)
        withExtendedLifetime(result) {}
    }

    @Test func stopsWhenObserversAreGone() {
        let library = FakeLibrary(assets: 3)
        let connection = library.connection
        do {
            let log = ChangeLog()
            connection.library.register(log as any PHPhotoLibraryChangeObserver)
        }
        wait(for: "the watch ends") { !connection.monitor.isWatching }
    }

    @Test func beginsAgain() {
        let library = FakeLibrary(assets: 3)
        let connection = library.connection
        let result = PHPhotoLibrary.using(connection) { PHAsset.fetchAssets(with: nil) }
        for _ in 0..<3 {
            let log = ChangeLog()
            connection.library.register(log as any PHPhotoLibraryChangeObserver)
            library.toggle(1)
            wait(for: "a call") { log.count == 1 }
            connection.library.unregisterChangeObserver(log)
            library.toggle(1)
        }
        #expect(result.count == 3)
    }

    @Test func everythingIsLetGo() {
        let library = FakeLibrary(assets: 3)
        weak var connection: LibraryConnection?
        weak var shared: PHPhotoLibrary?
        weak var result: PHFetchResult<PHAsset>?
        weak var change: PHChange?
        let log = ChangeLog(keepsChanges: true)
        do {
            let owner = library.connection
            let photos = owner.library
            let fetched = PHPhotoLibrary.using(owner) { PHAsset.fetchAssets(with: nil) }
            (connection, shared, result) = (owner, photos, fetched)
            photos.register(log as any PHPhotoLibraryChangeObserver)
            #expect(fetched.firstObject?.isFavorite == false)
            library.toggle(1)
            wait(for: "a call") { log.count == 1 }
            change = log.calls.withLock { $0.changes.first }
            let details = change?.changeDetails(for: fetched)
            #expect(details?.changedIndexes == [0])
        }
        log.calls.withLock { $0.changes = [] }
        wait(for: "all of it goes") {
            connection == nil && shared == nil && result == nil && change == nil
        }
        wait(for: "no state stays pinned") { library.state.withLock { $0.past.pins.isEmpty } }
    }

    @Test func unavailableLibraryIsWaitedFor() {
        let library = FakeLibrary(assets: 3)
        library.state.withLock { $0.failure = LibraryError(.volumeMissing, "No volume.") }
        let connection = library.connection
        let log = ChangeLog()
        connection.library.register(log as any PHPhotoLibraryChangeObserver)
        connection.library.register(log as any PHPhotoLibraryAvailabilityObserver)
        library.state.withLock { $0.failure = nil }
        let result = PHPhotoLibrary.using(connection) { PHAsset.fetchAssets(with: nil) }
        wait(for: "a subscription") { library.state.withLock { !$0.past.subscribers.isEmpty } }
        library.toggle(2)
        wait(for: "a call") { log.count == 1 }
        #expect(log.calls.withLock(\.unavailable) == 0, "it did not become unavailable meanwhile")
        #expect(result.count == 3)
    }

    @Test func deafLibraryIsPolledButSubscribedToMoreAndMoreSeldom() {
        let library = FakeLibrary(assets: 3)
        library.state.withLock { $0.past.isDeaf = true }
        let connection = library.connection
        let log = ChangeLog()
        let result = PHPhotoLibrary.using(connection) { PHAsset.fetchAssets(with: nil) }
        connection.library.register(log as any PHPhotoLibraryChangeObserver)
        let before = library.state.withLock(\.past.questions)
        wait(for: "many looks") { library.state.withLock(\.past.questions) >= before + 32 }
        // After 1, 2, 4, 8, 16 and 32 of them; the first one is that of the registration.
        let count = library.state.withLock(\.past.subscriptions)
        #expect((2...9).contains(count), "\(count) subscriptions")
        library.toggle(1)
        wait(for: "a call without a signal") { log.count == 1 }
        #expect(result.count == 3)
    }

    @Test func thePaceSlowsDownAndBeginsAnew() {
        var pace = RetryPace(first: .seconds(2), longest: .seconds(20))
        let start = ContinuousClock.now
        var attempts: [Int] = []
        for second in 0..<80 {
            let isDue = pace.attempt(at: start + .seconds(second))
            if isDue { attempts.append(second) }
        }
        #expect(attempts == [0, 2, 6, 14, 30, 50, 70])
        #expect(!pace.isFresh)
        pace.reset()
        #expect(pace.isFresh)
        let again = [71, 72, 73].map { pace.attempt(at: start + .seconds($0)) }
        #expect(again == [true, false, true])
    }

    @Test func goingThroughManyObjectsLeavesNothing() {
        let library = FakeLibrary(assets: 50_000)
        let connection = library.connection
        let result = PHPhotoLibrary.using(connection) { PHAsset.fetchAssets(with: nil) }
        for index in stride(from: 0, to: 50_000, by: 256) { _ = result[index] }
        #expect(connection.monitor.register.batches.count <= 9, "as many as a result keeps")
        #expect(connection.monitor.register.tracks.count == 1)
    }
}
