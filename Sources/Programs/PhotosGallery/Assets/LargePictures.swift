internal import Photos
internal import PhotosManagement

/// Limits the memory for images that are larger than any screen.
///
/// A small file can decode to enough pixels to exhaust the memory.
///
/// 1. Only one large image is rendered at a time, for all clients together.
/// 2. An image whose pixels take more than 112 MB is refused: a worker that compresses them holds
///    them twice, and is limited to 256 MB. The error names the largest possible size and the
///    address of the original file.
struct LargePictures: Sendable {
    /// The maximum length, in pixels, of the longer side of an image that is rendered without
    /// waiting for other large images.
    private static let screenSide = 4_096
    /// The maximum number of pixels of an image; a pixel takes four bytes.
    private static let pixelLimit = (112 << 20) / 4

    private let queue = SerialQueue()

    /// Calls `make` to render an image; calls for large images are queued.
    ///
    /// `fetch` receives the file of a large image before the image is queued, so that no image
    /// waits for the download of another.
    ///
    /// - Throws: ``RequestError`` with `tooLarge`; any error of `make`.
    func limited<Value: Sendable>(
        _ variant: Pictures.Variant,
        of known: AssetMemory.Known,
        in library: PhotoLibraryBundle,
        fetching fetch: (ResourceFacts) async throws -> Void,
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
        if let shown = Self.shown(files, variant) { try await fetch(shown) }
        return try await queue.run(make)
    }

    /// Returns the index of the largest image file that is not part of an edit.
    ///
    /// If no size is known, it is the first file.
    private static func original(_ files: [ResourceFacts]) -> Int? {
        let pictures = files.indices.filter { !files[$0].isOfEdit && files[$0].pixelWidth > 0 }
        return pictures.max {
            files[$0].pixelWidth * files[$0].pixelHeight
                < files[$1].pixelWidth * files[$1].pixelHeight
        } ?? files.indices.first
    }

    /// Returns the image file from which a variant is rendered.
    private static func shown(
        _ files: [ResourceFacts],
        _ variant: Pictures.Variant
    ) -> ResourceFacts? {
        let edited = variant.version == .current ? files.first { $0.role == .fullSizePhoto } : nil
        return edited ?? original(files).map { files[$0] }
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
            "The picture is too large to be displayed at full size.",
            reason: isKnown
                ? "It has \(whole.width) × \(whole.height) pixels."
                : "Its number of pixels is unknown.",
            recovery: "Request a size of up to \(largest) pixels, or download the original."
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

    /// Returns the size of the image that a variant requests.
    func scaled(for variant: Pictures.Variant) -> PictureSize {
        guard variant.size > 0 else { return self }
        if variant.fills { return PictureSize(variant.size, variant.size) }
        guard longerSide > variant.size else { return self }
        return PictureSize(width * variant.size / longerSide, height * variant.size / longerSide)
    }

    /// Returns the length of the longer side after the picture is scaled down to a total of at most
    /// `limit` pixels.
    ///
    /// The result is at most the maximum side that a request may have.
    func longerSide(ofAtMost limit: Int) -> Int {
        let factor = (Double(limit) / Double(max(1, pixels))).squareRoot()
        return min(AssetRoutes.sizeLimit, Int(Double(longerSide) * min(1, factor)))
    }
}
