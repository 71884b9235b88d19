import Foundation
import Photos
import PhotosManagement
import Testing

/// Files that editors return, and their faults: each causes a clear error and no change.
@Suite(.timeLimit(.minutes(3))) struct RenderedFileTests {
    private let editing: EditingWorld
    private let asset: PHAsset
    private var world: ChangeWorld { editing.world }

    init() throws {
        editing = try EditingWorld()
        asset = try editing.addPhoto()
    }

    /// Saves an invalid file.
    private func refused(
        _ file: URL?,
        _ code: PHPhotosError.Code,
        adjustments: PHAdjustmentData? = EditingWorld.adjustments(),
        as type: UTType? = nil,
        saying words: String
    ) throws {
        try editing.expectRefusal(
            of: file,
            for: asset,
            code,
            adjustments: adjustments,
            as: type,
            saying: words
        )
    }

    private func file(_ name: String, _ data: Data) throws -> URL {
        let url = world.folder.file(name)
        try data.write(to: url)
        return url
    }

    /// Behavior 153.
    @Test func missingPartsFail() throws {
        try refused(nil, .missingResource, saying: "no rendered file")
        try refused(
            EditingWorld.rendering(),
            .internalError,
            adjustments: nil,
            saying: "no adjustment data"
        )
    }

    @Test func truncatedFilesFail() throws {
        let whole = try Data(contentsOf: EditingWorld.rendering())
        for part in [0.3, 0.9] {
            let cut = whole.prefix(Int(Double(whole.count) * part))
            try refused(
                file("cut-\(part).jpg", cut),
                .invalidResource,
                saying: "FullSizeRender.jpg"
            )
        }
        try refused(file("empty.jpg", Data()), .invalidResource, saying: "empty")
        try refused(file("text.jpg", Data("No picture".utf8)), .invalidResource, saying: "text")
    }

    /// Behavior 154.
    @Test func otherTypesFail() throws {
        let picture = try #require(UIImage(contentsOfFile: EditingWorld.rendering().path))
        let png = try file("picture.png", #require(picture.pngData()))
        try refused(png, .invalidResource, saying: "public.png")
        try refused(EditingWorld.rendering(), .invalidResource, as: .png, saying: "public.jpeg")
        let movie = try #require(try ChangeWorld.samples.get().movies.first)
        try refused(movie, .invalidResource, saying: "FullSizeRender.jpg")
        // Each of the available types, and a JPEG in its place.
        for type in [UTType.heic, .png, .tiff] {
            try refused(
                EditingWorld.rendering(),
                .invalidResource,
                as: type,
                saying: type.identifier
            )
        }
        let pair = try #require(try ChangeWorld.samples.get().rawPair)
        try refused(pair.raw, .invalidResource, saying: "public.jpeg")
    }

    /// Whole files of the other types, and truncated ones.
    @Test func otherTypesHaveToBeWhole() throws {
        let picture = try #require(UIImage(contentsOfFile: EditingWorld.rendering().path))
        let image = try #require(CIImage(contentsOf: EditingWorld.rendering()))
        let context = CIContext()
        let colors = try #require(CGColorSpace(name: CGColorSpace.sRGB))
        let files: [(UTType, Data)] = try [
            (.png, #require(picture.pngData())),
            (
                .heic,
                #require(
                    context.heifRepresentation(of: image, format: .RGBA8, colorSpace: colors)
                )
            ),
        ]
        for (type, data) in files {
            let cut = try file("cut", data.prefix(data.count * 2 / 3))
            try refused(cut, .invalidResource, as: type, saying: "FullSizeRender")
            let whole = try file("whole-\(type.identifier)", data)
            #expect(try editing.save(whole, of: asset, as: type) == nil)
            #expect(editing.data(asset) == data)
        }
    }

    /// Crops have any size; thumbnails are rejected as edits.
    @Test func thumbnailsFail() throws {
        let large = try editing.add([(.photo, png(side: 700))])
        try editing.expectRefusal(
            of: png(side: 40),
            for: large,
            .invalidResource,
            as: .png,
            saying: "40×40"
        )
        #expect(try editing.save(png(side: 80), of: large, as: .png) == nil)
    }

    private func png(side: Int) throws -> URL {
        let url = world.folder.file("\(side).png")
        _ = try Tool.run("vips", ["black", url.path, "\(side)", "\(side)", "--bands", "3"])
        return url
    }

    /// A thumbnail on white would stay, because it is made of the whole file.
    @Test func thumbnailsOfTransparentFilesAreTransparent() throws {
        let row = (0..<640).flatMap { $0 < 320 ? [30, 30, 220, 255] : [0, 0, 0, 0] as [UInt8] }
        let space = try #require(CGColorSpace(name: CGColorSpace.sRGB))
        let drawn = CIImage(
            bitmapData: Data(repeatElement(row, count: 480).joined()),
            bytesPerRow: 640 * 4,
            size: CGSize(width: 640, height: 480),
            format: .RGBA8,
            colorSpace: space
        )
        let png = world.folder.file("transparent.png")
        try CIContext()
            .writePNGRepresentation(of: drawn, to: png, format: .RGBA8, colorSpace: space)
        #expect(try editing.save(png, of: asset, as: .png) == nil)
        let options = PHImageRequestOptions()
        options.isSynchronous = true
        options.deliveryMode = .highQualityFormat
        var found: UIImage?
        PHImageManager.default().requestImage(
            for: try world.now(asset),
            targetSize: CGSize(width: 200, height: 200),
            contentMode: .aspectFit,
            options: options
        ) { image, _ in found = image }
        let image = try #require(found?.cgImage)
        try #require(image.alphaInfo == .last)
        let pixels = try #require(image.dataProvider?.data)
        let middle = image.height / 2 * image.bytesPerRow
        let (left, right) = (middle + 4 * 4, middle + (image.width - 5) * 4)
        #expect(pixels[left + 3] >= 250 && pixels[right + 3] <= 5)
        #expect(abs(Int(pixels[left + 2]) - 220) <= 8)
    }

    @Test func adjustmentsHaveToBeStorable() throws {
        let rendering = try EditingWorld.rendering()
        let nameless = EditingWorld.adjustments(of: "")
        try refused(rendering, .internalError, adjustments: nameless, saying: "format identifier")
        let large = PHAdjustmentData(
            formatIdentifier: "test.editor",
            formatVersion: "1",
            data: Data(count: (16 << 20) + 1)
        )
        try refused(rendering, .internalError, adjustments: large, saying: "16777217")
    }

    /// Behavior 155.
    @Test func otherTypesHaveTheirOwnURLs() throws {
        let output = PHContentEditingOutput(contentEditingInput: try editing.input(asset))
        #expect(output.defaultRenderedContentType == .jpeg)
        #expect(output.supportedRenderedContentTypes.contains(.heic))
        #expect(output.renderedContentURL.pathExtension == "jpg")
        #expect(try output.renderedContentURL(for: .jpeg) == output.renderedContentURL)
        #expect(try output.renderedContentURL(for: .heic).pathExtension == "heic")
        let folder = output.renderedContentURL.deletingLastPathComponent().path
        #expect(FileManager.default.isWritableFile(atPath: folder))
        #expect(throws: PHPhotosError.self) { try output.renderedContentURL(for: .gif) }
        #expect(throws: PHPhotosError.self) { try output.renderedContentURL(for: .quickTimeMovie) }
        let other = PHContentEditingOutput(contentEditingInput: try editing.input(asset))
        #expect(other.renderedContentURL != output.renderedContentURL)

        let picture = try #require(UIImage(contentsOfFile: EditingWorld.rendering().path))
        let png = try file("picture.png", #require(picture.pngData()))
        #expect(try editing.save(png, of: asset, as: .png) == nil)
        #expect(editing.data(asset) == (try Data(contentsOf: png)))
        let resource = PHAssetResource.assetResources(for: asset)
            .first { $0.type == .fullSizePhoto }
        #expect(resource?.uniformTypeIdentifier == "public.png")
        #expect(resource?.originalFilename == "Lake 0-edited.PNG")
    }

    @Test func folderGoesWithTheOutput() throws {
        var output: PHContentEditingOutput? = PHContentEditingOutput(
            contentEditingInput: try editing.input(asset)
        )
        let folder = try #require(output?.renderedContentURL.deletingLastPathComponent().path)
        #expect(FileManager.default.fileExists(atPath: folder))
        output = nil
        #expect(!FileManager.default.fileExists(atPath: folder))
    }

    @Test func deletedAndForeignAssetsAreNotEdited() throws {
        let input = try editing.input(asset)
        try world.change { PHAssetChangeRequest.deleteAssets([asset]) }
        let error = try editing.save(EditingWorld.rendering(), of: asset, basedOn: input)
        #expect(error?.code == .changeNotSupported)
        #expect(editing.editFiles == [])
    }

    /// A block is all or nothing.
    @Test func failedEditTakesTheBlockAlong() throws {
        let output = PHContentEditingOutput(contentEditingInput: try editing.input(asset))
        output.adjustmentData = EditingWorld.adjustments()
        try Data("No picture".utf8).write(to: output.renderedContentURL)
        let error = world.failure {
            PHAssetChangeRequest(for: asset).isFavorite = true
            PHAssetChangeRequest(for: asset).contentEditingOutput = output
        }
        #expect("\(error.map { "\($0)" } ?? "")".contains("Change request 2 of 2"))
        #expect(try !world.now(asset).isFavorite)
    }
}
