import Foundation
import UIKit

/// The pixels of an image, for examining its colors.
struct Pixels {
    let width: Int
    let height: Int
    private let bytes: Data
    private let bytesPerRow: Int
    private let bytesPerPixel: Int

    init(_ image: UIImage) throws {
        guard let picture = image.cgImage, let data = picture.dataProvider?.data as Data? else {
            throw Failure("an image has no pixels")
        }
        width = picture.width
        height = picture.height
        bytes = data
        bytesPerRow = picture.bytesPerRow
        bytesPerPixel = picture.bitsPerPixel / 8
        try expect(
            picture.bitsPerComponent == 8 && bytesPerPixel >= 3,
            "an image has \(picture.bitsPerPixel) bits per pixel"
        )
    }

    /// The mean difference of the strongest and the weakest component of a pixel, from 0 to 255.
    var colorfulness: Double {
        var sum = 0
        bytes.withUnsafeBytes { bytes in
            for row in 0..<height {
                for column in 0..<width {
                    let place = row * bytesPerRow + column * bytesPerPixel
                    let red = Int(bytes[place])
                    let green = Int(bytes[place + 1])
                    let blue = Int(bytes[place + 2])
                    sum += max(red, green, blue) - min(red, green, blue)
                }
            }
        }
        return Double(sum) / Double(max(1, width * height))
    }

    /// Indicates whether an effect would be visible in the photo.
    var isVivid: Bool { colorfulness > 24 }

    var isColorful: Bool { colorfulness > 6 }

    /// Indicates whether the image is gray; compression may change its colors slightly.
    var isGray: Bool { colorfulness < 2 }
}
