internal import Photos
internal import PhotosManagement

/// Limits the memory of pictures that are larger than any screen: a small file can hold one whose pixels
/// fill it.
///
/// 1. One is made at a time, whoever asks for it.
/// 2. None is made whose pixels have more than 112 MB: a worker that compresses them holds them twice, and
///    stays within 256 MB. The largest size that is made is named instead, and the address of the file.
struct LargePictures: Sendable {
    /// Pixels of a side up to which pictures do not wait for each other.
    private static let screenSide = 4_096
    /// Pixels of the largest picture that is made, of four bytes each.
    private static let pixelLimit = (112 << 20) / 4

    private let queue = SerialQueue()

    /// Makes a picture with `make`, which waits for its turn where it is large.
    ///
    /// - Throws: ``RequestError`` with `tooLarge`; what `make` throws.
    func limited<Value: Sendable>(
        _ variant: Pictures.Variant,
        of known: AssetMemory.Known,
        in library: PhotoLibraryBundle,
        _ make: () async throws -> Value
    ) async throws -> Value {
        guard !variant.isFast, variant.size == 0 || variant.size > Self.screenSide else {
            return try await make()
        }
        let identifier = known.asset.localIdentifier
        let files = try await Blocking.run { try library.resources(of: identifier) }
        let original = Self.original(files)
        var whole = PictureSize(known.asset.pixelWidth, known.asset.pixelHeight)
        if variant.version != .current, let original {
            whole = PictureSize(files[original].pixelWidth, files[original].pixelHeight)
        }
        let size = whole.scaled(for: variant)
        guard size.longerSide > Self.screenSide || size.pixels == 0 else {
            return try await make()
        }
        guard (1...Self.pixelLimit).contains(size.pixels) else {
            throw Self.requestError(
                whole,
                variant,
                original: original.map {
                    "/api/assets/\(known.asset.bareIdentifier)/resources/\($0)"
                }
            )
        }
        return try await queue.run(make)
    }

    /// The number of the largest file without edits; nil where no size of one is known.
    private static func original(_ files: [ResourceFacts]) -> Int? {
        let pictures = files.indices.filter { !files[$0].isOfEdit && files[$0].pixelWidth > 0 }
        return pictures.max {
            files[$0].pixelWidth * files[$0].pixelHeight
                < files[$1].pixelWidth * files[$1].pixelHeight
        } ?? files.indices.first
    }

    private static func requestError(
        _ whole: PictureSize,
        _ variant: Pictures.Variant,
        original: String?
    ) -> RequestError {
        let isKnown = whole.pixels > 0
        let largest =
            variant.fills || !isKnown ? screenSide : whole.longerSide(ofAtMost: pixelLimit)
        var requestError = RequestError(
            .tooLarge,
            "The picture is too large to be shown in full.",
            reason: isKnown
                ? "It has \(whole.width) × \(whole.height) pixels."
                : "Nothing says how many pixels it has.",
            recovery: "Ask for a size of up to \(largest) pixels, or download the original."
        )
        requestError.original = original
        requestError.details = [("largest", Int64(largest))]
        return requestError
    }
}

/// The size of a picture, in pixels.
private struct PictureSize {
    let width: Int
    let height: Int

    init(_ width: Int, _ height: Int) { (self.width, self.height) = (width, height) }

    var longerSide: Int { max(width, height) }
    var pixels: Int { width * height }

    /// The size that a variant leads to.
    func scaled(for variant: Pictures.Variant) -> PictureSize {
        guard variant.size > 0 else { return self }
        if variant.fills { return PictureSize(variant.size, variant.size) }
        guard longerSide > variant.size else { return self }
        return PictureSize(width * variant.size / longerSide, height * variant.size / longerSide)
    }

    /// The longer side of the largest copy that has at most so many pixels and can be asked for.
    func longerSide(ofAtMost limit: Int) -> Int {
        let factor = (Double(limit) / Double(max(1, pixels))).squareRoot()
        return min(AssetRoutes.sizeLimit, Int(Double(longerSide) * min(1, factor)))
    }
}
