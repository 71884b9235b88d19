internal import Foundation
internal import LibraryService
internal import PhotoModel
internal import PhotosCompanions
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
        var isCancelled = false
        var isEnded = false
        var queued: (workQueue: WorkQueue, ticket: Int)?
    }

    /// The queue for images that are readily available; its work never waits for a decoder.
    static let quick = WorkQueue(label: "photos.images.quick", width: 2)
    /// The queue for work that waits for decoders.
    static let slow = WorkQueue(label: "photos.images.slow", width: 3)

    let id: PHImageRequestID
    private let specification: ImageSpecification
    private let handler: Handler
    private let whenEnded: @Sendable () -> Void
    private let ticket = CallTicket()
    private let state = Mutex(State())

    init(
        id: PHImageRequestID,
        specification: ImageSpecification,
        handler: @escaping Handler,
        whenEnded: @escaping @Sendable () -> Void
    ) {
        self.id = id
        self.specification = specification
        self.handler = handler
        self.whenEnded = whenEnded
    }

    // MARK: - Starting and canceling

    /// Runs the request on the calling thread and calls the handler once.
    func runSynchronously() {
        let known = cached
        ImageCache.shared.count(isHit: known != nil)
        let (image, info) = known ?? last()
        handler(image, info)
    }

    func start() {
        queue(on: Self.quick) { $0.deliverReadyImage() }
    }

    /// The result if it is already in memory, or nil.
    var cached: (UIImage, [AnyHashable: Any])? {
        guard let image = ImageCache.shared.image(for: specification) else { return nil }
        return (image, information(isDegraded: false))
    }

    /// Cancels the request and reports the cancellation; it has no effect after the request has
    /// ended.
    func cancel() {
        let isNew = state.withLock { state in
            guard !state.isCancelled, !state.isEnded else { return false }
            state.isCancelled = true
            return true
        }
        guard isNew else { return }
        if let queued = state.withLock({ $0.queued }) { queued.workQueue.remove(queued.ticket) }
        if let service = try? specification.connection.service() {
            try? service.cancel(CancelRequest(tickets: [ticket]))
        }
        var info = information(isDegraded: false)
        info[PHImageCancelledKey] = true
        deliver(nil, info, isLast: true, isCancellation: true)
    }

    private func queue(on workQueue: WorkQueue, _ step: @escaping @Sendable (ImageTask) -> Void) {
        let place = workQueue.add { [self] in
            guard !state.withLock({ $0.isCancelled }) else { return }
            step(self)
        }
        let isLate = state.withLock { state in
            state.queued = (workQueue, place)
            return state.isCancelled
        }
        if isLate { workQueue.remove(place) }
    }

    // MARK: - Steps

    /// Delivers a readily available image, which may already be the complete result.
    private func deliverReadyImage() {
        let wantsAny = specification.delivery != .highQualityFormat
        do {
            if let (image, info) = cached {
                ImageCache.shared.count(isHit: true)
                return deliver(image, info, isLast: true)
            }
            ImageCache.shared.count(isHit: false)
            let request = specification.request(
                wantsAny ? .atHand : .ready,
                shape: specification.earlierShape
            )
            if wantsAny || specification.canBeReadyEarly,
                let (image, reply) = try answer(request)
            {
                let isReady = specification.canBeReadyEarly && !reply.isDegraded
                if isReady {
                    ImageCache.shared.keep(image, for: specification, reply)
                }
                let isLast = isReady || specification.delivery == .fastFormat
                deliver(image, information(isDegraded: !isReady, reply), isLast: isLast)
                if isLast { return }
            }
        } catch {
            return deliver(nil, information(error), isLast: true)
        }
        queue(on: Self.slow) { $0.decode() }
    }

    /// Decodes and delivers the requested image.
    private func decode() {
        if specification.wantsSecondEarlier, specification.delivery == .opportunistic,
            let (image, reply) = secondEarlier()
        {
            deliver(image, information(isDegraded: true, reply), isLast: false)
        }
        // Canceling may have ended only the preview, which is decoded under the same ticket.
        guard !state.withLock({ $0.isCancelled }) else { return }
        let (image, info) = cached ?? last()
        deliver(image, info, isLast: true)
    }

    /// Returns a preview of up to 1024 pixels per side, or nil if the request is not larger than
    /// that.
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

    private func last() -> (UIImage?, [AnyHashable: Any]) {
        do throws(LibraryError) {
            guard let (image, reply) = try answer(specification.request(.full, ticket: ticket))
            else {
                throw LibraryError(
                    .internalError,
                    "The library returned neither an image nor an error."
                )
            }
            ImageCache.shared.keep(image, for: specification, reply)
            return (image, information(isDegraded: false, reply))
        } catch {
            return (nil, information(error))
        }
    }

    private func answer(
        _ request: ImageRequest
    ) throws(LibraryError) -> (UIImage, ImageReply)? {
        try Self.answer(request, specification)
    }

    /// Returns the library's reply as an image.
    static func answer(
        _ request: ImageRequest,
        _ specification: ImageSpecification
    ) throws(LibraryError) -> (UIImage, ImageReply)? {
        let service = try specification.connection.service()
        guard let (reply, pixels) = try service.image(request) else { return nil }
        let image = CGImage(
            pixels: pixels,
            description: reply.pixels,
            hasAlpha: reply.hasAlpha
        )
        guard let image else {
            throw LibraryError(
                .inputOutput,
                "There is not enough memory for the pixels of an image.",
                recovery: "Request a smaller size, or release images that are not shown.",
                identifiers: [specification.record.localIdentifier]
            )
        }
        return (UIImage(cgImage: image), reply)
    }

    // MARK: - Results

    private func deliver(
        _ image: UIImage?,
        _ info: [AnyHashable: Any],
        isLast: Bool,
        isCancellation: Bool = false
    ) {
        let result = ImageResult(image: image, info: info)
        ImageDelivery.shared.deliver { [self] in
            let isWanted = state.withLock { state in
                guard !state.isEnded, state.isCancelled == isCancellation else { return false }
                if isLast { state.isEnded = true }
                return true
            }
            guard isWanted else { return }
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
            PHImageResultIsInCloudKey: false,
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
