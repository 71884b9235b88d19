import Foundation
import PhotoModel
import PhotosCompanions
import SamplePhotos
import TestSupport
import Testing

/// Pictures from files, and files from pictures.
@Suite("Files of recipes", .timeLimit(.minutes(2)))
struct PictureFileTests {
    private let space: CGColorSpace
    private let context = CIContext()

    init() throws {
        space = try #require(CGColorSpace(name: CGColorSpace.sRGB))
    }

    @Test("What is no picture is nil, whatever it is")
    func unreadable() throws {
        let folder = try TemporaryFolder("coreimage")
        #expect(CIImage(contentsOf: folder.file("missing.jpg")) == nil)
        let text = folder.file("text.jpg")
        try Data("not a picture".utf8).write(to: text)
        #expect(CIImage(contentsOf: text) == nil)
        #expect(CIImage(data: Data()) == nil)
        #expect(CIImage(contentsOf: try #require(URL(string: "https://example.org/a.jpg"))) == nil)
        #expect(UIImage().ciImage == nil && CIImage(image: UIImage()) == nil)
    }

    @Test("Files hold the pixels: PNG exactly, JPEG and HEIC nearly")
    func files() throws {
        let folder = try TemporaryFolder("coreimage")
        let card = TestCard.standard
        let large = card.image.transformed(by: CGAffineTransform(scaleX: 8, y: 8))
            .cropped(to: CGRect(x: 0, y: 0, width: 192, height: 128))
        let drawn = try TestCard.drawn(large)
        let options: [CIImageRepresentationOption: Any] = [
            CIImageRepresentationOption(rawValue: "kCGImageDestinationLossyCompressionQuality"):
                0.97
        ]
        let files = ["png", "jpg", "heic"].map { folder.file("card.\($0)") }
        try context.writePNGRepresentation(
            of: large,
            to: files[0],
            format: .RGBA8,
            colorSpace: space
        )
        try context.writeJPEGRepresentation(
            of: large,
            to: files[1],
            colorSpace: space,
            options: options
        )
        try context.writeHEIFRepresentation(
            of: large,
            to: files[2],
            format: .RGBA8,
            colorSpace: space,
            options: options
        )
        for (file, least) in zip(files, [99.0, 34, 32]) {
            let image = try #require(CIImage(contentsOf: file), "\(file.lastPathComponent)")
            #expect(image.extent == large.extent)
            let read = try TestCard.drawn(image)
            let ratio = drawn.signalToNoise(to: read)
            #expect(ratio >= least, "\(file.lastPathComponent) \(ratio)")
        }
        let types = try files.map { try ExifTool.tags(of: $0)["File:MIMEType"] }
        #expect(types == ["image/png", "image/jpeg", "image/heic"])
    }

