import Foundation
import Glibc
import PhotoModel
import SamplePhotos
import TestSupport
import Testing
import WorkerClient
import WorkerProtocol

/// Pixel layouts that few programs write, and few read correctly.
@Suite(.timeLimit(.minutes(1)))
struct RarePictureTests {
    private let folder: TemporaryFolder
    private let pool = WorkerPool.shared
    private let size = PixelSize(width: 64, height: 48)

    init() throws {
        folder = try TemporaryFolder()
    }

    private func answer(
        _ data: Data,
        _ shape: PixelShape = PixelShape(),
        layout: PixelBufferLayout = .rgba
    ) throws -> DecodeAnswer {
        let url = try folder.write(data, to: "file")
        let descriptor = open(url.path, O_RDONLY)
        try #require(descriptor >= 0)
        defer { close(descriptor) }
        return try pool.decode(
            DecodeRequest(shape: shape, layout: layout),
            descriptor: descriptor
        )
    }

    private func pixels(
        _ data: Data,
        _ shape: PixelShape = PixelShape(),
        layout: PixelBufferLayout = .rgba
    ) throws -> (facts: DecodedFacts, bytes: [UInt8], size: PixelSize) {
        let answer = try answer(data, shape, layout: layout)
        guard case .pixels(let facts, let pixels) = answer else {
            Issue.record("\(answer)")
            throw CocoaError(.fileReadCorruptFile)
        }
        let memory = try #require(pixels.mapped())
        return (facts, memory.withBytes { Array($0) }, memory.description.size)
    }

    private func probed(_ data: Data) throws -> ProbeAnswer {
        try pool.probe(path: folder.write(data, to: "file").path, renditionSide: 0)
    }

    /// Returns every pixel from the upper left, by its position.
    private func each<Element>(_ body: (_ x: Int, _ y: Int) -> [Element]) -> [Element] {
        (0..<size.height).flatMap { y in (0..<size.width).flatMap { x in body(x, y) } }
    }

    // MARK: - TIFF

    @Test(
        "A pyramid is no RAW file, whatever camera it names",
        .needsProgram("vips"),
        .needsProgram("exiftool"),
        arguments: ["SONY", "NIKON CORPORATION"]
    )
    func pyramidsArePictures(_ make: String) throws {
        let (noise, source) = (folder.file("noise.v"), folder.file("source.v"))
        let file = folder.file("pyramid.tif")
        let commands = [
            ["vips", "gaussnoise", noise.path, "600", "400"],
            ["vips", "cast", noise.path, source.path, "uchar"],
            ["vips", "tiffsave", source.path, file.path, "--pyramid", "--subifd", "--tile"],
            ["exiftool", "-q", "-overwrite_original", "-Make=" + make, file.path],
        ]
        for command in commands {
            let output = try ProcessRunner.run(command[0], Array(command.dropFirst()))
            try #require(output.status == 0, "\(output.errorText)")
        }
        let data = try Data(contentsOf: file)
        #expect(try probed(data).facts?.contentType == "public.tiff")
        #expect(try pixels(data).size == PixelSize(width: 600, height: 400))
    }

    @Test("Gray of 16 bits keeps its alpha, with a profile and without", arguments: [false, true])
    func wideGrayKeepsItsAlpha(_ hasProfile: Bool) throws {
        // Opaque above, half transparent below.
        let samples = each { x, y in [x * 1040, y < 24 ? 65535 : 32896] }
        let file = RareFile.tiff(
            size,
            bits: [16, 16],
            tags: [0x0106: [1], 0x0152: [2]],
            profile: hasProfile ? RareFile.grayProfile : nil,
            pixels: samples.flatMap { [UInt8($0 & 255), UInt8($0 >> 8)] }
        )
        for shape in [PixelShape(), PixelShape(size: PixelSize(width: 32, height: 24))] {
            let found = try pixels(file, shape)
            #expect(found.facts.hasAlpha)
            let row = found.size.width * 4
            let (first, last) = (found.bytes.prefix(row), found.bytes.suffix(row))
            for part in [(first, 255), (last, 128)] {
                let bytes = Array(part.0)
                for pixel in 0..<found.size.width {
                    #expect(abs(Int(bytes[pixel * 4 + 3]) - part.1) <= 1)
                    let gray = pixel * 255 / (found.size.width - 1)
                    #expect(abs(Int(bytes[pixel * 4]) - gray) <= (hasProfile ? 14 : 5))
                }
            }
            // Composited over white.
            let flat = try pixels(file, shape, layout: .rgb).bytes
            #expect(abs(Int(flat[flat.count - found.size.width * 3]) - 127) <= 3)
        }
    }

