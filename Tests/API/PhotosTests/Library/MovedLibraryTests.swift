import Foundation
import Photos
import PhotosManagement
import Testing

/// A library whose folder is moved away while a program uses it.
@Suite(.timeLimit(.minutes(2))) struct MovedLibraryTests {
    private let library: ChangingLibrary
    private let album: PHAssetCollection
    private let token: PHPersistentChangeToken
    private var elsewhere: URL { URL(fileURLWithPath: library.url.path + ".away") }

    init() throws {
        library = try ChangingLibrary(assets: 20)
        album = try library.addAlbum("Album", [#require(library.assets().firstObject)])
        token = library.photos.currentChangeToken
    }

    private func code(_ body: () throws -> Void) -> PHPhotosError.Code? {
        do {
            try body()
            return nil
        } catch {
            return (error as? PHPhotosError)?.code
        }
    }

    /// Returns the error code of a request for a picture, as most programs read it.
    private func pictureCode(of asset: PHAsset) -> Int? {
        let options = PHImageRequestOptions()
        options.isSynchronous = true
        var code: Int?
        PHImageManager.default().requestImage(
            for: asset,
            targetSize: CGSize(width: 100, height: 100),
            contentMode: .aspectFit,
            options: options
        ) { _, info in code = (info?[PHImageErrorKey] as? NSError)?.code }
        return code
    }

    @Test func nothingNewIsAnswered() throws {
        let held = library.assets()
        let names = held.objects(at: IndexSet(integersIn: 0..<3)).map(\.localIdentifier)
        let unread = library.assets()
        try FileManager.default.moveItem(at: library.url, to: elsewhere)
        #expect(library.assets().count == 0)
        #expect(library.assets { $0.predicate = NSPredicate(format: "mediaType == 1") }.count == 0)
        #expect(library.albums().count == 0)
        #expect(library.members(of: album).count == 0)
        let (offline, photos) = (PHPhotosError.Code.libraryVolumeOffline, library.photos)
        #expect((photos.unavailabilityReason as? PHPhotosError)?.code == offline)
        #expect(code { _ = try library.bundle.fetchAssets(with: nil) } == offline)
        #expect(code { try photos.fetchPersistentChanges(since: token) } == offline)
        let change = code {
            try library.change { PHAssetChangeRequest(for: held[0]).isFavorite = true }
        }
        #expect(change == offline)
        #expect(pictureCode(of: held[0]) == offline.rawValue)
        #expect(PHAssetResource.assetResources(for: held[0]).isEmpty)
        // Fetched results remain unchanged.
        #expect(held.count == 20 && unread.count == 20)
        #expect((0..<3).map { unread[$0].localIdentifier } == names)
        #expect((0..<20).allSatisfy { held[$0] == unread[$0] && unread[$0].mediaType != .unknown })

        try FileManager.default.moveItem(at: elsewhere, to: library.url)
        #expect(library.assets().count == 20 && library.albums().count == 1)
        #expect(photos.unavailabilityReason == nil)
    }
}
