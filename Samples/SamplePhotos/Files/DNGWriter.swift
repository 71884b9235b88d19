package import Foundation
import PhotoModel

extension SampleFile {
    /// Returns a small but real DNG: an uncompressed Bayer mosaic of 14 bits, with an RGB
    /// thumbnail.
    package static func dng(_ photo: SamplePhoto) -> Data {
        let orientation = photo.metadata.orientation ?? .up
        // The mosaic repeats every two pixels, so both sides are even.
        let even = PixelSize(width: photo.size.width & ~1, height: photo.size.height & ~1)
        let image = photo.picture.drawn(size: even, orientation: orientation)
        return DNGWriter(image: image, metadata: photo.metadata).data
    }
}

/// Writes a RAW picture as specified in DNG 1.4 (Adobe, 2012).
struct DNGWriter {
    let image: RGBImage
    let metadata: SampleMetadata

    // The simulated sensor: linear sRGB, with red and blue as weak as in real sensors.
    private static let neutral: [Double] = [0.5, 1, 0.65]
    private static let black = 512
    private static let white = 16_383
    /// The matrix from XYZ (D65) to linear sRGB, IEC 61966-2-1.
    private static let sRGB: [Double] = [
        3.2406, -1.5372, -0.4986, -0.9689, 1.8758, 0.0415, 0.0557, -0.2040, 1.0570,
    ]

    var data: Data {
        let longest = max(image.size.width, image.size.height)
        let thumbnail = image.shrunk(by: max(1, (longest + 159) / 160))
        var main = ExifBlock(metadata: metadata, size: image.size, thumbnail: nil).main
        setPicture(of: &main, size: thumbnail.size, bits: 8, samples: 3, kind: 1, photometric: 2)
        setData(of: &main, Data(thumbnail.bytes), rows: thumbnail.size.height)
        main.set(0x014A, .directory(raw))
        main.set(0xC612, .bytes([1, 4, 0, 0]))
        main.set(0xC613, .bytes([1, 1, 0, 0]))
        main.set(0xC614, .ascii(metadata.model ?? "Sample Camera"))
        let matrix = (0..<9).map { Self.sRGB[$0] * Self.neutral[$0 / 3] }
        main.set(0xC621, .signedRationals(matrix.map { (Int32(($0 * 10_000).rounded()), 10_000) }))
        main.set(0xC628, .rationals(Self.neutral.map { (UInt32($0 * 1_000), 1_000) }))
        main.set(0xC65A, .shorts([21]))
        return TIFFWriter.file([main], bigEndian: false)
    }

    private var raw: TIFFDirectory {
        var directory = TIFFDirectory()
        setPicture(
            of: &directory,
            size: image.size,
            bits: 16,
            samples: 1,
            kind: 0,
            photometric: 32_803
        )
        setData(of: &directory, mosaic, rows: image.size.height)
        directory.set(0x828D, .shorts([2, 2]))
        directory.set(0x828E, .bytes([0, 1, 1, 2]))
        directory.set(0xC61A, .longs([UInt32(Self.black)]))
        directory.set(0xC61D, .longs([UInt32(Self.white)]))
        return directory
    }

    private func setPicture(
        of directory: inout TIFFDirectory,
        size: PixelSize,
        bits: UInt16,
        samples: Int,
        kind: UInt32,
        photometric: UInt16
    ) {
        directory.set(0x00FE, .longs([kind]))
        directory.set(0x0100, .longs([UInt32(size.width)]))
        directory.set(0x0101, .longs([UInt32(size.height)]))
        directory.set(0x0102, .shorts([UInt16](repeating: bits, count: samples)))
        directory.set(0x0103, .shorts([1]))
        directory.set(0x0106, .shorts([photometric]))
        directory.set(0x0115, .shorts([UInt16(samples)]))
        directory.set(0x011C, .shorts([1]))
    }

    private func setData(of directory: inout TIFFDirectory, _ data: Data, rows: Int) {
        directory.set(0x0111, .data(data))
        directory.set(0x0116, .longs([UInt32(rows)]))
        directory.set(0x0117, .longs([UInt32(data.count)]))
    }

    /// The mosaic, with one linear color value per pixel: red, green / green, blue.
    private var mosaic: Data {
        let range = Double(Self.white - Self.black)
        let tables = Self.neutral.map { weight in
            (0..<256).map { level -> UInt16 in
                let value = Double(level) / 255
                let linear = value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4)
                return UInt16((linear * weight * range).rounded()) + UInt16(Self.black)
            }
        }
        var writer = ByteWriter(bigEndian: false)
        for y in 0..<image.size.height {
            for x in 0..<image.size.width {
                let channel = (x & 1) + (y & 1)
                let level = image.bytes[(y * image.size.width + x) * 3 + channel]
                writer.append(tables[channel][Int(level)])
            }
        }
        return writer.data
    }
}
