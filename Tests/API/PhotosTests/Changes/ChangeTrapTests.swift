import Foundation
import Photos
import Testing

/// The programming errors that stop the program, as in PhotoKit.
///
/// A block runs before its library is opened, so none of these needs a library.
@Suite(.timeLimit(.minutes(2))) struct ChangeTrapTests {
    private func words(_ result: ExitTest.Result?) -> String {
        String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    }

    /// Behavior 111; pains 28.
    @Test func requestsOutsideOfABlock() async {
        let result = await #expect(
            processExitsWith: .failure,
            observing: [\.standardErrorContent]
        ) {
            PHAssetChangeRequest.deleteAssets([PHAsset]())
        }
        let text = words(result)
        #expect(text.contains("PHAssetChangeRequest.deleteAssets(_:)"))
        #expect(text.contains("can only be called from inside of -[PHPhotoLibrary performChanges:"))
    }

    /// Behavior 111.
    @Test func requestsThatOutliveTheirBlock() async {
        let result = await #expect(
            processExitsWith: .failure,
            observing: [\.standardErrorContent]
        ) {
            var kept: PHAssetChangeRequest?
            try? PHPhotoLibrary.shared().performChangesAndWait {
                kept = PHAssetChangeRequest(for: PHAsset())
            }
            kept?.isFavorite = true
        }
        #expect(words(result).contains("PHAssetChangeRequest.isFavorite"))
    }

    /// Behavior 113.
    @Test func blocksInsideOfBlocks() async {
        let result = await #expect(
            processExitsWith: .failure,
            observing: [\.standardErrorContent]
        ) {
            try? PHPhotoLibrary.shared().performChangesAndWait {
                PHPhotoLibrary.shared().performChanges({})
            }
        }
        #expect(words(result).contains("cannot be called from inside of a change block"))
    }

    /// Behaviors 62, 123 and 145.
    @Test func renamingTheRootFolder() async {
        let result = await #expect(
            processExitsWith: .failure,
            observing: [\.standardErrorContent]
        ) {
            try? PHPhotoLibrary.shared().performChangesAndWait {
                PHCollectionListChangeRequest(
                    forTopLevelCollectionListUserCollections: PHFetchResult()
                )?.title = "Mine"
            }
        }
        #expect(words(result).contains("root folder does not allow this operation (rename)"))
    }

    @Test func subclassesOfRequests() async {
        let result = await #expect(
            processExitsWith: .failure,
            observing: [\.standardErrorContent]
        ) {
            try? PHPhotoLibrary.shared().performChangesAndWait {
                _ = OwnRequest.creationRequestForCollectionList(withTitle: "A")
            }
        }
        #expect(words(result).contains("the classes of change requests cannot be subclassed"))
    }

    /// Behaviors 62 and 123.
    @Test func deletingTheRootFolder() async {
        let result = await #expect(
            processExitsWith: .failure,
            observing: [\.standardErrorContent]
        ) {
            try? PHPhotoLibrary.shared().performChangesAndWait {
                PHCollectionListChangeRequest.deleteCollectionLists([RootDouble()])
            }
        }
        #expect(words(result).contains("root folder does not allow this operation (delete)"))
    }
}

private final class OwnRequest: PHCollectionListChangeRequest {}

private final class RootDouble: PHCollectionList, @unchecked Sendable {
    override var localIdentifier: String { "00000000-0000-0000-0000-000000000020/L0/020" }
}
