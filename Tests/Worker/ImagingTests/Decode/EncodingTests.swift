import Foundation
import PhotoModel
import SamplePhotos
import TestSupport
import Testing

@testable import Imaging

/// Pixels that are encoded and decoded again, in this process.
@Suite(.timeLimit(.minutes(1))) struct EncodingTests {
    init() { _ = PreviewDecoder.start() }

    private let size = PixelSize(width: 40, height: 24)

    private func encoded(
        _ bytes: [UInt8],
        _ size: PixelSize,
        bytesPerPixel: Int = 4,
        orientation: Orientation = .up,
        quality: Int = 0
    ) throws -> [UInt8] {
        try bytes.withUnsafeBytes { rows in
            try PictureEncoder.encode(
                rows,
                size: size,
                bytesPerPixel: bytesPerPixel,
                hasAlpha: bytesPerPixel == 4,
                orientation: orientation,
                quality: quality,
                isDisplayP3: false
            ) { Array($0) }
        }
    }

    private func decoded(
        _ file: [UInt8],
        _ format: PictureDecoder.PlainFormat,
        _ orientation: Orientation = .up,
        shape: PixelShape = PixelShape(),
        maximumPixels: Int = 1_000_000
    ) throws -> (DecodedPicture, [UInt8]) {
        let rows = CollectedRows()
        let decoder = PictureDecoder(
            request: PixelRequest(
                shape: shape,
                keepsAlpha: true,
                isDisplayP3: false,
                bytesPerPixel: 4,
                takesAnyPreview: false,
                maximumPixels: maximumPixels
            ),
            converter: ColorConverter(),
            sink: rows
        )
        let picture = try file.withUnsafeBytes {
            try decoder.decode(.plain(format, $0, orientation))
        }
        return (picture, rows.bytes)
    }

    private func random(_ generator: inout SeededGenerator) -> [UInt8] {
        (0..<size.width * size.height * 4).map { _ in .random(in: 0...255, using: &generator) }
    }

    @Test func pixelsOfPNGsComeBackExactly() throws {
        let seed = TestSeed()
        var generator = seed.generator
        let bytes = random(&generator)
        let (picture, found) = try decoded(try encoded(bytes, size), .png)
        #expect(picture.size == size && picture.fullSize == size && picture.hasAlpha)
        #expect(found == bytes, seed.comment)
    }

    @Test("Encoding and decoding turn the same way", arguments: Orientation.allCases)
    func orientationsAgree(_ orientation: Orientation) throws {
        let seed = TestSeed()
        var generator = seed.generator
        let bytes = random(&generator)
        let (_, once) = try decoded(try encoded(bytes, size, orientation: orientation), .png)
        let (picture, late) = try decoded(try encoded(bytes, size), .png, orientation)
        #expect(picture.size == size.displayed(with: orientation))
        #expect(once == late, seed.comment)
    }

    @Test func croppedAndScaledPartsAreThose() throws {
        var bytes: [UInt8] = []
        for y in 0..<size.height {
            for x in 0..<size.width { bytes += [UInt8(x * 6), UInt8(y * 10), 50, 255] }
        }
        let shape = PixelShape(
            crop: UnitRectangle(x: 0.25, y: 0.5, width: 0.5, height: 0.25)
        )
        let (picture, found) = try decoded(try encoded(bytes, size), .png, shape: shape)
        #expect(picture.size == PixelSize(width: 20, height: 6))
        #expect(Array(found.prefix(4)) == [60, 120, 50, 255])
        #expect(Array(found.suffix(4)) == [29 * 6, 170, 50, 255])
    }

    @Test func damageIsSaidAndLimitsHold() throws {
        let image = Picture(.hills, seed: 1).drawn(size: PixelSize(width: 200, height: 150))
        let file = try encoded(image.bytes, image.size, bytesPerPixel: 3, quality: 85)
        let (half, rows) = try decoded(Array(file.prefix(file.count / 2)), .jpeg)
        #expect(half.damage == "it is truncated" && rows.count == 200 * 150 * 4)
        #expect(try decoded(file, .jpeg).0.damage == nil)
        #expect(throws: DecodeFailure.self) { try decoded(Array("no file".utf8), .jpeg) }
        #expect(throws: DecodeFailure.self) { try decoded([], .png) }
        let error = #expect(throws: DecodeFailure.self) {
            try decoded(file, .jpeg, maximumPixels: 200 * 150 - 1)
        }
        guard case .tooLarge(let size) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(size == PixelSize(width: 200, height: 150))
        #expect(throws: DecodeFailure.self) { try encoded([1, 2, 3], size) }
        #expect(throws: DecodeFailure.self) {
            try encoded([1, 2, 3], PixelSize(width: 1, height: 1), bytesPerPixel: 2)
        }
    }

    @Test(arguments: [
        ("VipsJpeg: premature end of file.\nsecond", "VipsJpeg: premature end of file"),
        ("", "it is damaged"),
        ("\n\n  .", "it is damaged"), ("tab\tand é", "taband "), ("a. . ", "a"),
    ])
    func messagesBecomeClauses(_ row: (String, String)) {
        let words = row.0.utf8CString
        #expect(
            words.withUnsafeBufferPointer { ErrorWords.first(in: $0.baseAddress) }
                == row.1.trimmingCharacters(in: .whitespaces)
        )
        #expect(
            ErrorWords.first(inBuffer: row.0.utf8.map { CChar(bitPattern: $0) })
                == row.1.trimmingCharacters(in: .whitespaces)
        )
        #expect(ErrorWords.first(in: nil) == "it is damaged")
    }

    @Test func profilesAreMadeForKnownSignals() {
        #expect(ColorProfile.make(primaries: 1, transfer: 13) == nil)
        for (primaries, transfer) in [(9, 16), (9, 18), (12, 13), (1, 16), (9, 1)] {
            let profile = ColorProfile.make(primaries: primaries, transfer: transfer)
            // ICC.1: the signature of a profile.
            #expect(profile.map { Array($0[36..<40]) } == Array("acsp".utf8))
        }
        #expect((ColorProfile.displayP3Bytes?.count ?? 0) > 128)
    }
}
