internal import Foundation
internal import LibraryService
internal import PhotoModel
internal import PhotosCompanions
internal import RemoteLibrary
internal import Synchronization

/// A request for an image: its steps, results and completion.
///
/// 1. The handler receives exactly one final call, with the image, an error, or a cancellation. No
///    call follows it.
/// 2. After a cancellation, the handler receives only the cancellation; pending results are
///    dropped.
/// 3. No lock is held while the handler runs.
///
/// Unchecked because the client's handler is not marked as Sendable. Deliveries call it one at a
/// time.
final class ImageTask: @unchecked Sendable {
    typealias Handler = (UIImage?, [AnyHashable: Any]?) -> Void

    private struct State {
        var machine = RequestMachine()
        /// A closure that removes the request's work from its queue if the work has not started.
        var removal: (@Sendable () -> Void)?
    }

    /// The queue for images that are readily available; its work never waits for a decoder.
    static let quick = WorkQueue(label: "photos.images.quick", width: 2)
    /// The queue for work that waits for decoders.
    static let slow = WorkQueue(label: "photos.images.slow", width: 3)
    private static let batches = ImageBatches(quick)

    let id: PHImageRequestID
    var connection: LibraryConnection { specification.connection }
    let specification: ImageSpecification
    private let network: NetworkAccess
    /// The files to download if the image is only in the cloud.
    private let files: [DownloadRequest.File]
    private let handler: Handler
    private let whenEnded: @Sendable () -> Void
    /// The ticket with which a library call in progress is canceled.
    private let ticket = CallTicket()
    private let state = Mutex(State())

    init(
        id: PHImageRequestID,
        specification: ImageSpecification,
        network: NetworkAccess,
        files: [DownloadRequest.File]? = nil,
        handler: @escaping Handler,
        whenEnded: @escaping @Sendable () -> Void
    ) {
        self.id = id
        self.specification = specification
        self.network = network
        self.files = files ?? [specification.file]
        self.handler = handler
        self.whenEnded = whenEnded
    }

    // MARK: - Starting and canceling

    /// Runs the request on the calling thread and calls the handler once.
    func runSynchronously() {
        let known = cached
        ImageCache.shared.count(isHit: known != nil)
        network.allowWaiting()
        let (image, info) =
            known ?? outcome(Result { () throws(LibraryError) in try whole(firstAnswer) })
        handler(image, info)
    }

    func start() {
        network.whenStopped { [weak self] in self?.cancel() }
        guard connection.connectedLibrary != nil else {
            return queue(on: Self.quick) { $0.deliverReadyImage() }
        }
        let place = Self.batches.add(self)
        keep { Self.batches.remove(place) }
    }

    /// The cached result and its info, or nil if the image is not in the cache.
    var cached: (UIImage, [AnyHashable: Any])? {
        guard let image = ImageCache.shared.image(for: specification) else { return nil }
        return (image, information(isDegraded: false))
    }

    /// Cancels the request and reports the cancellation, unless the request has already ended.
    func cancel() {
        let (action, removal) = state.withLock { ($0.machine.cancel(), $0.removal) }
        guard case .stop(let cancelsCall) = action else { return }
        removal?()
        network.cancel()
        if cancelsCall { try? connection.service().cancel(CancelRequest(tickets: [ticket])) }
        var info = information(isDegraded: false)
        info[PHImageCancelledKey] = true
        deliver(nil, info, as: .cancellation)
    }

    private func queue(on workQueue: WorkQueue, _ step: @escaping @Sendable (ImageTask) -> Void) {
        let place = workQueue.add { [self] in
            guard isOpen else { return }
            step(self)
        }
        keep { workQueue.remove(place) }
    }

    private func keep(_ removal: @escaping @Sendable () -> Void) {
        let isLate = state.withLock { state in
            state.removal = removal
            return !state.machine.isOpen
        }
        if isLate { removal() }
    }

    private var isOpen: Bool { state.withLock(\.machine.isOpen) }

    // MARK: - Steps

    /// Requests and delivers a readily available image, which may already be the complete result.
    private func deliverReadyImage() {
        guard let request = readyRequest() else { return }
        do throws(LibraryError) {
            deliverReady(try answer(request))
        } catch {
            deliver(nil, information(error), as: .last)
        }
    }

    /// Returns the request for a readily available image, or nil if none is needed.
    ///
    /// In the latter case, this method has delivered a cached image or has scheduled decoding.
    private func readyRequest() -> ImageRequest? {
        if let (image, info) = cached {
            ImageCache.shared.count(isHit: true)
            deliver(image, info, as: .last)
            return nil
        }
        ImageCache.shared.count(isHit: false)
        let wantsAny = specification.delivery != .highQualityFormat
        guard wantsAny || specification.canBeReadyEarly else {
            deliverReady(nil)
            return nil
        }
        return specification.request(
            wantsAny ? .atHand : .ready,
            shape: specification.earlierShape
        )
    }

