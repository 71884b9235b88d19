internal import CVipsShim
package import PhotoModel

/// The requested pixels of an image.
package struct PixelRequest: Sendable {
    package var shape: PixelShape
    /// Indicates whether alpha is kept; otherwise the image is composited over white.
    package var keepsAlpha: Bool
    package var isDisplayP3: Bool
    /// The number of bytes per pixel: 3 for RGB, or 4 for RGB followed by alpha or, if `keepsAlpha`
    /// is false, by 255.
    package var bytesPerPixel: Int
    /// The HDR request; if set, the result is linear light in four 16-bit components per pixel.
    package var bright: HDRRequest?
    /// Indicates whether the stored values are kept without color conversion, with 16 bits per
    /// component if `isWide` is true and with 8 otherwise.
    var keepsNumbers = false
    var isWide = false
    /// Indicates whether a preview may be used even if it is smaller than the requested size.
    package var takesAnyPreview: Bool
    package var maximumPixels: Int

    package init(
        shape: PixelShape,
        keepsAlpha: Bool,
        isDisplayP3: Bool,
        bytesPerPixel: Int,
        takesAnyPreview: Bool,
        maximumPixels: Int,
        bright: HDRRequest? = nil
    ) {
        self.bright = bright
        self.shape = shape
        self.keepsAlpha = keepsAlpha
        self.isDisplayP3 = isDisplayP3
        self.bytesPerPixel = bytesPerPixel
        self.takesAnyPreview = takesAnyPreview
        self.maximumPixels = maximumPixels
    }
}

/// A receiver of an image's rows as they are decoded, which can stop the decoding.
package protocol RowSink: AnyObject {
    /// Receives the next rows, in order from the top of the image.
    ///
    /// - Returns: Whether to continue.
    func take(_ rows: UnsafeRawBufferPointer) -> Bool

    /// Discards all received rows, which will be sent again.
    func restart()

    /// Indicates whether the request for the image was canceled.
    var isCancelled: Bool { get }
}

/// The reason for a failed decode.
package enum DecodeFailure: Error, Sendable {
    /// The image is damaged; the text is a clause for users, such as “it is cut short”.
    case damaged(String)
    /// The image exceeds the maximum number of pixels; the value is the size of the image.
    case tooLarge(PixelSize)
    case cancelled
}

/// The properties of a decoded image.
package struct DecodedPicture: Sendable {
    /// The size of the rows that the sink received.
    package var size: PixelSize
    /// The full size of the upright image.
    package var fullSize: PixelSize
    package var hasAlpha: Bool
    /// The reason why a part of the image is missing, as a clause for users.
    package var damage: String?
    /// The presentation time of a movie frame that was requested by time.
    package var time: MovieTime?
}

/// An image from which libvips produces rows: an encoded file, or pixels that another library
/// decoded.
///
/// Owns the opened source; the bytes must outlive it. Used by one thread.
final class PictureRows {
    private let source: OpaquePointer
    /// The stored size, before the orientation is applied.
    let size: PixelSize
    let hasAlpha: Bool
    private let profile: [UInt8]?
    private let profileMemory: UnsafeMutableRawBufferPointer?

    convenience init(
        _ loader: cphotos_loader,
        _ bytes: UnsafeRawBufferPointer,
        isTolerant: Bool = false,
        profile: [UInt8]? = nil
    ) throws(DecodeFailure) {
        var source = cphotos_source()
        source.loader = loader
        source.isTolerant = isTolerant ? 1 : 0
        source.bytes = bytes.baseAddress
        source.length = bytes.count
        try self.init(source, profile: profile)
    }

    /// Wraps decoded pixels: rows from the top without padding, alpha last.
    convenience init(
        pixels: UnsafeRawBufferPointer,
        size: PixelSize,
        bands: Int,
        bytesPerSample: Int,
        isPremultiplied: Bool = false,
        profile: [UInt8]?
    ) throws(DecodeFailure) {
        guard size.width > 0, size.height > 0,
            pixels.count / bands / bytesPerSample / size.width >= size.height
        else { throw .damaged("it has fewer pixels than its size") }
        var source = cphotos_source()
        source.loader = CPHOTOS_PIXELS
        source.bytes = pixels.baseAddress
        source.length = size.width * size.height * bands * bytesPerSample
        source.width = Int32(clamping: size.width)
        source.height = Int32(clamping: size.height)
        source.bands = Int32(bands)
        source.bytesPerSample = Int32(bytesPerSample)
        source.isPremultiplied = isPremultiplied ? 1 : 0
        try self.init(source, profile: profile)
    }

