public import Photos
internal import Synchronization

extension PHAsset {
    /// Returns the input for editing: the files, and the adjustments of an earlier edit.
    ///
    /// Canceling the task cancels the request.
    ///
    /// - Parameter options: Which earlier adjustments the editor can resume; nil for an editor that
    ///   resumes none.
    /// - Returns: The input.
    /// - Throws: `PHPhotosError` when no input is available; `CancellationError`.
    public func contentEditingInput(
        with options: PHContentEditingInputRequestOptions? = nil
    ) async throws -> PHContentEditingInput {
        let request = Mutex<PHContentEditingInputRequestID?>(nil)
        let result: Result<PHContentEditingInput, any Error> = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let id = requestContentEditingInput(with: options) { input, info in
                    if let input { return continuation.resume(returning: .success(input)) }
                    let error = info[PHContentEditingInputErrorKey] as? any Error
                    continuation.resume(returning: .failure(error ?? CancellationError()))
                }
                request.withLock { $0 = id }
                if Task.isCancelled { cancelContentEditingInputRequest(id) }
            }
        } onCancel: {
            if let id = request.withLock(\.self) { cancelContentEditingInputRequest(id) }
        }
        return try result.get()
    }
}
