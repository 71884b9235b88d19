import Foundation
import Photos
import TestSupport
import Testing

/// Drawn recipes, compared with other ways to the same picture.
@Suite("Recipes", .timeLimit(.minutes(2)))
struct RecipeConformanceTests {
    private func drawn(_ image: CIImage) throws -> VipsImage {
        let pixels = try #require(CIContext().createCGImage(image, from: image.extent))
        return try #require(VipsImage(UIImage(cgImage: pixels)))
    }

    @Test("Lanczos agrees with an independent filter over light")
    func lanczos() throws {
        var bytes: [UInt8] = []
        let (width, height) = (120, 80)
        for row in 0..<height {
            for column in 0..<width {
                let wave = sin(Double(column) / 7) * cos(Double(row) / 5)
                bytes += [
                    UInt8(128 + 100 * wave), UInt8(column * 2), UInt8(row * 3),
                    255,
                ]
            }
        }
        let picture = CIImage(
            bitmapData: Data(bytes),
            bytesPerRow: width * 4,
            size: CGSize(width: width, height: height),
            format: .RGBA8,
            colorSpace: CGColorSpace(name: CGColorSpace.sRGB)
        )
        let small = picture.applyingFilter(
            "CILanczosScaleTransform",
            parameters: [kCIInputScaleKey: 0.25, kCIInputAspectRatioKey: 1.0]
        )
        #expect(small.extent == CGRect(x: 0, y: 0, width: 30, height: 20))
        let reference = VipsImage(width: width, height: height, bands: 4, bytes: bytes)
            .scaled(width: 30, height: 20)
        let difference = try #require(PictureDifference(try drawn(small), reference))
        #expect(difference.signalToNoise > 38, "\(difference)")
    }

    @Test(
        "Every format is drawn as an image request draws it",
        .needsSharedData,
        arguments: [
            "formats/jpeg-icc.jpg", "formats/tiff-cmyk-jpeg.tif", "formats/heif-10bit.heif",
            "formats/png-16bit-rgb.png", "formats/png-rgba.png", "formats/sunrise_lossy.webp",
            "formats/bmp-128.bmp", "formats/jpeg-monochrome.jpg", "formats/heif-alpha-8bit.heif",
            "formats/jxl-lossless.jxl", "formats/tiff-16bit-rgb.tiff", "formats/jpeg-xyb-icc.jpg",
        ]
    )
    func formats(name: String) throws {
        let url = SharedData.file(name)
        let options: [CIImageOption: Any] = [.applyOrientationProperty: true]
        let image = try #require(CIImage(contentsOf: url, options: options))
        let decoded = try #require(UIImage(contentsOfFile: url.path))
        let reference = try #require(VipsImage(decoded))
        let difference = try #require(PictureDifference(try drawn(image), reference), "\(name)")
        #expect(difference.signalToNoise > 40, "\(name): \(difference)")
    }
}
