import Foundation
import Photos

// The code of "Editing photos and videos", as the article shows it.

func makeNoir(
    _ input: PHContentEditingInput,
    _ adjustments: PHAdjustmentData
) async throws -> PHContentEditingOutput? {
    guard let context = PHLivePhotoEditingContext(livePhotoEditingInput: input) else { return nil }
    context.frameProcessor = { frame, _ in
        frame.image
            .applyingFilter("CIPhotoEffectNoir")
            .applyingGaussianBlur(sigma: 10 * frame.renderScale)
            .cropped(to: frame.image.extent)
    }
    context.audioVolume = 0.5
    let output = PHContentEditingOutput(contentEditingInput: input)
    output.adjustmentData = adjustments
    try await context.saveLivePhoto(to: output)
    return output
}
