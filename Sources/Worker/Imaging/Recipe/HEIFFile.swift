internal import CHeif
internal import Glibc
internal import PhotoModel

/// A sink that collects the rows of an image; ``write(quality:orientation:_:gainMap:)`` then
/// encodes them as a HEIC file.
///
/// Owns libheif's image.
final class HEIFFile: RowSink {
    private let image: OpaquePointer
    private let plane: UnsafeMutablePointer<UInt8>
    private let stride: Int
    private let line: Int
    private let height: Int
    private var row = 0
    private let sink: any RowSink

    init(
        _ size: PixelSize,
        hasAlpha: Bool,
        profile: [UInt8]?,
        sink: any RowSink
    ) throws(DecodeFailure) {
        guard heif_have_encoder_for_format(heif_compression_HEVC) != 0 else {
            throw .damaged("libheif has no encoder for HEVC: install libheif-plugin-x265")
        }
        let (width, height) = (Int32(clamping: size.width), Int32(clamping: size.height))
        let chroma = hasAlpha ? heif_chroma_interleaved_RGBA : heif_chroma_interleaved_RGB
        var made: OpaquePointer?
        let error = heif_image_create(width, height, heif_colorspace_RGB, chroma, &made)
        guard error.code == heif_error_Ok, let image = made else {
            throw .damaged(ErrorWords.first(in: error.message))
        }
        var stride: Int32 = 0
        guard
            heif_image_add_plane(image, heif_channel_interleaved, width, height, 8).code
                == heif_error_Ok,
            let plane = heif_image_get_plane(image, heif_channel_interleaved, &stride)
        else {
            heif_image_release(image)
            throw .damaged("there is not enough memory for its pixels")
        }
        if let profile {
            _ = heif_image_set_raw_color_profile(image, "prof", profile, profile.count)
        }
        self.image = image
        self.plane = plane
        self.stride = Int(stride)
        self.sink = sink
        line = size.width * (hasAlpha ? 4 : 3)
        self.height = size.height
    }

    deinit { heif_image_release(image) }

    var isCancelled: Bool { sink.isCancelled }

    func restart() { row = 0 }

    func take(_ rows: UnsafeRawBufferPointer) -> Bool {
        guard row < height, rows.count == line, let start = rows.baseAddress else { return false }
        memcpy(plane + row * stride, start, line)
        row += 1
        return !sink.isCancelled
    }

    /// Encodes the collected rows as a HEIC file, and writes the file to the sink that was passed
    /// to the initializer.
    ///
    /// - Parameters:
    ///   - quality: 1...100.
    ///   - orientation: The orientation of the pixels.
    ///   - content: The metadata.
    ///   - gainMap: The gain map to add.
    /// - Returns: The number of bytes written.
    /// - Throws: The reason for a failed encode.
    func write(
        quality: Int,
        orientation: Orientation,
        _ content: FileSegments.Content,
        gainMap: HEIFGainMap?
    ) throws(DecodeFailure) -> Int {
        guard let context = heif_context_alloc() else {
            throw .damaged("there is not enough memory")
        }
        defer { heif_context_free(context) }
        var encoder: OpaquePointer?
        try Self.check(
            heif_context_get_encoder_for_format(context, heif_compression_HEVC, &encoder)
        )
        defer { heif_encoder_release(encoder) }
        try Self.check(heif_encoder_set_lossy_quality(encoder, Int32(quality)))
        guard let options = heif_encoding_options_alloc() else {
            throw .damaged("there is not enough memory")
        }
        defer { heif_encoding_options_free(options) }
        // Writes the container's own rotation, because HEIF readers ignore EXIF's.
        options.pointee.image_orientation = heif_orientation(UInt32(orientation.rawValue))
        var handle: OpaquePointer?
        try Self.check(heif_context_encode_image(context, image, encoder, options, &handle))
        guard let handle else { throw .damaged("libheif returned no image") }
        defer { heif_image_handle_release(handle) }
        if let exif = content.exif {
            try Self.check(
                heif_context_add_exif_metadata(context, handle, exif, Int32(clamping: exif.count))
            )
        }
        if let xmp = content.xmp {
            try Self.check(
                heif_context_add_XMP_metadata(context, handle, xmp, Int32(clamping: xmp.count))
            )
        }
        try gainMap?.add(to: context, encoder, of: handle)
        let target = HEIFTarget(sink)
        var writer = heif_writer()
        writer.writer_api_version = 1
        writer.write = { _, data, length, target in
            var error = heif_error()
            error.code = heif_error_Ok
            error.message = HEIFTarget.words
            guard let target else { return error }
            let it = Unmanaged<HEIFTarget>.fromOpaque(target).takeUnretainedValue()
            let bytes = UnsafeRawBufferPointer(start: data, count: length)
            if it.sink.take(bytes) {
                it.length += length
            } else {
                error.code = heif_error_Encoding_error
            }
            return error
        }
        let error = withExtendedLifetime(target) {
            heif_context_write(context, &writer, Unmanaged.passUnretained(target).toOpaque())
        }
        if sink.isCancelled { throw .cancelled }
        try Self.check(error)
        return target.length
    }

    static func check(_ error: heif_error) throws(DecodeFailure) {
        guard error.code == heif_error_Ok else {
            throw .damaged(ErrorWords.first(in: error.message))
        }
    }
}

/// The context of libheif's write callback.
private final class HEIFTarget {
    /// The empty error message, which libheif requires even on success.
    nonisolated(unsafe) static let words: UnsafePointer<CChar>? = UnsafePointer(strdup(""))

    let sink: any RowSink
    var length = 0

    init(_ sink: any RowSink) { self.sink = sink }
}
