import Foundation
import PhotoModel
import Photos
import PhotosManagement
import Synchronization
import TestSupport
import Testing

/// Requests of programs whose blocks on global queues wait for them.
///
/// Each test runs in a process of its own, whose blocks occupy the threads that Dispatch shares.
@Suite(.timeLimit(.minutes(2))) struct OccupiedPoolTests {
    @Test func imagesAreDelivered() async {
        await #expect(processExitsWith: .success) {
            let library = FakeLibrary(assets: 2)
            library.state.withLock { state in
                state.picture = { (_) throws(LibraryError) in
                    FakeImage(size: PixelSize(width: 16, height: 16))
                }
            }
            let asset = try #require(library.use { PHAsset.fetchAssets(with: nil).lastObject })
            let areDelivered = OccupiedPool.endsInEachBlock { done in
                let options = PHImageRequestOptions()
                options.deliveryMode = .highQualityFormat
                PHImageManager.default().requestImage(
                    for: asset,
                    targetSize: CGSize(width: 16, height: 16),
                    contentMode: .aspectFit,
                    options: options
                ) { _, _ in done() }
            }
            exit(areDelivered ? EXIT_SUCCESS : EXIT_FAILURE)
        }
    }

    /// The fake has no movies, so the handlers receive an error.
    @Test func movieRequestsEnd() async {
        await #expect(processExitsWith: .success) {
            let library = FakeLibrary(assets: 1)
            let asset = try #require(library.use { PHAsset.fetchAssets(with: nil).firstObject })
            let haveEnded = OccupiedPool.endsInEachBlock { done in
                PHImageManager.default().requestAVAsset(forVideo: asset, options: nil) { _, _, _ in
                    done()
                }
            }
            exit(haveEnded ? EXIT_SUCCESS : EXIT_FAILURE)
        }
    }

    @Test func resourcesAreWritten() async {
        await #expect(processExitsWith: .success) {
            let folder = try TemporaryFolder()
            let library = FakeLibrary(assets: 1)
            try library.addResource(Data("bytes".utf8), in: folder)
            let resource = try #require(library.resources().first)
            let areWritten = OccupiedPool.endsInEachBlock { done in
                PHAssetResourceManager.default().writeData(
                    for: resource,
                    toFile: folder.file(UUID().uuidString),
                    options: nil
                ) { error in
                    if error == nil { done() }
                }
            }
            try FileManager.default.removeItem(at: folder.url)
            exit(areWritten ? EXIT_SUCCESS : EXIT_FAILURE)
        }
    }

    @Test func assetsAreExported() async {
        await #expect(processExitsWith: .success) {
            let folder = try TemporaryFolder()
            let library = FakeLibrary(assets: 1)
            try library.addResource(Data("bytes".utf8), in: folder)
            let asset = try #require(library.use { PHAsset.fetchAssets(with: nil).firstObject })
            let areExported = OccupiedPool.endsInEachBlock { done in
                let export = try? AssetExport(to: folder.file(UUID().uuidString))
                if (try? export?.export(asset).count) == 1 { done() }
            }
            try FileManager.default.removeItem(at: folder.url)
            exit(areExported ? EXIT_SUCCESS : EXIT_FAILURE)
        }
    }

    /// The handler of one change waits for the handler of another.
    @Test func changesEnd() async {
        await #expect(processExitsWith: .success) {
            let library = FakeLibrary(assets: 1)
            let connection = library.connection
            OccupiedPool.occupy()
            let haveEnded = OccupiedPool.ends { done in
                PHPhotoLibrary.using(connection) {
                    let photos = PHPhotoLibrary.shared()
                    photos.performChanges({}) { _, _ in
                        let isOver = OccupiedPool.ends { end in
                            photos.performChanges({}) { _, _ in end() }
                        }
                        if isOver { done() }
                    }
                }
            }
            exit(haveEnded ? EXIT_SUCCESS : EXIT_FAILURE)
        }
    }

    @Test func permissionIsRequested() async {
        await #expect(processExitsWith: .success) {
            let connection = FakeLibrary(assets: 1).connection
            let haveEnded = OccupiedPool.endsInEachBlock { done in
                PHPhotoLibrary.using(connection) {
                    PHPhotoLibrary.requestAuthorization(for: .readWrite) { _ in done() }
                }
            }
            exit(haveEnded ? EXIT_SUCCESS : EXIT_FAILURE)
        }
    }
}
