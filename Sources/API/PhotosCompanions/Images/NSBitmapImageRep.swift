public import Foundation

/// An image as pixels, and what becomes of it as a file.
open class NSBitmapImageRep: NSImageRep {
    /// The kinds of files.
    public enum FileType: UInt, Sendable, CaseIterable {
        /// TIFF.
        case tiff = 0
        /// Windows bitmap, which is not written here.
        case bmp = 1
        /// GIF, which is not written here.
        case gif = 2
        /// JPEG.
        case jpeg = 3
        /// PNG.
        case png = 4
        /// JPEG 2000, which is not written here.
        case jpeg2000 = 5

        fileprivate var identifier: String? {
            switch self {
            case .tiff: "public.tiff"
            case .jpeg: "public.jpeg"
            case .png: "public.png"
            case .bmp, .gif, .jpeg2000: nil
            }
        }
    }

    /// How TIFF files are compressed; here they never are.
    public enum TIFFCompression: UInt, Sendable {
        /// Not at all.
        case none = 1
        /// By LZW.
        case lzw = 5
        /// By JPEG.
        case jpeg = 6
    }

    /// How a file is written.
    public struct PropertyKey: RawRepresentable, Hashable, Sendable {
        /// AppKit's name.
        public let rawValue: String

        /// A property by its name.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The quality of a JPEG file: a number from 0 to 1.
        public static let compressionFactor = PropertyKey(rawValue: "NSImageCompressionFactor")
        /// EXIF data: a dictionary of ImageIO's keys.
        public static let exifData = PropertyKey(rawValue: "NSImageEXIFData")
        /// How a TIFF file is compressed; changes nothing here.
        public static let compressionMethod = PropertyKey(rawValue: "NSImageCompressionMethod")
        /// Whether a file is shown in steps while it is loaded; changes nothing here.
        public static let progressive = PropertyKey(rawValue: "NSImageProgressive")
        /// Whether a file is shown in steps while it is loaded; changes nothing here.
        public static let interlaced = PropertyKey(rawValue: "NSImageInterlaced")
    }

    /// The pixels.
    public let cgImage: CGImage?

    /// The pixels of an image, which are not copied.
    public init(cgImage: CGImage) {
        self.cgImage = cgImage
        super.init()
        size = NSSize(width: cgImage.width, height: cgImage.height)
        pixelsWide = cgImage.width
        pixelsHigh = cgImage.height
        bitsPerSample = cgImage.bitsPerComponent
        hasAlpha = cgImage.hasAlpha
        isOpaque = !cgImage.hasAlpha
    }

    /// The picture that a recipe makes.
    public convenience init(ciImage: CIImage) {
        guard let image = CIContext().createCGImage(ciImage, from: ciImage.extent) else {
            self.init()
            return
        }
        self.init(cgImage: image)
    }

    /// The picture in the bytes of a file, upright; nil when they are none.
    public convenience init?(data: Data) {
        guard let image = UIImage(data: data)?.cgImage else { return nil }
        self.init(cgImage: image)
    }

    private override init() {
        cgImage = nil
        super.init()
    }

    /// Bits of one pixel.
    open var bitsPerPixel: Int { cgImage?.bitsPerPixel ?? 0 }

    /// Bytes from the start of one row to the start of the next.
    open var bytesPerRow: Int { cgImage?.bytesPerRow ?? 0 }

    /// Components of a pixel: 3, or 4 with alpha.
    open var samplesPerPixel: Int { hasAlpha ? 4 : 3 }

    /// The picture as a file.
    ///
    /// - Parameters:
    ///   - storageType: JPEG, PNG or TIFF.
    ///   - properties: See ``PropertyKey``.
    /// - Returns: Nil for another kind of file, for a picture without pixels, and where no worker can be
    ///   had, which is logged.
    open func representation(
        using storageType: FileType,
        properties: [PropertyKey: Any]
    ) -> Data? {
        guard let cgImage, let type = storageType.identifier else { return nil }
        let data = NSMutableData()
        let target = CGImageDestinationCreateWithData(data, NSString(string: type), 1, nil)
        guard let target else { return nil }
        var said: [String: Any] = [:]
        if let quality = properties[.compressionFactor] {
            said["kCGImageDestinationLossyCompressionQuality"] = quality
        }
        if let exif = properties[.exifData] { said["{Exif}"] = exif }
        target.add(cgImage, said)
        return CGImageDestinationFinalize(target) ? Data(referencing: data) : nil
    }

    /// The picture as a TIFF file.
    open var tiffRepresentation: Data? { representation(using: .tiff, properties: [:]) }

    /// The picture as a TIFF file, not compressed whatever is said.
    open func tiffRepresentation(using comp: TIFFCompression, factor: Float) -> Data? {
        tiffRepresentation
    }

    /// The first of some forms as a file.
    open class func representationOfImageReps(
        in imageReps: [NSImageRep],
        using storageType: FileType,
        properties: [PropertyKey: Any]
    ) -> Data? {
        imageReps.lazy.compactMap { $0 as? NSBitmapImageRep }.first?
            .representation(using: storageType, properties: properties)
    }
}
