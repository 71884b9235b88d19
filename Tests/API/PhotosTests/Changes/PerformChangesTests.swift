import Dispatch
import Foundation
import Photos
import PhotosManagement
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(2))) struct PerformChangesTests {
    private static func set(_ asset: PHAsset) -> () -> Void {
        { PHAssetChangeRequest(for: asset).isFavorite = true }
    }

    @Test func handlersAreCalledOnceForSuccessAndFailure() async throws {
        let world = try ChangeWorld(photos: 1)
        let asset = world.assets[0]
        let library = world.library
        let outcome: (Bool, (any Error)?) = await withCheckedContinuation { continuation in
            library.performChanges(Self.set(asset)) { continuation.resume(returning: ($0, $1)) }
        }
        #expect(outcome.0)
        #expect(outcome.1 == nil)
        #expect(try world.now(asset).isFavorite)
        let failed: (Bool, (any Error)?) = await withCheckedContinuation { continuation in
            library.performChanges {
                PHAssetChangeRequest(for: PHAsset()).isFavorite = true
            } completionHandler: {
                continuation.resume(returning: ($0, $1))
            }
        }
        #expect(!failed.0)
        #expect(failed.1 is PHPhotosError)
    }

    /// Behavior 115.
    @Test func theAsyncFormThrows() async throws {
        let world = try ChangeWorld(photos: 1)
        let asset = world.assets[0]
        try await world.library.performChanges(Self.set(asset))
        #expect(try world.now(asset).isFavorite)
        await #expect(throws: PHPhotosError.self) {
            try await world.library.performChanges {
                PHAssetChangeRequest(for: PHAsset()).isFavorite = true
            }
        }
    }

    /// Behavior 148.
    @MainActor
    @Test func blocksOfTheMainActorWork() async throws {
        let world = try ChangeWorld(photos: 1)
        let asset = world.assets[0]
        var wasRun = false
        try await world.library.performChanges {
            PHAssetChangeRequest(for: asset).isFavorite = true
            wasRun = true
        }
        #expect(wasRun)
        #expect(try world.now(asset).isFavorite)
    }

    @Test func cancelledTasksDoNotChange() async throws {
        let world = try ChangeWorld(photos: 1)
        let asset = world.assets[0]
        let library = world.library
        let gate = DispatchSemaphore(value: 0)
        // Blocks the queue until the task is canceled.
        library.performChanges({ gate.wait() }, completionHandler: nil)
        let task = Task { try await library.performChanges(Self.set(asset)) }
        task.cancel()
        gate.signal()
        let result = await task.result
        #expect(throws: PHPhotosError.self) { try result.get() }
        if case .failure(let error) = result {
            #expect((error as? PHPhotosError)?.code == .userCancelled)
        }
        #expect(try !world.now(asset).isFavorite)
    }

    /// Pains 25.
    @Test func waitingInsideOfABlockIsAnError() throws {
        let world = try ChangeWorld(photos: 1)
        let asset = world.assets[0]
        let library = world.library
        var inner: (any Error)?
        try world.change {
            do { try library.performChangesAndWait(Self.set(asset)) } catch { inner = error }
            PHAssetChangeRequest(for: asset).rating = .two
        }
        #expect((inner as? PHPhotosError)?.code == .changeNotSupported)
        let now = try world.now(asset)
        #expect(!now.isFavorite)
        #expect(now.rating == .two)
    }

    /// Pains 25.
    @Test func handlersAndOtherThreadsMayWait() async throws {
        let world = try ChangeWorld(photos: 2)
        let (first, second) = (world.assets[0], world.assets[1])
        let library = world.library
        let error: (any Error)? = await withCheckedContinuation { continuation in
            library.performChanges {
                // Another thread makes a change and waits, while this block waits for that thread.
                let done = DispatchSemaphore(value: 0)
                Thread.detachNewThread {
                    try? library.performChangesAndWait(Self.set(first))
                    done.signal()
                }
                done.wait()
            } completionHandler: { _, _ in
                do {
                    try library.performChangesAndWait(Self.set(second))
                    continuation.resume(returning: nil)
                } catch {
                    continuation.resume(returning: error)
                }
            }
        }
        #expect(error == nil)
        #expect(try world.now(first).isFavorite)
        #expect(try world.now(second).isFavorite)
    }

    @Test func aHandlerMayWaitForAnotherHandler() async throws {
        let world = try ChangeWorld(photos: 2)
        let (first, second) = (world.assets[0], world.assets[1])
        let library = world.library
        let hasEnded: Bool = await withCheckedContinuation { continuation in
            library.performChanges(Self.set(first)) { _, _ in
                let done = DispatchSemaphore(value: 0)
                library.performChanges(Self.set(second)) { _, _ in done.signal() }
                let isDone = done.wait(timeout: .now() + 60) == .success
                continuation.resume(returning: isDone)
            }
        }
        #expect(hasEnded)
        #expect(try world.now(first).isFavorite)
        #expect(try world.now(second).isFavorite)
    }

    @Test func manyThreadsLoseNothing() async throws {
        let world = try ChangeWorld(photos: 64)
        let (assets, library) = (world.assets, world.library)
        try await withThrowingTaskGroup { group in
            for (number, asset) in assets.enumerated() {
                group.addTask {
                    if number.isMultiple(of: 2) {
                        try await library.performChanges(Self.set(asset))
                    } else {
                        try library.performChangesAndWait(Self.set(asset))
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(world.assets.allSatisfy { $0.isFavorite })
        #expect(try world.bundle.version == 64)
    }

    /// Compatibility 6.
    @Test func aThrowingOverloadOfAClientCanStandBesideIt() async throws {
        let world = try ChangeWorld(photos: 1)
        let asset = world.assets[0]
        try await world.library.performChanges {
            if asset.isHidden { throw CancellationError() }
            PHAssetChangeRequest(for: asset).isFavorite = true
        }
        #expect(try world.now(asset).isFavorite)
    }
}

extension PHPhotoLibrary {
    /// The declaration that published programs use.
    func performChanges(_ block: @escaping () throws -> Void) async throws {
        var failure: (any Error)?
        let quiet: () -> Void = {
            do { try block() } catch { failure = error }
        }
        try await performChanges(quiet)
        if let failure { throw failure }
    }
}
