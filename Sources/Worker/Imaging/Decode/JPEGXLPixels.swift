internal import CJXLShim
internal import PhotoModel

/// Pixels that libjxl decoded: upright rows without padding.
///
/// Owns the memory.
final class JPEGXLPixels {
    private var picture: cphotos_jxl_picture
    let profile: [UInt8]?

    init(_ file: UnsafeRawBufferPointer, maximumPixels: Int) throws(DecodeFailure) {
        var picture = cphotos_jxl_picture()
        guard let start = file.baseAddress else { throw .damaged("it is empty") }
        switch cphotos_jxl_decode(start, file.count, UInt64(max(0, maximumPixels)), &picture) {
        case 0: break
        case 1: throw .damaged("it exceeds the limit of pixels")
        case -2: throw .damaged("there is not enough memory for its pixels")
        case -3: throw .damaged("it is truncated")
        default:
            throw .damaged(
                "libjxl rejects it: it is damaged, or exceeds the limits of that library"
            )
        }
        self.picture = picture
        let isHDR =
            picture.bands >= 3 && (picture.transfer == 16 || picture.transfer == 18)
        let written = UnsafeRawBufferPointer(start: picture.profile, count: picture.profileLength)
        profile =
            isHDR
            ? ColorProfile.make(
                primaries: Int(picture.primaries),
                transfer: Int(picture.transfer)
            )
            : written.isEmpty ? nil : Array(written)
    }

    deinit { cphotos_jxl_release(&picture) }

    var bytes: UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(start: picture.pixels, count: picture.length)
    }
    var size: PixelSize { PixelSize(width: Int(picture.width), height: Int(picture.height)) }
    var bands: Int { Int(picture.bands) }
    var bytesPerSample: Int { Int(picture.bytesPerSample) }
    var signal: PictureSignal {
        PictureSignal(primaries: Int(picture.primaries), transfer: Int(picture.transfer))
    }
    var isPremultiplied: Bool { picture.isPremultiplied != 0 }
}
