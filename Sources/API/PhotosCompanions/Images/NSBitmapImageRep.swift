public import Foundation

/// A bitmap representation of an image, which can be written as a file.
open class NSBitmapImageRep: NSImageRep {
    /// The file types.
    public enum FileType: UInt, Sendable, CaseIterable {
        /// TIFF.
        case tiff = 0
        /// Windows bitmap; can't be written.
        case bmp = 1
        /// GIF; can't be written.
        case gif = 2
        /// JPEG.
        case jpeg = 3
        /// PNG.
        case png = 4
        /// JPEG 2000; can't be written.
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

    /// The compression of TIFF files.
    ///
    /// It is ignored, and TIFF files are never compressed.
    public enum TIFFCompression: UInt, Sendable {
        /// No compression.
        case none = 1
        /// LZW compression.
        case lzw = 5
        /// JPEG compression.
        case jpeg = 6
    }

    /// A property for writing a file.
    public struct PropertyKey: RawRepresentable, Hashable, Sendable {
        /// The property's name in AppKit.
        public let rawValue: String

        /// Creates a property with a name.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The quality of a JPEG file: a number from 0 to 1.
        public static let compressionFactor = PropertyKey(rawValue: "NSImageCompressionFactor")
        /// The EXIF metadata: a dictionary with ImageIO's keys.
        public static let exifData = PropertyKey(rawValue: "NSImageEXIFData")
        /// The compression of a TIFF file; ignored.
        public static let compressionMethod = PropertyKey(rawValue: "NSImageCompressionMethod")
        /// A property for whether a JPEG file is progressive; ignored.
        public static let progressive = PropertyKey(rawValue: "NSImageProgressive")
        /// A property for whether a file is interlaced; ignored.
        public static let interlaced = PropertyKey(rawValue: "NSImageInterlaced")
    }

    /// The bitmap image.
    public let cgImage: CGImage?

    /// Creates a representation of a bitmap image, without copying its pixels.
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

    /// Creates a representation by rendering a ``CIImage``; it is empty if rendering fails.
    public convenience init(ciImage: CIImage) {
        guard let image = CIContext().createCGImage(ciImage, from: ciImage.extent) else {
            self.init()
            return
        }
        self.init(cgImage: image)
    }

    /// Creates a representation from a file's data, oriented upright; nil if the data can't be
    /// decoded.
    public convenience init?(data: Data) {
        guard let image = UIImage(data: data)?.cgImage else { return nil }
        self.init(cgImage: image)
    }

    private override init() {
        cgImage = nil
        super.init()
    }

    /// The number of bits per pixel.
    open var bitsPerPixel: Int { cgImage?.bitsPerPixel ?? 0 }

    /// The number of bytes from the start of one row to the start of the next.
    open var bytesPerRow: Int { cgImage?.bytesPerRow ?? 0 }

    /// The number of components per pixel: 3, or 4 with alpha.
    open var samplesPerPixel: Int { hasAlpha ? 4 : 3 }

    /// Returns the image encoded as the data of a file.
    ///
    /// - Parameters:
    ///   - storageType: JPEG, PNG or TIFF.
    ///   - properties: See ``PropertyKey``.
    /// - Returns: Nil for another file type, for an image without pixels, and if no worker is
    ///   available, which is logged.
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

    /// The image as TIFF data.
    open var tiffRepresentation: Data? { representation(using: .tiff, properties: [:]) }

    /// Returns the image as TIFF data; the arguments are ignored, and the data is never compressed.
    open func tiffRepresentation(using comp: TIFFCompression, factor: Float) -> Data? {
        tiffRepresentation
    }

    /// Returns the first bitmap representation in an array, encoded as the data of a file.
    open class func representationOfImageReps(
        in imageReps: [NSImageRep],
        using storageType: FileType,
        properties: [PropertyKey: Any]
    ) -> Data? {
        imageReps.lazy.compactMap { $0 as? NSBitmapImageRep }.first?
            .representation(using: storageType, properties: properties)
    }
}
