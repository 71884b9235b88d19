import LibraryService
import PhotoModel
import Photos
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(2))) struct LibraryConnectionTests {
    private static let missing = LibraryError(
        .volumeMissing,
        "The library is not there.",
        reason: "Its volume is not mounted."
    )

    /// A connection to a library that exists only while the switch is on.
    private final class Volume: Sendable {
        let isMounted = Atomic(false)
        let attempts = Atomic(0)
        let library = FakeLibrary(assets: 3)

        var connection: LibraryConnection {
            LibraryConnection(logger: library.log.logger) { () throws(LibraryError) in
                self.attempts.add(1, ordering: .relaxed)
                guard self.isMounted.load(ordering: .relaxed) else {
                    throw LibraryConnectionTests.missing
                }
                return self.library
            }
        }
    }

    @Test func unavailableLibraryFetchesNothingAndSaysWhy() throws {
        let volume = Volume()
        PHPhotoLibrary.using(volume.connection) {
            #expect(PHAsset.fetchAssets(with: nil).count == 0)
            let reason = PHPhotoLibrary.shared().unavailabilityReason as? PHPhotosError
            #expect(reason?.code == .libraryVolumeOffline)
            #expect(reason?.failureReason == "Its volume is not mounted.")
        }
    }

    @Test func reasonIsLoggedOnce() {
        let volume = Volume()
        PHPhotoLibrary.using(volume.connection) {
            for _ in 0..<5 { _ = PHAsset.fetchAssets(with: .image, options: nil) }
        }
        #expect(volume.library.log.messages.count == 1)
        #expect(volume.library.log.messages.first?.contains("not mounted") == true)
    }

    @Test func volumeThatComesBackIsFound() {
        let volume = Volume()
        PHPhotoLibrary.using(volume.connection) {
            #expect(PHAsset.fetchAssets(with: nil).count == 0)
            volume.isMounted.store(true, ordering: .relaxed)
            #expect(PHAsset.fetchAssets(with: nil).count == 3)
            #expect(PHPhotoLibrary.shared().unavailabilityReason == nil)
        }
    }

    @Test func libraryIsOpenedWhenNeededAndOnce() async {
        let volume = Volume()
        volume.isMounted.store(true, ordering: .relaxed)
        let connection = volume.connection
        await PHPhotoLibrary.using(connection) {
            _ = PHPhotoLibrary.shared()
            #expect(volume.attempts.load(ordering: .relaxed) == 0)
            await withTaskGroup { group in
                for _ in 0..<16 {
                    group.addTask { #expect(PHAsset.fetchAssets(with: nil).count == 3) }
                }
            }
        }
        #expect(volume.attempts.load(ordering: .relaxed) == 1)
    }

    @Test func checkedFetchThrowsTheReason() {
        PHPhotoLibrary.using(Volume().connection) {
            _ = #expect(throws: PHPhotosError(Self.missing)) {
                try PHAsset.fetchAssetsChecked(options: nil)
            }
        }
    }

    @Test func everyTaskHasItsOwnLibrary() {
        let (one, three) = (FakeLibrary(assets: 1), FakeLibrary(assets: 3))
        one.use {
            let library = PHPhotoLibrary.shared()
            #expect(library === PHPhotoLibrary.shared())
            let outer = PHAsset.fetchAssets(with: nil)
            three.use {
                #expect(PHAsset.fetchAssets(with: nil).count == 3)
                #expect(library != PHPhotoLibrary.shared())
                // Fetched objects keep their library.
                #expect(outer.firstObject?.localIdentifier.isEmpty == false)
            }
            #expect(PHAsset.fetchAssets(with: nil).count == 1)
        }
        #expect(one.state.withLock(\.loads) == [1])
        #expect(three.state.withLock(\.loads).isEmpty)
    }

    @Test func failureOfAFetchIsLogged() {
        let library = FakeLibrary(assets: 2)
        library.state.withLock { $0.failure = LibraryError(.inputOutput, "The disk failed.") }
        library.use { #expect(PHAsset.fetchAssets(with: nil).count == 0) }
        #expect(library.log.messages == ["error: The disk failed."])
    }
}
