import Foundation
import LibraryService
import PhotoModel
import Photos
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(2))) struct FetchedAssetsTests {
    private func fetch(_ library: FakeLibrary) -> PHFetchResult<PHAsset> {
        library.use { PHAsset.fetchAssets(with: nil) }
    }

    @Test func nothingIsLoadedBeforeSomebodyLooks() {
        let library = FakeLibrary(assets: 10_000)
        let result = fetch(library)
        #expect(result.count == 10_000)
        #expect(library.state.withLock(\.loads).isEmpty)
    }

    @Test func recordsAreLoadedInBatches() {
        let library = FakeLibrary(assets: 2_000)
        let result = fetch(library)
        for index in 0..<2_000 {
            #expect(result[index].localIdentifier == FakeLibrary.uuid(index + 1) + "/L0/001")
        }
        #expect(library.state.withLock(\.loads.count) == 8)
        _ = result[1_999]
        _ = result[1_500]
        #expect(library.state.withLock(\.loads.count) == 8)
    }

    @Test func onlyAFewBatchesAreKept() {
        let library = FakeLibrary(assets: 20_000)
        let result = fetch(library)
        weak var first: PHAsset?
        autoreleasepoolLike { first = result[0] }
        #expect(first != nil)
        for index in stride(from: 0, to: 20_000, by: 100) { _ = result[index] }
        #expect(first == nil, "the first batch is still held")
        #expect(result[0].localIdentifier == FakeLibrary.uuid(1) + "/L0/001")
    }

    /// Ends the lifetime of objects that are only used inside.
    @inline(never) private func autoreleasepoolLike(_ body: () -> Void) { body() }

    @Test func sameObjectAsLongAsItIsKept() {
        let result = fetch(FakeLibrary(assets: 300))
        #expect(result[7] === result[7])
        #expect(result[7] == result.object(at: 7))
    }

    @Test func assetsWhoseRowsAreGoneHaveNoValues() {
        let library = FakeLibrary(assets: 5)
        let result = fetch(library)
        library.state.withLock { _ = $0.assets.remove(at: 2) }
        #expect(result.count == 5)
        #expect(result[2].creationDate == nil)
        #expect(result[2].localIdentifier.isEmpty)
        #expect(result[1].localIdentifier == FakeLibrary.uuid(2) + "/L0/001")
        #expect(result[3].localIdentifier == FakeLibrary.uuid(4) + "/L0/001")
        #expect(result[4].localIdentifier == FakeLibrary.uuid(5) + "/L0/001")
    }

    @Test func failureToLoadIsLoggedAndTriedAgainLater() {
        let library = FakeLibrary(assets: 600)
        let result = fetch(library)
        library.state.withLock { $0.failure = LibraryError(.inputOutput, "The disk failed.") }
        #expect(result[0].localIdentifier.isEmpty)
        #expect(library.log.messages == ["error: The disk failed."])
        library.state.withLock { $0.failure = nil }
        #expect(!result[300].localIdentifier.isEmpty)
    }

    @Test func batchThatFailedIsLoadedAgain() {
        let library = FakeLibrary(assets: 600)
        let result = fetch(library)
        library.state.withLock { $0.failure = LibraryError(.inputOutput, "The disk failed.") }
        for index in 0..<200 { #expect(result[index].localIdentifier.isEmpty) }
        // Each attempt may take long, so there is not one for each object.
        #expect(library.log.messages.count < 100)
        library.state.withLock { $0.failure = nil }
        wait(for: "the assets") { !result[0].localIdentifier.isEmpty }
        #expect(result[1].localIdentifier == FakeLibrary.uuid(2) + "/L0/001")
        #expect(result[1] === result[1])
        #expect(library.state.withLock(\.loads.count) == 1)
    }

    @Test func batchOfAlbumsThatFailedIsLoadedAgain() {
        let library = FakeLibrary()
        let album = CollectionRecord(
            id: 1,
            uuid: FakeLibrary.uuid(1),
            kind: .album,
            title: "A",
            parentID: 0,
            position: 0,
            creationDate: Date(timeIntervalSinceReferenceDate: 0)
        )
        let export = FakeExport(albums: [album], sha256: "")
        library.state.withLock { $0.export = export }
        let result = library.use { PHCollection.fetchTopLevelUserCollections(with: nil) }
        library.state.withLock { $0.export = nil }
        #expect(result[0].localizedTitle == nil)
        library.state.withLock { $0.export = export }
        wait(for: "the album") { result[0].localizedTitle == "A" }
    }

    @Test func indexesAreFound() {
        let library = FakeLibrary(assets: 1_000)
        let result = fetch(library)
        let asset = result[700]
        #expect(result.index(of: asset) == 700)
        #expect(result.contains(asset))
        #expect(result.index(of: asset, in: NSRange(location: 700, length: 1)) == 700)
        #expect(result.index(of: asset, in: NSRange(location: 701, length: 299)) == NSNotFound)
        #expect(result.index(of: asset, in: NSRange(location: 0, length: 700)) == NSNotFound)
        #expect(result.index(of: asset, in: NSRange(location: 1_000, length: 0)) == NSNotFound)
    }

    @Test func equalObjectsFromElsewhereAreFound() {
        let library = FakeLibrary(assets: 10)
        let result = fetch(library)
        // Of another connection to the same library, and of no library.
        #expect(result.index(of: fetch(library)[4]) == 4)
        #expect(result.index(of: NamedAsset(FakeLibrary.uuid(5) + "/L0/001")) == 4)
        #expect(result.index(of: NamedAsset("unknown")) == NSNotFound)
        #expect(!result.contains(PHAsset()))
    }

    @Test func countsComeFromTheLibraryAndOnce() {
        let library = FakeLibrary(assets: 10)
        let result = fetch(library)
        #expect(result.countOfAssets(with: .video) == 4)
        #expect(result.countOfAssets(with: .image) == 6)
        #expect(result.countOfAssets(with: .audio) == 0)
        #expect(library.state.withLock(\.counts) == 1)
        #expect(library.state.withLock(\.loads).isEmpty)
    }

    @Test(.timeLimit(.minutes(1))) func manyThreadsCanLook() async {
        let library = FakeLibrary(assets: 5_000)
        let result = fetch(library)
        await withTaskGroup { group in
            for task in 0..<64 {
                group.addTask {
                    for step in 0..<60 {
                        let index = (task * 997 + step * 131) % 5_000
                        let name = FakeLibrary.uuid(index + 1) + "/L0/001"
                        #expect(result[index].localIdentifier == name)
                    }
                }
            }
        }
    }

    @Test(.timeLimit(.minutes(1))) func noLockIsHeldWhileRecordsAreLoaded() {
        let library = FakeLibrary(assets: 1_000)
        let result = fetch(library)
        let isInside = Flag()
        library.state.withLock { state in
            state.whileLoading = {
                // Loads another batch from inside; a held lock would hang here.
                guard !isInside.value.exchange(true, ordering: .relaxed) else { return }
                #expect(!result[900].localIdentifier.isEmpty)
            }
        }
        #expect(!result[0].localIdentifier.isEmpty)
        let hasLooked = isInside.value.load(ordering: .relaxed)
        #expect(hasLooked)
    }

    private final class Flag: Sendable {
        let value = Atomic(false)
    }
}
