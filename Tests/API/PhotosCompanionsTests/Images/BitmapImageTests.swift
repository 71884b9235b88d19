import Foundation
import PhotosCompanions
import Testing

/// Image code of Mac programs.
@Suite(.timeLimit(.minutes(2))) struct BitmapImageTests {
    private func jpegData(of image: NSImage, quality: Double) -> Data? {
        guard let tiff = image.tiffRepresentation, let bitmap = NSBitmapImageRep(data: tiff) else {
            return nil
        }
        return bitmap.representation(using: .jpeg, properties: [.compressionFactor: quality])
    }

    private func pngData(of image: NSImage) -> Data? {
        guard let cgImage = image.cgImage(forProposedRect: nil, context: nil, hints: nil) else {
            return nil
        }
        let rep = NSBitmapImageRep(cgImage: cgImage)
        rep.size = image.size
        return rep.representation(using: .png, properties: [:])
    }

    @Test func imagesBecomeFiles() throws {
        let image = NSImage(cgImage: try Pictures.image(), size: .zero)
        let jpeg = try #require(jpegData(of: image, quality: 0.9))
        #expect(NSImage(data: jpeg)?.size == CGSize(width: 64, height: 48))
        #expect(try #require(jpegData(of: image, quality: 0)).count < jpeg.count)
        let png = try #require(pngData(of: image))
        let read = try #require(NSImage(data: png)?.cgImage)
        #expect(try Pictures.pixel(8, 8, of: read) == [255, 0, 0])
        #expect(try Pictures.pixel(60, 40, of: read) == [0, 0, 255])
        #expect(NSBitmapImageRep(data: png)?.representation(using: .gif, properties: [:]) == nil)
        #expect(NSImage().tiffRepresentation == nil && !NSImage().isValid)
        #expect(NSBitmapImageRep(data: Data("none".utf8)) == nil)
    }

    @Test func pixelsAreUpright() throws {
        let turned = NSImage(cgImage: try Pictures.image(), scale: 1, orientation: .right)
        var rect = NSRect(x: 1, y: 2, width: 0, height: 0)
        let image = try #require(turned.cgImage(forProposedRect: &rect, context: nil, hints: nil))
        #expect(image.width == 48 && image.height == 64)
        #expect(rect.size == CGSize(width: 48, height: 64))
        #expect(try Pictures.pixel(24, 8, of: image) == [255, 0, 0])
        let half = NSImage(cgImage: try Pictures.image(), size: NSSize(width: 32, height: 24))
        #expect(half.size == CGSize(width: 32, height: 24))
        let rep = try #require(half.representations.first as? NSBitmapImageRep)
        #expect(rep.pixelsWide == 64 && rep.pixelsHigh == 48 && rep.samplesPerPixel == 3)
    }

    @Test func brightImagesHavePixels() throws {
        let context = CIContext()
        let source = CIImage(cgImage: try Pictures.image())
        let bright = try #require(
            context.createCGImage(source, from: source.extent, format: .RGBAh, colorSpace: nil)
        )
        let images = [
            NSImage(cgImage: bright, scale: 1, orientation: .right),
            NSImage(ciImage: CIImage(cgImage: bright), scale: 1, orientation: .right),
        ]
        for image in images {
            #expect(image.representations.count == 1)
            let tiff = try #require(image.tiffRepresentation)
            #expect(NSImage(data: tiff)?.size == CGSize(width: 48, height: 64))
            let upright = try #require(
                image.cgImage(forProposedRect: nil, context: nil, hints: nil)
            )
            #expect(upright.width == 48 && upright.height == 64)
            #expect(upright.colorSpace?.name == CGColorSpace.displayP3)
            let red = try Pictures.pixel(24, 8, of: upright)
            #expect(red[0] > 200 && red[1] < 80 && red[2] < 80)
            let blue = try Pictures.pixel(24, 56, of: upright)
            #expect(blue[2] > 200 && blue[0] < 80 && blue[1] < 80)
        }
    }
}
