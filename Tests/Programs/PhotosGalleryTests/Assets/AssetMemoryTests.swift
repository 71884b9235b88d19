import Foundation
import Photos
import PhotosManagement
import TestSupport
import Testing

@testable import PhotosGallery

/// The cache contains no asset that is older than the library.
@Suite(.timeLimit(.minutes(3))) struct AssetMemoryTests {
    private let world: GalleryWorld
    private let library: PhotoLibraryBundle

    init() throws {
        world = try GalleryWorld(photos: 4)
        library = try PhotoLibraryBundle.open(at: world.folder.file("A.photolibrary"))
    }

    /// Hides a photo, as another program does.
    private func hide(_ asset: PHAsset) throws {
        let output = try ProcessRunner.run(
            BuiltProducts.photos.path,
            ["set", asset.localIdentifier, "--hidden", "true"],
            environment: world.environment
        )
        try #require(output.status == 0, "\(output.errorText)")
    }

    /// A request loads a photo, and caches it after the photo was hidden and another request
    /// noticed the change.
    @Test func aPhotoThatWasHiddenMeanwhileIsNotCached() throws {
        let view = try library.withoutHidden()
        let memory = AssetMemory(library: view)
        let asset = try #require(try view.fetchAssets(with: nil).firstObject)
        let uuid = asset.bareIdentifier
        let version = try view.version
        let known = try memory.find(uuid)
        #expect(try memory.cached(uuid) != nil)
        try hide(asset)
        #expect(try memory.cached(uuid) == nil)
        memory.keep([known], loadedAt: version)
        #expect(try memory.cached(uuid) == nil)
        #expect(throws: RequestError.self) { try memory.find(uuid) }
    }

    /// A list has the assets of the state that a browser shows.
    @Test func aPhotoOfAnOlderListIsLoadedAgain() throws {
        let memory = AssetMemory(library: library)
        let assets = try library.fetchAssets(with: nil).all
        let asset = try #require(assets.first)
        try hide(asset)
        let lines = try AssetLines(library: library, assets: memory).lines(assets)
        #expect(lines.count == assets.count)
        #expect(!asset.isHidden)
        let known = try #require(try memory.cached(asset.bareIdentifier))
        #expect(known.asset.isHidden)
    }

    /// A deleted photo is cached with its facts, as one of the library is.
    @Test func aDeletedPhotoOfAListIsCached() throws {
        let memory = AssetMemory(library: library)
        let asset = try #require(try library.fetchAssets(with: nil).firstObject)
        try library.photoLibrary.performChangesAndWait {
            PHAssetChangeRequest.deleteAssets([asset])
        }
        let deleted = try library.recentlyDeletedAssets().all
        _ = try AssetLines(library: library, assets: memory).lines(deleted)
        let known = try #require(try memory.cached(asset.bareIdentifier))
        #expect(known.facts.trashedDate != nil)
    }
}
