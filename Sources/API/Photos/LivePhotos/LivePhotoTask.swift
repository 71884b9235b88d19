internal import Foundation
internal import LibraryService
internal import PhotoModel
internal import PhotosCompanions
internal import Synchronization

/// A request for the Live Photo of an asset: first for its still image, then for its files.
///
/// 1. Degraded still images are delivered at once as degraded Live Photos. The final one waits for
///    the files.
/// 2. The handler receives exactly one final call, and no call follows it.
///
/// Unchecked because the client's handler is not marked as Sendable. Deliveries call it one at a
/// time.
final class LivePhotoTask: @unchecked Sendable {
    typealias Handler = (PHLivePhoto?, [AnyHashable: Any]?) -> Void

    private struct State {
        /// The request for the still image, while it is running.
        var image: ImageTask?
        var machine = RequestMachine()
    }

    private let id: PHImageRequestID
    private let asset: PHAsset
    private let specification: ImageSpecification?
    private let network: NetworkAccess
    private let handler: Handler
    private let whenEnded: @Sendable () -> Void
    private let state = Mutex(State())

    init(
        id: PHImageRequestID,
        asset: PHAsset,
        specification: ImageSpecification?,
        network: NetworkAccess,
        handler: @escaping Handler,
        whenEnded: @escaping @Sendable () -> Void
    ) {
        self.id = id
        self.asset = asset
        self.specification = specification
        self.network = network
        self.handler = handler
        self.whenEnded = whenEnded
    }

    func start() {
        guard let specification, let record = asset.record else {
            return deliver(nil, UnavailableImage(asset, id: id).info, as: .last)
        }
        // A Live Photo edited as a still image is a still image now, but its original is a Live
        // Photo.
        let isEdited = specification.version != .current && record.hasAdjustments
        guard record.mediaSubtypes.contains(.photoLive) || isEdited else {
            return deliver(nil, information(notLive(record)), as: .last)
        }
        network.whenStopped { [weak self] in self?.cancel() }
        let image = ImageTask(
            id: id,
            specification: specification,
            network: network,
            files: Self.files(specification),
            handler: { [self] image, info in take(image, info ?? [:]) },
            whenEnded: { [self] in state.withLock { $0.image = nil } }
        )
        // The image is already in memory, so the first call is made before this method returns.
        if specification.delivery == .opportunistic, ImageDelivery.isOnMain,
            let (still, info) = image.cached
        {
            var degraded = info
            degraded[PHImageResultIsDegradedKey] = true
            handler(PHLivePhoto(image: still), degraded)
            return finish(still, info)
        }
        let isOpen = state.withLock { state in
            state.image = image
            return state.machine.isOpen
        }
        if isOpen { image.start() }
    }

    func cancel() {
        let (action, image) = state.withLock { ($0.machine.cancel(), $0.image) }
        if action == .ignore { return }
        image?.cancel()
        network.cancel()
        var info = information()
        info[PHImageCancelledKey] = true
        deliver(nil, info, as: .cancellation)
    }

    // MARK: - Steps

    /// Handles a result of the image request, on the queue that delivers results.
    ///
    /// If this task was canceled, all results of the image request are dropped, since the task
    /// reports the cancellation itself.
    private func take(_ image: UIImage?, _ info: [AnyHashable: Any]) {
        guard let image else { return handOver(nil, info, as: .last) }
        let isDegraded = info[PHImageResultIsDegradedKey] as? Bool ?? false
        guard !isDegraded || specification?.delivery == .fastFormat else {
            return handOver(PHLivePhoto(image: image), info, as: .partial)
        }
        finish(image, info)
    }

    /// Loads the files in the background and delivers the final result.
    private func finish(_ image: UIImage, _ info: [AnyHashable: Any]) {
        let known = Unchecked(value: info)
        ImageTask.slow.add { [self] in
            network.run { [self] () throws(LibraryError) in
                PHLivePhoto(image: image, resources: try resources())
            } end: { [self] result in
                switch result {
                case .success(let photo): deliver(photo, known.value, as: .last)
                case .failure(let error): deliver(nil, information(error), as: .last)
                }
            }
        }
    }

    /// Returns the still image and movie files, which are downloaded together if necessary.
    private static func files(_ specification: ImageSpecification) -> [DownloadRequest.File] {
        let (uuid, version) = (specification.record.uuid, specification.version)
        return [specification.file, .movie(assetUUID: uuid, version: version)]
    }

    /// Returns the still image and the movie of the requested version, and throws if one of them
    /// does not exist.
    private func resources() throws(LibraryError) -> [PHAssetResource] {
        guard let specification else { return [] }
        let (uuid, version) = (specification.record.uuid, specification.version)
        let connection = specification.connection
        let service = try connection.service()
        let files = Self.files(specification)
        let (still, stillFile) = try network.attempt(files, of: connection) {
            () throws(LibraryError) in
            try service.imageData(ImageDataRequest(assetUUID: uuid, version: version))
        }
        let (movie, movieFile) = try network.attempt(files, of: connection) {
            () throws(LibraryError) in
            try service.movieData(MovieDataRequest(assetUUID: uuid, version: version))
        }
        let all = try service.listResources(ResourceListRequest(assetUUID: uuid)).resources.named
        let halves = [
            (still.resource, LibraryFile(path: still.path, stillFile)),
            (movie.resource, LibraryFile(path: movie.path, movieFile)),
        ]
        return halves.map { record, file in
            PHAssetResource(
                record: all.first { $0.uuid == record.uuid } ?? record,
                connection: connection,
                file: file
            )
        }
    }

    // MARK: - Results

    private func deliver(
        _ photo: PHLivePhoto?,
        _ info: [AnyHashable: Any],
        as kind: RequestMachine.Result
    ) {
        let result = Unchecked(value: info)
        ImageDelivery.shared.deliver { [self] in handOver(photo, result.value, as: kind) }
    }

    private func handOver(
        _ photo: PHLivePhoto?,
        _ info: [AnyHashable: Any],
        as kind: RequestMachine.Result
    ) {
        let action = state.withLock { $0.machine.deliver(kind) }
        guard case .callHandler(let isLast) = action else { return }
        if isLast { whenEnded() }
        handler(photo, info)
    }

    private func information(_ error: LibraryError? = nil) -> [AnyHashable: Any] {
        var info: [AnyHashable: Any] = [
            PHImageResultRequestIDKey: id,
            PHImageResultIsDegradedKey: false,
            PHImageResultIsInCloudKey: error?.isInCloud ?? false,
        ]
        info[PHImageErrorKey] = error.map { PHPhotosError($0) }
        return info
    }

    private func notLive(_ record: AssetRecord) -> LibraryError {
        LibraryError(
            .notSupportedForAsset,
            "The asset is not a Live Photo.",
            reason: record.mediaType == .video
                ? "It is a video." : "It is a still without a movie.",
            recovery: "Use assets whose mediaSubtypes contain photoLive.",
            identifiers: [record.localIdentifier]
        )
    }
}
