import Foundation
import Photos

// The code in the article "Editing photos and videos".

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

func saveNoir(of input: PHContentEditingInput, to output: PHContentEditingOutput) throws {
    guard let url = input.fullSizeImageURL, let stored = CIImage(contentsOf: url),
        let colors = CGColorSpace(name: CGColorSpace.sRGB)
    else { return }
    let upright = stored.oriented(forExifOrientation: input.fullSizeImageOrientation)
    let noir = upright.applyingFilter("CIPhotoEffectNoir")
    try CIContext().writeJPEGRepresentation(
        of: noir,
        to: output.renderedContentURL,
        colorSpace: colors
    )
}

func showUpright(_ asset: PHAsset, show: @escaping (CIImage) -> Void) {
    let manager = PHImageManager.default()
    manager.requestImageDataAndOrientation(for: asset, options: nil) { data, _, orientation, _ in
        guard let data, let stored = CIImage(data: data) else { return }
        show(stored.oriented(orientation))
    }
}
