import Foundation
import Photos
import PhotosManagement
import Testing

/// What editors give back, and what is wrong with it: a clear error, and nothing changed.
@Suite(.timeLimit(.minutes(3))) struct RenderedFileTests {
    private let editing: EditingWorld
    private let asset: PHAsset
    private var world: ChangeWorld { editing.world }

    init() throws {
        editing = try EditingWorld()
        asset = try editing.addPhoto()
    }

    /// Saves a file that is wrong.
    private func refused(
        _ file: URL?,
        _ code: PHPhotosError.Code,
        adjustments: PHAdjustmentData? = EditingWorld.adjustments(),
        as type: UTType? = nil,
        saying words: String
    ) throws {
        let before = (editing.data(asset), world.library.currentChangeToken)
        let error = try #require(try editing.save(file, of: asset, adjustments, as: type))
        #expect(error.code == code, "\(error)")
        let text = "\(error)"
        #expect(text.contains(words), "\(text)")
        #expect(error.recoverySuggestion != nil, "\(text)")
        #expect(editing.data(asset) == before.0)
        #expect(world.library.currentChangeToken == before.1)
        #expect(editing.editFiles == [])
        #expect(try editing.findings() == [])
    }

    private func file(_ name: String, _ data: Data) throws -> URL {
        let url = world.folder.file(name)
        try data.write(to: url)
        return url
    }

    /// Behaviour 153.
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

    /// Behaviour 154.
    @Test func otherTypesFail() throws {
        let picture = try #require(UIImage(contentsOfFile: EditingWorld.rendering().path))
        let png = try file("picture.png", #require(picture.pngData()))
        try refused(png, .invalidResource, saying: "public.png")
        try refused(EditingWorld.rendering(), .invalidResource, as: .png, saying: "public.jpeg")
        let movie = try #require(try ChangeWorld.samples.get().movies.first)
        try refused(movie, .invalidResource, saying: "FullSizeRender.jpg")
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

    /// Behaviour 155.
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
        #expect(resource?.originalFilename == "Lake 0.PNG")
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

    /// All of a block or nothing.
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
