internal import Foundation
public import Photos
internal import Synchronization

extension PHAssetResource {
    /// Downloads the file if it is only in the cloud.
    ///
    /// Requests for the same file share one download. Canceling the task ends the download, unless
    /// other requests wait for it.
    ///
    /// - Parameter progress: A closure that receives increasing fractions from 0 to 1, on any
    ///   thread. It receives none if the file is on this computer.
    /// - Throws: `PHPhotosError`: `networkAccessRequired` if no daemon downloads files for the
    ///   library, `networkError` if the download fails, `missingResource` if the file is lost;
    ///   `CancellationError`.
    public func download(
        progress: @escaping @Sendable (_ fraction: Double) -> Void = { _ in }
    ) async throws {
        let manager = PHAssetResourceManager.default()
        let state = Mutex(DownloadRequest())
        let options = PHAssetResourceRequestOptions()
        options.isNetworkAccessAllowed = true
        // The download is the first half of the request.
        options.progressHandler = { fraction in
            if !state.withLock(\.isOpen) { progress(min(1, fraction * 2)) }
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation {
                (continuation: CheckedContinuation<Void, any Error>) in
                let request = manager.requestData(for: self, options: options) { _ in
                    // The first bytes prove that the file is here; nobody needs the others.
                    let request = state.withLock { state -> PHAssetResourceDataRequestID? in
                        state.isOpen = true
                        return state.request
                    }
                    if let request { manager.cancelDataRequest(request) }
                } completionHandler: { error in
                    let isOpen = state.withLock(\.isOpen)
                    if let error, !isOpen {
                        let isCancelled = (error as? PHPhotosError)?.code == .userCancelled
                        continuation.resume(throwing: isCancelled ? CancellationError() : error)
                    } else {
                        continuation.resume()
                    }
                }
                let isOver = state.withLock { state -> Bool in
                    state.request = request
                    return state.isOpen || state.isCancelled
                }
                if isOver { manager.cancelDataRequest(request) }
            }
        } onCancel: {
            let request = state.withLock { state -> PHAssetResourceDataRequestID? in
                state.isCancelled = true
                return state.request
            }
            if let request { manager.cancelDataRequest(request) }
        }
    }
}

/// The state of a data request whose only purpose is to download a file.
///
/// The request is canceled when the first bytes arrive, because the file is then on this computer.
private struct DownloadRequest {
    var request: PHAssetResourceDataRequestID?
    /// Indicates whether the first bytes arrived, which means that the file is on this computer.
    var isOpen = false
    var isCancelled = false
}