    /// Delivers a readily available image, if there is one.
    ///
    /// Unless this completes the request, decoding of the requested image is scheduled.
    private func deliverReady(_ found: (UIImage, ImageReply)?) {
        if let (image, reply) = found {
            let isReady = specification.canBeReadyEarly && !reply.isDegraded
            if isReady { ImageCache.shared.keep(image, for: specification, reply) }
            let isLast = isReady || specification.delivery == .fastFormat
            let info = information(isDegraded: !isReady, reply)
            deliver(image, info, as: isLast ? .last : .partial)
            if isLast { return }
        }
        queue(on: Self.slow) { $0.decode() }
    }

    /// Decodes and delivers the requested image.
    private func decode() {
        guard state.withLock({ $0.machine.beginCall() }) else { return }
        if specification.wantsSecondEarlier, specification.delivery == .opportunistic,
            let (image, reply) = secondEarlier()
        {
            deliver(image, information(isDegraded: true, reply), as: .partial)
        }
        // Canceling may have ended only the preview, which is decoded under the same ticket.
        guard isOpen else { return }
        network.run { [self] () throws(LibraryError) in
            if let cached { return cached }
            return try whole(answer)
        } end: { [self] result in
            state.withLock { $0.machine.endCall() }
            let (image, info) = outcome(result)
            deliver(image, info, as: .last)
        }
    }

    /// Returns a preview of up to 1024 pixels per side, or nil if the requested size is within that
    /// limit or loading fails.
    private func secondEarlier() -> (UIImage, ImageReply)? {
        let screen = PixelSize(width: 1024, height: 1024)
        let shape = PixelShape(size: screen, fitting: .fit, crop: specification.shape.crop)
        if let size = specification.shape.size, size.width <= 1024, size.height <= 1024 {
            return nil
        }
        return try? answer(
            specification.request(.full, shape: shape, range: .standard, ticket: ticket)
        )
    }

    /// Requests the image at the requested size and quality, and returns the final result.
    private func whole(
        _ answer: (ImageRequest) throws(LibraryError) -> (UIImage, ImageReply)?
    ) throws(LibraryError) -> (UIImage, [AnyHashable: Any]) {
        let request = specification.request(.full, ticket: ticket)
        let found = try network.attempt(files, of: connection) { () throws(LibraryError) in
            try answer(request)
        }
        guard let (image, reply) = found else {
            throw LibraryError(
                .internalError,
                "The library returned neither an image nor an error."
            )
        }
        ImageCache.shared.keep(image, for: specification, reply)
        return (image, information(isDegraded: false, reply))
    }

    /// Returns the arguments of the last handler call: the image and its info, or nil and an info
    /// with the error.
    private func outcome(
        _ result: Result<(UIImage, [AnyHashable: Any]), LibraryError>
    ) -> (UIImage?, [AnyHashable: Any]) {
        do throws(LibraryError) {
            return try result.get()
        } catch {
            return (nil, information(error))
        }
    }

    // MARK: - Results

    private func deliver(
        _ image: UIImage?,
        _ info: [AnyHashable: Any],
        as kind: RequestMachine.Result
    ) {
        let result = ImageResult(image: image, info: info)
        ImageDelivery.shared.deliver { [self] in
            let action = state.withLock { $0.machine.deliver(kind) }
            guard case .callHandler(let isLast) = action else { return }
            handler(result.image, result.info)
            if isLast { whenEnded() }
        }
    }

    private func information(
        isDegraded: Bool,
        _ reply: ImageReply? = nil
    ) -> [AnyHashable: Any] {
        var info: [AnyHashable: Any] = [
            PHImageResultRequestIDKey: id,
            PHImageResultIsDegradedKey: isDegraded,
            PHImageResultIsInCloudKey: isDegraded && reply?.isInCloud == true,
        ]
        if let path = reply?.path {
            info[imageFileURLKey] = URL(fileURLWithPath: path, isDirectory: false)
        }
        if !isDegraded, let damage = reply?.damage { info[PHImageErrorKey] = PHPhotosError(damage) }
        return info
    }

    private func information(_ error: LibraryError) -> [AnyHashable: Any] {
        var info = information(isDegraded: false)
        info[PHImageResultIsInCloudKey] = error.isInCloud
        info[PHImageErrorKey] = PHPhotosError(error)
        if error.code == .cancelled { info[PHImageCancelledKey] = true }
        return info
    }
}

/// A result to be delivered to a handler.
///
/// Unchecked because an untyped dictionary cannot be Sendable. Nothing else references this one.
private struct ImageResult: @unchecked Sendable {
    let image: UIImage?
    let info: [AnyHashable: Any]
}

// MARK: - With others

extension ImageTask: BatchedImage {
    func depart() -> ImageRequest? {
        guard isOpen, let request = readyRequest() else { return nil }
        if request.takesRendition { return request }
        deliverReady(nil)
        return nil
    }

    func receive(_ answer: Result<ReadyImage, LibraryError>, to request: ImageRequest) {
        guard isOpen else { return }
        do throws(LibraryError) {
            let found = try answer.get().image(for: request)
            guard let (reply, pixels) = found else { return deliverReady(nil) }
            deliverReady((try Self.image(reply, pixels, specification), reply))
        } catch {
            deliver(nil, information(error), as: .last)
        }
    }
}
