import ImagePipeline
import LibraryService
import PhotoModel
import Testing

/// Cancellations of pictures, in any order with the requests.
@Suite(.timeLimit(.minutes(1)))
struct RequestTicketTests {
    private let world: RenditionWorld

    init() throws {
        world = try RenditionWorld()
    }

    @Test func cancellationBeforeTheRequestCounts() throws {
        let asset = try world.addPhoto(1)
        world.loader.cancel(ImageCancelRequest(tickets: ["late"]))
        let request = ImageRequest(assetUUID: asset, shape: PixelShape(), ticket: "late")
        for _ in 0..<2 {
            let error = #expect(throws: LibraryError.self) { try world.loader.image(request) }
            #expect(error?.code == .cancelled)
        }
        var other = request
        other.ticket = "other"
        #expect(try world.loader.image(other) != nil)
    }

    @Test func oldCancellationsAreForgotten() throws {
        let asset = try world.addPhoto(1)
        world.loader.cancel(ImageCancelRequest(tickets: ["old"]))
        for number in 0..<2_000 {
            world.loader.cancel(ImageCancelRequest(tickets: ["\(number)", "\(number)"]))
        }
        var request = ImageRequest(assetUUID: asset, shape: PixelShape(), ticket: "old")
        #expect(try world.loader.image(request) != nil)
        request.ticket = "1999"
        #expect(throws: LibraryError.self) { try world.loader.image(request) }
    }
}
