import Foundation
import ImagePipeline
import Logging
import PhotoModel
import RenditionCodec
import RenditionFixture
import SamplePhotos
import TestSupport
import Testing
import WorkerClient

/// Renditions of the previews that cameras embed.
@Suite(.timeLimit(.minutes(1))) struct FirstRenditionsTests {
    private let folder: TemporaryFolder
    private let store: RenditionStore

    init() throws {
        folder = try TemporaryFolder()
        store = RenditionStore(
            path: folder.file("renditions.sqlite").path,
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        )
    }

    private func preview(_ width: Int) throws -> PixelMemory {
        let size = PixelSize(width: width, height: width * 3 / 4)
        let image = Picture(.town, seed: 3).drawn(size: size)
        return try .holding(image.bytes, PixelBufferDescription(size: size))
    }

    private func stored() -> RenditionStore.Rendition? {
        store.rendition(of: "A", contentVersion: 3, covers: { _ in true }, takesAny: true)
    }

    @Test func previewsBecomeRenditionsWithFingerprints() throws {
        let pixels = try preview(160)
        FirstRenditions(renditions: store).store(pixels: pixels, assetUUID: "A", contentVersion: 3)
        let found = try #require(stored())
        #expect(found.size == PixelSize(width: 160, height: 120) && found.alpha == nil)
        #expect(found.origin == .embeddedPreview)
        let decoded = try JPEGDecoder.decode(found.jpeg)
        #expect(decoded.size == found.size)
        let bytes = Array(decoded.bytes)
        let difference = pixels.withBytes { original in
            bytes.indices.reduce(0) { $0 + abs(Int(bytes[$1]) - Int(original[$1])) }
        }
        #expect(difference / bytes.count < 8)
        let print = try #require(store.fingerprints()["A"])
        #expect(print.contentVersion == 3)
        let expected = pixels.withBytes {
            PictureFingerprint(
                $0,
                size: PixelSize(width: 160, height: 120),
                bytesPerPixel: 3,
                bytesPerRow: 480
            )
        }
        #expect(print.print == expected && expected != nil)
    }

    @Test func aFourthComponentIsLeftOut() throws {
        let size = PixelSize(width: 160, height: 120)
        let bytes = Array(repeatElement([200, 40, 40, 255] as [UInt8], count: 160 * 120).joined())
        FirstRenditions(renditions: store).store(
            pixels: try .holding(bytes, PixelBufferDescription(size: size, layout: .rgba)),
            assetUUID: "A",
            contentVersion: 3
        )
        let found = try #require(stored())
        #expect(found.size == size && found.alpha == nil)
        let decoded = Array(try JPEGDecoder.decode(found.jpeg).bytes)
        #expect(decoded.count == 160 * 120 * 3)
        let isRed = decoded.indices.allSatisfy { index in
            abs(Int(decoded[index]) - Int(bytes[index % 3])) < 8
        }
        #expect(isRed)
    }

    @Test func aTinyPreviewHasNoFingerprint() throws {
        FirstRenditions(renditions: store).store(
            pixels: try preview(20),
            assetUUID: "A",
            contentVersion: 3
        )
        #expect(stored()?.size == PixelSize(width: 20, height: 15))
        let known = try #require(store.fingerprints()["A"])
        #expect(known.print == nil)
    }
}
