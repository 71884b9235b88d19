import Foundation
import Photos

// The code in the article "Requesting movies".

func describeMovie(of asset: PHAsset) async throws {
    let movie = await withCheckedContinuation { continuation in
        PHImageManager.default().requestAVAsset(forVideo: asset, options: nil) { movie, _, _ in
            continuation.resume(returning: movie)
        }
    }
    guard let movie else { return }
    let (duration, tracks) = try await movie.load(.duration, .tracks)
    print(duration.seconds, "seconds")
    for track in tracks where track.mediaType == .video {
        print(track.naturalSize.applying(track.preferredTransform), track.nominalFrameRate)
    }
}

func exportForMail(_ movie: AVAsset, to file: URL) async throws {
    guard
        let session = AVAssetExportSession(
            asset: movie,
            presetName: AVAssetExportPreset640x480
        )
    else { return }
    session.shouldOptimizeForNetworkUse = true
    async let export: Void = session.export(to: file, as: .mp4)
    for await state in session.states(updateInterval: 0.5) {
        if case .exporting(let progress) = state { print(progress.fractionCompleted) }
    }
    try await export
}

func makeLivePhoto(of files: [URL]) {
    PHLivePhoto.request(
        withResourceFileURLs: files,
        placeholderImage: nil,
        targetSize: .zero,
        contentMode: .aspectFit
    ) { photo, info in
        guard info[PHLivePhotoInfoIsDegradedKey] as? Bool == false else { return }
        print(photo?.size ?? info[PHLivePhotoInfoErrorKey] ?? "canceled")
    }
}
