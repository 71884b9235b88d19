import Dispatch
import Foundation
import Photos
import PhotosManagement
import Synchronization
import Testing

/// Pains 26: the values that may cross between actors, and handlers that are called exactly once,
/// on the documented queues.
@Suite(.timeLimit(.minutes(3))) struct ConcurrencyContractTests {
    private let editing: EditingWorld
    private let asset: PHAsset

    init() throws {
        editing = try EditingWorld()
        asset = try editing.addPhoto()
    }

    /// Compiles only for Sendable types.
    private func count(_ types: any Sendable.Type...) -> Int { types.count }

    @Test func whatAppleDeclaresSendableIs() {
        #expect(
            count(
                PHPhotoLibrary.self,
                PHObject.self,
                PHObjectPlaceholder.self,
                PHAsset.self,
                PHCollection.self,
                PHAssetCollection.self,
                PHCollectionList.self,
                PHFetchResult<PHAsset>.self,
                PHChange.self,
                PHObjectChangeDetails<PHAsset>.self,
                PHFetchResultChangeDetails<PHAsset>.self,
                PHAssetResourceManager.self,
                PHImageManager.self,
                PHLivePhoto.self
            ) == 14
        )
    }

    /// The calls of handlers, and whether two of them ran concurrently.
    private final class Calls: Sendable {
        private struct State {
            var running = 0
            var ends = 0
            var isMixed = false
            var isOnMain = false
        }
        private let state = Mutex(State())
        private let done = DispatchSemaphore(value: 0)

        func run(isEnd: Bool) {
            state.withLock { state in
                state.running += 1
                state.isMixed = state.isMixed || state.running > 1
                state.isOnMain = state.isOnMain || Thread.isMainThread
            }
            sched_yield()
            state.withLock { state in
                state.running -= 1
                state.ends += isEnd ? 1 : 0
            }
            if isEnd { done.signal() }
        }

        func wait() -> Bool { done.wait(timeout: .now() + 60) == .success }

        var ends: Int { state.withLock(\.ends) }
        var isOrderly: Bool { state.withLock { !$0.isMixed && !$0.isOnMain } }
    }

    /// Behaviors 149 and 166.
    @Test func editingRequestsEndOnceWhateverComesOfThem() throws {
        let gone = try editing.addPhoto(1)
        try editing.world.change { PHAssetChangeRequest.deleteAssets([gone]) }
        try editing.world.bundle.purge([gone])
        var all: [Calls] = []
        for number in 0..<24 {
            let calls = Calls()
            all.append(calls)
            let options = PHContentEditingInputRequestOptions()
            options.skipsDisplaySizeImage = number % 2 == 0
            options.progressHandler = { part, stop in
                calls.run(isEnd: false)
                if number % 4 == 1, part > 0.2 { stop.pointee = true }
            }
            let subject = number % 4 == 2 ? gone : asset
            let id = subject.requestContentEditingInput(with: options) { input, info in
                // Always exactly one of a result, an error or a cancellation.
                let isCancelled = info[PHContentEditingInputCancelledKey] as? Bool == true
                let isFailed = info[PHContentEditingInputErrorKey] != nil
                let outcomes = [input != nil, isCancelled, isFailed]
                #expect(outcomes.count { $0 } == 1, "\(number)")
                calls.run(isEnd: true)
            }
            // At any moment, and twice.
            if number % 4 == 3 {
                subject.cancelContentEditingInputRequest(id)
                subject.cancelContentEditingInputRequest(id)
            }
        }
        for (number, calls) in all.enumerated() { #expect(calls.wait(), "\(number)") }
        // A request after all of them would reveal a second call.
        _ = try editing.input(asset)
        for (number, calls) in all.enumerated() {
            #expect(calls.ends == 1, "\(number)")
            #expect(calls.isOrderly, "\(number)")
        }
    }

    /// Behavior 112.
    @Test func changesEndOnce() async throws {
        let calls = (Calls(), Calls())
        let asset = asset
        editing.world.library.performChanges {
            PHAssetChangeRequest(for: asset).isFavorite = true
        } completionHandler: { isDone, error in
            #expect(isDone && error == nil)
            calls.0.run(isEnd: true)
        }
        editing.world.library.performChanges {
            PHAssetChangeRequest(for: asset).revertAssetContent(to: .raw)
        } completionHandler: { isDone, error in
            #expect(!isDone && error != nil)
            calls.1.run(isEnd: true)
        }
        for calls in [calls.0, calls.1] {
            #expect(calls.wait())
            #expect(calls.isOrderly)
        }
        // The serial queue is empty when the next change is done.
        try await editing.world.library.performChanges {
            PHAssetChangeRequest(for: asset).isFavorite = false
        }
        for calls in [calls.0, calls.1] { #expect(calls.ends == 1) }
    }
}
