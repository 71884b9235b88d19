import Foundation
import LibraryService
import PhotoModel
import Photos
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(2))) struct ObserverTests {
    private let library = FakeLibrary(assets: 600)
    private let connection: LibraryConnection
    private let shared: PHPhotoLibrary

    init() {
        connection = library.connection
        shared = connection.library
    }

    private func fetch(limit: Int = 0) -> PHFetchResult<PHAsset> {
        PHPhotoLibrary.using(connection) {
            let options = PHFetchOptions()
            options.fetchLimit = limit
            return PHAsset.fetchAssets(with: options)
        }
    }

    /// Waits until everything that was committed before was reported.
    ///
    /// The history observer is called last, and for every commit.
    private func waitForObservers() {
        let fence = ChangeLog()
        shared.register(fence as any PHPhotoLibraryPersistentChangesObserver)
        library.commit(touching: [])
        wait(for: "the monitor wakes up") { fence.calls.withLock(\.history) > 0 }
    }

    @Test("82, 84: one call for one commit, and only one for an observer that came twice")
    func onceEach() {
        let result = fetch()
        let log = ChangeLog()
        shared.register(log as any PHPhotoLibraryChangeObserver)
        shared.register(log as any PHPhotoLibraryChangeObserver)
        for number in 1...5 {
            library.toggle(7)
            wait(for: "call \(number)") { log.count == number }
        }
        waitForObservers()
        #expect(log.count == 5)
        #expect(result.count == 600)
    }

    @Test("84: unregistering an unknown observer is harmless")
    func unregisteringStrangers() {
        let (log, stranger) = (ChangeLog(), ChangeLog())
        let result = fetch()
        shared.unregisterChangeObserver(stranger)
        shared.register(log as any PHPhotoLibraryChangeObserver)
        shared.unregisterChangeObserver(stranger)
        shared.unregisterAvailabilityObserver(log)
        shared.unregisterPersistentChangesObserver(log)
        library.toggle(1)
        wait(for: "a call") { log.count == 1 }
        shared.unregisterChangeObserver(log)
        shared.unregisterChangeObserver(log)
        library.toggle(1)
        waitForObservers()
        #expect(log.count == 1)
        #expect(result.count == 600)
    }

    @Test("83: observers are not kept alive")
    func weakObservers() {
        let result = fetch()
        weak var gone: ChangeLog?
        let log = ChangeLog()
        do {
            let short = ChangeLog()
            gone = short
            shared.register(short as any PHPhotoLibraryChangeObserver)
            shared.register(log as any PHPhotoLibraryChangeObserver)
        }
        #expect(gone == nil)
        library.toggle(1)
        wait(for: "a call to the other one") { log.count == 1 }
        #expect(result.count == 600)
    }

    @Test("85: the three kinds of observer are apart")
    func threeKinds() {
        let result = fetch()
        let (changes, history, availability) = (ChangeLog(), ChangeLog(), ChangeLog())
        shared.register(changes as any PHPhotoLibraryChangeObserver)
        shared.register(history as any PHPhotoLibraryPersistentChangesObserver)
        shared.register(availability as any PHPhotoLibraryAvailabilityObserver)
        library.toggle(3)
        wait(for: "both calls") { changes.count == 1 && history.calls.withLock(\.history) == 1 }
        library.state.withLock {
            $0.failure = LibraryError(.volumeMissing, "The volume is gone.")
        }
        wait(for: "the third call") { availability.calls.withLock(\.unavailable) == 1 }
        #expect(changes.calls.withLock { ($0.history, $0.unavailable) } == (0, 0))
        #expect(history.calls.withLock { ($0.count, $0.unavailable) } == (0, 0))
        #expect(availability.calls.withLock { ($0.count, $0.history) } == (0, 0))
        #expect((shared.unavailabilityReason as? PHPhotosError)?.code == .libraryVolumeOffline)
        #expect(result.count == 600)
    }

    @Test("100: told once when the library goes, and again when it goes again")
    func availability() {
        let log = ChangeLog()
        let result = fetch()
        shared.register(log as any PHPhotoLibraryAvailabilityObserver)
        shared.register(log as any PHPhotoLibraryChangeObserver)
        for round in 1...2 {
            library.state.withLock {
                $0.failure = LibraryError(.libraryMissing, "There is no library.")
            }
            wait(for: "call \(round)") { log.calls.withLock(\.unavailable) == round }
            library.state.withLock { $0.failure = nil }
            // A commit after the library's return is reported, and by then the library is known to
            // be available.
            library.toggle(1)
            wait(for: "a change after the return") { log.count == round }
        }
        #expect(log.calls.withLock(\.unavailable) == 2)
        #expect(result.count == 600)
    }

    @Test func nothingForWhatWasNotFetched() {
        let log = ChangeLog()
        shared.register(log as any PHPhotoLibraryChangeObserver)
        let few = fetch(limit: 10)
        library.toggle(500)
        waitForObservers()
        #expect(log.count == 0)
        library.toggle(5)
        wait(for: "a call for what was fetched") { log.count == 1 }
        waitForObservers()
        #expect(log.count == 1)
        #expect(few.count == 10)
    }

    @Test func heldObjectsAreFetchedToo() {
        let log = ChangeLog()
        shared.register(log as any PHPhotoLibraryChangeObserver)
        var asset = fetch().firstObject
        // Loaded together with the first 256.
        library.toggle(1)
        wait(for: "a call for the object") { log.count == 1 }
        library.toggle(400)
        waitForObservers()
        #expect(log.count == 1)
        #expect(asset?.isFavorite == false)
        asset = nil
        library.toggle(1)
        waitForObservers()
        #expect(log.count == 1)
    }

    /// Adds an asset, as one transaction.
    private func insert(_ id: Int64) {
        library.commit(touching: [id]) { assets in
            guard var asset = assets.last else { return }
            asset.id = id
            asset.uuid = UUID().uuidString
            assets.append(asset)
        }
    }

    @Test func newObjectsOfReleasedResultsAreReportedOnce() {
        let log = ChangeLog()
        // The result is released at once.
        let count = fetch().count
        shared.register(log as any PHPhotoLibraryChangeObserver)
        insert(601)
        wait(for: "a call for the new asset") { log.count == 1 }
        library.toggle(601)
        library.toggle(5)
        waitForObservers()
        #expect(log.count == 1)
        #expect(count == 600)
        let next = fetch().count
        #expect(next == 601)
        insert(602)
        wait(for: "a call for the next one") { log.count == 2 }
    }

    @Test func newObjectsOutsideOfReleasedResultsAreNotReported() {
        let log = ChangeLog()
        shared.register(log as any PHPhotoLibraryChangeObserver)
        insert(601)
        let count = fetch(limit: 10).count
        insert(602)
        waitForObservers()
        #expect(log.count == 0)
        #expect(count == 10)
    }

    @Test func staleResultsDoNotMakeNoise() {
        let stale = fetch(limit: 10)
        library.toggle(5)
        let log = ChangeLog()
        shared.register(log as any PHPhotoLibraryChangeObserver)
        // The result was already outdated when the observer was added, so this does not concern it.
        library.toggle(500)
        waitForObservers()
        #expect(log.count == 0)
        // The result is retained, but never updated.
        library.toggle(6)
        wait(for: "a call") { log.count == 1 }
        library.toggle(500)
        library.toggle(501)
        waitForObservers()
        #expect(log.count == 1)
        #expect(stale.count == 10)
    }

    @Test func earlierCommitsAreNotTold() {
        let result = fetch()
        let first = ChangeLog()
        shared.register(first as any PHPhotoLibraryChangeObserver)
        library.toggle(1)
        wait(for: "a call to the first") { first.count == 1 }
        let second = ChangeLog()
        shared.register(second as any PHPhotoLibraryChangeObserver)
        library.toggle(2)
        wait(for: "calls to both") { first.count == 2 && second.count == 1 }
        waitForObservers()
        #expect(first.count == 2)
        #expect(second.count == 1)
        #expect(result.count == 600)
    }

    @Test("81: calls come one at a time, and what is committed meanwhile is put together")
    func coalesced() {
        let result = fetch()
        let gate = Gate()
        let log = ChangeLog { _ in gate.pass() }
        shared.register(log as any PHPhotoLibraryChangeObserver)
        library.toggle(1)
        wait(for: "the first call begins") { gate.arrivals == 1 }
        for id in Int64(2)...50 { library.toggle(id) }
        gate.open()
        wait(for: "the second call") { log.count == 2 }
        waitForObservers()
        #expect(log.count == 2)
        #expect(log.calls.withLock(\.deepest) == 1)
        #expect(result.count == 600)
    }

    @Test func silentDescriptorIsPolled() {
        library.state.withLock { $0.past.signals = false }
        let result = fetch()
        let log = ChangeLog()
        shared.register(log as any PHPhotoLibraryChangeObserver)
        library.toggle(1)
        wait(for: "a call without a signal") { log.count == 1 }
        #expect(result.count == 600)
    }

    @Test func deadDescriptorIsReplaced() {
        let result = fetch()
        let log = ChangeLog()
        shared.register(log as any PHPhotoLibraryChangeObserver)
        let ends = library.state.withLock { state in
            defer { state.past.subscribers = [] }
            return state.past.subscribers
        }
        for number in ends { close(number) }
        wait(for: "a new subscription") {
            library.state.withLock { !$0.past.subscribers.isEmpty }
        }
        library.toggle(1)
        wait(for: "a call") { log.count == 1 }
        #expect(result.count == 600)
    }

    @Test("101: commits are told to history observers whatever they touch")
    func history() {
        let log = ChangeLog()
        shared.register(log as any PHPhotoLibraryPersistentChangesObserver)
        shared.register(log as any PHPhotoLibraryChangeObserver)
        for number in 1...3 {
            library.toggle(Int64(number))
            wait(for: "call \(number)") { log.calls.withLock(\.history) == number }
        }
        #expect(log.count == 0)
    }

    @Test("7, 16: a change of what may be seen is told, and what was fetched before is read again")
    func permission() {
        let result = fetch()
        let log = ChangeLog(keepsChanges: true)
        shared.register(log as any PHPhotoLibraryChangeObserver)
        library.state.withLock { state in
            state.assets.removeFirst(500)
            state.past.epoch += 1
        }
        wait(for: "a call") { log.count == 1 }
        let details = log.calls.withLock { $0.changes.first }?.changeDetails(for: result)
        #expect(details?.fetchResultAfterChanges.count == 100)
    }

    @Test("A change of what may be seen is told although the clock of the daemon was set back")
    func earlierEpoch() {
        library.state.withLock { $0.past.epoch = 1_000 }
        let result = fetch()
        let log = ChangeLog(keepsChanges: true)
        shared.register(log as any PHPhotoLibraryChangeObserver)
        for (number, epoch) in [10, 11, 5].enumerated() {
            library.state.withLock { state in
                state.assets.removeFirst(100)
                state.past.epoch = Int64(epoch)
            }
            wait(for: "call \(number + 1)") { log.count == number + 1 }
            // The fake has no pins, so what is read after the call would be the next state.
            waitForObservers()
        }
        let details = log.calls.withLock { $0.changes.last }?.changeDetails(for: result)
        #expect(details?.fetchResultAfterChanges.count == 300)
    }

    /// A signal that was requested without permission does not report commits.
    @Test("A change of what may be seen is followed by one new subscription")
    func permissionSubscription() {
        let log = ChangeLog()
        let result = fetch()
        shared.register(log as any PHPhotoLibraryChangeObserver)
        let before = library.state.withLock(\.past.subscriptions)
        library.state.withLock { $0.past.epoch += 1 }
        wait(for: "a subscription") {
            library.state.withLock { $0.past.subscriptions == before + 1 }
        }
        library.toggle(1)
        wait(for: "a call") { log.count > 0 }
        waitForObservers()
        #expect(library.state.withLock(\.past.subscriptions) == before + 1)
        #expect(result.count == 600)
    }

    @Test func failuresAreTriedAgain() {
        let result = fetch()
        let log = ChangeLog()
        shared.register(log as any PHPhotoLibraryChangeObserver)
        library.state.withLock { $0.failure = LibraryError(.busy, "The library is busy.") }
        library.toggle(1)
        wait(for: "the failure is logged") { !library.log.messages.isEmpty }
        library.state.withLock { $0.failure = nil }
        wait(for: "a call all the same") { log.count == 1 }
        #expect(log.calls.withLock(\.unavailable) == 0)
        #expect(result.count == 600)
    }

    @Test func whatWasForgottenIsStillTold() {
        let result = fetch()
        let log = ChangeLog(keepsChanges: true)
        shared.register(log as any PHPhotoLibraryChangeObserver)
        library.state.withLock { $0.past.start = 100 }
        library.remove(9)
        wait(for: "a call") { log.count == 1 }
        let details = log.calls.withLock { $0.changes.first }?.changeDetails(for: result)
        #expect(details?.hasIncrementalChanges == false)
        #expect(details?.removedIndexes == nil)
        #expect(details?.insertedIndexes == nil)
        #expect(details?.changedIndexes == nil)
        #expect(details?.removedObjects.isEmpty == true)
        #expect(details?.hasMoves == false)
        #expect(details?.fetchResultAfterChanges.count == 599)
    }

    @Test func clientCodeMayDoAnythingInside() {
        let result = fetch()
        let counter = Atomic(0)
        let (other, late) = (ChangeLog(), ChangeLog())
        let (library, connection, shared) = (library, connection, shared)
        let log = ChangeLog { _ in
            guard counter.add(1, ordering: .relaxed).newValue == 1 else { return }
            // Fetches use the library that changed.
            #expect(PHAsset.fetchAssets(with: nil).count == 600)
            shared.unregisterChangeObserver(other)
            shared.register(late as any PHPhotoLibraryChangeObserver)
            library.toggle(2)
            #expect(LibraryConnection.current === connection)
        }
        shared.register(log as any PHPhotoLibraryChangeObserver)
        shared.register(other as any PHPhotoLibraryChangeObserver)
        library.toggle(1)
        wait(for: "the commit from inside") { log.count == 2 && late.count == 1 }
        #expect(other.count == 0, "it was unregistered before its turn")
        #expect(result.count == 600)
    }
}

/// Blocks callers until it is opened.
final class Gate: @unchecked Sendable {
    private struct State {
        var arrivals = 0
        var isOpen = false
    }

    // Guards the state.
    private let condition = NSCondition()
    private var state = State()

    var arrivals: Int { condition.withLock { state.arrivals } }

    func open() {
        condition.withLock {
            state.isOpen = true
            condition.broadcast()
        }
    }

    func pass() {
        condition.withLock { state.arrivals += 1 }
        Signals.send()
        condition.withLock {
            while !state.isOpen { condition.wait() }
        }
    }
}
