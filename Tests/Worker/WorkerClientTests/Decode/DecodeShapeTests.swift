import Foundation
import Glibc
import PhotoModel
import SamplePhotos
import TestSupport
import Testing
import WorkerClient
import WorkerProtocol

/// Sizes, rotations and crops of decoded pictures (behavior 169–172, 188, 189; pains 8 and 9).
@Suite(.timeLimit(.minutes(3)))
struct DecodeShapeTests {
    private let folder: TemporaryFolder
    private let pool = WorkerPool.shared

    init() throws {
        folder = try TemporaryFolder()
    }

    private func decode(
        _ data: Data,
        _ shape: PixelShape = PixelShape(),
        layout: PixelBufferLayout = .rgb,
        colors: PixelColors = .sRGB
    ) throws -> (facts: DecodedFacts, pixels: PixelMemory) {
        let url = try folder.write(data, to: "file")
        let descriptor = open(url.path, O_RDONLY)
        try #require(descriptor >= 0)
        defer { close(descriptor) }
        let request = DecodeRequest(shape: shape, layout: layout, colors: colors)
        let answer = try pool.decode(request, descriptor: descriptor)
        guard case .pixels(let facts, let pixels) = answer else {
            Issue.record("\(answer)")
            throw CocoaError(.fileReadCorruptFile)
        }
        return (facts, try #require(pixels.mapped()))
    }

    private func photo(_ orientation: Orientation, quality: Int = 95) -> SamplePhoto {
        SamplePhoto(
            Picture(.flowers, seed: 7),
            size: PixelSize(width: 640, height: 480),
            metadata: SampleMetadata(orientation: orientation),
            quality: quality
        )
    }

    private func difference(_ pixels: PixelMemory, _ image: RGBImage) throws -> Double {
        try #require(pixels.description.size == image.size)
        let step = pixels.description.layout.bytesPerPixel
        let bytes = pixels.withBytes { Array($0) }
        var sum = 0
        for pixel in 0..<image.size.width * image.size.height {
            for channel in 0..<3 {
                sum += abs(
                    Int(bytes[pixel * step + channel]) - Int(image.bytes[pixel * 3 + channel])
                )
            }
        }
        return Double(sum) / Double(image.bytes.count)
    }

    @Test(arguments: Orientation.allCases)
    func everyOrientationComesUpright(_ orientation: Orientation) throws {
        let photo = photo(orientation)
        let upright = photo.picture.drawn(size: photo.size)
        let data = try SampleFile.jpeg(photo)
        let whole = try decode(data)
        #expect(whole.facts.fullSize == photo.size)
        // A wrong rotation differs by 20 and more.
        #expect(try difference(whole.pixels, upright) < 4)
        let half = PixelShape(size: PixelSize(width: 320, height: 240))
        #expect(try difference(try decode(data, half).pixels, upright.shrunk(by: 2)) < 4)
        // The crop refers to the upright picture.
        let corner = PixelShape(crop: UnitRectangle(x: 0.5, y: 0, width: 0.5, height: 0.25))
        let part = try decode(data, corner).pixels
        #expect(part.description.size == PixelSize(width: 320, height: 120))
        #expect(try difference(part, upright.cut(x: 320, y: 0, width: 320, height: 120)) < 4)
    }

    private static let targets: [(Int, Int)] = [
        (100, 100), (64, 200), (200, 30), (1, 1), (3, 200), (640, 480), (1000, 1000), (700, 100),
    ]

    @Test("The sizes of all modes", arguments: PixelShape.Fitting.allCases)
    func sizesAreThoseAskedFor(_ fitting: PixelShape.Fitting) throws {
        let data = try SampleFile.jpeg(photo(.right))
        let whole = PixelSize(width: 640, height: 480)
        for (width, height) in Self.targets {
            let size = PixelSize(width: width, height: height)
            let pixels = try decode(data, PixelShape(size: size, fitting: fitting), layout: .rgba)
                .pixels.description.size
            switch fitting {
            case .exactFit, .exactFill:
                #expect(pixels == size, "\(size)")
            case .fit:
                #expect(pixels.width <= width && pixels.height <= height, "\(size)")
                #expect(
                    pixels.width == width || pixels.height == height || pixels == whole,
                    "\(size)"
                )
            case .fill:
                #expect(
                    pixels.width >= width && pixels.height >= height || pixels == whole,
                    "\(size)"
                )
                #expect(
                    pixels.width == width || pixels.height == height || pixels == whole,
                    "\(size)"
                )
            }
            if fitting == .fit || fitting == .fill, min(width, height) >= 30 {
                let aspect = Double(pixels.width) / Double(pixels.height)
                #expect(abs(aspect / (640.0 / 480) - 1) < 0.03, "\(size)")
            }
        }
    }

    @Test func whatFitsExactlyHasTransparentBars() throws {
        let data = try SampleFile.jpeg(photo(.up))
        let size = PixelSize(width: 100, height: 100)
        let (facts, pixels) = try decode(
            data,
            PixelShape(size: size, fitting: .exactFit),
            layout: .rgba
        )
        #expect(facts.hasAlpha)
        let bytes = pixels.withBytes { Array($0) }
        func alpha(_ x: Int, _ y: Int) -> UInt8 { bytes[(y * 100 + x) * 4 + 3] }
        #expect(alpha(50, 0) == 0 && alpha(50, 11) == 0 && alpha(50, 88) == 0)
        #expect(alpha(50, 14) == 255 && alpha(50, 50) == 255 && alpha(0, 50) == 255)
    }

    @Test func whatFillsExactlyIsTheMiddle() throws {
        let photo = photo(.up)
        let upright = photo.picture.drawn(size: photo.size)
        let size = PixelSize(width: 240, height: 240)
        let pixels = try decode(
            try SampleFile.jpeg(photo),
            PixelShape(size: size, fitting: .exactFill)
        )
        .pixels
        let middle = upright.cut(x: 80, y: 0, width: 480, height: 480).shrunk(by: 2)
        #expect(try difference(pixels, middle) < 4)
    }

    @Test func displayP3IsAnotherColorSpace() throws {
        let data = try SampleFile.jpeg(photo(.up))
        let plain = try decode(data).pixels.withBytes { Array($0) }
        let wide = try decode(data, colors: .displayP3).pixels.withBytes { Array($0) }
        #expect(plain.count == wide.count)
        // Greens of sRGB are less saturated in P3; grays stay the same.
        #expect(plain != wide)
        for index in stride(from: 0, to: plain.count, by: 3) {
            let (red, green, blue) = (plain[index], plain[index + 1], plain[index + 2])
            guard red == green, green == blue else { continue }
            #expect(abs(Int(red) - Int(wide[index])) <= 1)
        }
    }

    // MARK: - Encoding

    private func encode(
        _ bytes: [UInt8],
        _ description: PixelBufferDescription,
        _ format: EncodeRequest.Format,
        hasAlpha: Bool = false,
        orientation: Orientation = .up
    ) throws -> Data {
        let memory = try #require(
            SealedMemory.make(length: bytes.count) {
                $0.copyBytes(from: bytes)
                return true
            }
        )
        defer { close(memory) }
        let request = EncodeRequest(
            format: format,
            pixels: description,
            hasAlpha: hasAlpha,
            orientation: orientation
        )
        let answer = try pool.encode(request, descriptor: memory)
        guard case .file(let file) = answer else {
            Issue.record("\(answer)")
            throw CocoaError(.fileWriteUnknown)
        }
        return file.withBytes { Data($0) }
    }

    @Test(arguments: Orientation.allCases)
    func aPNGHoldsEveryPixel(_ orientation: Orientation) throws {
        let size = PixelSize(width: 37, height: 23)
        let bytes: [UInt8] = (0..<37 * 23 * 4).map { (index: Int) -> UInt8 in
            UInt8(truncatingIfNeeded: (index &* 7919) >> 3)
        }
        let description = PixelBufferDescription(size: size, layout: .rgba)
        let png = try encode(
            bytes,
            description,
            .png,
            hasAlpha: true,
            orientation: orientation
        )
        let (facts, pixels) = try decode(png, layout: .rgba)
        #expect(facts.contentType == "public.png" && facts.hasAlpha)
        let result = pixels.withBytes { Array($0) }
        let upright = size.displayed(with: orientation)
        try #require(pixels.description.size == upright)
        for y in 0..<upright.height {
            for x in 0..<upright.width {
                let place = PixelRectangle(x: x, y: y, size: PixelSize(width: 1, height: 1))
                    .stored(in: size, orientation: orientation)
                let from = (place.y * size.width + place.x) * 4
                let to = (y * upright.width + x) * 4
                #expect(result[to..<to + 4].elementsEqual(bytes[from..<from + 4]))
            }
        }
    }

    @Test func aJPEGLooksTheSameAndHasNoAlpha() throws {
        let upright = photo(.up).picture.drawn(size: PixelSize(width: 320, height: 240))
        var bytes: [UInt8] = []
        for index in stride(from: 0, to: upright.bytes.count, by: 3) {
            bytes += [
                upright.bytes[index], upright.bytes[index + 1], upright.bytes[index + 2], 255,
            ]
        }
        let description = PixelBufferDescription(size: upright.size, layout: .rgba)
        let jpeg = try encode(bytes, description, .jpeg(quality: 95), hasAlpha: true)
        let small = try encode(bytes, description, .jpeg(quality: 30), hasAlpha: true)
        #expect(small.count < jpeg.count)
        let (facts, pixels) = try decode(jpeg, layout: .rgba)
        #expect(facts.contentType == "public.jpeg" && !facts.hasAlpha)
        #expect(try difference(pixels, upright) < 3)
    }
}

extension RGBImage {
    /// Returns a part of the image.
    fileprivate func cut(x: Int, y: Int, width: Int, height: Int) -> RGBImage {
        var part: [UInt8] = []
        for row in y..<y + height {
            let start = (row * size.width + x) * 3
            part += bytes[start..<start + width * 3]
        }
        return RGBImage(size: PixelSize(width: width, height: height), bytes: part)
    }
}
