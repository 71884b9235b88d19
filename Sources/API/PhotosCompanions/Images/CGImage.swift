public import Foundation
package import LibraryService
package import WorkerClient
package import PhotoModel

/// Pixels in memory: rows from the top, red first, 8 bits a component and 32 a pixel; twice that of an
/// HDR picture.
///
/// Pictures come from image requests and from `UIImage`; their pixels are never copied: they stay in
/// the memory into which they were decoded for as long as anything refers to them. An image never
/// changes and can be used from any thread.
public final class CGImage: Sendable, Hashable {
    /// The pixels.
    package let memory: PixelMemory
    /// Whether the last component of a pixel is alpha.
    package let hasAlpha: Bool

    /// An image of pixels that were decoded.
    package init(memory: PixelMemory, hasAlpha: Bool) {
        self.memory = memory
        self.hasAlpha = hasAlpha && [.rgba, .rgbaHalf].contains(memory.description.layout)
    }

    /// The pixels of a library's answer; nil when they are not what the description says.
    ///
    /// - Parameters:
    ///   - pixels: Shared, not copied.
    ///   - description: What they are.
    ///   - hasAlpha: Whether the fourth byte of a pixel is alpha.
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

    /// Pixels across.
    public var width: Int { memory.description.size.width }

    /// Pixels down.
    public var height: Int { memory.description.size.height }

    /// Bytes from the start of one row to the start of the next.
    public var bytesPerRow: Int { memory.description.bytesPerRow }

    /// Bits of one colour component: 8; 16 of an HDR picture.
    public var bitsPerComponent: Int { memory.description.layout.bitsPerComponent }

    /// Bits of one pixel: 32; 64 of an HDR picture.
    public var bitsPerPixel: Int { memory.description.layout.bytesPerPixel * 8 }

    /// What the last component of a pixel means: alpha that is not multiplied in (`last`), or nothing
    /// (`noneSkipLast`).
    public var alphaInfo: CGImageAlphaInfo {
        hasAlpha ? .last : memory.description.layout == .rgb ? .none : .noneSkipLast
    }

    /// How a pixel lies in memory: that of ``alphaInfo``, and bytes in order or, of an HDR picture,
    /// floating-point numbers of 16 bits, least significant byte first.
    public var bitmapInfo: CGBitmapInfo {
        let alpha = CGBitmapInfo(rawValue: alphaInfo.rawValue)
        return memory.description.layout == .rgbaHalf
            ? [alpha, .floatComponents, .byteOrder16Little] : alpha
    }

    /// The colours: sRGB, unless Display P3 or HDR was asked for.
    public var colorSpace: CGColorSpace? {
        let name =
            switch memory.description.colors {
            case .sRGB: CGColorSpace.sRGB
            case .displayP3: CGColorSpace.displayP3
            case .extendedLinearDisplayP3: CGColorSpace.extendedLinearDisplayP3
            }
        return CGColorSpace(name: name)
    }

    /// How many times brighter than white the brightest pixel is: 1 of a plain picture.
    ///
    /// All pixels of an HDR picture are looked at, each time.
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

    /// The bytes of all rows.
    public var dataProvider: CGDataProvider? { CGDataProvider(memory) }

    /// The same image only.
    public static func == (one: CGImage, other: CGImage) -> Bool { one === other }

    /// Agrees with equality.
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

/// Lends the bytes of an image.
public final class CGDataProvider: Sendable {
    private let memory: PixelMemory

    init(_ memory: PixelMemory) {
        self.memory = memory
    }

    /// The bytes, which are not copied: they keep the image's memory as long as they live.
    public var data: Data? {
        let memory = memory
        return Data(
            bytesNoCopy: UnsafeMutableRawPointer(mutating: memory.start),
            count: memory.withBytes { $0.count },
            // Data copies before it writes to memory that it was lent. The closure keeps the owner.
            deallocator: .custom { _, _ in withExtendedLifetime(memory) {} }
        )
    }
}

/// What the byte beside the colours of a pixel means.
public enum CGImageAlphaInfo: UInt32, Sendable, CaseIterable {
    /// There is none.
    case none = 0
    /// Alpha after the colours, which are multiplied with it.
    case premultipliedLast = 1
    /// Alpha before the colours, which are multiplied with it.
    case premultipliedFirst = 2
    /// Alpha after the colours.
    case last = 3
    /// Alpha before the colours.
    case first = 4
    /// Nothing, after the colours.
    case noneSkipLast = 5
    /// Nothing, before the colours.
    case noneSkipFirst = 6
    /// Alpha and no colours.
    case alphaOnly = 7
}

/// How a pixel lies in memory.
public struct CGBitmapInfo: OptionSet, Sendable, Hashable {
    /// The bits, as Core Graphics numbers them.
    public let rawValue: UInt32

    /// A layout by its bits.
    public init(rawValue: UInt32) { self.rawValue = rawValue }

    /// The bits that hold a `CGImageAlphaInfo`.
    public static let alphaInfoMask = CGBitmapInfo(rawValue: 0x1f)
    /// The bits that hold the order of bytes: none of them for bytes in order.
    public static let byteOrderMask = CGBitmapInfo(rawValue: 0x7000)
    /// Components are floating-point numbers.
    public static let floatComponents = CGBitmapInfo(rawValue: 1 << 8)
    /// Components have 16 bits, least significant byte first.
    public static let byteOrder16Little = CGBitmapInfo(rawValue: 1 << 12)
}

/// What the numbers of a pixel mean as colours.
public final class CGColorSpace: Sendable, Hashable {
    /// The name of sRGB.
    public static let sRGB = "kCGColorSpaceSRGB"
    /// The name of Display P3.
    public static let displayP3 = "kCGColorSpaceDisplayP3"

    /// The name of light itself by Display P3's primaries, in which 1 is white and more is brighter.
    public static let extendedLinearDisplayP3 = "kCGColorSpaceExtendedLinearDisplayP3"

    /// sRGB, which is always there.
    static let standard = CGColorSpace(known: sRGB)
    /// Display P3, which is always there.
    static let wide = CGColorSpace(known: displayP3)

    /// One of the names above.
    public let name: String?

    private init(known name: String) { self.name = name }

    /// A colour space by its name; nil for one that there is not here.
    public init?(name: String) {
        let names = [Self.sRGB, Self.displayP3, Self.extendedLinearDisplayP3]
        guard names.contains(name) else { return nil }
        self.name = name
    }

    /// Three: red, green and blue.
    public var numberOfComponents: Int { 3 }

    /// Equal when the names are.
    public static func == (one: CGColorSpace, other: CGColorSpace) -> Bool {
        one.name == other.name
    }

    /// Agrees with equality.
    public func hash(into hasher: inout Hasher) { hasher.combine(name) }
}

/// How stored pixels are turned for display: EXIF's numbers.
public enum CGImagePropertyOrientation: UInt32, Sendable, CaseIterable {
    /// As they are.
    case up = 1
    /// Mirrored left to right.
    case upMirrored = 2
    /// Half a turn.
    case down = 3
    /// Mirrored top to bottom.
    case downMirrored = 4
    /// Mirrored along the diagonal from the upper left.
    case leftMirrored = 5
    /// A quarter clockwise.
    case right = 6
    /// Mirrored along the diagonal from the upper right.
    case rightMirrored = 7
    /// A quarter anticlockwise.
    case left = 8
}
