internal import CHeif
internal import Glibc
internal import PhotoModel

extension HEIFPicture {
    /// Decodes the smallest thumbnail whose size `takesThumbnail` accepts, or else the image
    /// itself.
    ///
    /// Thumbnails whose content differs from the image, and those that cannot be decoded, are
    /// skipped.
    func pixels(
        takesThumbnail: (PixelSize) -> Bool
    ) throws(DecodeFailure) -> HEIFPixels {
        // A thumbnail that fails to decode is skipped.
        for thumbnail in HEIFThumbnail.all(of: self) where takesThumbnail(thumbnail.size) {
            if let pixels = thumbnail.pixels() { return pixels }
        }
        return try HEIFPixels(primary, of: context, isThumbnail: false)
    }
}

/// Pixels that libheif decoded: interleaved rows without padding.
///
/// The rows are upright if libheif applied the file's rotation; otherwise `orientation` has to be
/// applied.
///
/// Owns libheif's image.
final class HEIFPixels {
    private let image: OpaquePointer
    private(set) var bytes: UnsafeRawBufferPointer
    /// The size of the rows in memory, before `orientation` is applied.
    private(set) var size: PixelSize
    let orientation: Orientation
    let bands: Int
    let bytesPerSample: Int
    let isPremultiplied: Bool
    let profile: [UInt8]?
    let signal: PictureSignal?
    let isThumbnail: Bool

    /// Decodes an image or a thumbnail.
    ///
    /// - Parameters:
    ///   - handle: libheif's handle; it need not outlive this object.
    ///   - context: The file.
    ///   - isThumbnail: Whether it represents a larger image.
    ///   - given: The crop and orientation of the stored pixels; nil uses the file's own.
    ///   - fallback: The image whose profile applies if this one has none.
    /// - Throws: The reason for a failed decode.
    init(
        _ handle: OpaquePointer,
        of context: OpaquePointer,
        isThumbnail: Bool,
        transform given: HEIFOrientation? = nil,
        profileOf fallback: OpaquePointer? = nil
    ) throws(DecodeFailure) {
        let hasAlpha = heif_image_handle_has_alpha_channel(handle) != 0
        let depth = Int(heif_image_handle_get_luma_bits_per_pixel(handle))
        let isWide = depth > 8
        let chroma =
            isWide
            ? (hasAlpha ? heif_chroma_interleaved_RRGGBBAA_LE : heif_chroma_interleaved_RRGGBB_LE)
            : (hasAlpha ? heif_chroma_interleaved_RGBA : heif_chroma_interleaved_RGB)
        var decoded: OpaquePointer?
        var error = heif_error(
            code: heif_error_Unsupported_feature,
            subcode: heif_suberror_Unspecified,
            message: nil
        )
        if given == nil {
            error = heif_decode_image(handle, &decoded, heif_colorspace_RGB, chroma, nil)
        }
        var transform = HEIFOrientation()
        if error.code == heif_error_Unsupported_feature,
            let options = heif_decoding_options_alloc()
        {
            // libheif cannot crop and rotate pixels of more than 8 bits, so this is done here.
            defer { heif_decoding_options_free(options) }
            options.pointee.ignore_transformations = 1
            error = heif_decode_image(handle, &decoded, heif_colorspace_RGB, chroma, options)
            transform = given ?? HEIFOrientation(handle, of: context)
        }
        guard error.code == heif_error_Ok, let image = decoded else {
            throw .damaged(ErrorWords.first(in: error.message))
        }
        var stride: Int32 = 0
        let part = transform.part(
            of: PixelSize(
                width: Int(heif_image_get_primary_width(image)),
                height: Int(heif_image_get_primary_height(image))
            )
        )
        let (width, height) = (part.size.width, part.size.height)
        let bands = hasAlpha ? 4 : 3
        let samples = isWide ? 2 : 1
        let line = width * bands * samples
        guard let plane = heif_image_get_plane(image, heif_channel_interleaved, &stride),
            width > 0, height > 0, Int(stride) >= line + part.x * bands * samples
        else {
            heif_image_release(image)
            throw .damaged("its pixels have no size")
        }
        // Packs the rows in place. Each row moves to a lower address.
        if Int(stride) > line || part.y > 0 {
            let start = plane + part.y * Int(stride) + part.x * bands * samples
            for row in 0..<height {
                memmove(plane + row * line, start + row * Int(stride), line)
            }
        }
        if isWide {
            let bits = Int(heif_image_get_bits_per_pixel_range(image, heif_channel_interleaved))
            Self.widen(plane, samples: width * height * bands, bits: bits > 8 ? bits : depth)
        }
        self.image = image
        self.isThumbnail = isThumbnail
        bytes = UnsafeRawBufferPointer(start: plane, count: line * height)
        size = part.size
        orientation = transform.orientation
        self.bands = bands
        bytesPerSample = samples
        isPremultiplied = heif_image_handle_is_premultiplied_alpha(handle) != 0
        var signal = Self.signal(of: handle)
        var profile = Self.profile(of: handle, signal)
        if profile == nil, signal == nil, let fallback {
            signal = Self.signal(of: fallback)
            profile = Self.profile(of: fallback, signal)
        }
        self.signal = signal
        self.profile = profile
    }

