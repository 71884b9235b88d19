import Foundation
import LibraryService
import PhotoModel
import RemoteLibrary
import RenditionCodec
import TestSupport
import Testing

/// Images that a client makes from renditions that it received.
@Suite(.timeLimit(.minutes(1))) struct ReadyImageTests {
    private static let request = ImageRequest(
        assetUUID: "A",
        shape: PixelShape(size: PixelSize(width: 8, height: 8)),
        quality: .atHand
    )

    private func stored(_ size: PixelSize, isDegraded: Bool = false) throws -> StoredImage {
        let bytes = [UInt8](repeating: 0x60, count: size.width * size.height * 3)
        let jpeg = try bytes.withUnsafeBytes {
            try JPEGEncoder(quality: 95).encode(PixelRows(bytes: $0, size: size))
        }
        return StoredImage(
            jpeg: jpeg,
            whole: PixelSize(width: 320, height: 160),
            isDegraded: isDegraded,
            contentVersion: 7,
            path: "originals/a.jpg"
        )
    }

    @Test func renditionBecomesPixels() throws {
        let stored = try stored(PixelSize(width: 32, height: 16))
        let made = try ReadyImage.rendition(stored).image(for: Self.request)
        let (reply, pixels) = try #require(made)
        #expect(
            reply
                == ImageReply(
                    pixels: PixelBufferDescription(
                        size: PixelSize(width: 8, height: 4),
                        layout: .rgbx
                    ),
                    hasAlpha: false,
                    isDegraded: false,
                    contentVersion: 7,
                    path: "originals/a.jpg"
                )
        )
        guard case .block(let block) = pixels else {
            Issue.record("\(pixels)")
            return
        }
        let bytes = UnsafeRawBufferPointer(start: block.start, count: block.count)
        for (index, byte) in bytes.enumerated() {
            #expect(abs(Int(byte) - (index % 4 == 3 ? 255 : 0x60)) <= 2)
        }
    }

    @Test func smallRenditionIsNotEnlarged() throws {
        let stored = try stored(PixelSize(width: 4, height: 2), isDegraded: true)
        let made = try ReadyImage.rendition(stored).image(for: Self.request)
        let reply = try #require(made).0
        #expect(reply.pixels.size == PixelSize(width: 4, height: 2) && reply.isDegraded)
    }

    @Test func otherAnswersHaveNoPixels() throws {
        var stored = try stored(PixelSize(width: 32, height: 16))
        stored.jpeg = stored.jpeg.prefix(9)
        #expect(try ReadyImage.rendition(stored).image(for: Self.request) == nil)
        #expect(try ReadyImage.unready.image(for: Self.request) == nil)
        let error = LibraryError(.identifierNotFound, "It was deleted.")
        #expect(throws: error) { try ReadyImage.failed(error).image(for: Self.request) }
    }

    @Test func onlyWhatARenditionServesIsAskedFor() throws {
        let seed = TestSeed()
        let base = RecordingLibrary(seed: seed.value)
        let library = LoopbackLibrary(base)
        var whole = Self.request
        whole.shape = PixelShape()
        #expect(try library.readyImage(whole) == nil)
        #expect(base.names.isEmpty)
        _ = try? library.readyImage(Self.request)
        #expect(base.names == ["readyImages"])
        #expect(base.lastRequest as? ReadyImagesRequest == ReadyImagesRequest([Self.request]))
        base.fail(with: LibraryError(.connectionLost, "It is gone."))
        #expect(throws: LibraryError(.connectionLost, "It is gone.")) {
            try library.readyImage(Self.request)
        }
    }

    @Test func answersLoseTheirPaths() throws {
        var stored = try stored(PixelSize(width: 32, height: 16))
        stored.path = "/home/ada/Photos.photolibrary/originals/a.jpg"
        let error = LibraryError(
            .inputOutput,
            "Could not read /home/ada/Photos.photolibrary/a.",
            path: "/home/ada/Photos.photolibrary/a"
        )
        let reply = ReadyImagesReply(answers: [.rendition(stored), .unready, .failed(error)])
        let concealed = ConcealedPaths(library: "/home/ada/Photos.photolibrary").concealed(reply)
        stored.path = nil
        let expected = LibraryError(.inputOutput, "Could not read a.")
        #expect(concealed.answers == [.rendition(stored), .unready, .failed(expected)])
    }
}
