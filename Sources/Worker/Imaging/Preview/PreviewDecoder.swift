internal import CLibRawShim
internal import CVipsShim
package import PhotoModel

/// A decoder that converts embedded camera previews to small, upright sRGB images.
package struct PreviewDecoder {
    /// The source of a preview.
    package enum Source {
        /// Candidate JPEG files.
        case jpegs([UnsafeRawBufferPointer])
        case heif(HEIFPicture)
        /// A whole RAW file.
        case raw(UnsafeRawBufferPointer)
    }

    /// The maximum length of the longer side.
    package var side: Int
    /// The size of the whole image, whose aspect ratio the preview must have.
    package var displaySize: PixelSize
    /// The orientation of the preview; ignored for HEIF thumbnails, which have their own
    /// orientation.
    package var orientation: Orientation
    /// The main image's profile, for previews without one.
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
        self.maximumPixels = min(maximumPixels, PixelImage.maximumPixels)
    }

    /// Initializes libvips.
    ///
    /// Must be called once, before any other use.
    package static func start() -> Bool { cphotos_vips_start() == 0 }

    /// Decodes the preview; returns nil if the source contains no usable preview.
    package func make(from source: Source, converter: ColorConverter) -> PixelImage? {
        switch source {
        case .jpegs(let candidates):
            for candidate in ordered(candidates) {
                if let image = finish(decode(jpeg: candidate), orientation, converter) {
                    return image
                }
            }
            return nil
        case .heif(let picture):
            guard
                let pixels = picture.thumbnail(side: side, maximumPixels: maximumPixels),
                let image = pixels.pixelImage()
            else { return nil }
            return finish((image, pixels.profile), pixels.orientation, converter)
        case .raw(let file):
            return finish(decode(raw: file), orientation, converter)
        }
    }

    /// Sorts candidates: first the sufficiently large ones in ascending order of size, then the
    /// smaller ones in descending order.
    private func ordered(_ candidates: [UnsafeRawBufferPointer]) -> [UnsafeRawBufferPointer] {
        // Uses the file size as an estimate of the pixel count: previews in one file have similar
        // compression, and decoding each header costs more than it saves.
        let enough = side * side / 4
        let small = candidates.filter { $0.count < enough }
        let large = candidates.filter { $0.count >= enough }
        return large.sorted { $0.count < $1.count } + small.sorted { $0.count > $1.count }
    }

    private typealias Decoded = (image: PixelImage, profile: [UInt8]?)

    private func finish(
        _ decoded: Decoded?,
        _ orientation: Orientation,
        _ converter: ColorConverter
    ) -> PixelImage? {
        guard let decoded else { return nil }
        let stored = displaySize.displayed(with: orientation)
        guard let trimmed = decoded.image.trimmed(toAspectOf: stored) else { return nil }
        var image = trimmed.shrunk(toSide: side).turned(orientation)
        if let profile = decoded.profile ?? profile { converter.convert(&image, from: profile) }
        return image
    }

    // MARK: - Decoding

    private func decode(jpeg: UnsafeRawBufferPointer) -> Decoded? {
        guard let start = jpeg.baseAddress else { return nil }
        var picture = cphotos_picture()
        var words = [CChar](repeating: 0, count: 256)
        guard
            cphotos_vips_decode_jpeg(
                start,
                jpeg.count,
                Int32(clamping: side),
                Int64(maximumPixels),
                &picture,
                &words,
                words.count
            ) == 0
        else { return nil }
        defer { cphotos_vips_release(&picture) }
        let size = PixelSize(width: Int(picture.width), height: Int(picture.height))
        guard let rows = picture.bytes, picture.length >= size.width * size.height * 3,
            let image = PixelImage(
                size: size,
                rows: UnsafeRawPointer(rows),
                bytesPerRow: size.width * 3
            )
        else { return nil }
        let profile = UnsafeRawBufferPointer(start: picture.profile, count: picture.profileLength)
        return (image, profile.isEmpty ? nil : Array(profile))
    }

    private func decode(raw file: UnsafeRawBufferPointer) -> Decoded? {
        guard let start = file.baseAddress else { return nil }
        var found = cphotos_raw_preview()
        guard cphotos_raw_unpack_preview(start, file.count, &found) == 0 else { return nil }
        defer { cphotos_raw_release(&found) }
        guard let bytes = found.bytes else { return nil }
        if found.kind == 1 {
            return decode(jpeg: UnsafeRawBufferPointer(start: bytes, count: found.length))
        }
        let size = PixelSize(width: Int(found.width), height: Int(found.height))
        guard size.width > 0, size.height > 0, size.width <= maximumPixels / size.height,
            found.length >= size.width * size.height * 3,
            let image = PixelImage(size: size, rows: bytes, bytesPerRow: size.width * 3)
        else { return nil }
        return (image, nil)
    }
}
