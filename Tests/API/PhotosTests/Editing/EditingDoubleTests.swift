import Foundation
import Photos
import Testing

/// Programs test their editors with doubles of the library's objects.
@Suite(.timeLimit(.minutes(2))) struct EditingDoubleTests {
    private final class Input: PHContentEditingInput, @unchecked Sendable {
        override var mediaType: PHAssetMediaType { .video }
        override var adjustmentData: PHAdjustmentData? { PHAdjustmentData() }
        override var fullSizeImageURL: URL? { URL(fileURLWithPath: "/tmp/picture.jpg") }
    }

    @Test func inputsAreMadeAndSubclassed() {
        let empty = PHContentEditingInput()
        #expect(empty.mediaType == .unknown && empty.mediaSubtypes == [])
        #expect(empty.playbackStyle == .unsupported && empty.fullSizeImageOrientation == 1)
        #expect(empty.creationDate == nil && empty.location == nil && empty.contentType == nil)
        #expect(empty.uniformTypeIdentifier == nil && empty.adjustmentData == nil)
        #expect(empty.displaySizeImage == nil && empty.fullSizeImageURL == nil)
        #expect(empty.audiovisualAsset == nil && empty.livePhoto == nil)
        #expect(empty.description.hasSuffix("no type, no file>"))
        #expect(PHLivePhotoEditingContext(livePhotoEditingInput: empty) == nil)
        let input: PHContentEditingInput = Input()
        #expect(input.mediaType == .video && input.description.contains("/tmp/picture.jpg"))
        #expect(input.adjustmentData?.formatIdentifier == "")
        // An output renders the type that its input declares.
        let output = PHContentEditingOutput(contentEditingInput: input)
        #expect(output.defaultRenderedContentType == .quickTimeMovie)
        let picture = PHContentEditingOutput(contentEditingInput: empty)
        #expect(picture.defaultRenderedContentType == .jpeg)
    }

    @Test func adjustmentDataIsMadeWithoutValues() {
        let data = PHAdjustmentData()
        #expect(data.formatIdentifier.isEmpty && data.formatVersion.isEmpty && data.data.isEmpty)
    }
}
