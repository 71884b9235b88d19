import Foundation
import Photos

/// What a photo is edited from.
enum EditingInput {
    /// Asks for it.
    ///
    /// - Returns: The input, and whether it is the edited photo that another program made.
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
        // Handed over once, and used by the receiver only.
        let input: PHContentEditingInput
    }
}
