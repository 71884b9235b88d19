import PhotoModel
import SamplePhotos

@testable import Imaging

/// A decode of a picture in this process, and its pixels.
struct Decoding {
    let picture: DecodedPicture
    let bytes: [UInt8]

    /// Decodes the whole picture, with 3 bytes per pixel unless alpha is kept.
    init(
        _ input: PictureDecoder.Input,
        shape: PixelShape = PixelShape(),
        keepsAlpha: Bool = false,
        isDisplayP3: Bool = false,
        takesAnyPreview: Bool = false,
        bright: HDRRequest? = nil
    ) throws(DecodeFailure) {
        let rows = CollectedRows()
        let request = PixelRequest(
            shape: shape,
            keepsAlpha: keepsAlpha,
            isDisplayP3: isDisplayP3,
            bytesPerPixel: keepsAlpha || bright != nil ? 4 : 3,
            takesAnyPreview: takesAnyPreview,
            maximumPixels: 4_000_000,
            bright: bright
        )
        let decoder = PictureDecoder(request: request, converter: ColorConverter(), sink: rows)
        picture = try decoder.decode(input)
        bytes = rows.bytes
    }

    /// Decodes the values of a gain map, with 3 bytes per pixel.
    static func gainMap(
        _ source: HDRRequest.MapSource,
        in file: UnsafeRawBufferPointer
    ) throws(DecodeFailure) -> (size: PixelSize, bytes: [UInt8]) {
        let rows = CollectedRows()
        let request = PixelRequest(
            shape: PixelShape(),
            keepsAlpha: false,
            isDisplayP3: false,
            bytesPerPixel: 3,
            takesAnyPreview: false,
            maximumPixels: 4_000_000
        )
        let decoder = PictureDecoder(request: request, converter: ColorConverter(), sink: rows)
        return (try decoder.decodeGainMap(source, in: file), rows.bytes)
    }

    /// The mean difference of the components from those of an image with the same size.
    func difference(from image: RGBImage) -> Double {
        guard image.size == picture.size, bytes.count == image.bytes.count else { return .infinity }
        let sum = zip(bytes, image.bytes).reduce(0) { $0 + abs(Int($1.0) - Int($1.1)) }
        return Double(sum) / Double(bytes.count)
    }
}

extension RGBImage {
    /// The stored pixels of which this image is the upright view.
    func stored(_ orientation: Orientation) -> RGBImage {
        let stored = size.displayed(with: orientation)
        var pixels = [UInt8](repeating: 0, count: bytes.count)
        for y in 0..<size.height {
            for x in 0..<size.width {
                let (right, bottom) = (size.width - 1 - x, size.height - 1 - y)
                // EXIF names the sides of the scene that the first row and column show.
                let (column, row) =
                    switch orientation {
                    case .up: (x, y)
                    case .upMirrored: (right, y)
                    case .down: (right, bottom)
                    case .downMirrored: (x, bottom)
                    case .leftMirrored: (y, x)
                    case .right: (y, right)
                    case .rightMirrored: (bottom, right)
                    case .left: (bottom, x)
                    }
                for band in 0..<3 {
                    pixels[(row * stored.width + column) * 3 + band] =
                        bytes[(y * size.width + x) * 3 + band]
                }
            }
        }
        return RGBImage(size: stored, bytes: pixels)
    }
}