    private init(_ description: cphotos_source, profile: [UInt8]?) throws(DecodeFailure) {
        var facts = cphotos_picture_facts()
        var words = [CChar](repeating: 0, count: 256)
        var description = description
        // The C source refers to the profile until it is closed.
        let memory = profile.map { bytes in
            let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: bytes.count, alignment: 1)
            copy.copyBytes(from: bytes)
            return copy
        }
        if let memory {
            description.profile = UnsafeRawPointer(memory.baseAddress)
            description.profileLength = memory.count
        }
        guard let source = cphotos_source_open(&description, &facts, &words, words.count) else {
            memory?.deallocate()
            throw .damaged(ErrorWords.first(inBuffer: words))
        }
        self.source = source
        profileMemory = memory
        size = PixelSize(width: Int(facts.width), height: Int(facts.height))
        hasAlpha = facts.hasAlpha != 0
        let found = UnsafeRawBufferPointer(start: facts.profile, count: facts.profileLength)
        self.profile = found.isEmpty ? nil : Array(found)
    }

    deinit {
        cphotos_source_close(source)
        profileMemory?.deallocate()
    }

    /// Renders the image as a plan specifies, and passes the rows to a sink; can be called only
    /// once.
    ///
    /// - Parameters:
    ///   - plan: The plan for the upright image.
    ///   - orientation: The orientation of the stored pixels.
    ///   - request: The requested pixels.
    ///   - converter: Converts colors to the requested color space.
    ///   - sink: Receives the rows.
    /// - Throws: The reason why rows are missing.
    func render(
        _ plan: PixelPlan,
        orientation: Orientation,
        request: PixelRequest,
        converter: ColorConverter,
        into sink: any RowSink
    ) throws(DecodeFailure) {
        let crop = plan.crop.stored(in: size, orientation: orientation)
        let scaled = plan.scaled.displayed(with: orientation)
        var target = cphotos_plan()
        target.cropLeft = Int32(clamping: crop.x)
        target.cropTop = Int32(clamping: crop.y)
        target.cropWidth = Int32(clamping: crop.size.width)
        target.cropHeight = Int32(clamping: crop.size.height)
        target.width = Int32(clamping: scaled.width)
        target.height = Int32(clamping: scaled.height)
        target.orientation = Int32(orientation.rawValue)
        target.canvasWidth = Int32(clamping: plan.canvas.width)
        target.canvasHeight = Int32(clamping: plan.canvas.height)
        target.canvasLeft = Int32(clamping: plan.origin.x)
        target.canvasTop = Int32(clamping: plan.origin.y)
        target.keepsAlpha = request.keepsAlpha ? 1 : 0
        target.bands = Int32(request.bytesPerPixel)
        target.isDisplayP3 = request.isDisplayP3 ? 1 : 0
        target.keepsNumbers = request.keepsNumbers ? 1 : 0
        target.isWide = request.isWide ? 1 : 0
        var words = [CChar](repeating: 0, count: 256)
        let taker = RowTaker(
            sink: sink,
            converter: converter,
            profile: profile,
            isDisplayP3: request.isDisplayP3,
            bytesPerSample: request.isWide ? 2 : 1
        )
        let code = withExtendedLifetime(taker) {
            cphotos_source_render(
                source,
                &target,
                { context, colors, rows, width, height, bands in
                    guard let context else { return 1 }
                    let taker = Unmanaged<RowTaker>.fromOpaque(context).takeUnretainedValue()
                    let pixels = Int(width) * Int(height)
                    return taker.take(colors, rows, pixels: pixels, bands: Int(bands)) ? 0 : 1
                },
                Unmanaged.passUnretained(taker).toOpaque(),
                &words,
                words.count
            )
        }
        switch code {
        case 0: return
        case 1:
            throw sink.isCancelled
                ? .cancelled : .damaged("there is not enough memory for its pixels")
        default: throw .damaged(ErrorWords.first(inBuffer: words))
        }
    }
}

/// The context of a C callback that receives rows.
private final class RowTaker {
    private let sink: any RowSink
    private let converter: ColorConverter
    private let profile: [UInt8]?
    private let isDisplayP3: Bool
    private let bytesPerSample: Int

    init(
        sink: any RowSink,
        converter: ColorConverter,
        profile: [UInt8]?,
        isDisplayP3: Bool,
        bytesPerSample: Int
    ) {
        self.bytesPerSample = bytesPerSample
        self.sink = sink
        self.converter = converter
        self.profile = profile
        self.isDisplayP3 = isDisplayP3
    }

    func take(
        _ colors: cphotos_colors,
        _ rows: UnsafeMutablePointer<UInt8>,
        pixels: Int,
        bands: Int
    ) -> Bool {
        let space: ColorConverter.Destination = isDisplayP3 ? .displayP3 : .sRGB
        if colors == CPHOTOS_SOURCE_COLORS, let profile {
            converter.convert(rows, pixels: pixels, bands: bands, from: profile, to: space)
        } else if colors != CPHOTOS_WANTED_COLORS, isDisplayP3 {
            converter.convert(rows, pixels: pixels, bands: bands, from: nil, to: space)
        }
        let count = pixels * bands * bytesPerSample
        return sink.take(UnsafeRawBufferPointer(start: rows, count: count))
    }
}