    @Test("TIFF of luma and chroma, whole and halved", arguments: [1, 2])
    func lumaAndChroma(_ step: Int) throws {
        let (blue, red) = (90, 200)
        var samples: [UInt8] = []
        for _ in stride(from: 0, to: size.height, by: step) {
            for x in stride(from: 0, to: size.width, by: step) {
                for _ in 0..<step { samples += (0..<step).map { UInt8((x + $0) * 4) } }
                samples += [UInt8(blue), UInt8(red)]
            }
        }
        let file = RareFile.tiff(
            size,
            bits: [8, 8, 8],
            tags: [0x0106: [6], 0x0212: [step, step], 0x0213: [1]],
            pixels: samples
        )
        let found = try pixels(file, layout: .rgb)
        try #require(found.size == size)
        for x in 0..<size.width {
            // JPEG's conversion matrix, which is TIFF's default.
            let luma = Double(x * 4)
            let wanted = [
                luma + 1.402 * Double(red - 128),
                luma - 0.344_136 * Double(blue - 128) - 0.714_136 * Double(red - 128),
                luma + 1.772 * Double(blue - 128),
            ]
            for channel in 0..<3 {
                let value = min(max(wanted[channel], 0), 255)
                let pixel = Double(found.bytes[(10 * size.width + x) * 3 + channel])
                #expect(abs(pixel - value) <= 3, "\(x), \(channel)")
            }
        }
    }

    // MARK: - Windows bitmaps

    @Test func unusedBytesOfABitmapAreNoAlpha() throws {
        let samples = each { x, y in [UInt8(x * 4), UInt8(y * 5), 200, UInt8((x * 7 + y) % 100)] }
        let plain = try pixels(RareFile.bitmap(size, pixels: samples, hasAlphaMask: false))
        #expect(stride(from: 3, to: plain.bytes.count, by: 4).allSatisfy { plain.bytes[$0] == 255 })
        #expect(Array(plain.bytes.suffix(4).prefix(3)) == [200, 0, 252])
        let masked = try pixels(RareFile.bitmap(size, pixels: samples, hasAlphaMask: true))
        #expect(masked.facts.hasAlpha)
        #expect(masked.bytes.last.map(Int.init) == 63 * 7 % 100)
    }

    // MARK: - Photoshop

    @Test("The composite of a document is its picture", arguments: [8, 16], [false, true])
    func composites(_ depth: Int, _ isPacked: Bool) throws {
        let image = Picture(.flowers, seed: 7).drawn(size: size)
        var writer = PhotoshopWriter(image)
        writer.depth = depth
        writer.isPacked = isPacked
        let found = try pixels(writer.data, layout: .rgb)
        #expect(found.facts.contentType == "com.adobe.photoshop-image")
        try #require(found.size == size)
        let shown = RGBImage(size: size, bytes: found.bytes)
        #expect(try shown.difference(from: image) < 1)
        let small = PixelSize(width: 32, height: 24)
        let scaled = try pixels(writer.data, PixelShape(size: small), layout: .rgb).bytes
        let expected = image.scaled(to: small)
        #expect(try RGBImage(size: small, bytes: scaled).difference(from: expected) < 6)
    }

