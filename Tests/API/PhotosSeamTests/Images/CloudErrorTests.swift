import Foundation
import LibraryService
import PhotoModel
import Photos
import Synchronization
import TestSupport
import Testing

/// What programs learn of photos whose files are only in the cloud.
@Suite(.timeLimit(.minutes(1))) struct CloudErrorTests {
    private static let failure = LibraryError(
        .networkAccessRequired,
        "The file is not on this computer.",
        reason: "It has not been downloaded yet."
    )

    @Test func imagesSaySoInTheirInformation() throws {
        let library = FakeLibrary(assets: 1)
        library.state.withLock { state in
            state.picture = { (_) throws(LibraryError) in throw Self.failure }
        }
        let asset = try #require(library.use { PHAsset.fetchAssets(with: nil).lastObject })
        let options = PHImageRequestOptions()
        options.isSynchronous = true
        var calls: [(hasImage: Bool, isInCloud: Bool?, code: PHPhotosError.Code?)] = []
        PHImageManager().requestImage(
            for: asset,
            targetSize: CGSize(width: 100, height: 100),
            contentMode: .aspectFit,
            options: options
        ) { image, info in
            calls.append(
                (
                    image != nil, info?[PHImageResultIsInCloudKey] as? Bool,
                    (info?[PHImageErrorKey] as? PHPhotosError)?.code
                )
            )
        }
        #expect(calls.count == 1)
        #expect(calls.first?.hasImage == false)
        #expect(calls.first?.isInCloud == true)
        #expect(calls.first?.code == .networkAccessRequired)
    }

    @Test(arguments: [LibraryError.Code.networkAccessRequired, .missingResource])
    func filesAreInTheCloudOrMissing(code: LibraryError.Code) throws {
        let library = FakeLibrary(assets: 1)
        let folder = try TemporaryFolder()
        try library.addResource(Data([1]), in: folder)
        let resource = library.use {
            PHAsset.fetchAssets(with: nil).firstObject.flatMap {
                PHAssetResource.assetResources(for: $0).first
            }
        }
        let found = try #require(resource)
        #expect(found.value(forKey: "isInCloud") as? Bool == false)
        library.state.withLock { state in
            state.files = [:]
            state.lossCode = code
        }
        #expect(found.value(forKey: "locallyAvailable") as? Bool == false)
        let isInCloud = found.value(forKey: "isInCloud") as? Bool
        #expect(isInCloud == (code == .networkAccessRequired))
    }
}
