import Foundation
import Glibc
import PhotoModel
import TestSupport
import Testing
import WorkerClient
import WorkerProtocol

/// Pictures that are brighter than white, through their transfer function or a gain map (behavior
/// 195).
@Suite(.timeLimit(.minutes(3)), .needsSharedData)
struct BrightPictureTests {
    private let pool = WorkerPool.shared
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    /// Linear light: red, green, blue and alpha of each pixel.
    private struct Light {
        var size: PixelSize
        var values: [Float]

        /// The brightest component.
        var peak: Float {
            values.indices.reduce(into: 0) { peak, index in
                if index % 4 != 3 { peak = max(peak, values[index]) }
            }
        }

        /// Returns the mean difference of components.
        func difference(from other: Light) -> Float {
            guard size == other.size else { return .infinity }
            var sum: Float = 0
            for index in values.indices where index % 4 != 3 {
                sum += abs(values[index] - other.values[index])
            }
            return sum / Float(max(1, values.count / 4 * 3))
        }
    }

    private func light(
        _ name: String,
        side: Int? = nil,
        headroom: Double = 0
    ) throws -> Light {
        let pixels = try decode(
            name,
            DecodeRequest(
                shape: shape(side),
                layout: .rgbaHalf,
                colors: .extendedLinearDisplayP3,
                headroom: headroom
            )
        )
        return Light(
            size: pixels.description.size,
            values: pixels.withBytes { $0.bindMemory(to: Float16.self).map { Float($0) } }
        )
    }

