internal import CHeif
internal import Glibc
internal import PhotoModel

extension HEIFPicture {
    /// Decodes the smallest thumbnail that does, else the picture itself.
    func pixels(
        takesThumbnail: (PixelSize) -> Bool
    ) throws(DecodeFailure) -> HEIFPixels {
        if let handle = smallestThumbnail(where: takesThumbnail) {
            defer { heif_image_handle_release(handle) }
            // A thumbnail that can't be decoded is no reason to be without a picture.
            if let pixels = try? HEIFPixels(handle, of: context, isThumbnail: true) {
                return pixels
            }
        }
        return try HEIFPixels(primary, of: context, isThumbnail: false)
    }

    private func smallestThumbnail(where does: (PixelSize) -> Bool) -> OpaquePointer? {
        let count = min(heif_image_handle_get_number_of_thumbnails(primary), 16)
        guard count > 0 else { return nil }
        var identifiers = [heif_item_id](repeating: 0, count: Int(count))
        let found = heif_image_handle_get_list_of_thumbnail_IDs(primary, &identifiers, count)
        var best: (handle: OpaquePointer, width: Int)?
        for identifier in identifiers.prefix(Int(max(0, found))) {
            var candidate: OpaquePointer?
            guard
                heif_image_handle_get_thumbnail(primary, identifier, &candidate).code
                    == heif_error_Ok, let candidate
            else { continue }
            let size = PixelSize(
                width: Int(max(0, heif_image_handle_get_width(candidate))),
                height: Int(max(0, heif_image_handle_get_height(candidate)))
            )
            if size.width > 0, size.height > 0, does(size),
                best.map({ size.width < $0.width }) ?? true
            {
                if let best { heif_image_handle_release(best.handle) }
                best = (candidate, size.width)
            } else {
                heif_image_handle_release(candidate)
            }
        }
        return best?.handle
    }
}

/// What libheif decoded: interleaved, rows without padding; upright but for what it can't turn.
///
/// Owns libheif's image.
final class HEIFPixels {
    private let image: OpaquePointer
    let bytes: UnsafeRawBufferPointer
    /// As they lie in memory.
    let size: PixelSize
    let orientation: Orientation
    let bands: Int
    let bytesPerSample: Int
    let isPremultiplied: Bool
    let profile: [UInt8]?
    let signal: PictureSignal?
    let isThumbnail: Bool

    init(
        _ handle: OpaquePointer,
        of context: OpaquePointer,
        isThumbnail: Bool
    ) throws(DecodeFailure) {
        let hasAlpha = heif_image_handle_has_alpha_channel(handle) != 0
        let depth = Int(heif_image_handle_get_luma_bits_per_pixel(handle))
        let isWide = depth > 8
        let chroma =
            isWide
            ? (hasAlpha ? heif_chroma_interleaved_RRGGBBAA_LE : heif_chroma_interleaved_RRGGBB_LE)
            : (hasAlpha ? heif_chroma_interleaved_RGBA : heif_chroma_interleaved_RGB)
        var decoded: OpaquePointer?
        var error = heif_decode_image(handle, &decoded, heif_colorspace_RGB, chroma, nil)
        var turn = HEIFTurn()
        if error.code == heif_error_Unsupported_feature,
            let options = heif_decoding_options_alloc()
        {
            // It can't crop and turn pixels of more than 8 bits: that is done here then.
            defer { heif_decoding_options_free(options) }
            options.pointee.ignore_transformations = 1
            error = heif_decode_image(handle, &decoded, heif_colorspace_RGB, chroma, options)
            turn = HEIFTurn(handle, of: context)
        }
        guard error.code == heif_error_Ok, let image = decoded else {
            throw .damaged(ErrorWords.first(in: error.message))
        }
        var stride: Int32 = 0
        let part = turn.part(
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
        // Rows are moved together, in place; each goes to where an earlier one was.
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
        orientation = turn.orientation
        self.bands = bands
        bytesPerSample = samples
        isPremultiplied = heif_image_handle_is_premultiplied_alpha(handle) != 0
        signal = Self.signal(of: handle)
        profile = Self.profile(of: handle, signal)
    }

    deinit { heif_image_release(image) }

    /// Spreads samples of fewer bits over all 16.
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
