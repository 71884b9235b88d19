import Foundation
import Testing

@testable import Photos

/// Results whose objects do not have the type that they promise stop the program.
@Suite(.timeLimit(.minutes(2))) struct ResultTrapTests {
    private final class Words: PHFetchResult<NSString>, @unchecked Sendable {
        override var count: Int { 1 }
        override func object(at index: Int) -> NSString { "word" }
    }

    private func words(_ result: ExitTest.Result?) -> String {
        String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    }

    @Test func objectsOfAnotherClass() async {
        let result = await #expect(
            processExitsWith: .failure,
            observing: [\.standardErrorContent]
        ) {
            let library = FakeLibrary(assets: 1)
            let assets = library.use { PHAsset.fetchAssets(with: nil) }
            let albums: PHFetchResult<PHAssetCollection> = assets.converted()
            _ = albums[0]
        }
        #expect(words(result).contains("the result contains no PHAssetCollection"))
    }

    @Test func objectsOfNoLibrary() async {
        let result = await #expect(
            processExitsWith: .failure,
            observing: [\.standardErrorContent]
        ) {
            let assets: PHFetchResult<PHAsset> = Words().converted()
            _ = assets[0]
        }
        #expect(words(result).contains("NSString is not an object of a photo library"))
    }
}
