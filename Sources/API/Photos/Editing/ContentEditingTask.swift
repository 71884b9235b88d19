internal import Dispatch
internal import Foundation
internal import LibraryService
internal import PhotoModel
internal import PhotosCompanions
internal import Synchronization

/// A request for the input of an editing session; its handler is called exactly once.
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
        var machine = RequestMachine()
        /// The completed fraction of the request.
        var part = 0.0
        /// The last reported progress; nil before the first report.
        var reported: Double?
        /// Indicates whether the client's editor can continue from the adjustments; nil before the
        /// client was asked.
        var canContinue: Bool?
    }

    /// The maximum size in pixels of the image for display.
    private static let displaySize = PixelSize(width: 2048, height: 2048)

    private static let workQueue = WorkQueue(label: "photos.editing", width: 2)
    private static let requests = Mutex(Requests())

    private let asset: PHAsset
    private let canHandle: (PHAdjustmentData) -> Bool
    private let progress: ((Double, UnsafeMutablePointer<ObjCBool>) -> Void)?
    private let network: NetworkAccess
    private let skipsImage: Bool
    /// The original to start from, if the client chose one.
    private let chosen: ImageRequest.Version?
    private let handler: Handler
    /// The queue on which this request's handlers are called.
    ///
    /// Each request has its own queue, so a handler may wait for other requests (behavior 149).
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
        network = NetworkAccess(isAllowed: options?.isNetworkAccessAllowed ?? false)
        skipsImage = options?.skipsDisplaySizeImage ?? false
        chosen = options?.chosenOriginal.map { $0 == .raw ? .original : .compressed }
        self.handler = handler
    }

    /// Returns the running request with the given identifier, or nil if there is none.
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
        network.progress = { [weak self] fraction, failure in
            guard let self, failure == nil else { return false }
            // Each step that may download is a quarter of the request.
            let part = state.withLock(\.part)
            return report(part + fraction / 4)
        }
        network.whenStopped { [weak self] in self?.cancel() }
        Self.workQueue.add { [self] in
            network.run { [self] () throws(LibraryError) in
                try find()
            } end: { [self] result in
                switch result {
                case .success(let found): end(id, found, nil)
                case .failure(let error): end(id, nil, error)
                }
            }
        }
        return id
    }

    /// Cancels the request, unless the request has already ended.
    func cancel() {
        if state.withLock({ $0.machine.cancel() }) == .ignore { return }
        network.cancel()
        guard let service = try? asset.connection?.service() else { return }
        try? service.cancel(CancelRequest(tickets: [ticket]))
    }

    private func end(
        _ id: PHContentEditingInputRequestID,
        _ found: PHContentEditingInput.Found?,
        _ error: LibraryError?
    ) {
        Self.requests.withLock { _ = $0.running.removeValue(forKey: id) }
        // A cancellation is reported now, since only then nothing of the request runs.
        let isCancelled = state.withLock { $0.machine.end() } == .cancellation
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
        let adjustments = try readableAdjustments(of: record, connection, service)
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

    /// Returns the adjustments of the last edit, or nil if there are none or if the client's editor
    /// cannot continue from them.
    private func readableAdjustments(
        of record: AssetRecord,
        _ connection: LibraryConnection,
        _ service: any LibraryService
    ) throws(LibraryError) -> PHAdjustmentData? {
        let request = AdjustmentsRequest(assetUUID: record.uuid)
        let wanted = DownloadRequest.File.adjustments(assetUUID: record.uuid)
        let reply = try network.attempt([wanted], of: connection) { () throws(LibraryError) in
            try service.adjustments(request)
        }
        guard let stored = reply.adjustments else { return nil }
        let data = PHAdjustmentData(
            formatIdentifier: stored.formatIdentifier,
            formatVersion: stored.formatVersion,
            data: stored.data
        )
        // The client is asked once, although the work is repeated for a download.
        let canContinue = state.withLock(\.canContinue) ?? canHandle(data)
        state.withLock { $0.canContinue = canContinue }
        return canContinue ? data : nil
    }

    private func photo(
        _ record: AssetRecord,
        _ connection: LibraryConnection,
        _ version: ImageRequest.Version,
        _ service: any LibraryService
    ) throws(LibraryError) -> PHContentEditingInput.Found {
        let uuid = record.uuid
        var (still, file) = try image(uuid, version, connection, service)
        if let chosen, !still.resource.isOfEdit {
            (still, file) = try image(uuid, chosen, connection, service)
        }
        var found = PHContentEditingInput.Found(
            record: record,
            connection: connection,
            resource: still.resource
        )
        found.still = LibraryFile(path: still.path, file)
        found.orientation = Int32(still.orientation.rawValue)
        do throws(LibraryError) {
            let (movie, file) = try movie(uuid, version, connection, service)
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
        let (movie, file) = try movie(record.uuid, version, connection, service)
        var found = PHContentEditingInput.Found(
            record: record,
            connection: connection,
            resource: movie.resource
        )
        found.movie = AVURLAsset(opened: MovieFile(movie, file))
        return found
    }

    private func image(
        _ uuid: String,
        _ version: ImageRequest.Version,
        _ connection: LibraryConnection,
        _ service: any LibraryService
    ) throws(LibraryError) -> (ImageDataReply, Descriptor) {
        let wanted = DownloadRequest.File.image(assetUUID: uuid, version: version)
        return try network.attempt([wanted], of: connection) { () throws(LibraryError) in
            try service.imageData(ImageDataRequest(assetUUID: uuid, version: version))
        }
    }

    private func movie(
        _ uuid: String,
        _ version: ImageRequest.Version,
        _ connection: LibraryConnection,
        _ service: any LibraryService
    ) throws(LibraryError) -> (MovieDataReply, Descriptor) {
        let wanted = DownloadRequest.File.movie(assetUUID: uuid, version: version)
        return try network.attempt([wanted], of: connection) { () throws(LibraryError) in
            try service.movieData(MovieDataRequest(assetUUID: uuid, version: version))
        }
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
        state.withLock { $0.part = part }
        if report(part) { cancel() }
        guard !state.withLock(\.machine.isOpen) else { return }
        throw LibraryError(.cancelled, "The request for the asset's content was canceled.")
    }

    /// Reports progress to the client if it has increased, and returns whether the client requested
    /// to stop.
    private func report(_ fraction: Double) -> Bool {
        guard let progress else { return false }
        let isNew = state.withLock { state in
            guard state.machine.isOpen, fraction > state.reported ?? -1 else { return false }
            state.reported = fraction
            return true
        }
        guard isNew else { return false }
        return results.sync {
            var stop = ObjCBool(false)
            progress(fraction, &stop)
            return stop.boolValue
        }
    }
}
