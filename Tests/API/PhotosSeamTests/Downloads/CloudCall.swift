import Foundation
import LibraryService
import Photos
import RenditionFixture
import Synchronization
import TestSupport
import Testing

/// A request of PhotoKit that needs a file.
enum CloudCall: String, CaseIterable, Sendable {
    case image, synchronousImage, imageData, movie, livePhoto, editing, resourceData, resourceFile

    /// The end of a request.
    struct Outcome: Sendable {
        var hasResult = false
        /// The value under the in-cloud key; nil if there is none.
        var isInCloud: Bool?
        var code: PHPhotosError.Code?
        var isCancelled = false
        /// The fractions that the progress handler received without an error.
        var progress: [Double] = []
        /// The errors that it received.
        var failures: [PHPhotosError.Code] = []
        /// The number of final calls.
        var ends = 0

        init() {}

        init(hasResult: Bool, _ info: [AnyHashable: Any]?) {
            self.hasResult = hasResult
            isInCloud =
                (info?[PHImageResultIsInCloudKey] ?? info?[PHContentEditingInputResultIsInCloudKey])
                as? Bool
            let error = info?[PHImageErrorKey] ?? info?[PHContentEditingInputErrorKey]
            code = (error as? PHPhotosError)?.code
            isCancelled =
                (info?[PHImageCancelledKey] ?? info?[PHContentEditingInputCancelledKey]) as? Bool
                ?? false
        }

        init(error: (any Error)?) {
            hasResult = error == nil
            code = (error as? PHPhotosError)?.code
            isCancelled = code == .userCancelled
        }
    }

    /// What a request's handlers received.
    private final class Log: Sendable {
        let outcome = Mutex(Outcome())
        private let isOver = DispatchSemaphore(value: 0)

        func end(_ last: Outcome) {
            outcome.withLock { outcome in
                let (progress, failures, ends) = (
                    outcome.progress, outcome.failures, outcome.ends
                )
                outcome = last
                outcome.progress = progress
                outcome.failures = failures
                outcome.ends = ends + 1
            }
            isOver.signal()
        }

        func add(_ fraction: Double, _ error: (any Error)? = nil) {
            outcome.withLock { outcome in
                guard let error else { return outcome.progress.append(fraction) }
                if let code = (error as? PHPhotosError)?.code { outcome.failures.append(code) }
            }
        }

        func wait() async -> Outcome {
            await withCheckedContinuation { continuation in
                DispatchQueue.global().async { [self] in
                    #expect(
                        isOver.wait(timeout: .now() + 60) == .success,
                        "The request never ended."
                    )
                    continuation.resume(returning: outcome.withLock(\.self))
                }
            }
        }
    }

    /// Returns the identifier of the asset that it requests.
    private func asset(in world: CloudWorld) -> String {
        self == .movie ? world.movie : world.photo
    }

    /// Makes the request.
    ///
    /// - Parameters:
    ///   - world: The library.
    ///   - isAllowed: Whether it may use the network.
    ///   - stops: Whether it is stopped in its first progress above zero.
    /// - Returns: What its handlers received.
    /// - Throws: When the asset is not found.
    func run(in world: CloudWorld, isAllowed: Bool, stops: Bool = false) async throws -> Outcome {
        let log = Log()
        let asset = try world.asset(asset(in: world))
        let progress: PHAssetImageProgressHandler = { fraction, error, stop, _ in
            log.add(fraction, error)
            if stops, fraction > 0 { stop.pointee = true }
        }
        switch self {
        case .image, .synchronousImage:
            let options = PHImageRequestOptions()
            options.isNetworkAccessAllowed = isAllowed
            options.progressHandler = progress
            options.isSynchronous = self == .synchronousImage
            options.deliveryMode = .highQualityFormat
            PHImageManager.default().requestImage(
                for: asset,
                targetSize: PHImageManagerMaximumSize,
                contentMode: .aspectFit,
                options: options
            ) { image, info in log.end(Outcome(hasResult: image != nil, info)) }
        case .imageData:
            let options = PHImageRequestOptions()
            options.isNetworkAccessAllowed = isAllowed
            options.progressHandler = progress
            PHImageManager.default().requestImageDataAndOrientation(for: asset, options: options) {
                data,
                _,
                _,
                info in log.end(Outcome(hasResult: data != nil, info))
            }
        case .movie:
            let options = PHVideoRequestOptions()
            options.isNetworkAccessAllowed = isAllowed
            options.progressHandler = progress
            PHImageManager.default().requestAVAsset(forVideo: asset, options: options) {
                movie,
                _,
                info in log.end(Outcome(hasResult: movie != nil, info))
            }
        case .livePhoto:
            let options = PHLivePhotoRequestOptions()
            options.deliveryMode = .highQualityFormat
            options.isNetworkAccessAllowed = isAllowed
            options.progressHandler = progress
            PHImageManager.default().requestLivePhoto(
                for: asset,
                targetSize: PHImageManagerMaximumSize,
                contentMode: .aspectFit,
                options: options
            ) { photo, info in log.end(Outcome(hasResult: photo != nil, info)) }
        case .editing:
            let options = PHContentEditingInputRequestOptions()
            options.isNetworkAccessAllowed = isAllowed
            options.progressHandler = { fraction, stop in
                log.add(fraction)
                // The first quarter is the adjustments, of which there are none.
                if stops, fraction > 0.25 { stop.pointee = true }
            }
            asset.requestContentEditingInput(with: options) { input, info in
                log.end(Outcome(hasResult: input != nil, info))
            }
        case .resourceData, .resourceFile:
            try read(world, isAllowed, stops, log)
        }
        return await log.wait()
    }

    private func read(
        _ world: CloudWorld,
        _ isAllowed: Bool,
        _ stops: Bool,
        _ log: Log
    ) throws {
        let resource = try world.resource(of: world.photo)
        let options = PHAssetResourceRequestOptions()
        options.isNetworkAccessAllowed = isAllowed
        let stop = Mutex<(@Sendable () -> Void)?>(nil)
        let begin = DispatchSemaphore(value: 0)
        options.progressHandler = { fraction in
            log.add(fraction)
            guard stops, fraction > 0 else { return }
            begin.wait()
            begin.signal()
            stop.withLock(\.self)?()
        }
        if self == .resourceData {
            let manager = PHAssetResourceManager.default()
            let id = manager.requestData(
                for: resource,
                options: options,
                dataReceivedHandler: { _ in },
                completionHandler: { log.end(Outcome(error: $0)) }
            )
            stop.withLock { $0 = { manager.cancelDataRequest(id) } }
        } else {
            let target = world.library.folder.file("Copy-\(UUID().uuidString).jpg")
            let task = Task {
                do {
                    try await PHAssetResourceManager.default()
                        .writeData(for: resource, toFile: target, options: options)
                    log.end(Outcome(error: nil))
                } catch {
                    log.end(Outcome(error: error))
                }
            }
            stop.withLock { $0 = { task.cancel() } }
        }
        begin.signal()
    }
}
