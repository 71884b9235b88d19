import Foundation
import PhotoModel
import SamplePhotos
import TestSupport
import Testing

@testable import Imaging

/// JPEGs that are reduced while they are decoded, compared with the decoder and the filter of
/// another program.
@Suite(.timeLimit(.minutes(2))) struct ReducedJPEGTests {
    private static let size = PixelSize(width: 1_203, height: 799)
    private static let image = Picture(.hills, seed: 5).drawn(size: size)
    private let folder: TemporaryFolder

    init() throws {
        #expect(PreviewDecoder.start() && HEIFPicture.start())
        folder = try TemporaryFolder("photos-reduced")
    }

    /// Writes the picture as a JPEG with `vips`, whose options are in brackets.
    private func jpeg(_ options: String, space: String? = nil) throws -> URL {
        let head = Data("P6 \(Self.size.width) \(Self.size.height) 255\n".utf8)
        var source = try folder.write(head + Data(Self.image.bytes), to: "source.ppm")
        if let space {
            let converted = folder.file("converted.v")
            try vips(["colourspace", source.path, converted.path, space])
            source = converted
        }
        let target = folder.file("picture.jpg")
        try vips(["copy", source.path, target.path + options])
        return target
    }

    private func vips(_ arguments: [String]) throws {
        let output = try ProcessRunner.run("vips", arguments)
        try #require(output.status == 0, "\(output.errorText)")
    }

    private func decode(_ data: Data, width: Int) throws -> Decoding {
        let height = (width * Self.size.height + Self.size.width / 2) / Self.size.width
        let shape = PixelShape(size: PixelSize(width: width, height: height), fitting: .fit)
        return try data.withUnsafeBytes { try Decoding(.plain(.jpeg, $0, .up), shape: shape) }
    }

    /// Scales the decoded file to a size with `vips`, from all of its pixels.
    private func scaled(_ file: URL, to size: PixelSize) throws -> RGBImage {
        let whole = folder.file("whole.ppm")
        let (x, y) = (
            Double(size.width) / Double(Self.size.width),
            Double(size.height) / Double(Self.size.height)
        )
        let converted = folder.file("sRGB.v")
        try vips(["colourspace", file.path, converted.path, "srgb"])
        try vips(["resize", converted.path, whole.path, "\(x)", "--vscale", "\(y)"])
        let bytes = try [UInt8](Data(contentsOf: whole))
        return RGBImage(size: size, bytes: Array(bytes.suffix(size.width * size.height * 3)))
    }

    @Test(
        .needsProgram("vips"),
        arguments: [
            ("[Q=95]", nil), ("[Q=95,subsample_mode=off]", nil), ("[Q=95,interlace]", nil),
            ("[Q=95]", "b-w"), ("[Q=95]", "cmyk"),
        ] as [(String, String?)],
        [340, 150, 64]
    )
    func reducedPicturesAreThoseOfAllPixels(_ kind: (String, String?), width: Int) throws {
        let file = try jpeg(kind.0, space: kind.1)
        let decoding = try decode(try Data(contentsOf: file), width: width)
        #expect(decoding.picture.damage == nil)
        let expected = try scaled(file, to: decoding.picture.size)
        #expect(decoding.difference(from: expected) < 2)
    }

    /// Bytes between markers, which some cameras write, are no damage; a missing end is.
    @Test(.needsProgram("vips"), arguments: [340, 150, 64])
    func damageIsThatOfTheWholePicture(width: Int) throws {
        let file = try Data(contentsOf: try jpeg("[Q=95]"))
        let whole = try decode(file, width: width)
        let end = Data([0xFF, 0xD9])
        let padded = try decode(file.dropLast(2) + Data([0, 1, 2, 3]) + end, width: width)
        #expect(padded.bytes == whole.bytes && padded.picture.damage == nil)
        let extended = try decode(file + Data(repeating: 7, count: 100), width: width)
        #expect(extended.bytes == whole.bytes && extended.picture.damage == nil)

        let cut = try decode(Data(file.prefix(file.count * 2 / 3)), width: width)
        #expect(cut.picture.damage == "it is truncated")
        #expect(cut.picture.size == whole.picture.size)
        // The sky, at the top, is there; the rest is gray.
        let sky = cut.picture.size.width * 3 * 4
        func difference(_ some: ArraySlice<UInt8>, _ others: ArraySlice<UInt8>) -> Int {
            zip(some, others).reduce(0) { $0 + abs(Int($1.0) - Int($1.1)) } / sky
        }
        #expect(difference(cut.bytes.prefix(sky), whole.bytes.prefix(sky)) < 1)
        #expect(difference(cut.bytes.suffix(sky), whole.bytes.suffix(sky)) > 20)
    }
}
