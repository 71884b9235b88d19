import Foundation
import ImagePipeline
import LibraryService
import PhotoModel
import RenditionCodec
import RenditionFixture
import Testing

/// The renditions that clients at the other end of a connection receive in place of pixels.
@Suite(.timeLimit(.minutes(3))) struct StoredImageTests {
    private let world: RenditionWorld

    init() throws { world = try RenditionWorld() }

    private func request(
        _ uuid: String,
        _ side: Int,
        _ quality: ImageRequest.Quality,
        _ fitting: PixelShape.Fitting = .fit,
        range: PixelRange = .standard,
        takesLarger: Bool = false
    ) -> ImageRequest {
        ImageRequest(
            assetUUID: uuid,
            shape: PixelShape(size: PixelSize(width: side, height: side), fitting: fitting),
            range: range,
            quality: quality,
            takesLarger: takesLarger
        )
    }

    private func bytes(_ block: PixelBlock) -> [UInt8] {
        Array(UnsafeRawBufferPointer(start: block.start, count: block.count))
    }

    /// Returns whether the image that a client makes is that of the engine.
    private func isSame(_ request: ImageRequest) throws -> Bool {
        let stored = try world.loader.stored(request)
        guard let stored else { return try world.loader.image(request) == nil }
        let made = try #require(
            RenditionPixels.make(
                jpeg: stored.jpeg,
                alpha: stored.alpha,
                shape: request.shape,
                of: stored.whole,
                takesLarger: request.takesLarger
            )
        )
        guard let (reply, pixels) = try world.loader.image(request),
            case .block(let block) = pixels
        else { return false }
        return reply == ImageReply(stored, made.description) && bytes(block) == bytes(made.block)
    }

    @Test("A client makes the same image as the engine", arguments: [false, true])
    func imagesAreEqual(_ takesLarger: Bool) throws {
        let uuid = try world.addPhoto(1)
        let requests = [90, 256, 900].flatMap { side in
            PixelShape.Fitting.allCases.flatMap { fitting in
                [ImageRequest.Quality.atHand, .ready].map { quality in
                    request(uuid, side, quality, fitting, takesLarger: takesLarger)
                }
            }
        }
        for request in requests { #expect(try world.loader.stored(request) == nil) }
        _ = try world.builder.build(RenditionBuildRequest(side: 256, limit: 16))
        for request in requests { #expect(try isSame(request), "\(request)") }
        let bright = request(uuid, 90, .atHand, range: .high(headroom: 0))
        #expect(try isSame(bright))
        #expect(try world.loader.stored(bright)?.isDegraded == true)
    }

    @Test func requestsForTooLargeImagesRemoveNoRendition() throws {
        let uuid = try world.addPhoto(1)
        _ = try world.builder.build(RenditionBuildRequest(side: 1_024, limit: 16))
        for fitting in [PixelShape.Fitting.exactFit, .exactFill] {
            let huge = request(uuid, 30_000, .ready, fitting)
            #expect(try world.loader.stored(huge) != nil)
            let isMade = try world.loader.image(huge) != nil
            #expect(!isMade)
        }
        #expect(try world.loader.stored(request(uuid, 300, .ready)) != nil)
    }

    @Test func onlyWhatIsReadyHasARendition() throws {
        let uuid = try world.addPhoto(1)
        #expect(try world.loader.stored(request(uuid, 90, .full)) == nil)
        _ = try world.builder.build(RenditionBuildRequest(side: 256, limit: 16))
        let ready = try world.loader.stored(request(uuid, 90, .full))
        #expect(ready?.isDegraded == false)
        #expect(try world.loader.stored(request(uuid, 900, .ready)) == nil)
        #expect(try world.loader.stored(request(uuid, 900, .full)) == nil)
        #expect(try world.loader.stored(request(uuid, 900, .atHand))?.isDegraded == true)
        let bright = request(uuid, 90, .ready, range: .high(headroom: 0))
        #expect(try world.loader.stored(bright) == nil)
        let whole = ImageRequest(assetUUID: uuid, shape: PixelShape(), quality: .atHand)
        #expect(try world.loader.stored(whole) == nil)
        // An original that is no larger is decoded itself.
        let small = try world.addPhoto(2, size: PixelSize(width: 256, height: 192))
        #expect(try world.loader.stored(request(small, 90, .atHand)) == nil)
        #expect(throws: LibraryError.self) { try world.loader.stored(request("none", 9, .full)) }
    }
}
