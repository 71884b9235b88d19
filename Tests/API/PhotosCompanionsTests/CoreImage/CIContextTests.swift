import Foundation
import PhotosCompanions
import TestSupport
import Testing

/// Pictures that are rendered by a worker, pixel by pixel.
@Suite(.timeLimit(.minutes(1))) struct CIContextTests {
    private let context = CIContext(options: [.workingColorSpace: NSNull()])

    /// Draws red on the left and blue on the right, 8 by 4 pixels.
    private func picture() throws -> CGImage {
        let whole = CGRect(x: 0, y: 0, width: 8, height: 4)
        let right = CGRect(x: 4, y: 0, width: 4, height: 4)
        let picture = CIImage(color: .blue).cropped(to: right)
            .composited(over: CIImage(color: .red).cropped(to: whole))
        return try #require(context.createCGImage(picture, from: whole))
    }

    private func pixels(_ image: CGImage) throws -> [[UInt8]] {
        let data = try #require(image.dataProvider?.data)
        let bytes = image.bitsPerPixel / 8
        return (0..<image.width * image.height).map { index in
            Array(data[index * bytes..<index * bytes + 3])
        }
    }

    private func rendered(_ image: CIImage) throws -> [[UInt8]] {
        try pixels(try #require(context.createCGImage(image, from: image.extent)))
    }

    private func isNear(_ one: [[UInt8]], _ other: [[UInt8]], within limit: Int) -> Bool {
        one.count == other.count
            && zip(one.joined(), other.joined()).allSatisfy { abs(Int($0) - Int($1)) <= limit }
    }

    @Test func colorsAreDrawnWhereTheyAre() throws {
        let found = try pixels(picture())
        #expect(found.count == 32 && found[0] == [255, 0, 0] && found[7] == [0, 0, 255])
        #expect(found[3] == [255, 0, 0] && found[4] == [0, 0, 255])
        let nothing = context.createCGImage(CIImage.empty(), from: .zero)
        #expect(nothing == nil)
    }

    @Test func imagesAreTurned() throws {
        let image = CIImage(cgImage: try picture())
        let turned = image.oriented(.right)
        #expect(turned.extent.size == CGSize(width: 4, height: 8))
        let found = try rendered(turned)
        // EXIF's 6: the first row of the file is on the right.
        #expect(found[0] == [255, 0, 0] && found[31] == [0, 0, 255])
        let mirrored = try rendered(image.oriented(.upMirrored))
        #expect(mirrored[0] == [0, 0, 255] && mirrored[7] == [255, 0, 0])
    }

    @Test func filtersChangeColors() throws {
        let image = CIImage(cgImage: try picture())
        #expect(try rendered(image.applyingFilter("CIColorInvert"))[0] == [0, 255, 255])
        let mono = try rendered(image.applyingFilter("CIPhotoEffectMono"))
        #expect(mono.allSatisfy { $0[0] == $0[1] && $0[1] == $0[2] })
        let none = ["inputIntensity": 0.0]
        let sepia = try rendered(image.applyingFilter("CISepiaTone", parameters: none))
        #expect(isNear(sepia, try rendered(image), within: 1))
        let black = ["inputEV": -20.0]
        let dark = try rendered(image.applyingFilter("CIExposureAdjust", parameters: black))
        #expect(dark.joined().allSatisfy { $0 <= 1 })
        let blurred = try rendered(
            image.clampedToExtent().applyingGaussianBlur(sigma: 2)
                .cropped(to: image.extent)
        )
        #expect(blurred[3][0] > 128 && blurred[3][2] > 20 && blurred[4][2] > 128)
    }

    /// Files are read again by the same frameworks.
    @Test func filesShowTheImage() throws {
        let space = try #require(CGColorSpace(name: CGColorSpace.sRGB))
        let image = CIImage(cgImage: try picture())
        let expected = try rendered(image)
        let png = context.pngRepresentation(of: image, format: .RGBA8, colorSpace: space)
        let pngData = try #require(png)
        let whole = try #require(CIImage(data: pngData))
        #expect(whole.extent == image.extent)
        #expect(isNear(try rendered(whole), expected, within: 1))
        let key = CIImageRepresentationOption(
            rawValue: "kCGImageDestinationLossyCompressionQuality"
        )
        let quality = [key: 1.0]
        let jpeg = context.jpegRepresentation(of: image, colorSpace: space, options: quality)
        let jpegData = try #require(jpeg)
        let lossy = try #require(CIImage(data: jpegData))
        #expect(lossy.extent == image.extent)
        #expect(isNear([try rendered(lossy)[0]], [[255, 0, 0]], within: 20))
        let heif = context.heifRepresentation(of: image, format: .RGBA8, colorSpace: space)
        let heifData = try #require(heif)
        #expect(CIImage(data: heifData)?.extent == image.extent)
    }

    @Test func filesAreWrittenWhereThereIsAFolder() throws {
        let folder = try TemporaryFolder("photos-context")
        let space = try #require(CGColorSpace(name: CGColorSpace.displayP3))
        let image = CIImage(cgImage: try picture())
        let file = folder.file("a.jpg")
        try context.writeJPEGRepresentation(of: image, to: file, colorSpace: space)
        #expect(CIImage(contentsOf: file)?.extent == image.extent)
        try context.writePNGRepresentation(
            of: image,
            to: folder.file("a.png"),
            format: .RGBA8,
            colorSpace: space
        )
        let png = try #require(CIImage(contentsOf: folder.file("a.png")))
        #expect(isNear(try rendered(png), try rendered(image), within: 2))
        #expect(throws: CIRenderingError.self) {
            try context.writeHEIFRepresentation(
                of: image,
                to: folder.file("no folder/a.heic"),
                format: .RGBA8,
                colorSpace: space
            )
        }
    }

    @Test func picturesAreReadFromFiles() throws {
        let space = try #require(CGColorSpace(name: CGColorSpace.sRGB))
        let image = CIImage(cgImage: try picture())
        let data = try #require(
            context.pngRepresentation(of: image, format: .RGBA8, colorSpace: space)
        )
        let picture = try #require(UIImage(data: data))
        #expect(picture.size == CGSize(width: 8, height: 4) && picture.scale == 1)
        #expect(UIImage(data: data, scale: 2)?.size == CGSize(width: 4, height: 2))
        #expect(UIImage(data: Data("no picture".utf8)) == nil)
        let pngData = try #require(picture.pngData())
        let again = try #require(UIImage(data: pngData)?.cgImage)
        let shown = try #require(picture.cgImage)
        #expect(try pixels(again) == pixels(shown))
        let small = try #require(picture.jpegData(compressionQuality: 0.5))
        #expect(UIImage(data: small)?.size == picture.size)
        let turned = UIImage(cgImage: again, scale: 1, orientation: .right)
        #expect(turned.size == CGSize(width: 4, height: 8))
    }
}
