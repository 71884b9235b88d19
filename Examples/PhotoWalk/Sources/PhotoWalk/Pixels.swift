import Foundation
import UIKit

/// The bytes of a picture, to see what is in it.
struct Pixels {
    let width: Int
    let height: Int
    private let bytes: Data
    private let bytesPerRow: Int
    private let bytesPerPixel: Int

    init(_ image: UIImage) throws {
        guard let picture = image.cgImage, let data = picture.dataProvider?.data as Data? else {
            throw Failure("a picture has no pixels")
        }
        width = picture.width
        height = picture.height
        bytes = data
        bytesPerRow = picture.bytesPerRow
        bytesPerPixel = picture.bitsPerPixel / 8
        try expect(
            picture.bitsPerComponent == 8 && bytesPerPixel >= 3,
            "a picture has pixels of \(picture.bitsPerPixel) bits"
        )
    }

    /// By how much the strongest colour of a pixel exceeds its weakest: the mean, from 0 to 255.
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

    /// Whether a photo is one on which an effect can be seen.
    var isVivid: Bool { colorfulness > 24 }

    var isColorful: Bool { colorfulness > 6 }

    /// Saved pictures are compressed, and the colours of a grey one may be off by a little.
    var isGrey: Bool { colorfulness < 2 }
}