    deinit { heif_image_release(image) }

    /// Removes a thumbnail's dark bars; returns false if the thumbnail does not show the whole
    /// image.
    ///
    /// `whole` is the size of the image to which the thumbnail belongs.
    ///
    /// Must be called before anything refers to `bytes`.
    func trim(toAspectOf whole: PixelSize) -> Bool {
        guard let start = bytes.baseAddress else { return false }
        let pixel = bands * bytesPerSample
        let line = size.width * pixel
        let edges = PreviewEdges(
            pixels: start,
            size: size,
            bytesPerRow: line,
            bands: bands,
            bytesPerSample: bytesPerSample
        )
        guard let part = edges.part(showing: whole) else { return false }
        guard part.size != size else { return true }
        // The memory belongs to libheif's image, which only this object uses.
        let rows = UnsafeMutableRawPointer(mutating: start)
        let length = part.size.width * pixel
        for row in 0..<part.size.height {
            memmove(rows + row * length, rows + (part.y + row) * line + part.x * pixel, length)
        }
        bytes = UnsafeRawBufferPointer(start: start, count: length * part.size.height)
        size = part.size
        return true
    }

    /// Converts the pixels to three channels of 8 bits; returns nil for more than
    /// `PixelImage.maximumPixels`.
    func pixelImage() -> PixelImage? {
        guard let start = bytes.baseAddress else { return nil }
        if bands == 3, bytesPerSample == 1 {
            return PixelImage(size: size, rows: start, bytesPerRow: size.width * 3)
        }
        let pixels = size.width * size.height
        guard pixels <= PixelImage.maximumPixels else { return nil }
        let rows = [UInt8](unsafeUninitializedCapacity: pixels * 3) { buffer, count in
            for pixel in 0..<pixels {
                for band in 0..<3 {
                    // The more significant byte comes last.
                    let at = (pixel * bands + band + 1) * bytesPerSample - 1
                    buffer[pixel * 3 + band] = bytes[at]
                }
            }
            count = pixels * 3
        }
        return rows.withUnsafeBytes { buffer in
            buffer.baseAddress.flatMap {
                PixelImage(size: size, rows: $0, bytesPerRow: size.width * 3)
            }
        }
    }

    /// Scales samples of 9 to 15 bits to the full range of 16 bits, in place.
    private static func widen(_ plane: UnsafeMutablePointer<UInt8>, samples: Int, bits: Int) {
        guard (9...15).contains(bits) else { return }
        let up = UInt16(16 - bits)
        let down = UInt16(2 * bits - 16)
        plane.withMemoryRebound(to: UInt16.self, capacity: samples) { values in
            for index in 0..<samples {
                let value = values[index]
                values[index] = value << up | value >> down
            }
        }
    }

    private static func profile(
        of handle: OpaquePointer,
        _ signal: PictureSignal?
    ) -> [UInt8]? {
        let length = heif_image_handle_get_raw_color_profile_size(handle)
        if length > 0, length <= 4 << 20 {
            var bytes = [UInt8](repeating: 0, count: length)
            if heif_image_handle_get_raw_color_profile(handle, &bytes).code == heif_error_Ok {
                return bytes
            }
        }
        return signal.flatMap {
            ColorProfile.make(primaries: $0.primaries, transfer: $0.transfer)
        }
    }

    private static func signal(of handle: OpaquePointer) -> PictureSignal? {
        var numbers: UnsafeMutablePointer<heif_color_profile_nclx>?
        guard
            heif_image_handle_get_nclx_color_profile(handle, &numbers).code == heif_error_Ok,
            let numbers
        else { return nil }
        defer { heif_nclx_color_profile_free(numbers) }
        return PictureSignal(
            primaries: Int(numbers.pointee.color_primaries.rawValue),
            transfer: Int(numbers.pointee.transfer_characteristics.rawValue)
        )
    }
}
