internal import Foundation
internal import PhotoModel
internal import PhotosCompanions

extension PHImageManager {
    /// Starts a request for a movie.
    func requestMovie(
        _ asset: PHAsset,
        _ options: PHVideoRequestOptions?,
        _ handler: @escaping MovieTask.Handler
    ) -> PHImageRequestID {
        let id = nextID()
        let task = MovieTask(
            id: id,
            asset: asset,
            version: options?.version ?? .current,
            network: NetworkAccess(
                isAllowed: options?.isNetworkAccessAllowed ?? false,
                id: id,
                handler: options?.progressHandler
            ),
            handler: handler,
            whenEnded: { [self] in forget(id) }
        )
        keep(task, id)
        task.start()
        return id
    }
}

/// Returns the error for an unknown export preset.
func unknownPreset(_ name: String) -> PHPhotosError {
    PHPhotosError(
        LibraryError(
            .invalidRequest,
            "There is no export preset “\(name)”.",
            recovery: "Use one of AVAssetExportSession.allExportPresets()."
        )
    )
}