    @Test func opacityOfACompositeIsKeptAndItsWhiteTakenOut() throws {
        // A quarter of red over white.
        let pixels = size.width * size.height
        let planes: [[UInt8]] = [255, 191, 191, 64].map { .init(repeating: $0, count: pixels) }
        var writer = PhotoshopWriter(.rgb, size: size, channels: planes)
        writer.layerCount = -1
        let red = try self.pixels(writer.data)
        #expect(red.facts.hasAlpha)
        #expect(red.bytes[3] == 64 && red.bytes[0] == 255 && red.bytes[1] < 4)
        // The same channel in a document of one opaque layer is a saved selection.
        writer.layerCount = 1
        let flat = try self.pixels(writer.data)
        #expect(Array(flat.bytes.prefix(4)) == [255, 191, 191, 255])
    }

    @Test func whatADocumentSaysOfItselfIsRead() throws {
        var writer = PhotoshopWriter(Picture(.flowers, seed: 7).drawn(size: size))
        let packet = """
            <x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF \
            xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description \
            xmlns:photoshop="http://ns.adobe.com/photoshop/1.0/" \
            photoshop:DateCreated="2019-03-04T05:06:07+02:00"/></rdf:RDF></x:xmpmeta>
            """
        let exif = Data("MM\0*".utf8) + [0, 0, 0, 8, 0, 1, 1, 0x10, 0, 2, 0, 0, 0, 4]
        writer.resources = [
            (0x0422, exif + Data("X10\0".utf8) + Data(count: 4)), (0x0424, Data(packet.utf8)),
        ]
        let facts = try #require(try probed(writer.data).facts)
        #expect(facts.contentType == "com.adobe.photoshop-image")
        #expect(facts.displaySize == size)
        #expect(facts.camera.model == "X10")
        #expect(facts.dates.contains { $0.text == "2019:03:04 05:06:07" && $0.offset == "+02:00" })
    }

    @Test func documentsWithoutACompositeAreRefused() throws {
        var writer = PhotoshopWriter(Picture(.flowers, seed: 7).drawn(size: size))
        writer.resources = [(0x0421, Data([0, 0, 0, 1, 0]) + Data(count: 12))]
        guard case .unsupported(let reason) = try probed(writer.data) else {
            Issue.record("It is read.")
            return
        }
        #expect(reason.contains("no composite"))
        guard case .failed(let words) = try answer(writer.data) else {
            Issue.record("It is decoded.")
            return
        }
        #expect(words.contains("no composite"))
        writer.resources = [(0x0421, Data([0, 0, 0, 1, 1]) + Data(count: 12))]
        #expect(try probed(writer.data).facts?.hasReadableHeader == true)
        let short = writer.data.prefix(writer.data.count - size.width * size.height * 3 - 2)
        guard case .failed(let damage, _) = try probed(Data(short)) else {
            Issue.record("It is read.")
            return
        }
        #expect(damage.contains("truncated"))
        writer.version = 2
        guard case .unsupported(let other) = try probed(writer.data) else {
            Issue.record("It is read.")
            return
        }
        #expect(other.contains("PSB"))
    }

    @Test func whatNoDecoderReadsOfThemIsSaid() throws {
        let plane = [UInt8](repeating: 90, count: size.width * size.height)
        let lab = PhotoshopWriter(.lab, size: size, channels: [plane, plane, plane])
        let many = PhotoshopWriter(.rgb, size: size, channels: .init(repeating: plane, count: 6))
        for (writer, words) in [(lab, "color mode"), (many, "6 channels")] {
            let facts = try #require(try probed(writer.data).facts)
            #expect(!facts.hasReadableHeader)
            #expect(facts.warnings.first?.contains(words) == true)
            guard case .failed = try answer(writer.data) else {
                Issue.record("It is decoded.")
                continue
            }
        }
    }
}
