public import Foundation
package import WorkerClient
package import PhotoModel

/// Pixels in memory: rows from the top, red first, 8 bits a component, 32 bits a pixel.
///
/// Pictures come from image requests and from `UIImage`; their pixels are never copied: they stay in
/// the memory into which they were decoded for as long as anything refers to them. An image never
/// changes and can be used from any thread.
public final class CGImage: Sendable, Hashable {
    /// The pixels.
    package let memory: PixelMemory
    /// Whether the fourth byte of a pixel is alpha.
    package let hasAlpha: Bool

    /// An image of pixels that were decoded.
    package init(memory: PixelMemory, hasAlpha: Bool) {
        self.memory = memory
        self.hasAlpha = hasAlpha && memory.description.layout == .rgba
    }

    /// Pixels in sealed memory; nil when the memory is not that, or is too small.
    ///
    /// - Parameters:
    ///   - descriptor: Stays the caller's.
    ///   - description: What the memory holds.
    ///   - hasAlpha: Whether the fourth byte of a pixel is alpha.
    package convenience init?(
        descriptor: Int32,
        description: PixelBufferDescription,
        hasAlpha: Bool
    ) {
        let memory = PixelMemory(
            description: description,
            descriptor: descriptor,
            maximumSide: WorkerPool.maximumDecodedSide
        )
        guard let memory else { return nil }
        self.init(memory: memory, hasAlpha: hasAlpha)
    }

    /// Pixels across.
    public var width: Int { memory.description.size.width }

    /// Pixels down.
    public var height: Int { memory.description.size.height }

    /// Bytes from the start of one row to the start of the next.
    public var bytesPerRow: Int { memory.description.bytesPerRow }

    /// Bits of one colour component: 8.
    public var bitsPerComponent: Int { 8 }

    /// Bits of one pixel: 32.
    public var bitsPerPixel: Int { memory.description.layout.bytesPerPixel * 8 }

    /// What the fourth byte of a pixel means: alpha that is not multiplied in (`last`), or nothing
    /// (`noneSkipLast`).
    public var alphaInfo: CGImageAlphaInfo {
        hasAlpha ? .last : memory.description.layout == .rgb ? .none : .noneSkipLast
    }

    /// How a pixel lies in memory: that of ``alphaInfo``, bytes in order.
    public var bitmapInfo: CGBitmapInfo { CGBitmapInfo(rawValue: alphaInfo.rawValue) }

    /// The colours: sRGB, unless Display P3 was asked for.
    public var colorSpace: CGColorSpace? {
        CGColorSpace(
            name: memory.description.colors == .sRGB ? CGColorSpace.sRGB : CGColorSpace.displayP3
        )
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
}

/// What the numbers of a pixel mean as colours.
public final class CGColorSpace: Sendable, Hashable {
    /// The name of sRGB.
    public static let sRGB = "kCGColorSpaceSRGB"
    /// The name of Display P3.
    public static let displayP3 = "kCGColorSpaceDisplayP3"

    /// `CGColorSpace.sRGB` or `CGColorSpace.displayP3`.
    public let name: String?

    /// A colour space by its name; nil for one that there is not here.
    public init?(name: String) {
        guard name == Self.sRGB || name == Self.displayP3 else { return nil }
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
