internal import CVipsShim
internal import PhotoModel

/// An image whose pixels libvips computes on demand.
///
/// Used by one thread; the source bytes must outlive it and all images derived from it.
final class LazyImage {
    private let image: OpaquePointer

    private init(_ image: OpaquePointer) { self.image = image }

    deinit { cphotos_image_release(image) }

    /// Loads a source.
    ///
    /// - Parameters:
    ///   - source: The source.
    ///   - converts: Whether to convert from any color space to sRGB.
    ///   - isConverted: Set to whether a conversion took place.
    /// - Returns: The image; no pixel is decoded yet if the format supports that.
    /// - Throws: The reason why the source cannot be opened.
    static func load(
        _ source: cphotos_source,
        converts: Bool,
        isConverted: inout Bool
    ) throws(DecodeFailure) -> LazyImage {
        var source = source
        var converted: Int32 = 0
        let image = try made(cphotos_image_load(&source, converts ? 1 : 0, &converted))
        isConverted = converted != 0
        return image
    }

    /// Creates an image of one color: 3 bands, or 4 with premultiplied alpha.
    static func constant(
        _ size: PixelSize,
        _ color: [Double]
    ) throws(DecodeFailure) -> LazyImage {
        let (width, height) = try sides(size)
        return try made(cphotos_image_constant(width, height, color, Int32(color.count)))
    }

    var facts: cphotos_image_facts { cphotos_image_inspect(image) }

    var size: PixelSize {
        let facts = facts
        return PixelSize(width: Int(facts.width), height: Int(facts.height))
    }

    /// The profile of a loaded image.
    var profile: [UInt8]? {
        var length = 0
        guard let bytes = cphotos_image_profile(image, &length), length > 0 else { return nil }
        return Array(UnsafeRawBufferPointer(start: bytes, count: length))
    }

    // MARK: - Derived images

    func inMemory() throws(DecodeFailure) -> LazyImage {
        try Self.made(cphotos_image_in_memory(given))
    }

    func cropped(left: Int, top: Int, to size: PixelSize) throws(DecodeFailure) -> LazyImage {
        let (width, height) = try Self.sides(size)
        return try Self.made(
            cphotos_image_crop(given, Int32(clamping: left), Int32(clamping: top), width, height)
        )
    }

    /// Embeds the image in a larger one, whose other pixels are zeros or repeat the edge.
    func embedded(
        left: Int,
        top: Int,
        in size: PixelSize,
        extendsEdge: Bool
    ) throws(DecodeFailure) -> LazyImage {
        let (width, height) = try Self.sides(size)
        return try Self.made(
            cphotos_image_embed(
                given,
                Int32(clamping: left),
                Int32(clamping: top),
                width,
                height,
                extendsEdge ? 1 : 0
            )
        )
    }

    func turned(_ orientation: Orientation) throws(DecodeFailure) -> LazyImage {
        try Self.made(cphotos_image_turn(given, Int32(orientation.rawValue)))
    }

    func resized(to size: PixelSize) throws(DecodeFailure) -> LazyImage {
        let (width, height) = try Self.sides(size)
        return try Self.made(cphotos_image_resize(given, width, height))
    }

    /// Applies an affine transform: x′ = m₀x + m₁y + m₄, y′ = m₂x + m₃y + m₅, with y downward.
    func transformed(_ matrix: [Double], to size: PixelSize) throws(DecodeFailure) -> LazyImage {
        let (width, height) = try Self.sides(size)
        return try Self.made(cphotos_image_affine(given, matrix, 0, 0, width, height))
    }

    func blurred(sigma: Double) throws(DecodeFailure) -> LazyImage {
        try Self.made(cphotos_image_blur(given, sigma))
    }

    /// Appends the bands of another image of the same size.
    func joined(_ other: LazyImage) throws(DecodeFailure) -> LazyImage {
        try Self.made(cphotos_image_join(given, other.given))
    }

    /// Runs a program of color operations on each pixel.
    func run(_ program: inout cphotos_program, decodingLength: Int) throws(DecodeFailure)
        -> LazyImage
    {
        try Self.made(cphotos_image_run(given, &program, decodingLength))
    }

    // MARK: - Output

