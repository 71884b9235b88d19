internal import CVipsShim
package import PhotoModel

/// A source image of a recipe, as stored.
///
/// Owns the decoded pixels; a file's bytes must outlive it and all images derived from it. Used by
/// one thread.
package final class RecipePicture {
    /// The kind of a source.
    package enum Input {
        /// A file, whose orientation is not applied.
        case file(PictureDecoder.Input)
        case pixels(
            UnsafeRawBufferPointer,
            PixelBufferDescription,
            PictureRendering.PixelComponents
        )
    }

    let image: LazyImage
    let colors: InputColors
    let hasAlpha: Bool
    /// Retains the memory of the pixels.
    private let owner: AnyObject?

    /// Opens a source, and decodes formats that cannot be decoded row by row.
    ///
    /// - Parameters:
    ///   - input: The source.
    ///   - size: The source's size according to the recipe.
    ///   - isTolerant: Whether a truncated JPEG is accepted.
    ///   - isRandom: Whether pixels are accessed in arbitrary order.
    ///   - maximumPixels: The maximum number of pixels to decode.
    ///   - sink: Reports a cancellation.
    /// - Throws: The reason for a failed decode.
    package init(
        _ input: Input,
        size: PixelSize,
        isTolerant: Bool,
        isRandom: Bool,
        maximumPixels: Int,
        sink: any RowSink
    ) throws(DecodeFailure) {
        var stored = Stored()
        switch input {
        case .file(let file): try stored.open(file, isTolerant, maximumPixels, sink)
        case .pixels(let bytes, let description, let components):
            stored.take(bytes, description)
            stored.components = components
        }
        // The header of the opened file determines the actual cost in pixels.
        let profile = stored.profile
        let loaded = try Self.load(&stored, profile: profile)
        var image = loaded.image
        colors = loaded.colors
        guard image.size.width * image.size.height <= maximumPixels else {
            throw .tooLarge(image.size)
        }
        let facts = image.facts
        hasAlpha = facts.hasAlpha != 0 && stored.components?.alpha != .ignored
        if stored.orientation != .up {
            image = try image.inMemory().turned(stored.orientation)
        } else if isRandom, stored.source.loader != CPHOTOS_PIXELS {
            image = try image.inMemory()
        }
        if image.size != size {
            // Headers of some formats are not exact to the pixel.
            image = try image.embedded(left: 0, top: 0, in: size, extendsEdge: true)
        }
        self.image = image
        owner = stored.owner
    }

    private static func load(
        _ stored: inout Stored,
        profile: [UInt8]?
    ) throws(DecodeFailure) -> (image: LazyImage, colors: InputColors) {
        var isConverted = false
        let image = try LazyImage.load(stored.source, converts: false, isConverted: &isConverted)
        let facts = image.facts
        let sampleSize = Int(facts.sampleSize)
        var colors = InputColors.sRGB(sampleSize: sampleSize)
        if let description = stored.description {
            colors = .pixels(description)
        } else if !isConverted, let profile = profile ?? image.profile {
            let isGrey = facts.bands < 3
            if let found = InputColors.profile(profile, sampleSize: sampleSize, isGrey: isGrey) {
                colors = found
            } else {
                return try converted(stored, profile)
            }
        }
        colors.isBlueFirst = stored.components?.isBlueFirst ?? false
        colors.isPremultiplied =
            stored.isPremultiplied || stored.components?.alpha == .premultiplied
        return (image, colors)
    }

    /// Loads a source and converts it to sRGB with libvips, for a profile that is not made of
    /// curves and a matrix.
    private static func converted(
        _ stored: Stored,
        _ profile: [UInt8]
    ) throws(DecodeFailure) -> (image: LazyImage, colors: InputColors) {
        var isConverted = false
        var failure: DecodeFailure?
        let image = profile.withUnsafeBytes { bytes -> LazyImage? in
            var source = stored.source
            source.profile = bytes.baseAddress
            source.profileLength = bytes.count
            do throws(DecodeFailure) {
                return try LazyImage.load(source, converts: true, isConverted: &isConverted)
            } catch {
                failure = error
                return nil
            }
        }
        guard let image else { throw failure ?? .damaged("its color space is unknown") }
        var colors = InputColors.sRGB(sampleSize: Int(image.facts.sampleSize))
        colors.isPremultiplied = stored.isPremultiplied
        return (image, colors)
    }
}

