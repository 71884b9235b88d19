import Foundation
import Photos

/// Requests the input of an edit.
enum EditingInput {
    /// Requests the editing input of a photo.
    ///
    /// - Returns: The input, and whether its file is the rendered edit of another program.
    static func request(
        for asset: PHAsset,
        canHandle: @escaping @Sendable (PHAdjustmentData) -> Bool
    ) async throws -> (input: PHContentEditingInput, isRendered: Bool) {
        let options = PHContentEditingInputRequestOptions()
        options.isNetworkAccessAllowed = true
        options.canHandleAdjustmentData = canHandle
        let answer = try await withCheckedThrowingContinuation {
            (continuation: CheckedContinuation<Answer, any Error>) in
            _ = asset.requestContentEditingInput(with: options) { input, info in
                if let input {
                    continuation.resume(returning: Answer(input: input))
                } else {
                    let error = info[PHContentEditingInputErrorKey] as? Error
                    continuation.resume(throwing: error ?? Failure("the photo can't be edited"))
                }
            }
        }
        return (answer.input, asset.hasAdjustments && answer.input.adjustmentData == nil)
    }

    private struct Answer: @unchecked Sendable {
        // It is passed on once, and only the receiver uses it.
        let input: PHContentEditingInput
    }
}
