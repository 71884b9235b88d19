import Foundation
import Photos
import PhotosManagement
import Testing

/// The rendered files of edits in the open format: their orientation, colors and transparency.
@Suite(.timeLimit(.minutes(5))) struct PhotoEditTests {
    private let editing: EditingWorld
    private var world: ChangeWorld { editing.world }

    init() throws { editing = try EditingWorld() }

    /// The colors of the quadrants, the upper ones first, from left to right.
    private static let quadrants: [[UInt8]] = [
        [220, 30, 30], [30, 200, 30], [30, 30, 220], [230, 230, 40],
    ]

    /// Writes a picture of 96 × 64 pixels with a color in each quadrant.
    private func pixmap() throws -> URL {
        var bytes = Data("P6 96 64 255\n".utf8)
        for y in 0..<64 {
            for x in 0..<96 {
                bytes.append(contentsOf: Self.quadrants[y / 32 * 2 + x / 48])
            }
        }
        let file = world.folder.file("quadrants.ppm")
        try bytes.write(to: file)
        return file
    }

    /// Returns a file that is displayed after a rotation by 90° clockwise.
    private func turned(_ type: String) throws -> URL {
        let jpeg = world.folder.file("turned.jpg")
        let file = world.folder.file("turned.\(type)")
        if type == "dng" {
            let pair = try #require(try ChangeWorld.samples.get().rawPair)
            try FileManager.default.copyItem(at: pair.raw, to: file)
        } else {
            _ = try Tool.run("vips", ["copy", pixmap().path, jpeg.path + "[Q=95]"])
        }
        _ = try Tool.run(
            "exiftool",
            ["-q", "-m", "-n", "-Orientation=6", "-overwrite_original"]
                + [type == "dng" ? file.path : jpeg.path]
        )
        if type == "jxl" { _ = try Tool.run("cjxl", ["--quiet", jpeg.path, file.path]) }
        return file
    }

    /// Returns the current picture of an asset in full size.
    private func shown(_ asset: PHAsset) throws -> CGImage {
        let options = PHImageRequestOptions()
        options.isSynchronous = true
        options.deliveryMode = .highQualityFormat
        var found: UIImage?
        PHImageManager.default().requestImage(
            for: try world.now(asset),
            targetSize: PHImageManagerMaximumSize,
            contentMode: .default,
            options: options
        ) { image, _ in found = image }
        return try #require(found?.cgImage)
    }

    /// Returns the colors near the four corners of a picture.
    private func corners(_ image: CGImage) throws -> [[Int]] {
        let data = try #require(image.dataProvider?.data)
        let (right, bottom) = (image.width - 5, image.height - 5)
        return [(4, 4), (right, 4), (4, bottom), (right, bottom)].map { x, y in
            let start = y * image.bytesPerRow + x * (image.bitsPerPixel / 8)
            return (0..<3).map { Int(data[start + $0]) }
        }
    }

    private func distance(_ one: [[Int]], _ other: [[Int]]) -> Int {
        zip(one.joined(), other.joined()).map { abs($0 - $1) }.max() ?? 255
    }

    /// Edits a photo and saves the result.
    private func edit(_ asset: PHAsset, _ adjust: (inout PhotoAdjustments) -> Void) throws {
        var edit = try PhotoEdit(of: world.now(asset))
        adjust(&edit.adjustments)
        let output = try edit.output()
        let failure = world.failure {
            PHAssetChangeRequest(for: asset).contentEditingOutput = output
        }
        #expect(failure == nil)
    }

    /// Decoders of RAW and JPEG XL orient the picture, those of JPEG leave it to the tag.
    @Test(arguments: ["jpg", "jxl", "dng"])
    func editsLeaveTheOrientation(_ type: String) throws {
        let asset = try editing.add([(.photo, turned(type))])
        let input = try editing.input(asset)
        #expect(input.fullSizeImageOrientation == (type == "jpg" ? 6 : 1))
        let before = try shown(asset)
        #expect(before.width < before.height)
        #expect(asset.pixelWidth == before.width && asset.pixelHeight == before.height)
        try edit(asset) { $0.exposure = 0.02 }
        let edited = try world.now(asset)
        #expect(edited.hasAdjustments)
        #expect(edited.pixelWidth == before.width && edited.pixelHeight == before.height)
        let after = try shown(asset)
        #expect(after.width == before.width && after.height == before.height)
        // The exposure, and the compression of the result.
        #expect(try distance(corners(after), corners(before)) <= 24)
    }

    /// Writes a picture of 64 × 64 pixels in Display P3's red.
    private func wide(_ type: String) throws -> URL {
        let file = world.folder.file("wide.\(type)")
        if type == "jxl" {
            let pixmap = world.folder.file("wide.ppm")
            let rows = Data((0..<64 * 64).flatMap { _ in [255, 0, 0] as [UInt8] })
            try (Data("P6 64 64 255\n".utf8) + rows).write(to: pixmap)
            let colors = "color_space=RGB_D65_DCI_Rel_SRG"
            _ = try Tool.run(
                "cjxl",
                ["--quiet", "-d", "0", "-x", colors, pixmap.path, file.path]
            )
            return file
        }
        let pixels = Data((0..<64 * 64).flatMap { _ in [255, 0, 0, 255] as [UInt8] })
        let space = try #require(CGColorSpace(name: CGColorSpace.displayP3))
        let image = CIImage(
            bitmapData: pixels,
            bytesPerRow: 64 * 4,
            size: CGSize(width: 64, height: 64),
            format: .RGBA8,
            colorSpace: space
        )
        let context = CIContext()
        if type == "heic" {
            try context.writeHEIFRepresentation(
                of: image,
                to: file,
                format: .RGBA8,
                colorSpace: space
            )
        } else {
            try context.writeJPEGRepresentation(of: image, to: file, colorSpace: space)
        }
        return file
    }

    @Test(arguments: ["jpg", "heic", "jxl"])
    func editsOfDisplayP3KeepTheirColors(_ type: String) throws {
        let file = try wide(type)
        #expect(CIImage(contentsOf: file)?.colorSpace?.name == CGColorSpace.displayP3)
        let asset = try editing.add([(.photo, file)])
        try edit(asset) { $0.quarterTurns = 1 }
        let data = try #require(editing.data(asset))
        let rendered = world.folder.file("rendered.jpg")
        try data.write(to: rendered)
        let tag = "-ICC_Profile:RedMatrixColumn"
        #expect(try Tool.run("exiftool", ["-s3", tag, rendered.path]).hasPrefix("0.515"))
        let image = try #require(CIImage(contentsOf: rendered))
        let space = try #require(CGColorSpace(name: CGColorSpace.displayP3))
        let drawn = try #require(
            CIContext().createCGImage(
                image,
                from: image.extent,
                format: .RGBA8,
                colorSpace: space
            )
        )
        // Clipped to sRGB, it would be 234, 51, 35. Both files are compressed.
        let red = [[Int]](repeating: [255, 0, 0], count: 4)
        #expect(try distance(corners(drawn), red) <= 4)
    }

    @Test func editsOfOtherPhotosAreInSRGB() throws {
        let file = world.folder.file("plain.png")
        _ = try Tool.run("vips", ["copy", pixmap().path, file.path])
        #expect(CIImage(contentsOf: file)?.colorSpace?.name == CGColorSpace.sRGB)
        let asset = try editing.add([(.photo, file)])
        try edit(asset) { $0.quarterTurns = 1 }
        let rendered = try #require(editing.data(asset).flatMap { CIImage(data: $0) })
        #expect(rendered.colorSpace?.name == CGColorSpace.sRGB)
        #expect(rendered.extent.size == CGSize(width: 64, height: 96))
        let turned = [2, 0, 3, 1].map { Self.quadrants[$0].map { Int($0) } }
        #expect(try distance(corners(shown(asset)), turned) <= 8)
    }

    /// JPEG has no transparency, and images of every other request are on white.
    @Test func editsOfTransparentPhotosAreOnWhite() throws {
        var pixels = Data()
        for y in 0..<64 {
            for x in 0..<64 {
                let isInside = (16..<48).contains(x) && (16..<48).contains(y)
                pixels.append(contentsOf: isInside ? [30, 30, 220, 255] : [0, 0, 0, 0])
            }
        }
        let space = try #require(CGColorSpace(name: CGColorSpace.sRGB))
        let image = CIImage(
            bitmapData: pixels,
            bytesPerRow: 64 * 4,
            size: CGSize(width: 64, height: 64),
            format: .RGBA8,
            colorSpace: space
        )
        let file = world.folder.file("transparent.png")
        try CIContext()
            .writePNGRepresentation(of: image, to: file, format: .RGBA8, colorSpace: space)
        let asset = try editing.add([(.photo, file)])
        try edit(asset) { $0.quarterTurns = 1 }
        let white = [[Int]](repeating: [255, 255, 255], count: 4)
        #expect(try distance(corners(shown(asset)), white) <= 4)
    }
}
