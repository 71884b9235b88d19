import Foundation
import Photos
import PhotosManagement
import Testing

@Suite(.timeLimit(.minutes(2))) struct ChangeSequenceTests {
    @Test("15: changes as a sequence")
    func sequence() async throws {
        let library = try ChangingLibrary()
        var result = library.assets()
        let changes = library.photos.changes
        let asset = result[1]
        try library.change { PHAssetChangeRequest(for: asset).isFavorite = true }
        for await change in changes {
            let details = try #require(change.changeDetails(for: result))
            result = details.fetchResultAfterChanges
            break
        }
        #expect(result[1].isFavorite)
    }

    @Test("A slow reader gets one change for many, and it tells everything")
    func coalescing() async throws {
        let library = try ChangingLibrary()
        var result = library.assets()
        let told = CallLog()
        let changes = library.photos.changes
        library.photos.register(told as any PHPhotoLibraryChangeObserver)
        for index in 0..<10 {
            let asset = result[index]
            try library.change { PHAssetChangeRequest(for: asset).isFavorite = true }
        }
        let last = library.assets()
        wait(for: "all are told") {
            told.last?.changeDetails(for: result)?.changedIndexes?.count == 10
        }
        var iterator = changes.makeAsyncIterator()
        var calls = 0
        while !(0..<10).allSatisfy({ result[$0].isFavorite }), let change = await iterator.next() {
            calls += 1
            result =
                change.changeDetails(for: result)?.fetchResultAfterChanges ?? result
        }
        #expect(calls <= 2, "changes that were waiting are put together")
        #expect(result.count == last.count)
    }

    @Test("Cancelling ends the observing")
    func cancelling() async throws {
        let library = try ChangingLibrary()
        let photos = library.photos
        let task = Task {
            var count = 0
            for await _ in photos.changes { count += 1 }
            return count
        }
        task.cancel()
        #expect(await task.value == 0)
    }
}