/// A source as libvips loads it.
private struct Stored {
    var source = cphotos_source()
    var owner: AnyObject?
    var profile: [UInt8]?
    var orientation = Orientation.up
    var isPremultiplied = false
    /// The format of pixels that the host supplied in memory; nil for a file.
    var description: PixelBufferDescription?
    var components: PictureRendering.PixelComponents?

    mutating func take(
        _ bytes: UnsafeRawBufferPointer,
        _ description: PixelBufferDescription
    ) {
        self.description = description
        let isHalf = description.layout == .rgbaHalf
        take(
            bytes,
            description.size,
            bands: description.layout.bytesPerPixel / (isHalf ? 2 : 1),
            bytesPerSample: isHalf ? 2 : 1
        )
    }

    mutating func take(
        _ bytes: UnsafeRawBufferPointer,
        _ size: PixelSize,
        bands: Int,
        bytesPerSample: Int
    ) {
        source.loader = CPHOTOS_PIXELS
        source.bytes = bytes.baseAddress
        source.length = size.width * size.height * bands * bytesPerSample
        source.width = Int32(clamping: size.width)
        source.height = Int32(clamping: size.height)
        source.bands = Int32(bands)
        source.bytesPerSample = Int32(bytesPerSample)
    }

    mutating func open(
        _ input: PictureDecoder.Input,
        _ isTolerant: Bool,
        _ maximumPixels: Int,
        _ sink: any RowSink
    ) throws(DecodeFailure) {
        switch input {
        case .plain(let format, let bytes, _):
            source.loader = format.loader
            source.isTolerant = isTolerant ? 1 : 0
            source.bytes = bytes.baseAddress
            source.length = bytes.count
            profile = format.signal(of: bytes)?.profile
        case .heif(let bytes):
            let picture: HEIFPicture
            do {
                picture = try HEIFPicture(bytes, maximumPixels: maximumPixels, threads: 2)
            } catch {
                throw .damaged(error.words)
            }
            let pixels = try picture.pixels { _ in false }
            take(
                pixels.bytes,
                pixels.size,
                bands: pixels.bands,
                bytesPerSample: pixels.bytesPerSample
            )
            (profile, orientation) = (pixels.profile, pixels.orientation)
            isPremultiplied = pixels.isPremultiplied
            owner = pixels
        case .jpegXL(let bytes):
            let pixels = try JPEGXLPixels(bytes, maximumPixels: maximumPixels)
            take(
                pixels.bytes,
                pixels.size,
                bands: pixels.bands,
                bytesPerSample: pixels.bytesPerSample
            )
            profile = pixels.profile
            isPremultiplied = pixels.isPremultiplied
            owner = pixels
        case .raw(let bytes):
            let pixels = try DevelopedRAW(
                bytes,
                isHalfSize: false,
                maximumPixels: maximumPixels,
                sink: sink
            )
            take(pixels.bytes, pixels.size, bands: 3, bytesPerSample: 1)
            owner = pixels
        case .frame(let descriptor, let container), .moment(let descriptor, let container, _, _):
            let frame = try MovieFrame(
                descriptor,
                container: container,
                maximumPixels: maximumPixels,
                sink: sink
            )
            take(
                frame.bytes,
                frame.size,
                bands: frame.bands,
                bytesPerSample: frame.bytesPerSample
            )
            (profile, orientation) = (frame.profile, frame.orientation)
            owner = frame
        case .still(let still):
            let frame = try MovieFrame(still, maximumPixels: maximumPixels, sink: sink)
            take(
                frame.bytes,
                frame.size,
                bands: frame.bands,
                bytesPerSample: frame.bytesPerSample
            )
            (profile, orientation) = (still.profile, still.orientation)
            owner = frame
        }
    }
}
