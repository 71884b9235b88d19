internal import Foundation
internal import LibraryService
internal import PhotoModel
internal import WorkerClient
internal import WorkerProtocol

/// A file of a picture that is being written, or its bytes.
///
/// Pictures and what they say of themselves are collected; ``CGImageDestinationFinalize(_:)`` has the
/// confined process `photos-worker` encode them. Used by one thread at a time.
public final class CGImageDestination: Hashable {
    /// Where the file goes.
    enum Target {
        case file(URL)
        case data(NSMutableData)
    }

    /// The kinds of files that can be written.
    enum Format: String, CaseIterable {
        case jpeg = "public.jpeg"
        case png = "public.png"
        case tiff = "public.tiff"
        case heic = "public.heic"
    }

    /// A picture that was added.
    struct Picture {
        /// Its pixels, not turned.
        var image: CIImage
        /// What it says of itself, under ImageIO's names.
        var properties: [String: Any]
        /// Whether its pixels may be transparent.
        var mayHaveAlpha: Bool
        var gainMap: AuxiliaryGainMap?
    }

    let format: Format
    private let target: Target
    private let count: Int
    private var pictures: [Picture] = []
    /// How many were added, those that can't be written among them.
    private var added = 0
    private var common: [String: Any] = [:]
    private var isFinished = false

    /// A file of a type; nil for one that can't be written, or that can't hold so many pictures.
    init?(_ target: Target, type: String, count: Int) {
        guard let format = Format(rawValue: type), count == 1 else { return nil }
        self.format = format
        self.target = target
        self.count = count
    }

    // MARK: - Collecting

    /// Sets what holds for all pictures that are added from now on.
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

    /// Adds a gain map to the picture that was added last.
    func add(_ gainMap: AuxiliaryGainMap) {
        guard !pictures.isEmpty else { return }
        pictures[pictures.count - 1].gainMap = gainMap
    }

    // MARK: - Writing

    /// Writes the file, once.
    ///
    /// - Throws: Why there is none.
    func write() throws(CIRenderingError) {
        guard !isFinished, added == count, pictures.count == count, let picture = pictures.first
        else {
            throw CIRenderingError(
                .invalidRequest,
                isFinished
                    ? "The file was written already."
                    : "\(pictures.count) pictures were added that can be written, and \(count) announced.",
                recovery: "Add pictures before CGImageDestinationFinalize, and call that once."
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

    /// The same destination only.
    public static func == (one: CGImageDestination, other: CGImageDestination) -> Bool {
        one === other
    }

    /// Agrees with equality.
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

extension CGImageSource {
    /// The picture as it is stored, for what is written of it; nil for what can't be read.
    fileprivate var storedPicture: (image: CIImage, mayHaveAlpha: Bool)? {
        guard let facts, let source = recipeSource else { return nil }
        let isOpaque = facts.format == .jpeg || facts.format == .raw
        return (CIImage(source, colorSpace: colorSpace), !isOpaque)
    }

    /// sRGB, or Display P3 for all that is not.
    private var colorSpace: CGColorSpace {
        let name = facts?.profileName ?? ""
        let isPlain =
            name.isEmpty || name.contains("sRGB") || name.lowercased().contains("gray")
            || name.contains("Gamma 2.2")
        return isPlain ? .standard : .wide
    }
}
