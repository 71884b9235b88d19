import Foundation
import ImagePipeline
import LibraryService
import PhotoModel
import RenditionFixture
import Testing

/// Renditions of contents that no asset has.
@Suite(.timeLimit(.minutes(1))) struct RenditionSweeperTests {
    private let world: RenditionWorld

    init() throws { world = try RenditionWorld() }

    private func store(_ asset: String, version: Int) {
        world.renditions.store(
            .init(
                jpeg: Data("jpeg".utf8),
                size: PixelSize(width: 1024, height: 768),
                origin: .content
            ),
            for: .init(assetUUID: asset, contentVersion: version, sizeClass: 1024)
        )
    }

    @Test func aFullSweepLeavesPresentContentsOnly() throws {
        let asset = try world.addPhoto(1)
        _ = try world.builder.build(RenditionBuildRequest(side: 256, limit: 16))
        #expect(world.renditions.count() == 1)
        // A former content of a present asset, and the content of a deleted one.
        store(asset, version: 99)
        store("gone", version: 1)
        #expect(world.renditions.count() == 3)
        try world.sweeper.sweepAll()
        #expect(world.renditions.count() == 1)
        #expect(try world.image(asset, side: 90, quality: .ready) != nil)
    }
}
