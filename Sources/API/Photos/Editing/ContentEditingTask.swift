internal import Dispatch
internal import Foundation
internal import LibraryService
internal import PhotoModel
internal import PhotosCompanions
internal import Synchronization

/// A request for the input of an editing session, whose handler is called exactly once.
///
/// Unchecked because the client's closures are not marked as Sendable. Each is called by one thread
/// at a time.
final class ContentEditingTask: @unchecked Sendable {
    typealias Handler = (PHContentEditingInput?, [AnyHashable: Any]) -> Void

    private struct Requests {
        var running: [PHContentEditingInputRequestID: ContentEditingTask] = [:]
        var last = 0
    }

    private struct State {
        var isCancelled = false
        var isEnded = false
    }

    /// The maximum size in pixels of the image for display.
    private static let displaySize = PixelSize(width: 2048, height: 2048)

    private static let workQueue = WorkQueue(label: "photos.editing", width: 2)
    private static let requests = Mutex(Requests())

    private let asset: PHAsset
    private let canHandle: (PHAdjustmentData) -> Bool
    private let progress: ((Double, UnsafeMutablePointer<ObjCBool>) -> Void)?
    private let skipsImage: Bool
    /// The original to start from, if the client chose one.
    private let chosen: ImageRequest.Version?
    private let handler: Handler
    /// A queue of its own, so that handlers may wait for other requests (behavior 149).
    private let results = DispatchQueue(label: "photos.editing.results")
    private let ticket = CallTicket()
    private let state = Mutex(State())

    init(
        _ asset: PHAsset,
        options: PHContentEditingInputRequestOptions?,
        handler: @escaping Handler
    ) {
        self.asset = asset
        canHandle = options?.canHandleAdjustmentData ?? { _ in false }
        progress = options?.progressHandler
        skipsImage = options?.skipsDisplaySizeImage ?? false
        chosen = options?.chosenOriginal.map { $0 == .raw ? .original : .compressed }
        self.handler = handler
    }

    /// Returns the running request with an identifier, or nil.
    static func running(_ id: PHContentEditingInputRequestID) -> ContentEditingTask? {
        requests.withLock { $0.running[id] }
    }

    /// Starts the request and returns an identifier to cancel it with.
    func start() -> PHContentEditingInputRequestID {
        let id = Self.requests.withLock { requests in
            requests.last += 1
            requests.running[requests.last] = self
            return requests.last
        }
        Self.workQueue.add { [self] in
            do throws(LibraryError) {
                end(id, try find(), nil)
            } catch {
                end(id, nil, error)
            }
        }
        return id
    }

    /// Cancels the request; it has no effect after the request has ended.
    func cancel() {
        let isNew = state.withLock { state in
            defer { state.isCancelled = true }
            return !state.isCancelled && !state.isEnded
        }
        guard isNew, let service = try? asset.connection?.service() else { return }
        try? service.cancel(CancelRequest(tickets: [ticket]))
    }

    private func end(
        _ id: PHContentEditingInputRequestID,
        _ found: PHContentEditingInput.Found?,
        _ error: LibraryError?
    ) {
        Self.requests.withLock { _ = $0.running.removeValue(forKey: id) }
        let isCancelled = state.withLock { state in
            state.isEnded = true
            return state.isCancelled
        }
        let input = isCancelled ? nil : found.map { PHContentEditingInput($0) }
        results.async { [self] in
            var info: [AnyHashable: Any] = [PHContentEditingInputResultIsInCloudKey: false]
            if isCancelled {
                info[PHContentEditingInputCancelledKey] = true
            } else if let error {
                info[PHContentEditingInputResultIsInCloudKey] = error.isInCloud
                info[PHContentEditingInputErrorKey] = PHPhotosError(error)
            }
            handler(input, info)
        }
    }

    // MARK: - Loading

