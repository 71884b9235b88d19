internal import CFFmpegShim
internal import CVipsShim
package import PhotoModel

/// A decoder that produces the requested rows of an image: upright, in the requested color space,
/// with 8 bits per component or as HDR.
///
/// Downscales while loading if the format supports it. Used by one thread.
package struct PictureDecoder {
    /// The bytes of an image and its container format.
    package enum Input {
        /// An image in a format that libvips decodes, with the orientation to apply.
        case plain(PlainFormat, UnsafeRawBufferPointer, Orientation)
        /// A HEIC, HEIF or AVIF file.
        case heif(UnsafeRawBufferPointer)
        case jpegXL(UnsafeRawBufferPointer)
        case raw(UnsafeRawBufferPointer)
        /// A movie from which the first non-dark frame is decoded; `container` is FFmpeg's name of
        /// the format.
        case frame(descriptor: Int32, container: String)
        /// A movie whose frame at a given time is decoded; `isTurned` specifies whether to rotate
        /// the frame upright.
        case moment(descriptor: Int32, container: String, MovieTime, isTurned: Bool)
        /// A still image that FFmpeg decodes: BMP, PSD, and TIFF in YCbCr.
        case still(StillFrame)
    }

    /// The image formats that libvips decodes.
    package enum PlainFormat {
        case jpeg, png, webP, tiff, gif, jpeg2000

        var loader: cphotos_loader {
            switch self {
            case .jpeg: CPHOTOS_JPEG
            case .png: CPHOTOS_PNG
            case .webP: CPHOTOS_WEBP
            case .tiff: CPHOTOS_TIFF
            case .gif: CPHOTOS_GIF
            case .jpeg2000: CPHOTOS_JPEG2000
            }
        }

        /// Returns the color codes of a file for which libvips does not read them.
        func signal(of bytes: UnsafeRawBufferPointer) -> PictureSignal? {
            self == .png ? PNGColorCodes.read(bytes) : nil
        }
    }

    let request: PixelRequest
    let converter: ColorConverter
    let sink: any RowSink

    package init(request: PixelRequest, converter: ColorConverter, sink: any RowSink) {
        self.request = request
        self.converter = converter
        self.sink = sink
    }

    package func decode(_ input: Input) throws(DecodeFailure) -> DecodedPicture {
        switch input {
        case .plain(let format, let bytes, let orientation):
            return try decodePlain(format, bytes, orientation)
        case .heif(let bytes): return try decodeHEIF(bytes)
        case .jpegXL(let bytes): return try decodeJPEGXL(bytes)
        case .raw(let bytes): return try decodeRAW(bytes)
        case .frame(let descriptor, let container):
            let frame = try MovieFrame(
                descriptor,
                container: container,
                maximumPixels: request.maximumPixels,
                sink: sink
            )
            return try decode(
                frame,
                frame.orientation,
                profile: frame.profile,
                signal: frame.signal
            )
        case .moment(let descriptor, let container, let time, let isTurned):
            let frame = try MovieFrame(
                descriptor,
                container: container,
                at: time,
                maximumPixels: request.maximumPixels,
                sink: sink
            )
            var picture = try decode(
                frame,
                isTurned ? frame.orientation : .up,
                profile: frame.profile,
                signal: frame.signal
            )
            picture.time = frame.time
            return picture
        case .still(let still):
            let frame = try MovieFrame(still, maximumPixels: request.maximumPixels, sink: sink)
            return try decode(frame, still.orientation, profile: still.profile, signal: nil)
        }
    }

    // MARK: - Sources

    private func decodePlain(
        _ format: PlainFormat,
        _ bytes: UnsafeRawBufferPointer,
        _ orientation: Orientation
    ) throws(DecodeFailure) -> DecodedPicture {
        let signal = format.signal(of: bytes)
        func decode(isTolerant: Bool) throws(DecodeFailure) -> DecodedPicture {
            let rows = try PictureRows(
                format.loader,
                bytes,
                isTolerant: isTolerant,
                profile: signal?.profile
            )
            let whole = try checked(rows.size).displayed(with: orientation)
            return try finish(rows, orientation, whole: whole, signal: signal)
        }
        do throws(DecodeFailure) {
            return try decode(isTolerant: false)
        } catch {
            guard format == .jpeg, case .damaged(let words) = error else { throw error }
            if words.contains("data precision") {
                throw .damaged(
                    "it does not have 8 bits per sample, as libjpeg-turbo requires"
                )
            }
            guard words.contains("remature end") else { throw error }
            sink.restart()
            // The available part of a truncated photo is better than none.
            guard var picture = try? decode(isTolerant: true) else { throw error }
            picture.damage = "it is truncated"
            return picture
        }
    }

    private func decodeHEIF(_ bytes: UnsafeRawBufferPointer) throws(DecodeFailure)
        -> DecodedPicture
    {
        let picture: HEIFPicture
        do {
            picture = try HEIFPicture(bytes, maximumPixels: request.maximumPixels, threads: 2)
        } catch {
            throw .damaged(error.words)
        }
        let whole = try checked(picture.displaySize)
        let plan = try plan(for: whole)
        let pixels = try picture.pixels { thumbnail in
            // Thumbnails are SDR and never replace the full-size image.
            request.bright == nil && isReduced(plan)
                && (request.takesAnyPreview || plan.isCovered(by: thumbnail, of: whole))
        }
        let rows = try pixels.rows()
        return try withExtended(pixels) { () throws(DecodeFailure) in
            // The size of fully decoded pixels takes precedence over the header's.
            let upright = pixels.size.displayed(with: pixels.orientation)
            return try finish(
                rows,
                pixels.orientation,
                whole: pixels.isThumbnail ? whole : upright,
                signal: pixels.signal,
                heif: picture
            )
        }
    }

    private func decodeJPEGXL(_ bytes: UnsafeRawBufferPointer) throws(DecodeFailure)
        -> DecodedPicture
    {
        let pixels = try JPEGXLPixels(bytes, maximumPixels: request.maximumPixels)
        let rows = try PictureRows(
            pixels: pixels.bytes,
            size: pixels.size,
            bands: pixels.bands,
            bytesPerSample: pixels.bytesPerSample,
            isPremultiplied: pixels.isPremultiplied,
            profile: pixels.profile
        )
        return try withExtended(pixels) { () throws(DecodeFailure) in
            try finish(rows, .up, whole: try checked(pixels.size), signal: pixels.signal)
        }
    }

    private func decodeRAW(_ bytes: UnsafeRawBufferPointer) throws(DecodeFailure)
        -> DecodedPicture
    {
        let picture: RAWPicture
        do {
            picture = try RAWPicture(bytes)
        } catch {
            throw .damaged(error.words)
        }
        let whole = try checked(picture.displaySize)
        let plan = try plan(for: whole)
        if isReduced(plan), let preview = RAWPreview(bytes),
            let decoded = try decode(preview, of: picture, whole, plan)
        {
            return decoded
        }
        let half = PixelSize(width: whole.width / 2, height: whole.height / 2)
        let isHalf =
            request.shape.size != nil && half.width > 0 && half.height > 0
            && plan.isCovered(by: half, of: whole)
        let pixels = try DevelopedRAW(
            bytes,
            isHalfSize: isHalf,
            maximumPixels: request.maximumPixels,
            sink: sink
        )
        let rows = try PictureRows(
            pixels: pixels.bytes,
            size: pixels.size,
            bands: 3,
            bytesPerSample: 1,
            profile: nil
        )
        return try withExtended(pixels) { () throws(DecodeFailure) in
            try finish(rows, .up, whole: isHalf ? whole : pixels.size)
        }
    }

    /// Decodes the preview of a RAW file; returns nil if the preview is too small, distorted or
    /// unreadable.
    private func decode(
        _ preview: RAWPreview,
        of picture: RAWPicture,
        _ whole: PixelSize,
        _ plan: PixelPlan
    ) throws(DecodeFailure) -> DecodedPicture? {
        guard let rows = try? preview.rows() else { return nil }
        // Some cameras store upright previews.
        var orientation = picture.orientation
        if !isSameAspect(rows.size, picture.storedSize), isSameAspect(rows.size, whole) {
            orientation = .up
        }
        let size = rows.size.displayed(with: orientation)
        guard isSameAspect(size, whole),
            let part = PreviewEdges.part(of: size, withAspectOf: whole),
            request.takesAnyPreview || plan.isCovered(by: part.size, of: whole)
        else { return nil }
        return try withExtended(preview) { () throws(DecodeFailure) in
            try finish(rows, orientation, whole: whole, part: part)
        }
    }

    private func decode(
        _ frame: MovieFrame,
        _ orientation: Orientation,
        profile: [UInt8]?,
        signal: PictureSignal?
    ) throws(DecodeFailure) -> DecodedPicture {
        let rows = try PictureRows(
            pixels: frame.bytes,
            size: frame.size,
            bands: frame.bands,
            bytesPerSample: frame.bytesPerSample,
            profile: profile
        )
        return try withExtended(frame) { () throws(DecodeFailure) in
            let whole = try checked(frame.size).displayed(with: orientation)
            return try finish(rows, orientation, whole: whole, signal: signal)
        }
    }

    // MARK: - Parts

    /// Renders rows into the sink.
    ///
    /// `part` is the part of the upright rows that shows the whole image; nil means all of the
    /// rows.
    private func finish(
        _ rows: PictureRows,
        _ orientation: Orientation,
        whole: PixelSize,
        part: PixelRectangle? = nil,
        signal: PictureSignal? = nil,
        heif: HEIFPicture? = nil
    ) throws(DecodeFailure) -> DecodedPicture {
        let upright = part?.size ?? rows.size.displayed(with: orientation)
        var plan = try plan(for: whole).moved(from: whole, to: upright)
        plan.crop.x += part?.x ?? 0
        plan.crop.y += part?.y ?? 0
        if let bright = request.bright {
            try finishBright(
                rows,
                orientation,
                plan,
                whole: whole,
                signal: signal,
                heif: heif,
                bright
            )
        } else {
            try rows.render(
                plan,
                orientation: orientation,
                request: request,
                converter: converter,
                into: sink
            )
        }
        let hasBars = plan.canvas != plan.scaled
        return DecodedPicture(
            size: plan.canvas,
            fullSize: whole,
            hasAlpha: request.keepsAlpha && (rows.hasAlpha || hasBars)
        )
    }

    func plan(for whole: PixelSize) throws(DecodeFailure) -> PixelPlan {
        let plan = PixelPlan(request.shape, of: whole)
        _ = try checked(plan.canvas)
        _ = try checked(plan.scaled)
        return plan
    }

    private func checked(_ size: PixelSize) throws(DecodeFailure) -> PixelSize {
        guard size.width > 0, size.height > 0 else { throw .damaged("it has no pixels") }
        let (pixels, overflow) = size.width.multipliedReportingOverflow(by: size.height)
        guard !overflow, pixels <= request.maximumPixels else { throw .tooLarge(size) }
        return size
    }

    /// Returns whether the image is scaled down for the requested result.
    ///
    /// Only then may an embedded preview be decoded in place of the image.
    private func isReduced(_ plan: PixelPlan) -> Bool {
        request.shape.size != nil && plan.scaled.width < plan.crop.size.width
            && plan.scaled.height < plan.crop.size.height
    }

    func isSameAspect(_ one: PixelSize, _ other: PixelSize) -> Bool {
        PreviewEdges.isSameAspect(one, other)
    }

    private func withExtended<Owner: AnyObject, Result>(
        _ owner: Owner,
        _ body: () throws(DecodeFailure) -> Result
    ) throws(DecodeFailure) -> Result {
        defer { withExtendedLifetime(owner) {} }
        return try body()
    }
}
