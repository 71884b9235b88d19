internal import CVipsShim
package import PhotoModel

/// What pixels are wanted of a picture.
package struct PixelRequest: Sendable {
    package var shape: PixelShape
    /// Whether alpha is kept; otherwise the picture lies on white.
    package var keepsAlpha: Bool
    package var isDisplayP3: Bool
    /// 3, or 4 with alpha or 255 in the last.
    package var bytesPerPixel: Int
    /// Set for light in place of colours of 8 bits; then 4 numbers of 16 bits a pixel come.
    package var bright: HDRRequest?
    /// Whether the numbers come as they are stored, of 16 bits when they are wide.
    var keepsNumbers = false
    var isWide = false
    /// Whether a preview will do that is smaller than what is wanted.
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

/// Takes the rows of a picture as they are decoded, and says whether to go on.
package protocol RowSink: AnyObject {
    /// Takes rows from the top.
    ///
    /// - Returns: Whether to go on.
    func take(_ rows: UnsafeRawBufferPointer) -> Bool

    /// Forgets all rows that were taken: they come again.
    func restart()

    /// Whether whoever asked does not want the picture any more.
    var isCancelled: Bool { get }
}

/// Why there are no pixels.
package enum DecodeFailure: Error, Sendable {
    /// In words for people: a clause, such as “it is cut short”.
    case damaged(String)
    /// So many pixels are over the limit.
    case tooLarge(PixelSize)
    case cancelled
}

/// What was decoded.
package struct DecodedPicture: Sendable {
    /// Of the rows that the sink got.
    package var size: PixelSize
    /// The upright picture's own size.
    package var fullSize: PixelSize
    package var hasAlpha: Bool
    /// Why a part of it is missing: a clause for people.
    package var damage: String?
    /// When it is shown, of a movie's frame that was asked for by its time.
    package var time: MovieTime?
}

/// A picture of which libvips makes rows: an encoded file, or pixels that another library decoded.
///
/// Owns what it opened; the bytes must outlive it. Used by one thread.
final class PictureRows {
    private let source: OpaquePointer
    /// As stored.
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

    /// Pixels: rows from the top without padding, alpha last.
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
        else { throw .damaged("its pixels are fewer than its size says") }
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
        // The C side refers to the profile until it is closed.
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

    /// Renders a plan for the upright picture; once for each object.
    ///
    /// - Parameters:
    ///   - plan: Of the upright picture.
    ///   - orientation: How the stored pixels are turned.
    ///   - request: What pixels are wanted.
    ///   - converter: Brings colours to what is wanted.
    ///   - sink: Takes the rows.
    /// - Throws: Why there are not all rows.
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
        case 1: throw sink.isCancelled ? .cancelled : .damaged("its pixels find no memory")
        default: throw .damaged(ErrorWords.first(inBuffer: words))
        }
    }
}

/// What a callback from C works on.
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
