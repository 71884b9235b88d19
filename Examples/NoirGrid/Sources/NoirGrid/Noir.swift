import Foundation
import Photos

/// Makes a photo black and white; the original is preserved.
func makeNoir(_ asset: PHAsset) async throws {
    let input = try await editingInput(for: asset)
    guard let url = input.fullSizeImageURL, let stored = CIImage(contentsOf: url),
        let colors = CGColorSpace(name: CGColorSpace.sRGB)
    else { throw GridError("The photo cannot be opened.") }
    let noir =
        stored
        .oriented(forExifOrientation: input.fullSizeImageOrientation)
        .applyingFilter("CIPhotoEffectNoir")

    let output = PHContentEditingOutput(contentEditingInput: input)
    output.adjustmentData = PHAdjustmentData(
        formatIdentifier: "org.example.NoirGrid",
        formatVersion: "1",
        data: Data("CIPhotoEffectNoir".utf8)
    )
    try CIContext().writeJPEGRepresentation(
        of: noir,
        to: output.renderedContentURL,
        colorSpace: colors
    )
    try await PHPhotoLibrary.shared().performChanges {
        PHAssetChangeRequest(for: asset).contentEditingOutput = output
    }
}

private func editingInput(for asset: PHAsset) async throws -> PHContentEditingInput {
    try await withCheckedThrowingContinuation { continuation in
        asset.requestContentEditingInput(with: nil) { input, info in
            if let input {
                continuation.resume(returning: input)
            } else {
                let reason = info[PHContentEditingInputErrorKey] as? Error
                continuation.resume(throwing: reason ?? GridError("The photo cannot be edited."))
            }
        }
    }
}
