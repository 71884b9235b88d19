import Foundation
import PhotosCompanions
import TestSupport
import Testing

/// Pictures that tests write.
enum Pictures {
    /// Draws red on the left and blue on the right, transparent above if requested.
    static func image(
        width: Int = 64,
        height: Int = 48,
        isTransparentAbove: Bool = false
    ) throws -> CGImage {
        let whole = CGRect(x: 0, y: 0, width: width, height: height)
        let visible =
            isTransparentAbove
            ? CGRect(x: 0, y: 0, width: width, height: height / 2) : whole
        let right = CGRect(x: width / 2, y: 0, width: width / 2, height: height)
        let picture = CIImage(color: .blue).cropped(to: right.intersection(visible))
            .composited(over: CIImage(color: .red).cropped(to: visible))
        let context = CIContext(options: [.workingColorSpace: NSNull()])
        return try #require(context.createCGImage(picture, from: whole))
    }

    /// Returns the components of a pixel, counted from the upper left.
    static func pixel(_ x: Int, _ y: Int, of image: CGImage) throws -> [UInt8] {
        let data = try #require(image.dataProvider?.data)
        let start = y * image.bytesPerRow + x * image.bitsPerPixel / 8
        return Array(data[start..<start + 3])
    }

    static func isNear(_ one: [UInt8], _ other: [UInt8], within limit: Int = 12) -> Bool {
        zip(one, other).allSatisfy { abs(Int($0) - Int($1)) <= limit }
    }
}
