import Foundation
import PhotoModel
import Photos
import Synchronization
import Testing

@testable import PhotosCompanions

/// Programming errors that need an asset of another source, or a name that no client can pass.
@Suite(.timeLimit(.minutes(2))) struct SourceTrapTests {
    private func words(_ result: ExitTest.Result?) -> String {
        String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    }

    @Test func editsOfAssetsThatAreNotTheUsersOwn() async {
        let result = await #expect(
            processExitsWith: .failure,
            observing: [\.standardErrorContent]
        ) {
            let library = FakeLibrary(assets: 1)
            library.state.withLock { $0.assets[0].sourceType = .cloudShared }
            let asset = library.use { PHAsset.fetchAssets(with: nil)[0] }
            try library.change { PHAssetChangeRequest(for: asset).isFavorite = true }
        }
        #expect(words(result).contains("does not allow this operation (properties)"))
    }

    @Test func filtersWithoutADefinition() async {
        let result = await #expect(
            processExitsWith: .failure,
            observing: [\.standardErrorContent]
        ) {
            _ = BuiltinFilter.named("CINone")
        }
        #expect(words(result).contains("There is no filter CINone."))
    }
}
