import Foundation
import PhotosCompanions

/// A small picture made of numbers, and the results of filters for it.
struct TestCard {
    typealias Pixel = (red: Double, green: Double, blue: Double)

    let width: Int
    let height: Int
    /// Rows from the top; four bytes per pixel.
    let bytes: [UInt8]

    init(width: Int, height: Int, bytes: [UInt8]) {
        self.width = width
        self.height = height
        self.bytes = bytes
    }

    /// Hues, grays and ramps.
    static let standard: TestCard = {
        let (width, height) = (24, 16)
        var bytes: [UInt8] = []
        for row in 0..<height {
            for column in 0..<width {
                let across = Double(column) / Double(width - 1)
                let down = Double(row) / Double(height - 1)
                let color: [Double] =
                    switch row {
                    case 0..<4: [across, across, across]
                    case 4..<8: [across, down, 1 - across]
                    case 8..<12: [1 - across * down, across, 0.5]
                    default: [0.2 + 0.6 * across, 0.5 - 0.3 * across, 0.9 * down]
                    }
                bytes += color.map { UInt8(min(max($0, 0), 1) * 255 + 0.5) } + [255]
            }
        }
        return TestCard(width: width, height: height, bytes: bytes)
    }()

    /// Returns a picture in which each pixel encodes its original position.
    static func places(width: Int, height: Int) -> TestCard {
        var bytes: [UInt8] = []
        for row in 0..<height {
            for column in 0..<width { bytes += [UInt8(column), UInt8(row), 200, 255] }
        }
        return TestCard(width: width, height: height, bytes: bytes)
    }

    var image: CIImage {
        CIImage(
            bitmapData: Data(bytes),
            bytesPerRow: width * 4,
            size: CGSize(width: width, height: height),
            format: .RGBA8,
            colorSpace: CGColorSpace(name: CGColorSpace.sRGB)
        )
    }

    /// Draws a whole picture.
    static func drawn(
        _ image: CIImage,
        in rect: CGRect? = nil,
        context: CIContext = CIContext()
    ) throws -> TestCard {
        guard let drawn = context.createCGImage(image, from: rect ?? image.extent),
            let data = drawn.dataProvider?.data
        else { throw CocoaError(.fileReadUnknown) }
        return TestCard(width: drawn.width, height: drawn.height, bytes: [UInt8](data))
    }

    /// Returns a pixel's encoded values, 0...255.
    func pixel(_ column: Int, _ row: Int) -> (red: Int, green: Int, blue: Int, alpha: Int) {
        let start = (row * width + column) * 4
        return (
            Int(bytes[start]), Int(bytes[start + 1]), Int(bytes[start + 2]), Int(bytes[start + 3])
        )
    }

    /// Returns the card with a formula applied to each pixel's light.
    func mapped(isLight: Bool = true, _ change: (Pixel) -> Pixel) -> TestCard {
        var result: [UInt8] = []
        for start in stride(from: 0, to: bytes.count, by: 4) {
            let signal = bytes[start..<start + 3].map { Double($0) / 255 }
            let given = isLight ? signal.map(Self.light) : signal
            let made = change((given[0], given[1], given[2]))
            for value in [made.red, made.green, made.blue] {
                let clipped = min(max(value, 0), 1)
                result.append(UInt8((isLight ? Self.signal(clipped) : clipped) * 255 + 0.5))
            }
            result.append(bytes[start + 3])
        }
        return TestCard(width: width, height: height, bytes: result)
    }

    /// Returns the largest difference of any two bytes.
    func distance(to other: TestCard) -> Int {
        guard width == other.width, height == other.height else { return 256 }
        return zip(bytes, other.bytes).map { abs(Int($0) - Int($1)) }.max() ?? 0
    }

    /// Returns the peak signal-to-noise ratio of two pictures in decibels; 0 for different sizes.
    func signalToNoise(to other: TestCard) -> Double {
        guard width == other.width, height == other.height else { return 0 }
        let squares = zip(bytes, other.bytes).reduce(0) { sum, pair in
            let difference = Int(pair.0) - Int(pair.1)
            return sum + difference * difference
        }
        let error = Double(squares) / Double(bytes.count)
        return error > 0 ? min(99, 10 * log10(255 * 255 / error)) : 99
    }

    static func light(_ signal: Double) -> Double {
        signal <= 0.04045 ? signal / 12.92 : pow((signal + 0.055) / 1.055, 2.4)
    }

    static func signal(_ light: Double) -> Double {
        light <= 0.0031308 ? light * 12.92 : 1.055 * pow(light, 1 / 2.4) - 0.055
    }
}
