public import Photos
internal import Synchronization

extension PHAsset {
    /// What an editor begins with: the files, and what an editor did before.
    ///
    /// Cancelling the task cancels the request.
    ///
    /// - Parameter options: What the editor can go on with; nil for one that begins anew.
    /// - Returns: The input.
    /// - Throws: `PHPhotosError` when there is none; `CancellationError`.
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