    @Test("Display P3 is written as such, and read back as the same colors")
    func displayP3() throws {
        let folder = try TemporaryFolder("coreimage")
        let wide = try #require(CGColorSpace(name: CGColorSpace.displayP3))
        // A red outside of sRGB.
        let red = CIImage(
            bitmapData: Data([255, 0, 0, 255, 20, 200, 30, 255]),
            bytesPerRow: 8,
            size: CGSize(width: 2, height: 1),
            format: .RGBA8,
            colorSpace: wide
        )
        let file = folder.file("wide.png")
        try context.writePNGRepresentation(of: red, to: file, format: .RGBA8, colorSpace: wide)
        #expect(try ExifTool.tags(of: file).keys.contains { $0.hasPrefix("ICC_Profile:") })
        let read = try #require(CIImage(contentsOf: file))
        let drawn = try #require(
            context.createCGImage(
                read,
                from: read.extent,
                format: .RGBA8,
                colorSpace: wide
            )
        )
        let bytes = [UInt8](try #require(drawn.dataProvider?.data))
        let distance = zip(bytes, [255, 0, 0, 255, 20, 200, 30, 255]).map { abs(Int($0) - $1) }
            .max()
        #expect((distance ?? 255) <= 1)
        #expect(drawn.colorSpace?.name == CGColorSpace.displayP3)
        // Light brighter than sRGB's white is kept too.
        let light = try #require(
            context.createCGImage(red, from: red.extent, format: .RGBAh, colorSpace: nil)
        )
        let halves = try #require(light.dataProvider?.data).withUnsafeBytes {
            Array($0.bindMemory(to: Float16.self).prefix(4))
        }
        #expect(abs(halves[0] - 1) < 0.005 && abs(halves[1]) < 0.005 && halves[3] == 1)
    }

    @Test("Bitmaps go in and come out as BGRA, multiplied with alpha")
    func bitmaps() throws {
        let bytes: [UInt8] = [10, 60, 128, 128, 30, 20, 10, 255, 9, 9]
        let image = CIImage(
            bitmapData: Data(bytes + bytes),
            bytesPerRow: 10,
            size: CGSize(width: 2, height: 2),
            format: .BGRA8,
            colorSpace: space
        )
        let straight = try TestCard.drawn(image)
        #expect(straight.pixel(0, 0) == (255, 120, 20, 128))
        #expect(straight.pixel(1, 1) == (10, 20, 30, 255))
        var out = [UInt8](repeating: 7, count: 20)
        out.withUnsafeMutableBytes { buffer in
            guard let start = buffer.baseAddress else { return }
            context.render(
                image,
                toBitmap: start,
                rowBytes: 10,
                bounds: image.extent,
                format: .BGRA8,
                colorSpace: space
            )
        }
        #expect(Array(out[0..<10]) == [10, 60, 128, 128, 30, 20, 10, 255, 7, 7])
        // Rows that are too short do not make a picture.
        let short = CIImage(
            bitmapData: Data(bytes),
            bytesPerRow: 4,
            size: CGSize(width: 2, height: 2),
            format: .BGRA8,
            colorSpace: space
        )
        #expect(short.extent.isNull)
    }

    /// The buffer is longer than the bounds require, so that other bytes are found.
    @Test(
        "A bitmap has no more rows and columns than its bounds",
        arguments: [
            (CGRect(x: 3, y: 4.5, width: 1, height: 1), 1, 1),
            (CGRect(x: 3.5, y: 4, width: 1, height: 1), 1, 1),
            (CGRect(x: 2.25, y: 3.75, width: 2.5, height: 1.5), 3, 2),
            (CGRect(x: 3, y: 4, width: 2, height: 3), 2, 3),
        ]
    )
    func boundedBitmaps(_ bounds: CGRect, _ columns: Int, _ rows: Int) {
        let pixels = 16
        var out = [UInt8](repeating: 7, count: pixels * 4)
        out.withUnsafeMutableBytes { buffer in
            guard let start = buffer.baseAddress else { return }
            context.render(
                CIImage(color: .white),
                toBitmap: start,
                rowBytes: columns * 4,
                bounds: bounds,
                format: .RGBA8,
                colorSpace: space
            )
        }
        let drawn = columns * rows * 4
        #expect(out[..<drawn].allSatisfy { $0 == 255 })
        #expect(out[drawn...].allSatisfy { $0 == 7 })
    }

    /// Composes squares of four pixels in three columns, each of a bitmap of its own.
    private func sheet(of count: Int) -> CIImage {
        var sheet = CIImage.empty()
        for number in 0..<count {
            let pixels = Array(repeating: [UInt8(number * 7), 80, 160, 255], count: 16)
            let card = TestCard(width: 4, height: 4, bytes: pixels.flatMap { $0 })
            let place = CGAffineTransform(
                translationX: CGFloat(number % 3 * 4),
                y: CGFloat(number / 3 * 4)
            )
            sheet = card.image.transformed(by: place).composited(over: sheet)
        }
        return sheet
    }

    @Test("A contact sheet shows all its images", arguments: [9, 32])
    func contactSheets(_ count: Int) throws {
        let drawn = try TestCard.drawn(sheet(of: count))
        for number in 0..<count {
            let row = drawn.height - 2 - number / 3 * 4
            let start = (row * drawn.width + number % 3 * 4 + 1) * 4
            let distances = zip(drawn.bytes[start..<start + 4], [number * 7, 80, 160, 255])
                .map { abs(Int($0) - $1) }
            #expect((distances.max() ?? 255) <= 1, "\(number)")
        }
    }

    @Test("An image of too many others cannot be written, and the error says so")
    func tooManyImages() {
        let place = URL(fileURLWithPath: "/nonexistent/folder/a.jpg")
        let error = #expect(throws: CIRenderingError.self) {
            try context.writeJPEGRepresentation(of: sheet(of: 33), to: place, colorSpace: space)
        }
        #expect(error?.code == .invalidRequest)
        #expect(error?.failureReason?.contains("32") == true && error?.recoverySuggestion != nil)
    }

    @Test("Errors say what could not be written, and why")
    func errors() throws {
        let image = TestCard.standard.image
        let place = URL(fileURLWithPath: "/nonexistent/folder/a.jpg")
        let error = #expect(throws: CIRenderingError.self) {
            try context.writeJPEGRepresentation(of: image, to: place, colorSpace: space)
        }
        #expect(error?.code == .notWritten)
        #expect(error?.localizedDescription.contains(place.path) == true)
        #expect(error?.failureReason != nil && error?.recoverySuggestion != nil)
        let endless = CIImage(color: .red)
        #expect(context.createCGImage(endless, from: endless.extent) == nil)
        let unlimited = #expect(throws: CIRenderingError.self) {
            try context.writeJPEGRepresentation(of: endless, to: place, colorSpace: space)
        }
        #expect(unlimited?.code == .invalidExtent)
        let light = try #require(CGColorSpace(name: CGColorSpace.extendedLinearDisplayP3))
        #expect(context.jpegRepresentation(of: image, colorSpace: light) == nil)
    }

    @Test("An image of a recipe has its size, and is drawn for its bytes")
    func images() throws {
        let image = UIImage(ciImage: TestCard.standard.image)
        #expect(image.cgImage == nil && image.size == CGSize(width: 24, height: 16))
        let decoded = try #require(image.pngData().flatMap { UIImage(data: $0)?.cgImage })
        let bytes = [UInt8](try #require(decoded.dataProvider?.data))
        #expect(bytes == TestCard.standard.bytes)
        #expect(CIImage(image: image)?.extent == TestCard.standard.image.extent)
        #expect(CIImage(image: UIImage(cgImage: decoded))?.extent.width == 24)
    }

    @Test("A photo keeps its EXIF data under an overlay that is no file")
    func overlaidMetadata() throws {
        let folder = try TemporaryFolder("coreimage")
        func photo(_ make: String, _ orientation: PhotoModel.Orientation) throws -> CIImage {
            let sample = SamplePhoto(
                Picture(.sea, seed: 4),
                size: PixelSize(width: 96, height: 64),
                metadata: SampleMetadata(make: make, orientation: orientation)
            )
            return try #require(CIImage(data: try SampleFile.jpeg(sample)))
        }
        let below = try photo("Below", .right)
        let mark = CIImage(cgImage: try Pictures.image(width: 16, height: 16))
        let color = CIImage(color: .red).cropped(to: CGRect(x: 0, y: 0, width: 9, height: 9))
        let above = try photo("Above", .down)
        let images = [
            mark.composited(over: below), TestCard.standard.image.composited(over: below),
            color.composited(over: below), mark.composited(over: color).composited(over: below),
            below.composited(over: mark), above.composited(over: below),
            mark.composited(over: above).composited(over: below),
        ]
        let makes = Array(repeating: "Below", count: 5) + ["Above", "Above"]
        for (index, (image, make)) in zip(images, makes).enumerated() {
            let number = make == "Below" ? 6 : 3
            let tiff = image.properties["{TIFF}"] as? [String: Any]
            #expect(tiff?["Make"] as? String == make, "\(index)")
            #expect(image.properties["Orientation"] as? Int == number, "\(index)")
            let file = folder.file("\(index).jpg")
            try context.writeJPEGRepresentation(of: image, to: file, colorSpace: space)
            let tags = try ExifTool.tags(of: file)
            #expect(tags["EXIF:Make"] == make, "\(index)")
            #expect(tags["EXIF:Orientation"] == "\(number)", "\(index)")
        }
        #expect(mark.composited(over: color).properties.isEmpty)
    }

    @Test(
        "An orientation that is not in EXIF data is kept",
        .needsProgram("vips"),
        .needsProgram("exiftool"),
        arguments: [
            ("turned.tif", "-IFD0:Orientation=6"), ("turned.jpg", "-XMP-tiff:Orientation=6"),
        ]
    )
    func orientationsOutsideEXIF(_ name: String, _ tag: String) throws {
        let folder = try TemporaryFolder("coreimage")
        let sample = SamplePhoto(
            Picture(.sea, seed: 4),
            size: PixelSize(width: 96, height: 64),
            metadata: SampleMetadata(make: "Maker")
        )
        let isTIFF = name.hasSuffix("tif")
        let plain = try folder.write(SampleFile.jpeg(sample), to: isTIFF ? "plain.jpg" : name)
        let file = folder.file(name)
        if isTIFF { _ = try MediaTool.run("vips", ["copy", plain.path, file.path]) }
        _ = try MediaTool.run("exiftool", ["-q", "-n", tag, "-overwrite_original", file.path])

        let image = try #require(CIImage(contentsOf: file))
        #expect(image.properties["Orientation"] as? Int == 6)
        let files = [
            context.jpegRepresentation(of: image, colorSpace: space),
            context.pngRepresentation(of: image, format: .RGBA8, colorSpace: space),
        ]
        for data in files {
            let written = try folder.write(try #require(data), to: "written")
            let tags = try ExifTool.tags(of: written)
            #expect(tags["EXIF:Orientation"] == "6")
            #expect(tags["EXIF:Make"] == (isTIFF ? nil : "Maker"))
            #expect(try ExifTool.complaints(about: written).isEmpty)
            #expect(CIImage(contentsOf: written)?.properties["Orientation"] as? Int == 6)
        }
        let upright = try #require(
            context.jpegRepresentation(of: image.oriented(.right), colorSpace: space)
        )
        let tags = try ExifTool.tags(of: folder.write(upright, to: "upright.jpg"))
        #expect(tags["EXIF:Orientation"] ?? "1" == "1")
    }

    @Test(
        "A camera's file keeps its EXIF data, upright, without the old small picture",
        .needsSharedData
    )
    func metadata() throws {
        let folder = try TemporaryFolder("coreimage")
        let source = SharedData.file("orientation/Landscape_6.jpg")
        let stored = try #require(CIImage(contentsOf: source))
        #expect(stored.properties["Orientation"] as? Int == 6)
        let upright = try #require(
            CIImage(contentsOf: source, options: [.applyOrientationProperty: true])
        )
        #expect(upright.extent.size.width == stored.extent.size.height)
        #expect(upright.properties["Orientation"] as? Int == 1)
        #expect(
            try TestCard.drawn(stored.oriented(.right)).bytes == TestCard.drawn(upright).bytes
        )
        for (image, number) in [(stored, "6"), (upright, "1")] {
            let file = folder.file("\(number).jpg")
            try context.writeJPEGRepresentation(of: image, to: file, colorSpace: space)
            let tags = try ExifTool.tags(of: file)
            #expect(tags["EXIF:Orientation"] == number)
        }
        let camera = SharedData.file("burst/IMG_0658.JPG")
        let noir = try #require(CIImage(contentsOf: camera)).applyingFilter("CIPhotoEffectNoir")
            .cropped(to: CGRect(x: 100, y: 100, width: 640, height: 480))
        let file = folder.file("noir.jpg")
        try context.writeJPEGRepresentation(of: noir, to: file, colorSpace: space)
        let (before, after) = (
            try ExifTool.tags(of: camera), try ExifTool.tags(of: file)
        )
        for tag in ["EXIF:Make", "EXIF:Model", "EXIF:DateTimeOriginal", "EXIF:FNumber"] {
            #expect(before[tag] != nil && after[tag] == before[tag], "\(tag)")
        }
        #expect(after["EXIF:ExifImageWidth"] == "640" && after["EXIF:ThumbnailLength"] == nil)
        #expect(try ExifTool.complaints(about: file).isEmpty)
    }
}
