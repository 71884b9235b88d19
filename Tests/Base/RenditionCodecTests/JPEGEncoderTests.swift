import FoundationEssentials
import PhotoModel
import RenditionCodec
import SamplePhotos
import Testing

@Suite(.timeLimit(.minutes(2))) struct JPEGEncoderTests {
    private let image = Picture(.sea, seed: 3).drawn(size: PixelSize(width: 160, height: 120))

    private func encode(
        _ encoder: JPEGEncoder,
        size: PixelSize? = nil,
        bytesPerRow: Int? = nil,
        layout: PixelLayout = .rgb
    ) throws -> Data {
        try image.bytes.withUnsafeBytes { buffer in
            try encoder.encode(
                PixelRows(
                    bytes: buffer,
                    size: size ?? image.size,
                    bytesPerRow: bytesPerRow,
                    layout: layout
                )
            )
        }
    }

    @Test(arguments: JPEGEncoder.Subsampling.allCases, [60, 90, 100])
    func roundTripKeepsThePicture(
        _ subsampling: JPEGEncoder.Subsampling,
        _ quality: Int
    ) throws {
        let jpeg = try encode(JPEGEncoder(quality: quality, subsampling: subsampling))
        let decoded = try JPEGDecoder.decode(jpeg)
        #expect(decoded.size == image.size)
        let differences = zip(decoded.bytes, image.bytes).map { abs(Int($0) - Int($1)) }
        let mean = Double(differences.reduce(0, +)) / Double(differences.count)
        #expect(mean < (quality == 60 ? 6 : 4), "mean difference \(mean)")
    }

    @Test func finerQualityAndColorCostBytes() throws {
        let coarse = try encode(JPEGEncoder(quality: 40)).count
        let fine = try encode(JPEGEncoder(quality: 90)).count
        let finest = try encode(JPEGEncoder(quality: 90, subsampling: .s444)).count
        #expect(coarse < fine)
        #expect(fine < finest)
    }

    @Test func rowsMayHavePaddingAndAFourthByte() throws {
        let size = PixelSize(width: 100, height: 50)
        let bytesPerRow = 100 * 4 + 32
        var padded = [UInt8](repeating: 0xAA, count: bytesPerRow * 49 + 400)
        for y in 0..<50 {
            for x in 0..<100 {
                let index = y * bytesPerRow + x * 4
                padded.replaceSubrange(index..<(index + 3), with: [200, 30, 60])
            }
        }
        let jpeg = try padded.withUnsafeBytes { buffer in
            try JPEGEncoder(quality: 95).encode(
                PixelRows(bytes: buffer, size: size, bytesPerRow: bytesPerRow, layout: .rgbx)
            )
        }
        let decoded = try JPEGDecoder.decode(jpeg)
        #expect(decoded.size == size)
        for (index, byte) in decoded.bytes.enumerated() {
            let wanted = [200, 30, 60][index % 3]
            try #require(abs(Int(byte) - wanted) <= 3, "byte \(index) is \(byte)")
        }
    }

    @Test(arguments: [0, 101, -5])
    func qualityOutOfRangeIsAnError(_ quality: Int) {
        let error = #expect(throws: RenditionCodecError.self) {
            try encode(JPEGEncoder(quality: quality))
        }
        #expect(error?.code == .invalidSettings)
    }

    @Test(arguments: [(0, 10), (10, 0), (-4, 10), (70_000, 1), (1, Int.max)])
    func sizesThatJPEGCannotHoldAreErrors(_ width: Int, _ height: Int) {
        let error = #expect(throws: RenditionCodecError.self) {
            try encode(JPEGEncoder(), size: PixelSize(width: width, height: height))
        }
        #expect(error?.code == .invalidSettings)
    }

    @Test(arguments: [0, 159 * 3, 160 * 3 + 10, Int.max, -480])
    func shortBuffersAreErrors(_ bytesPerRow: Int) {
        let error = #expect(throws: RenditionCodecError.self) {
            try encode(JPEGEncoder(), bytesPerRow: bytesPerRow)
        }
        #expect(error?.code == .invalidPixels)
    }

    @Test func anEmptyBufferIsAnError() {
        let error = #expect(throws: RenditionCodecError.self) {
            try JPEGEncoder().encode(
                PixelRows(
                    bytes: UnsafeRawBufferPointer(start: nil, count: 0),
                    size: PixelSize(width: 1, height: 1)
                )
            )
        }
        #expect(error?.code == .invalidPixels)
    }

    @Test func manyThreadsEncodeAndDecodeAtOnce() async throws {
        let wanted = try encode(JPEGEncoder())
        let results = try await withThrowingTaskGroup(of: Data.self) { group in
            for _ in 0..<16 {
                group.addTask {
                    let decoded = try JPEGDecoder.decode(wanted)
                    _ = try decoded.withRows { try JPEGEncoder().encode($0) }
                    return try encode(JPEGEncoder())
                }
            }
            return try await group.reduce(into: [Data]()) { $0.append($1) }
        }
        #expect(results.count == 16)
        #expect(results.allSatisfy { $0 == wanted })
    }
}
