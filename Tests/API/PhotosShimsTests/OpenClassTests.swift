import CoreImage
import Foundation
import TestSupport
import Testing
import UniformTypeIdentifiers

/// Programs' classes that inherit from Apple's, and small additions of Apple's frameworks.
@Suite(.timeLimit(.minutes(1))) struct OpenClassTests {
    private final class Stub: CIImage, @unchecked Sendable {
        override var extent: CGRect { CGRect(x: 0, y: 0, width: 7, height: 5) }
        override var properties: [String: Any] { ["Orientation": 6] }

        override func cropped(to rect: CGRect) -> CIImage { self }

        override func oriented(_ orientation: CGImagePropertyOrientation) -> CIImage { self }

        override func applyingFilter(
            _ filterName: String,
            parameters params: [String: Any]
        ) -> CIImage {
            self
        }
    }

    @Test func picturesAreInherited() throws {
        let image: CIImage = Stub(color: .red)
        #expect(image.extent.width == 7)
        #expect(image.cropped(to: .zero) === image && image.oriented(.left) === image)
        #expect(image.applyingFilter("CISepiaTone", parameters: [:]) === image)
        #expect(image.properties["Orientation"] as? Int == 6)
        #expect(Stub().extent.height == 5)
        #expect(Stub(data: Data("none".utf8)) == nil)
        let red = CIImage(color: .red).cropped(to: CGRect(x: 0, y: 0, width: 7, height: 5))
        let context = CIContext()
        let whole = Stub(cgImage: try #require(context.createCGImage(red, from: red.extent)))
        let drawn = context.createCGImage(whole, from: whole.extent)
        #expect(drawn?.width == 7 && drawn?.height == 5)
    }

    private func images(in folder: URL) throws -> [URL] {
        let keys: [URLResourceKey] = [.contentTypeKey]
        let urls = try FileManager.default.contentsOfDirectory(
            at: folder,
            includingPropertiesForKeys: keys,
            options: .skipsHiddenFiles
        )
        return try urls.filter { url in
            let type = try url.resourceValues(forKeys: Set(keys)).contentType
            return type?.conforms(to: .image) == true
        }
    }

    @Test func filesSayTheirTypes() throws {
        let folder = try TemporaryFolder()
        for name in ["a.jpg", "b.HEIC", "c.mov", "d.txt", "e"] {
            try folder.write(Data(), to: name)
        }
        _ = try folder.folder("f.jpg")
        #expect(
            try images(in: folder.url).map(\.lastPathComponent).sorted() == ["a.jpg", "b.HEIC"]
        )
        let inner = try folder.url.resourceValues(forKeys: [.contentTypeKey])
        #expect(inner.contentType?.identifier == "public.folder")
        #expect(try folder.url.resourceValues(forKeys: [.nameKey]).contentType == nil)
    }
}
