import CTurboJPEG
package import FoundationEssentials
import PhotoModel

/// An encoder of pixels to baseline JPEG.
///
/// A value type that can be used on any thread and any number of times. Pixels are interpreted as
/// sRGB. No profile is written, and readers assume sRGB too.
package struct JPEGEncoder: Hashable, Sendable {
    /// The chroma resolution relative to luma.
    package enum Subsampling: Hashable, Sendable, CaseIterable {
        /// Full resolution.
        case s444
        /// Half the resolution in each direction, as in the files of most cameras.
        case s420

        fileprivate var turboValue: Int32 {
            switch self {
            case .s444: Int32(TJSAMP_444.rawValue)
            case .s420: Int32(TJSAMP_420.rawValue)
            }
        }
    }

    /// The maximum side of a JPEG in pixels.
    package static let maxSide = 65_535

    /// The quality, 1...100, on libjpeg's scale.
    package var quality: Int
    package var subsampling: Subsampling

    package init(quality: Int = 85, subsampling: Subsampling = .s420) {
        self.quality = quality
        self.subsampling = subsampling
    }

    /// Encodes rows of pixels and does not retain them.
    ///
    /// - Throws: `invalidSettings` for a quality or a size out of range, `invalidPixels` when the
    ///   buffer is shorter than its rows, `outOfMemory`.
    package func encode(_ rows: PixelRows) throws(RenditionCodecError) -> Data {
        try check(rows)
        let handle = try TurboHandle.compressor()
        var output: UnsafeMutablePointer<UInt8>?
        var length: UInt = 0
        let result = tjCompress2(
            handle.pointer,
            rows.bytes.baseAddress?.assumingMemoryBound(to: UInt8.self),
            Int32(rows.size.width),
            Int32(rows.bytesPerRow),
            Int32(rows.size.height),
            rows.layout.turboFormat,
            &output,
            &length,
            rows.layout == .gray ? Int32(TJSAMP_GRAY.rawValue) : subsampling.turboValue,
            Int32(quality),
            0
        )
        guard result == 0, let output else {
            tjFree(output)
            throw RenditionCodecError(
                .outOfMemory,
                "An image of \(rows.size.width) × \(rows.size.height) pixels cannot be encoded.",
                reason: handle.lastError,
                recovery: "Quit other programs, or allow this program more memory."
            )
        }
        // Transfers the bytes without a copy; Data frees them with the library's own function.
        return Data(
            bytesNoCopy: output,
            count: Int(length),
            deallocator: .custom { pointer, _ in
                tjFree(pointer.assumingMemoryBound(to: UInt8.self))
            }
        )
    }

    private func check(_ rows: PixelRows) throws(RenditionCodecError) {
        guard (1...100).contains(quality) else {
            throw RenditionCodecError(
                .invalidSettings,
                "JPEG quality \(quality) is out of range.",
                recovery: "Use 1 to 100."
            )
        }
        let sides = 1...Self.maxSide
        guard sides.contains(rows.size.width), sides.contains(rows.size.height) else {
            throw RenditionCodecError(
                .invalidSettings,
                "JPEG does not support \(rows.size.width) × \(rows.size.height) pixels.",
                recovery: "Use sides of 1 to \(Self.maxSide)."
            )
        }
        let rowBytes = rows.size.width * rows.layout.bytesPerPixel
        let limit = Int(Int32.max)
        guard rows.bytesPerRow >= rowBytes, rows.bytesPerRow <= limit,
            rows.bytes.count >= rows.bytesPerRow * (rows.size.height - 1) + rowBytes
        else {
            throw RenditionCodecError(
                .invalidPixels,
                "A buffer of \(rows.bytes.count) bytes with rows of \(rows.bytesPerRow) is too "
                    + "small for \(rows.size.width) × \(rows.size.height) pixels.",
                recovery: "Pass complete rows."
            )
        }
    }
}