    private func find() throws(LibraryError) -> PHContentEditingInput.Found {
        try reportProgress(0)
        guard let record = asset.record, let connection = asset.connection else {
            throw UnavailableImage.error(asset)
        }
        guard record.mediaType == .image || record.mediaType == .video else {
            throw LibraryError(
                .notSupportedForAsset,
                "The asset cannot be edited.",
                reason: "It is neither a photo nor a video.",
                recovery: "Check canPerform(.content) first.",
                identifiers: [record.localIdentifier]
            )
        }
        let service = try connection.service()
        let adjustments = try readableAdjustments(of: record, service)
        try reportProgress(0.25)
        let version: ImageRequest.Version = adjustments == nil ? .current : .adjustmentBase
        var found =
            record.mediaType == .video
            ? try video(record, connection, version, service)
            : try photo(record, connection, version, service)
        found.adjustmentData = adjustments
        try reportProgress(0.5)
        if !skipsImage { found.image = try image(of: record, pictureVersion(of: found, version)) }
        try reportProgress(1)
        return found
    }

    /// Returns the last edit's adjustments, if the client's editor can continue from them.
    private func readableAdjustments(
        of record: AssetRecord,
        _ service: any LibraryService
    ) throws(LibraryError) -> PHAdjustmentData? {
        let request = AdjustmentsRequest(assetUUID: record.uuid)
        guard let stored = try service.adjustments(request).adjustments else { return nil }
        let data = PHAdjustmentData(
            formatIdentifier: stored.formatIdentifier,
            formatVersion: stored.formatVersion,
            data: stored.data
        )
        return canHandle(data) ? data : nil
    }

    private func photo(
        _ record: AssetRecord,
        _ connection: LibraryConnection,
        _ version: ImageRequest.Version,
        _ service: any LibraryService
    ) throws(LibraryError) -> PHContentEditingInput.Found {
        let uuid = record.uuid
        var (still, file) = try service.imageData(
            ImageDataRequest(assetUUID: uuid, version: version)
        )
        if let chosen, !still.resource.isOfEdit {
            (still, file) = try service.imageData(
                ImageDataRequest(assetUUID: uuid, version: chosen)
            )
        }
        var found = PHContentEditingInput.Found(
            record: record,
            connection: connection,
            resource: still.resource
        )
        found.still = LibraryFile(path: still.path, file)
        found.orientation = Int32(still.orientation.rawValue)
        do throws(LibraryError) {
            let request = MovieDataRequest(assetUUID: uuid, version: version)
            let (movie, file) = try service.movieData(request)
            found.paired = (movie.resource, LibraryFile(path: movie.path, file))
        } catch {
            // Plain photos have no movie, and neither have Live Photos that were edited as still
            // images.
            guard error.code == .notSupportedForAsset else { throw error }
        }
        return found
    }

    private func video(
        _ record: AssetRecord,
        _ connection: LibraryConnection,
        _ version: ImageRequest.Version,
        _ service: any LibraryService
    ) throws(LibraryError) -> PHContentEditingInput.Found {
        let request = MovieDataRequest(assetUUID: record.uuid, version: version)
        let (movie, file) = try service.movieData(request)
        var found = PHContentEditingInput.Found(
            record: record,
            connection: connection,
            resource: movie.resource
        )
        found.movie = AVURLAsset(opened: MovieFile(movie, file))
        return found
    }

    private func pictureVersion(
        of found: PHContentEditingInput.Found,
        _ version: ImageRequest.Version
    ) -> ImageRequest.Version {
        found.resource.isOfEdit || found.movie != nil ? version : chosen ?? version
    }

    private func image(
        of record: AssetRecord,
        _ version: ImageRequest.Version
    ) throws(LibraryError) -> UIImage? {
        let specification = ImageSpecification(
            asset,
            targetSize: .zero,
            contentMode: .aspectFit,
            options: nil
        )
        guard let specification else { return nil }
        let request = ImageRequest(
            assetUUID: record.uuid,
            version: version,
            shape: PixelShape(size: Self.displaySize),
            ticket: ticket
        )
        return try ImageTask.answer(request, specification)?.0
    }

    /// Reports the progress, and throws if the request was canceled.
    private func reportProgress(_ part: Double) throws(LibraryError) {
        if let progress, !state.withLock({ $0.isCancelled }) {
            let shouldStop = results.sync {
                var stop = ObjCBool(false)
                progress(part, &stop)
                return stop.boolValue
            }
            if shouldStop { state.withLock { $0.isCancelled = true } }
        }
        guard state.withLock({ $0.isCancelled }) else { return }
        throw LibraryError(.cancelled, "The request for the asset's content was canceled.")
    }
}
