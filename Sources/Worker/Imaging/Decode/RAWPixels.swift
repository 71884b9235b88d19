internal import CLibRawShim
internal import CVipsShim
internal import PhotoModel

/// The embedded camera preview of a RAW file.
///
/// Owns LibRaw's memory.
final class RAWPreview {
    private var preview = cphotos_raw_preview()

    /// Unpacks the preview; returns nil if none is readable.
    init?(_ file: UnsafeRawBufferPointer) {
        guard let start = file.baseAddress,
            cphotos_raw_unpack_preview(start, file.count, &preview) == 0
        else { return nil }
    }

    deinit { cphotos_raw_release(&preview) }

    /// Returns the preview's rows as stored.
    func rows() throws(DecodeFailure) -> PictureRows {
        let bytes = UnsafeRawBufferPointer(start: preview.bytes, count: preview.length)
        if preview.kind == 1 { return try PictureRows(CPHOTOS_JPEG, bytes) }
        return try PictureRows(
            pixels: bytes,
            size: PixelSize(width: Int(preview.width), height: Int(preview.height)),
            bands: 3,
            bytesPerSample: 1,
            profile: nil
        )
    }
}

/// A RAW file that LibRaw developed into an upright sRGB image.
///
/// Owns LibRaw's memory.
final class DevelopedRAW {
    private var picture = cphotos_raw_picture()

    init(
        _ file: UnsafeRawBufferPointer,
        isHalfSize: Bool,
        maximumPixels: Int,
        sink: any RowSink
    ) throws(DecodeFailure) {
        guard let start = file.baseAddress else { throw .damaged("it is empty") }
        var words = [CChar](repeating: 0, count: 256)
        let watch = CancellationWatch(sink)
        let code = withExtendedLifetime(watch) {
            cphotos_raw_develop(
                start,
                file.count,
                isHalfSize ? 1 : 0,
                UInt64(max(0, maximumPixels)),
                { CancellationWatch.isCancelled($0) },
                watch.pointer,
                &picture,
                &words,
                words.count
            )
        }
        if code == 1 { throw .cancelled }
        guard code == 0 else { throw .damaged(ErrorWords.first(inBuffer: words)) }
    }

    deinit { cphotos_raw_picture_release(&picture) }

    var bytes: UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(start: picture.pixels, count: picture.length)
    }
    var size: PixelSize { PixelSize(width: Int(picture.width), height: Int(picture.height)) }
}

/// The context of a C callback that checks whether a sink is canceled.
final class CancellationWatch {
    private let sink: any RowSink

    init(_ sink: any RowSink) {
        self.sink = sink
    }

    /// The context pointer, valid while this object is retained.
    var pointer: UnsafeMutableRawPointer { Unmanaged.passUnretained(self).toOpaque() }

    static func isCancelled(_ context: UnsafeMutableRawPointer?) -> Int32 {
        guard let context else { return 0 }
        let watch = Unmanaged<CancellationWatch>.fromOpaque(context).takeUnretainedValue()
        return watch.sink.isCancelled ? 1 : 0
    }
}