    /// Returns the SDR picture as linear light.
    private func plain(_ name: String, side: Int? = nil) throws -> Light {
        let pixels = try decode(
            name,
            DecodeRequest(shape: shape(side), layout: .rgba, colors: .displayP3)
        )
        return Light(
            size: pixels.description.size,
            values: pixels.withBytes { bytes in
                bytes.enumerated().map { index, byte in
                    let value = Float(byte) / 255
                    if index % 4 == 3 { return value }
                    return value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4)
                }
            }
        )
    }

    private func shape(_ side: Int?) -> PixelShape {
        PixelShape(size: side.map { PixelSize(width: $0, height: $0) })
    }

    private func decode(_ name: String, _ request: DecodeRequest) throws -> PixelMemory {
        let file = open(SharedData.file(name).path, O_RDONLY)
        try #require(file >= 0)
        defer { close(file) }
        guard case .pixels(_, let pixels) = try pool.decode(request, descriptor: file) else {
            Issue.record("\(name) gave no pixels")
            throw CocoaError(.fileReadCorruptFile)
        }
        return try #require(pixels.mapped())
    }

    // MARK: - Transfer functions

    @Test("PQ is the light that its numbers mean", .needsProgram("vips"))
    func perceptualQuantizer() throws {
        let name = "hdr-gainmap/hdr-pq.heic"
        let light = try light(name)
        let reference = try signals(of: name, light.size)
        // Converts SMPTE ST 2084 and BT.2020 to Display P3, as an independent implementation.
        func decoded(_ signal: Float) -> Float {
            let power = pow(signal, 1 / 78.84375)
            let part = max(0, power - 0.8359375) / (18.8515625 - 18.6875 * power)
            return 10_000 * pow(part, 1 / 0.1593017578125) / 203
        }
        let rows: [[Float]] = [
            [1.343578, -0.282180, -0.061399], [-0.065297, 1.075788, -0.010490],
            [0.002822, -0.019598, 1.016777],
        ]
        var sum: Float = 0
        var count: Float = 0
        for pixel in stride(from: 0, to: light.values.count / 4, by: 97) {
            let colors = (0..<3).map { decoded(reference[pixel * 3 + $0]) }
            for channel in 0..<3 {
                let expected = zip(rows[channel], colors).reduce(0) { $0 + $1.0 * $1.1 }
                sum += abs(expected - light.values[pixel * 4 + channel]) / max(0.1, abs(expected))
                count += 1
            }
        }
        #expect(sum / count < 0.02)
        #expect(light.peak > 1)
    }

    /// Returns the values of a picture as libvips reads them, from 0 to 1.
    private func signals(of name: String, _ size: PixelSize) throws -> [Float] {
        let pixmap = folder.file("reference.ppm")
        let output = try ProcessRunner.run(
            "vips",
            ["copy", SharedData.file(name).path, pixmap.path]
        )
        try #require(output.status == 0, "\(output.errorText)")
        let data = [UInt8](try Data(contentsOf: pixmap))
        let samples = size.width * size.height * 3
        try #require(data.count > samples * 2)
        let start = data.count - samples * 2
        return (0..<samples).map { index in
            let at = start + index * 2
            return Float(UInt16(data[at]) << 8 | UInt16(data[at + 1])) / 65535
        }
    }

    @Test(arguments: [
        "hdr-gainmap/hdr.avif", "hdr-gainmap/seine_hdr_rec2020.avif",
        "hdr-gainmap/cosmos1650_yuv444_10bpc_p3pq.avif", "hdr-gainmap/colors_hdr_p3.avif",
        "formats/jxl-pq-gradient.jxl", "hdr-gainmap/hdr-gainmap.jxl",
    ])
    func brightPicturesAreBrightAndKeepWithinTheHeadroom(_ name: String) throws {
        let bright = try light(name, side: 300)
        #expect(bright.peak > 1.02, "\(name): \(bright.peak)")
        #expect(bright.peak <= 10_000 / 203 * 1.35)
        let limited = try light(name, side: 300, headroom: 2)
        #expect(limited.peak <= 2.01 && limited.peak > 0.9)
        let plain = try light(name, side: 300, headroom: 1)
        #expect(plain.peak <= 1.01)
    }

    @Test("A movie's frame keeps its light, too")
    func movies() throws {
        let light = try light("video/hdr-hlg-10bit-hevc.mov", side: 300)
        #expect(light.peak > 0.5 && light.peak < 1000 / 203 * 1.35)
    }

    // MARK: - Gain maps

    private static let gainMaps = [
        "hdr-gainmap/ultrahdr.jpeg", "hdr-gainmap/canon-r8-ultrahdr-small.jpg",
        "hdr-gainmap/paris_exif_xmp_gainmap_littleendian.jpg",
        "hdr-gainmap/seine_sdr_gainmap_srgb.jpg", "hdr-gainmap/seine_sdr_gainmap_srgb.avif",
        "hdr-gainmap/galaxy-s25u-gainmap.heic", "hdr-gainmap/iphone13mini-gainmap-old.jpg",
        "hdr-gainmap/iphone13mini-gainmap-new.jpg",
    ]

    @Test("Gain maps make pictures brighter, and nothing without headroom", arguments: gainMaps)
    func gainMapsCount(_ name: String) throws {
        let plain = try plain(name, side: 300)
        let none = try light(name, side: 300, headroom: 1)
        // An SDR picture may be created from a thumbnail.
        let tolerance: Float = name.hasSuffix("heic") ? 0.02 : 0.003
        #expect(none.difference(from: plain) < tolerance, "\(name)")
        let bright = try light(name, side: 300)
        #expect(bright.peak > 1.05, "\(name): \(bright.peak)")
        #expect(bright.peak < 20, "\(name): \(bright.peak)")
        let limited = try light(name, side: 300, headroom: 1.5)
        #expect(limited.peak < bright.peak)
    }

    @Test("A gain map's numbers mean what its XMP says", .needsProgram("exiftool"))
    func gainMapNumbers() throws {
        let name = "hdr-gainmap/canon-r8-ultrahdr-small.jpg"
        let map = try ProcessRunner.run(
            "exiftool",
            ["-b", "-MPImage2", SharedData.file(name).path]
        )
        let file = try folder.write(map.standardOutput, to: "map.jpg")
        let numbers = try ProcessRunner.run(
            "exiftool",
            [
                "-n", "-s3", "-XMP-hdrgm:GainMapMin", "-XMP-hdrgm:GainMapMax",
                "-XMP-hdrgm:Gamma", "-XMP-hdrgm:OffsetSDR", "-XMP-hdrgm:OffsetHDR", file.path,
            ]
        )
        let fields = numbers.text.split(separator: "\n").map { line in
            line.split(separator: ",").compactMap { Double($0.filter { $0 != " " }) }
        }
        try #require(fields.count == 5 && fields.prefix(3).allSatisfy { $0.count == 3 })
        let (before, after) = (fields[3][0], fields[4][0])
        let pixmap = folder.file("map.ppm")
        let output = try ProcessRunner.run("vips", ["colourspace", file.path, pixmap.path, "srgb"])
        try #require(output.status == 0)
        let reference = try ReferencePicture(pixmap: pixmap)
        // The size of the map, so that nothing is scaled.
        let side = max(reference.size.width, reference.size.height)
        let bright = try light(name, side: side)
        let plain = try plain(name, side: side)
        try #require(bright.size == reference.size && plain.size == reference.size)
        var sum = 0.0
        for pixel in 0..<reference.size.width * reference.size.height {
            for channel in 0..<3 {
                let number = Double(reference.bytes[pixel * 3 + channel]) / 255
                let share = pow(number, 1 / fields[2][channel])
                let stops = fields[0][channel] * (1 - share) + fields[1][channel] * share
                let base = Double(plain.values[pixel * 4 + channel])
                let expected = (base + before) * exp2(stops) - after
                sum +=
                    abs(expected - Double(bright.values[pixel * 4 + channel]))
                    / max(0.05, expected)
            }
        }
        #expect(sum / Double(reference.bytes.count) < 0.02)
    }

    @Test("Pictures without highlights are the same, in more bits")
    func plainPicturesStayAsTheyAre() throws {
        for name in ["formats/jpeg-icc.jpg", "formats/png-rgba.png", "formats/heic-1440x960.heic"] {
            let light = try light(name, side: 200)
            let plain = try plain(name, side: 200)
            #expect(light.difference(from: plain) < 0.002, "\(name)")
            #expect(light.peak <= 1.001, "\(name)")
            for pixel in 0..<light.values.count / 4 {
                #expect(abs(light.values[pixel * 4 + 3] - plain.values[pixel * 4 + 3]) < 0.002)
                if light.values[pixel * 4 + 3] != plain.values[pixel * 4 + 3] { break }
            }
        }
    }
}
