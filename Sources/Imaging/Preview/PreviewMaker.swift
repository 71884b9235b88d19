internal import CLibRawShim
internal import CVipsShim
package import PhotoModel

/// Makes a small upright sRGB picture from a preview that a camera embedded.
package struct PreviewMaker {
    /// Where a preview comes from.
    package enum Source {
        /// JPEGs among which to choose.
        case jpegs([UnsafeRawBufferPointer])
        case heif(HEIFPicture)
        /// A whole RAW file.
        case raw(UnsafeRawBufferPointer)
    }

    /// The longer side at most.
    package var side: Int
    /// Of the whole picture; the preview must have its aspect.
    package var displaySize: PixelSize
    /// How the preview is turned; HEIF's thumbnails are upright already.
    package var orientation: Orientation
    /// The main picture's, for previews without one.
    package var profile: [UInt8]?
    package var maximumPixels: Int

    package init(
        side: Int,
        displaySize: PixelSize,
        orientation: Orientation,
        profile: [UInt8]?,
        maximumPixels: Int
    ) {
        self.side = side
        self.displaySize = displaySize
        self.orientation = orientation
        self.profile = profile
        self.maximumPixels = maximumPixels
    }

    /// Prepares libvips.
    ///
    /// Once, first of all.
    package static func start() -> Bool { ph_vips_start() == 0 }

    /// Calls `body` with the size and the bytes (3 a pixel, no padding), or with nothing when there
    /// is no usable preview.
    package func make<Result>(
        from source: Source,
        _ body: (PixelSize, UnsafeRawBufferPointer) throws -> Result
    ) rethrows -> Result? {
        var preview = ph_preview()
        defer { ph_vips_release(&preview) }
        guard decode(source, into: &preview), let bytes = preview.bytes else { return nil }
        return try body(
            PixelSize(width: Int(preview.width), height: Int(preview.height)),
            UnsafeRawBufferPointer(start: bytes, count: preview.length)
        )
    }

    private func decode(_ source: Source, into preview: inout ph_preview) -> Bool {
        switch source {
        case .jpegs(let candidates):
            for candidate in ordered(candidates) where decode(jpeg: candidate, into: &preview) {
                return true
            }
            return false
        case .heif(let picture):
            guard
                let pixels = picture.thumbnail(side: side, maximumPixels: maximumPixels)
            else { return false }
            return pixels.bytes.withUnsafeBytes {
                decode(
                    pixels: $0,
                    size: pixels.size,
                    bands: pixels.bands,
                    orientation: .up,
                    into: &preview
                )
            }
        case .raw(let file):
            return decode(raw: file, into: &preview)
        }
    }

    /// The smallest that is large enough, then the larger ones, then the smaller ones.
    private func ordered(_ candidates: [UnsafeRawBufferPointer]) -> [UnsafeRawBufferPointer] {
        // Bytes stand for pixels: previews of one file are compressed alike, and decoding a header
        // for each costs more than it gives.
        let small = candidates.filter { $0.count < 4 * side * side / 16 }
        let large = candidates.filter { $0.count >= 4 * side * side / 16 }
        return large.sorted { $0.count < $1.count } + small.sorted { $0.count > $1.count }
    }

    // MARK: - Decoding

    private func decode(jpeg: UnsafeRawBufferPointer, into preview: inout ph_preview) -> Bool {
        guard let start = jpeg.baseAddress else { return false }
        return withRequest(orientation) { request in
            var words = [CChar](repeating: 0, count: 256)
            return ph_vips_preview_of_jpeg(
                start,
                jpeg.count,
                request,
                &preview,
                &words,
                words.count
            ) == 0
        }
    }

    private func decode(
        pixels: UnsafeRawBufferPointer,
        size: PixelSize,
        bands: Int,
        orientation: Orientation,
        into preview: inout ph_preview
    ) -> Bool {
        guard let start = pixels.baseAddress, let width = Int32(exactly: size.width),
            let height = Int32(exactly: size.height)
        else { return false }
        return withRequest(orientation) { request in
            var words = [CChar](repeating: 0, count: 256)
            return ph_vips_preview_of_pixels(
                start,
                pixels.count,
                width,
                height,
                Int32(bands),
                request,
                &preview,
                &words,
                words.count
            ) == 0
        }
    }

    private func decode(raw file: UnsafeRawBufferPointer, into preview: inout ph_preview) -> Bool {
        guard let start = file.baseAddress else { return false }
        var found = ph_raw_preview()
        guard ph_raw_unpack_preview(start, file.count, &found) == 0 else { return false }
        defer { ph_raw_release(&found) }
        guard let bytes = found.bytes else { return false }
        let buffer = UnsafeRawBufferPointer(start: bytes, count: found.length)
        if found.kind == 1 { return decode(jpeg: buffer, into: &preview) }
        return decode(
            pixels: buffer,
            size: PixelSize(width: Int(found.width), height: Int(found.height)),
            bands: Int(found.bands),
            orientation: orientation,
            into: &preview
        )
    }

    private func withRequest<Result>(
        _ orientation: Orientation,
        _ body: (UnsafePointer<ph_preview_request>) -> Result
    ) -> Result {
        (profile ?? []).withUnsafeBytes { profile in
            var request = ph_preview_request()
            request.orientation = Int32(orientation.rawValue)
            request.width = Int32(clamping: displaySize.width)
            request.height = Int32(clamping: displaySize.height)
            request.side = Int32(clamping: side)
            request.maximumPixels = Int64(maximumPixels)
            request.profile = profile.baseAddress
            request.profileLength = profile.count
            return body(&request)
        }
    }
}
