import FoundationEssentials
import PhotoModel
import RenditionCodec
import SamplePhotos
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(2))) struct JPEGDecoderTests {
    private let jpeg: Data

    init() throws {
        jpeg = try Picture(.hills, seed: 5).drawn(size: PixelSize(width: 403, height: 301)).jpeg()
    }

    @Test func headerNamesTheSize() throws {
        let header = try JPEGDecoder.header(of: jpeg)
        #expect(header == JPEGHeader(size: PixelSize(width: 403, height: 301), isGray: false))
    }

    @Test func scalingTakesTheSmallestSizeThatCovers() throws {
        for side in 1...420 {
            let wanted = PixelSize(width: side, height: side * 3 / 4)
            let size = try JPEGDecoder.header(of: jpeg).scaledSize(covering: wanted)
            let covers = size.width >= wanted.width && size.height >= wanted.height
            #expect(covers || size == PixelSize(width: 403, height: 301))
            let eighths = (1...8).filter { (403 * $0 + 7) / 8 == size.width }
            #expect(eighths.count == 1)
            if let eighths = eighths.first, eighths > 1 {
                let smaller = PixelSize(
                    width: (403 * (eighths - 1) + 7) / 8,
                    height: (301 * (eighths - 1) + 7) / 8
                )
                #expect(smaller.width < wanted.width || smaller.height < wanted.height)
            }
        }
    }

    @Test(arguments: [PixelLayout.rgb, .rgbx])
    func decodesAtEveryScale(_ layout: PixelLayout) throws {
        let full = try JPEGDecoder.decode(jpeg, layout: layout)
        for wanted in [1, 51, 101, 152, 202, 253, 303, 353, 403, 5_000] {
            let size = PixelSize(width: wanted, height: 1)
            let decoded = try JPEGDecoder.decode(jpeg, covering: size, layout: layout)
            #expect(decoded.bytes.count == decoded.bytesPerRow * decoded.size.height)
            #expect(decoded.size.width >= min(wanted, 403))
            // A reduced version of the same picture has about the same average.
            #expect(abs(average(decoded) - average(full)) < 3)
        }
    }

    private func average(_ pixels: DecodedPixels) -> Double {
        let step = pixels.layout.bytesPerPixel
        let greens = stride(from: 1, to: pixels.bytes.count, by: step).map { Int(pixels.bytes[$0]) }
        return Double(greens.reduce(0, +)) / Double(greens.count)
    }

    @Test func onePixelIsAPicture() throws {
        let image = RGBImage(size: PixelSize(width: 1, height: 1), bytes: [255, 255, 255])
        let decoded = try JPEGDecoder.decode(image.jpeg())
        #expect(decoded.size == PixelSize(width: 1, height: 1))
        #expect(decoded.bytes == Data([255, 255, 255]))
    }

    @Test(arguments: [Data(), Data([0xFF]), Data([0xFF, 0xD8]), Data("GIF89a".utf8)])
    func otherBytesAreNotJPEG(_ bytes: Data) {
        let error = #expect(throws: RenditionCodecError.self) { try JPEGDecoder.header(of: bytes) }
        #expect(error?.code == .notJPEG)
        #expect(error?.description.contains("\(bytes.count) bytes are not a JPEG.") == true)
        #expect(throws: RenditionCodecError.self) { try JPEGDecoder.decode(bytes) }
    }

    @Test func everyCutIsAnError() throws {
        for length in stride(from: 0, to: jpeg.count - 2, by: 37) {
            #expect(throws: RenditionCodecError.self, "cut to \(length)") {
                try JPEGDecoder.decode(Data(jpeg.prefix(length)))
            }
        }
        let error = #expect(throws: RenditionCodecError.self) {
            try JPEGDecoder.decode(Data(jpeg.prefix(jpeg.count / 2)))
        }
        #expect(error?.code == .damaged)
        #expect(error?.reason?.contains("libjpeg-turbo") == true)
    }

    @Test func damagedBytesGiveAPictureOrAnError() {
        let seed = TestSeed()
        var generator = seed.generator
        var failures = 0
        for _ in 0..<300 {
            var damaged = jpeg
            for _ in 0..<Int.random(in: 1...12, using: &generator) {
                let place = Int.random(in: 2..<damaged.count, using: &generator)
                damaged[place] = UInt8.random(in: 0...255, using: &generator)
            }
            // A damaged header may declare 65,535 pixels per side: 12 GB must not be decoded here.
            guard let header = try? JPEGDecoder.header(of: damaged),
                header.size.width * header.size.height < 4_000_000
            else {
                failures += 1
                continue
            }
            let wanted = PixelSize(width: 50, height: 50)
            if (try? JPEGDecoder.decode(damaged, covering: wanted)) == nil { failures += 1 }
        }
        #expect(failures > 0, seed.comment)
    }
}
