import Foundation
import Photos
import PhotosManagement
import Testing

/// The orientation that editors receive, and the handling of missing originals.
@Suite(.timeLimit(.minutes(3))) struct UprightEditingTests {
    private let editing: EditingWorld
    private var world: ChangeWorld { editing.world }

    init() throws { editing = try EditingWorld() }

    /// Returns a photo that is wider than high and is declared as rotated.
    private func turned(_ name: String) throws -> URL {
        let file = world.folder.file(name)
        _ = try Tool.run("vips", ["black", file.path, "90", "60", "--bands", "3"])
        _ = try Tool.run(
            "exiftool",
            ["-q", "-n", "-Orientation=6", "-overwrite_original", file.path]
        )
        return file
    }

    /// Behaviors 157, 162, 163 and 165.
    @Test func orientationIsThatOfTheFile() throws {
        let asset = try editing.add([(.photo, turned("side.jpg"))])
        #expect(asset.pixelWidth == 60 && asset.pixelHeight == 90)
        let answer = try editing.request(asset)
        #expect(answer.info[PHContentEditingInputResultIsInCloudKey] as? Bool == false)
        let input = try #require(answer.input)
        #expect(input.fullSizeImageOrientation == 6)
        // Applied to the file's pixels, the orientation yields the displayed picture.
        #expect(input.displaySizeImage?.size == CGSize(width: 60, height: 90))
        let url = try #require(input.fullSizeImageURL)
        let stored = try #require(CIImage(contentsOf: url))
        let image = stored.oriented(forExifOrientation: input.fullSizeImageOrientation)
        #expect(image.extent.size == CGSize(width: 60, height: 90))
        // Each output has a file of its own, which only the editor writes.
        let outputs = [input, input].map { PHContentEditingOutput(contentEditingInput: $0) }
        #expect(Set(outputs.map(\.renderedContentURL)).count == 2)
        for output in outputs {
            #expect(!FileManager.default.fileExists(atPath: output.renderedContentURL.path))
        }
    }

    /// Behavior 156: a file that declares a rotation is shown upright all the same.
    @Test func renderingsWithAFlagAreShownUpright() throws {
        let asset = try editing.addPhoto()
        #expect(try editing.save(turned("rendered.jpg"), of: asset) == nil)
        let edited = try world.now(asset)
        #expect(edited.pixelWidth == 60 && edited.pixelHeight == 90)
        let input = try editing.input(edited)
        #expect(input.fullSizeImageOrientation == 6)
        #expect(input.displaySizeImage?.size == CGSize(width: 60, height: 90))
    }

    /// Behavior 160: without the original, a revert is impossible.
    @Test func revertNeedsTheOriginal() throws {
        let asset = try editing.addPhoto()
        #expect(try editing.save(EditingWorld.rendering(), of: asset) == nil)
        let edited = try #require(editing.data(asset))
        let original = try #require(world.storedFiles.first)
        let path = world.bundle.url.appendingPathComponent("originals/" + original)
        try FileManager.default.removeItem(at: path)
        let error = world.failure {
            PHAssetChangeRequest(for: asset).revertAssetContentToOriginal()
        }
        #expect(error?.code == .missingResource)
        #expect(error?.recoverySuggestion?.isEmpty == false)
        #expect(try world.now(asset).hasAdjustments)
        #expect(editing.data(asset) == edited)
    }
}
