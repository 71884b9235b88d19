import PhotoModel
import Testing

/// The memory of pixels, and the weight of gain maps.
@Suite(.timeLimit(.minutes(1))) struct PixelBufferTests {
    private func length(_ width: Int, _ height: Int, _ layout: PixelBufferLayout = .rgb) -> Int? {
        PixelBufferDescription(size: PixelSize(width: width, height: height), layout: layout).length
    }

    @Test func lengthsAreChecked() {
        #expect(length(3, 2) == 18)
        #expect(length(3, 2, .rgbx) == 24 && length(3, 2, .rgba) == 24)
        #expect(length(3, 2, .rgbaHalf) == 48)
        #expect(length(0, 2) == nil && length(2, 0) == nil && length(-1, 1) == nil)
        #expect(length(.max, 1) == nil && length(1 << 40, 1 << 40) == nil)
    }

    @Test func rowsHaveNoPadding() {
        let size = PixelSize(width: 5, height: 1)
        #expect(PixelBufferDescription(size: size).bytesPerRow == 15)
        #expect(PixelBufferDescription(size: size, layout: .rgbaHalf).bytesPerRow == 40)
        #expect(PixelBufferLayout.allCases.map(\.bitsPerComponent) == [8, 8, 8, 16])
        let frame = MovieFrameFacts(size: size, colors: .displayP3, time: .zero)
        #expect(
            frame.pixels == PixelBufferDescription(size: size, layout: .rgba, colors: .displayP3)
        )
    }

    @Test func blocksHoldWhatWasWritten() throws {
        let block = try #require(
            PixelBlock(count: 3) { bytes in
                bytes.copyBytes(from: [1, 2, 3])
                return true
            }
        )
        #expect(block.count == 3)
        let bytes = UnsafeRawBufferPointer(start: block.start, count: block.count)
        #expect(Array(bytes) == [1, 2, 3])
        #expect(PixelBlock(count: 0) { _ in true } == nil)
        #expect(PixelBlock(count: 3) { _ in false } == nil)
    }

    @Test func gainMapsApplyBetweenTheirBounds() {
        let map = GainMap(.share(ofHeadroom: 4), capacity: 1...3)
        #expect(map.weight(forStops: nil) == 1)
        #expect(map.weight(forStops: 0) == 0 && map.weight(forStops: 1) == 0)
        #expect(map.weight(forStops: 2) == 0.5 && map.weight(forStops: 9) == 1)
        let edge = GainMap(.stops([GainMap.Channel()]), capacity: 2...2)
        #expect(edge.weight(forStops: 1.9) == 0 && edge.weight(forStops: 2) == 1)
    }
}
