import Foundation
import PhotoModel
import SamplePhotos
import TestSupport
import Testing

@testable import Imaging

/// PNG files whose colors are stated with codes, beside JPEG XL files of the same colors.
@Suite(.timeLimit(.minutes(2)), .needsProgram("vips"), .needsProgram("cjxl"))
struct PNGColorCodesTests {
    private static let size = PixelSize(width: 96, height: 64)
    private let folder: TemporaryFolder
    private let image = Picture(.flowers, seed: 2).drawn(size: size)

    init() throws {
        #expect(PreviewDecoder.start() && HEIFPicture.start())
        folder = try TemporaryFolder("photos-color-codes")
    }

    static let spaces: [(primaries: UInt8, transfer: UInt8, name: String)] = [
        (9, 16, "RGB_D65_202_Rel_PeQ"), (9, 18, "RGB_D65_202_Rel_HLG"),
        (12, 13, "RGB_D65_DCI_Rel_SRG"), (12, 16, "RGB_D65_DCI_Rel_PeQ"),
    ]

    private func run(_ program: String, _ arguments: [String]) throws {
        let output = try ProcessRunner.run(program, arguments)
        try #require(output.status == 0, "\(output.errorText)")
    }

    /// Writes the picture with 16 bits per component as PNG without codes, and as JPEG XL.
    private func files(_ space: String) throws -> (png: Data, jpegXL: Data) {
        let head = Data("P6 \(Self.size.width) \(Self.size.height) 65535\n".utf8)
        let wide = image.bytes.flatMap { [$0, $0] }
        let source = try folder.write(head + Data(wide), to: "source.ppm")
        let (png, jpegXL) = (folder.file("picture.png"), folder.file("picture.jxl"))
        try run("vips", ["copy", source.path, png.path])
        let color = "color_space=" + space
        try run("cjxl", ["--quiet", "-d", "0", "-x", color, source.path, jpegXL.path])
        return (try Data(contentsOf: png), try Data(contentsOf: jpegXL))
    }

    /// Inserts a chunk after the header.
    private func adding(_ codes: [UInt8], to png: Data) -> Data {
        let body = Array("cICP".utf8) + codes
        var sum: UInt32 = 0xffff_ffff
        for byte in body {
            sum ^= UInt32(byte)
            for _ in 0..<8 { sum = sum & 1 == 1 ? 0xedb8_8320 ^ (sum >> 1) : sum >> 1 }
        }
        let checksum = ~sum
        var file = Data(png.prefix(33))
        file.append(contentsOf: [0, 0, 0, UInt8(codes.count)])
        file.append(contentsOf: body)
        file.append(
            contentsOf: [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: checksum >> $0) }
        )
        file.append(png.dropFirst(33))
        return file
    }

    private func decode(
        _ data: Data,
        isPNG: Bool = true,
        bright: HDRRequest? = nil
    ) throws -> [UInt8] {
        try data.withUnsafeBytes { bytes in
            let input: PictureDecoder.Input =
                isPNG ? .plain(.png, bytes, .up) : .jpegXL(bytes)
            return try Decoding(input, bright: bright).bytes
        }
    }

    private func light(_ data: Data, isPNG: Bool = true) throws -> [Float] {
        let bytes = try decode(data, isPNG: isPNG, bright: HDRRequest(headroom: 0))
        return bytes.withUnsafeBytes { $0.bindMemory(to: Float16.self).map { Float($0) } }
    }

    @Test(arguments: spaces.indices)
    func colorsAreThoseOfTheCodes(_ index: Int) throws {
        let space = Self.spaces[index]
        let files = try files(space.name)
        let png = adding([space.primaries, space.transfer, 0, 1], to: files.png)
        let expected = try decode(files.jpegXL, isPNG: false)
        let found = try decode(png)
        try #require(found.count == expected.count)
        let distance = zip(found, expected).map { abs(Int($0) - Int($1)) }.max()
        #expect((distance ?? 255) <= 3, "\(space.name)")
        // Without the codes, the colors differ.
        #expect(try decode(files.png) != found)
    }

    /// Light brighter than white is kept if it is requested.
    @Test func brightPicturesHaveTheirLight() throws {
        for space in Self.spaces where space.transfer != 13 {
            let files = try files(space.name)
            let png = adding([space.primaries, space.transfer, 0, 1], to: files.png)
            let found = try light(png)
            let expected = try light(files.jpegXL, isPNG: false)
            try #require(found.count == expected.count)
            #expect(expected.contains { $0 > 1.1 })
            let isNear = zip(found, expected).allSatisfy { abs($0 - $1) <= 0.02 * max(1, $1) }
            #expect(isNear, "\(space.name)")
        }
    }

    @Test func recipesUseTheCodes() throws {
        let png = adding([12, 13, 0, 1], to: try files("RGB_D65_DCI_Rel_SRG").png)
        let matrix = try png.withUnsafeBytes { bytes in
            try RecipePicture(
                .file(.plain(.png, bytes, .up)),
                size: Self.size,
                isTolerant: false,
                isRandom: false,
                maximumPixels: 1_000_000,
                sink: CollectedRows()
            )
            .colors.matrix
        }
        let found = try #require(matrix)
        let expected = Primaries.displayP3ToSRGB
        #expect(zip(found, expected).allSatisfy { abs($0 - $1) < 0.01 })
    }

    /// Values that PNG does not permit, and damaged chunks.
    @Test func unusableCodesAreIgnored() throws {
        let plain = try files(Self.spaces[0].name).png
        let expected = try decode(plain)
        for codes in [[9, 16, 9, 1], [9, 16, 0, 0], [9, 16, 0], [1, 13, 0, 1]] as [[UInt8]] {
            #expect(try decode(adding(codes, to: plain)) == expected, "\(codes)")
        }
        for length in [0, 8, 25, 26, 40, 44] {
            let cut = adding([9, 16, 0, 1], to: plain).prefix(length)
            let codes = Array(cut).withUnsafeBytes { PNGColorCodes.read($0) }
            #expect(codes == nil)
        }
    }
}
