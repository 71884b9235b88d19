internal import Foundation
internal import LibraryService
internal import PhotoModel
internal import WorkerClient
internal import WorkerProtocol

/// An image file that is being written to disk or memory.
///
/// The destination collects images and properties; ``CGImageDestinationFinalize(_:)`` has the
/// confined process `photos-worker` encode them. A destination must be used by one thread at a
/// time.
public final class CGImageDestination: Hashable {
    /// The destination of the file's data: a path or a buffer in memory.
    enum Target {
        case file(URL)
        case data(NSMutableData)
    }

    /// The file types that can be written.
    enum Format: String, CaseIterable {
        case jpeg = "public.jpeg"
        case png = "public.png"
        case tiff = "public.tiff"
        case heic = "public.heic"
    }

    /// An image that was added.
    struct Picture {
        /// The pixels in stored orientation.
        var image: CIImage
        /// The image properties, under ImageIO's keys.
        var properties: [String: Any]
        /// Indicates whether the pixels may be transparent.
        var mayHaveAlpha: Bool
        var gainMap: AuxiliaryGainMap?
    }

    let format: Format
    private let target: Target
    private let count: Int
    private var pictures: [Picture] = []
    /// The number of images added, including those that can't be written.
    private var added = 0
    private var common: [String: Any] = [:]
    private var isFinished = false

    /// Creates a destination; nil if the file type can't be written or can't contain `count`
    /// images.
    init?(_ target: Target, type: String, count: Int) {
        guard let format = Format(rawValue: type), count == 1 else { return nil }
        self.format = format
        self.target = target
        self.count = count
    }

    // MARK: - Adding images

    /// Sets properties for all images that are added afterward.
    func set(_ properties: [String: Any]) {
        for (key, value) in properties { common[key] = value }
    }

    func add(_ image: CGImage, _ properties: [String: Any]) {
        added += 1
        guard !isFinished, pictures.count < count, let plain = image.plain else { return }
        pictures.append(
            Picture(
                image: CIImage(cgImage: plain),
                properties: PropertyMerging.merge(properties, over: common),
                mayHaveAlpha: plain.hasAlpha
            )
        )
    }

    func add(_ source: CGImageSource, at index: Int, _ properties: [String: Any]) {
        added += 1
        guard !isFinished, pictures.count < count, index == 0, let found = source.storedPicture
        else { return }
        let said = PropertyMerging.merge(common, over: source.properties ?? [:])
        var picture = Picture(
            image: found.image,
            properties: PropertyMerging.merge(properties, over: said),
            mayHaveAlpha: found.mayHaveAlpha
        )
        let keepsGainMap = properties["kCGImageDestinationPreserveGainMap"] ?? false
        if PropertyValue.truth(keepsGainMap) { picture.gainMap = source.gainMap }
        pictures.append(picture)
    }

    /// Adds a gain map to the image that was added last.
    func add(_ gainMap: AuxiliaryGainMap) {
        guard !pictures.isEmpty else { return }
        pictures[pictures.count - 1].gainMap = gainMap
    }

    // MARK: - Writing

    /// Writes the file; can be called only once.
    ///
    /// - Throws: ``CIRenderingError`` with the reason if the file is not written.
    func write() throws(CIRenderingError) {
        guard !isFinished, added == count, pictures.count == count, let picture = pictures.first
        else {
            throw CIRenderingError(
                .invalidRequest,
                isFinished
                    ? "The file has already been written."
                    : "\(pictures.count) writable images were added, but \(count) were declared.",
                recovery: "Add images before CGImageDestinationFinalize, and call it once."
            )
        }
        isFinished = true
        let file = try PictureWriter(picture, format).file()
        switch target {
        case .file(let url): try CIContext.write(file, to: url)
        case .data(let data):
            file.withBytes { bytes in
                data.length = 0
                if let start = bytes.baseAddress { data.append(start, length: bytes.count) }
            }
        }
    }

    /// Returns whether both variables refer to the same object.
    public static func == (one: CGImageDestination, other: CGImageDestination) -> Bool {
        one === other
    }

    /// A hash value consistent with equality.
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

extension CGImageSource {
    /// The image in stored orientation and whether it may have alpha; nil if it can't be read.
    fileprivate var storedPicture: (image: CIImage, mayHaveAlpha: Bool)? {
        guard let facts, let source = recipeSource else { return nil }
        let isOpaque = facts.format == .jpeg || facts.format == .raw
        return (CIImage(source, colorSpace: facts.colorSpace), !isOpaque)
    }
}
