import PhotoModel
import RenditionFixture
import Testing
import WorkerClient

/// Images with an alpha channel that is opaque everywhere.
@Suite(.timeLimit(.minutes(1))) struct OpacityTests {
    private func memory(_ layout: PixelBufferLayout, _ bytes: [UInt8]) throws -> PixelMemory {
        let size = PixelSize(width: bytes.count / layout.bytesPerPixel, height: 1)
        return try .holding(bytes, PixelBufferDescription(size: size, layout: layout))
    }

    @Test func onePixelThatIsNotOpaqueCounts() throws {
        let opaque: [UInt8] = [0, 0, 0, 255, 9, 9, 9, 255]
        #expect(try memory(.rgba, opaque).isOpaque)
        #expect(try !memory(.rgba, opaque + [255, 255, 255, 254]).isOpaque)
        #expect(try !memory(.rgba, [255, 255, 255, 0] + opaque).isOpaque)
        // The fourth byte of these is no alpha.
        #expect(try memory(.rgbx, [1, 2, 3, 0]).isOpaque)
        #expect(try memory(.rgb, [1, 2, 0]).isOpaque)
    }

    @Test(arguments: [
        (Float16(1), true), (1.001, true), (0.9995, false), (0, false), (-0.0, false), (-1, false),
        (.nan, false),
    ])
    func halfPrecisionAlphaIsComparedWithOne(_ row: (Float16, Bool)) throws {
        let halves: [Float16] = [-0.1, 4, 0.5, 1, 0, 0, 0, row.0]
        let bytes = halves.flatMap { half in
            [UInt8(half.bitPattern & 0xff), UInt8(half.bitPattern >> 8)]
        }
        #expect(try memory(.rgbaHalf, bytes).isOpaque == row.1)
    }
}
