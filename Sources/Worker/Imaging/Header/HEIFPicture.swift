internal import CHeif
package import PhotoModel

/// A HEIF or AVIF file opened with libheif.
///
/// Owns libheif's context; the file's bytes must outlive it. Used by one thread.
package final class HEIFPicture {
    let context: OpaquePointer
    let primary: OpaquePointer

    /// Initializes the codecs.
    ///
    /// Must be called once, before the sandbox is entered, because codecs are loaded from files.
    package static func start() -> Bool {
        heif_init(nil).code == heif_error_Ok
            && heif_have_decoder_for_format(heif_compression_HEVC) != 0
            && heif_have_decoder_for_format(heif_compression_AV1) != 0
    }

    /// Opens the primary image without decoding it.
    ///
    /// Tiles are decoded by the given number of threads.
    ///
    /// The error's text is for users.
    package init(
        _ bytes: UnsafeRawBufferPointer,
        maximumPixels: Int,
        threads: Int = 1
    ) throws(ImagingError) {
        guard let context = heif_context_alloc() else {
            throw ImagingError("libheif cannot be initialized")
        }
        if let limits = heif_context_get_security_limits(context) {
            limits.pointee.max_image_size_pixels = UInt64(clamping: max(maximumPixels, 1 << 30))
            // A single plane of pixels: interleaved, 16 bits with alpha. The process has its own
            // limit.
            limits.pointee.max_memory_block_size = UInt64(clamping: maximumPixels) &* 8
        }
        heif_context_set_max_decoding_threads(context, Int32(clamping: threads))
        var error = heif_context_read_from_memory_without_copy(
            context,
            bytes.baseAddress,
            bytes.count,
            nil
        )
        var handle: OpaquePointer?
        if error.code == heif_error_Ok {
            error = heif_context_get_primary_image_handle(context, &handle)
        }
        guard error.code == heif_error_Ok, let handle else {
            let words = ErrorWords.first(in: error.message)
            heif_context_free(context)
            throw ImagingError(words)
        }
        self.context = context
        self.primary = handle
    }

    deinit {
        heif_image_handle_release(primary)
        heif_context_free(context)
    }

    /// The size in pixels after rotation, mirroring and cropping.
    package var displaySize: PixelSize {
        PixelSize(
            width: Int(max(0, heif_image_handle_get_width(primary))),
            height: Int(max(0, heif_image_handle_get_height(primary)))
        )
    }

    /// The color profile of the primary image.
    package var profile: [UInt8]? {
        let size = heif_image_handle_get_raw_color_profile_size(primary)
        guard size > 0, size <= 4 << 20 else { return nil }
        var bytes = [UInt8](repeating: 0, count: size)
        let error = heif_image_handle_get_raw_color_profile(primary, &bytes)
        return error.code == heif_error_Ok ? bytes : nil
    }

    // MARK: - Thumbnails

    /// Decodes the smallest thumbnail whose longer side is at least `side`, or else the largest.
    ///
    /// Returns nil for an image with alpha: callers convert the result to `PixelImage`, which has
    /// no alpha.
    func thumbnail(side: Int, maximumPixels: Int) -> HEIFPixels? {
        guard heif_image_handle_has_alpha_channel(primary) == 0 else { return nil }
        let thumbnails = HEIFThumbnail.all(of: self).filter {
            $0.size.width <= maximumPixels / max(1, $0.size.height)
        }
        let isEnough = { (size: PixelSize) in max(size.width, size.height) >= side }
        let ordered =
            thumbnails.filter { isEnough($0.size) }
            + thumbnails.filter { !isEnough($0.size) }.reversed()
        return ordered.lazy.compactMap { $0.pixels() }.first
    }
}

/// The error of a decoding library for an image that it cannot read.
package struct ImagingError: Error, Sendable {
    package var words: String

    package init(_ words: String) {
        self.words = words
    }
}
