import ArgumentParser
import Foundation
import Photos

/// The value of `--size`: the width and height in pixels.
struct PictureSize: ExpressibleByArgument {
    let width: Int
    let height: Int

    init?(argument: String) {
        let parts = argument.lowercased().split(separator: "x", omittingEmptySubsequences: false)
        guard parts.count == 2, let width = Int(parts[0]), let height = Int(parts[1]),
            (1...65_500).contains(width), (1...65_500).contains(height)
        else { return nil }
        self.width = width
        self.height = height
    }
}

/// The value of `--mode`: how an image is scaled to a size of another aspect ratio.
enum PictureMode: String, ExpressibleByArgument, CaseIterable {
    /// Scales the image to fit inside the size.
    case fit
    /// Scales the image to cover the size; the result may be larger than the size.
    case fill
    /// Scales the image to cover the size, and crops it evenly to exactly this size.
    case exact
}

/// The value of `--version`: the version of the asset's image.
enum PictureVersion: String, ExpressibleByArgument, CaseIterable {
    case current, unadjusted, original

    var version: PHImageRequestOptionsVersion {
        switch self {
        case .current: .current
        case .unadjusted: .unadjusted
        case .original: .original
        }
    }
}

/// The value of `--delivery`: the best image or the fastest.
///
/// PhotoKit's own names are also accepted.
enum PictureDelivery: String, ExpressibleByArgument, CaseIterable {
    case high, fast

    init?(argument: String) {
        switch argument {
        // An opportunistic request delivers the best image last, and only one is wanted.
        case "high", "highQualityFormat", "opportunistic": self = .high
        case "fast", "fastFormat": self = .fast
        default: return nil
        }
    }
}

/// The value of `--crop`: a part of the upright image.
struct PictureCrop: ExpressibleByArgument {
    let rectangle: CGRect

    init?(argument: String) {
        let numbers = argument.split(separator: ",", omittingEmptySubsequences: false)
            .map { Double($0) }
        guard numbers.count == 4, let x = numbers[0], let y = numbers[1], let width = numbers[2],
            let height = numbers[3], x >= 0, y >= 0, width > 0, height > 0, x + width <= 1.000_001,
            y + height <= 1.000_001
        else { return nil }
        rectangle = CGRect(x: x, y: y, width: width, height: height)
    }
}

/// The value of `--format`: the file format of the image.
enum PictureFormat: String, ExpressibleByArgument, CaseIterable {
    case jpeg, png

    init?(argument: String) { self.init(word: argument) }

    /// Returns the format for a file name extension; nil if no format has this extension.
    init?(name: String) {
        guard let dot = name.lastIndex(of: "."), name.lastIndex(of: "/").map({ $0 < dot }) ?? true
        else { return nil }
        self.init(word: String(name[name.index(after: dot)...]))
    }

    private init?(word: String) {
        switch word.lowercased() {
        case "jpg", "jpeg": self = .jpeg
        case "png": self = .png
        default: return nil
        }
    }

    var contentType: String { self == .jpeg ? "public.jpeg" : "public.png" }

    /// Encodes an image in this format.
    func encode(_ image: UIImage, quality: Int) throws -> Data {
        let data =
            self == .png
            ? image.pngData() : image.jpegData(compressionQuality: CGFloat(quality) / 100)
        if let data { return data }
        throw PHPhotosError(
            .internalError,
            userInfo: [
                NSLocalizedDescriptionKey: "The image cannot be encoded.",
                NSLocalizedFailureReasonErrorKey:
                    "A JPEG is limited to 65,500 pixels per side, and a worker is needed.",
                NSLocalizedRecoverySuggestionErrorKey: "Give a smaller --size, or write a PNG.",
            ]
        )
    }
}
