public import Foundation
package import LibraryService
package import WorkerClient
package import PhotoModel

/// A bitmap image in memory, with rows from top to bottom and components in the order red, green,
/// blue.
///
/// Components have 8 bits and pixels 32 bits, or 16 and 64 bits in an HDR image. Images come from
/// image requests and from `UIImage`. Their pixels remain in the memory into which they were
/// decoded for as long as anything refers to them; only ``CGDataProvider/data`` copies them. An
/// image is immutable and can be used from any thread.
public final class CGImage: Sendable, Hashable {
    /// The pixels.
    package let memory: PixelMemory
    /// Indicates whether the last component of a pixel is alpha.
    package let hasAlpha: Bool

    /// Creates an image from decoded pixels.
    package init(memory: PixelMemory, hasAlpha: Bool) {
        self.memory = memory
        self.hasAlpha = hasAlpha && [.rgba, .rgbaHalf].contains(memory.description.layout)
    }

    /// Creates an image from pixels that a photo library returned; nil if the pixels don't match
    /// their description.
    ///
    /// - Parameters:
    ///   - pixels: The pixels, which are shared and not copied.
    ///   - description: The format and size of the pixels.
    ///   - hasAlpha: Whether the fourth component of a pixel is alpha.
    package convenience init?(
        pixels: ImagePixels,
        description: PixelBufferDescription,
        hasAlpha: Bool
    ) {
        let memory: PixelMemory? =
            switch pixels {
            case .block(let block): PixelMemory(description: description, block: block)
            case .sealed(let descriptor):
                withExtendedLifetime(descriptor) {
                    PixelMemory(
                        description: description,
                        descriptor: descriptor.number,
                        maximumSide: WorkerPool.maximumDecodedSide
                    )
                }
            }
        guard let memory else { return nil }
        self.init(memory: memory, hasAlpha: hasAlpha)
    }

    /// The width in pixels.
    public var width: Int { memory.description.size.width }

    /// The height in pixels.
    public var height: Int { memory.description.size.height }

    /// The number of bytes from the start of one row to the start of the next.
    public var bytesPerRow: Int { memory.description.bytesPerRow }

    /// The number of bits per component: 8, or 16 in an HDR image.
    public var bitsPerComponent: Int { memory.description.layout.bitsPerComponent }

    /// The number of bits per pixel: 32, or 64 in an HDR image.
    public var bitsPerPixel: Int { memory.description.layout.bytesPerPixel * 8 }

    /// The meaning of a pixel's last component: straight alpha (`last`) or unused (`noneSkipLast`).
    public var alphaInfo: CGImageAlphaInfo {
        hasAlpha ? .last : memory.description.layout == .rgb ? .none : .noneSkipLast
    }

    /// The pixel layout: ``alphaInfo`` and the component format.
    ///
    /// Components are bytes in order or, in an HDR image, little-endian 16-bit floating-point
    /// numbers.
    public var bitmapInfo: CGBitmapInfo {
        let alpha = CGBitmapInfo(rawValue: alphaInfo.rawValue)
        return memory.description.layout == .rgbaHalf
            ? [alpha, .floatComponents, .byteOrder16Little] : alpha
    }

    /// The color space: sRGB by default, Display P3 if requested, or extended linear Display P3 if
    /// HDR was requested.
    public var colorSpace: CGColorSpace? {
        let name =
            switch memory.description.colors {
            case .sRGB: CGColorSpace.sRGB
            case .displayP3: CGColorSpace.displayP3
            case .extendedLinearDisplayP3: CGColorSpace.extendedLinearDisplayP3
            }
        return CGColorSpace(name: name)
    }

    /// The value of the largest color component relative to white, at least 1; 1 for an SDR image.
    ///
    /// Each access scans all pixels of an HDR image.
    public var contentHeadroom: Float {
        guard memory.description.layout == .rgbaHalf else { return 1 }
        return memory.withBytes { bytes in
            var brightest: Float = 1
            let halves = bytes.bindMemory(to: Float16.self)
            for pixel in stride(from: 0, to: halves.count - 3, by: 4) {
                for channel in pixel..<pixel + 3 {
                    brightest = max(brightest, Float(halves[channel]))
                }
            }
            return brightest
        }
    }

    /// A provider of the image's bytes, row by row.
    public var dataProvider: CGDataProvider? { CGDataProvider(memory) }