    /// Computes all pixels and passes them to a sink.
    func deliver(into sink: any RowSink) throws(DecodeFailure) {
        let taker = StripTaker(sink)
        let code = withExtendedLifetime(taker) {
            cphotos_image_deliver(
                image,
                { context, rows, length in
                    guard let context else { return 1 }
                    let taker = Unmanaged<StripTaker>.fromOpaque(context).takeUnretainedValue()
                    let bytes = UnsafeRawBufferPointer(start: rows, count: length)
                    return taker.sink.take(bytes) ? 0 : 1
                },
                Unmanaged.passUnretained(taker).toOpaque()
            )
        }
        switch code {
        case 0: return
        case 1:
            throw sink.isCancelled
                ? .cancelled : .damaged("there is not enough memory for its pixels")
        default: throw Self.failure()
        }
    }

    /// Encodes the image as a JPEG file with a quality of 1...100, or as a PNG file for a quality
    /// of 0.
    ///
    /// - Parameters:
    ///   - quality: The quality, or 0.
    ///   - profile: The color profile of a PNG file.
    ///   - sink: Checked for cancellation.
    ///   - take: Receives the file's bytes in order; returns false if there is no room for them.
    /// - Throws: The reason for a failure.
    func encode(
        quality: Int,
        profile: [UInt8]?,
        sink: any RowSink,
        take: (UnsafeRawBufferPointer) -> Bool
    ) throws(DecodeFailure) {
        let code = withoutActuallyEscaping(take) { take in
            let taker = FileTaker(sink, take)
            return withExtendedLifetime(taker) {
                (profile ?? []).withUnsafeBytes { profile in
                    cphotos_image_encode(
                        image,
                        Int32(clamping: quality),
                        profile.isEmpty ? nil : profile.baseAddress,
                        profile.count,
                        { FileTaker.of($0).sink.isCancelled ? 1 : 0 },
                        { context, bytes, length in
                            let part = UnsafeRawBufferPointer(start: bytes, count: length)
                            return FileTaker.of(context).take(part) ? 0 : 1
                        },
                        Unmanaged.passUnretained(taker).toOpaque()
                    )
                }
            }
        }
        switch code {
        case 0: return
        case 1:
            throw sink.isCancelled
                ? .cancelled : .damaged("there is not enough memory for the file")
        default: throw Self.failure()
        }
    }

    /// Encodes a file as ``encode(quality:profile:sink:take:)`` does, and returns its bytes.
    func encoded(
        quality: Int,
        profile: [UInt8]?,
        sink: any RowSink
    ) throws(DecodeFailure) -> [UInt8] {
        var bytes: [UInt8] = []
        try encode(quality: quality, profile: profile, sink: sink) {
            bytes.append(contentsOf: $0)
            return true
        }
        return bytes
    }

    // MARK: - Parts

    /// An additional reference to the image, for a C function that consumes a reference.
    private var given: OpaquePointer { cphotos_image_retain(image) }

    private static func made(_ image: OpaquePointer?) throws(DecodeFailure) -> LazyImage {
        guard let image else { throw failure() }
        return LazyImage(image)
    }

    private static func failure() -> DecodeFailure {
        var words = [CChar](repeating: 0, count: 512)
        cphotos_image_error(&words, words.count)
        return .damaged(ErrorWords.first(inBuffer: words))
    }

    private static func sides(_ size: PixelSize) throws(DecodeFailure) -> (Int32, Int32) {
        // The maximum side in libvips.
        guard (1...10_000_000).contains(size.width), (1...10_000_000).contains(size.height) else {
            throw .damaged("a step produces an image of \(size.width) x \(size.height) pixels")
        }
        return (Int32(size.width), Int32(size.height))
    }
}

/// The context of a C callback that receives strips of rows.
private final class StripTaker {
    let sink: any RowSink

    init(_ sink: any RowSink) { self.sink = sink }
}

/// The context of C callbacks that receive a file's bytes and check for cancellation.
private final class FileTaker {
    let sink: any RowSink
    let take: (UnsafeRawBufferPointer) -> Bool

    init(_ sink: any RowSink, _ take: @escaping (UnsafeRawBufferPointer) -> Bool) {
        self.sink = sink
        self.take = take
    }

    /// Returns the object to which a callback's context points.
    static func of(_ context: UnsafeMutableRawPointer?) -> FileTaker {
        guard let context else { preconditionFailure("A callback came without its context.") }
        return Unmanaged<FileTaker>.fromOpaque(context).takeUnretainedValue()
    }
}