    /// Returns whether both variables refer to the same object.
    public static func == (one: CGImage, other: CGImage) -> Bool { one === other }

    /// A hash value consistent with equality.
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

/// A provider of an image's bytes.
public final class CGDataProvider: Sendable {
    private let memory: PixelMemory

    init(_ memory: PixelMemory) {
        self.memory = memory
    }

    /// A copy of the bytes.
    ///
    /// Each access copies all bytes. Writing to the data does not change the image.
    public var data: Data? {
        // Data writes to borrowed memory in place, and the image's memory is shared or read-only.
        memory.withBytes { Data($0) }
    }
}

/// The position and meaning of a pixel's alpha component.
public enum CGImageAlphaInfo: UInt32, Sendable, CaseIterable {
    /// No alpha component.
    case none = 0
    /// Alpha after the color components, which are premultiplied.
    case premultipliedLast = 1
    /// Alpha before the color components, which are premultiplied.
    case premultipliedFirst = 2
    /// Alpha after the color components.
    case last = 3
    /// Alpha before the color components.
    case first = 4
    /// An unused component after the color components.
    case noneSkipLast = 5
    /// An unused component before the color components.
    case noneSkipFirst = 6
    /// Alpha only, without color components.
    case alphaOnly = 7
}

/// The layout of a pixel in memory.
public struct CGBitmapInfo: OptionSet, Sendable, Hashable {
    /// The bits, with Core Graphics' values.
    public let rawValue: UInt32

    /// Creates a layout from its bits.
    public init(rawValue: UInt32) { self.rawValue = rawValue }

    /// The mask of the bits that contain a `CGImageAlphaInfo`.
    public static let alphaInfoMask = CGBitmapInfo(rawValue: 0x1f)
    /// The mask of the bits that contain the byte order; no bit is set for the default order.
    public static let byteOrderMask = CGBitmapInfo(rawValue: 0x7000)
    /// Components are floating-point numbers.
    public static let floatComponents = CGBitmapInfo(rawValue: 1 << 8)
    /// Components have 16 bits in little-endian byte order.
    public static let byteOrder16Little = CGBitmapInfo(rawValue: 1 << 12)
}

/// A color space for the components of a pixel.
public final class CGColorSpace: Sendable, Hashable {
    /// The name of sRGB.
    public static let sRGB = "kCGColorSpaceSRGB"
    /// The name of Display P3.
    public static let displayP3 = "kCGColorSpaceDisplayP3"

    /// The name of extended linear Display P3: linear light in which 1 is white and larger values
    /// are brighter.
    public static let extendedLinearDisplayP3 = "kCGColorSpaceExtendedLinearDisplayP3"

    /// The sRGB color space.
    static let standard = CGColorSpace(known: sRGB)
    /// The Display P3 color space.
    static let wide = CGColorSpace(known: displayP3)

    /// The color space's name: ``sRGB``, ``displayP3`` or ``extendedLinearDisplayP3``.
    public let name: String?

    private init(known name: String) { self.name = name }

    /// Creates a color space with a name; nil for an unsupported name.
    public init?(name: String) {
        let names = [Self.sRGB, Self.displayP3, Self.extendedLinearDisplayP3]
        guard names.contains(name) else { return nil }
        self.name = name
    }

    /// The number of components, always 3: red, green and blue.
    public var numberOfComponents: Int { 3 }

    /// Returns whether two color spaces have the same name.
    public static func == (one: CGColorSpace, other: CGColorSpace) -> Bool {
        one.name == other.name
    }

    /// A hash value consistent with equality.
    public func hash(into hasher: inout Hasher) { hasher.combine(name) }
}

/// The orientation of stored pixels, with EXIF's numbers.
public enum CGImagePropertyOrientation: UInt32, Sendable, CaseIterable {
    /// Upright.
    case up = 1
    /// Mirrored horizontally.
    case upMirrored = 2
    /// Displayed after a rotation by 180°.
    case down = 3
    /// Mirrored vertically.
    case downMirrored = 4
    /// Displayed after a reflection across the diagonal from the upper left to the lower right.
    case leftMirrored = 5
    /// Displayed after a rotation by 90° clockwise.
    case right = 6
    /// Displayed after a reflection across the diagonal from the upper right to the lower left.
    case rightMirrored = 7
    /// Displayed after a rotation by 90° counterclockwise.
    case left = 8
}
