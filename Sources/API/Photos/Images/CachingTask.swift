internal import LibraryService
internal import PhotoModel
internal import RemoteLibrary
internal import Synchronization

/// The preparation of one image, which a client may request soon.
///
/// Errors are ignored, because a later request for the image reports them.
final class CachingTask: BatchedImage {
    private struct State {
        var machine = RequestMachine()
        var removal: (@Sendable () -> Void)?
    }

    /// The queue that prepares images one at a time, so that another worker stays free for
    /// requests.
    ///
    /// It yields to requests for readily available images.
    private static let workQueue = WorkQueue(
        label: "photos.images.caching",
        width: 1,
        yieldingTo: ImageTask.quick
    )
    private static let batches = ImageBatches(workQueue)

    private let specification: ImageSpecification
    private let isHighQuality: Bool
    private let ticket = CallTicket()
    private let state = Mutex(State())

    init(_ specification: ImageSpecification, isHighQuality: Bool) {
        self.specification = specification
        self.isHighQuality = isHighQuality
    }

    var connection: LibraryConnection { specification.connection }

    // MARK: - Starting and stopping

    func start() {
        guard connection.connectedLibrary != nil else { return queue() }
        let place = Self.batches.add(self)
        keep { Self.batches.remove(place) }
    }

    /// Ends the preparation; an image that was prepared stays in the cache.
    func stop() {
        let (action, removal) = state.withLock { ($0.machine.cancel(), $0.removal) }
        guard case .stop(let cancelsCall) = action else { return }
        removal?()
        if cancelsCall { try? connection.service().cancel(CancelRequest(tickets: [ticket])) }
    }

    private func queue() {
        let place = Self.workQueue.add { [self] in make() }
        keep { Self.workQueue.remove(place) }
    }

    private func keep(_ removal: @escaping @Sendable () -> Void) {
        let isLate = state.withLock { state in
            state.removal = removal
            return !state.machine.isOpen
        }
        if isLate { removal() }
    }

    private var isWanted: Bool {
        state.withLock(\.machine.isOpen) && ImageCache.shared.image(for: specification) == nil
    }

    /// The request for the image or, if high quality is not required, for the small preview that
    /// opportunistic requests deliver first.
    private var request: ImageRequest {
        guard !isHighQuality else {
            return specification.request(.full, priority: .prefetch, ticket: ticket)
        }
        return specification.request(
            .full,
            shape: PixelShape(size: PixelSize(width: 256, height: 256)),
            range: .standard,
            priority: .prefetch,
            ticket: ticket
        )
    }

    // MARK: - With others

    func depart() -> ImageRequest? {
        guard isWanted else { return nil }
        var request = request
        // It takes no time that canceling could save.
        request.ticket = nil
        if request.takesRendition { return request }
        queue()
        return nil
    }

    func receive(_ answer: Result<ReadyImage, LibraryError>, to request: ImageRequest) {
        guard isWanted else { return }
        switch answer {
        case .success(.unready): queue()
        case .success(let ready) where isHighQuality:
            guard let (reply, pixels) = try? ready.image(for: request),
                let image = try? ImageTask.image(reply, pixels, specification)
            else { return queue() }
            ImageCache.shared.keep(image, for: specification, reply)
        case .success, .failure: break
        }
    }

    // MARK: - Alone

    private func make() {
        guard isWanted else { return }
        guard state.withLock({ $0.machine.beginCall() }) else { return }
        defer { state.withLock { $0.machine.endCall() } }
        guard isHighQuality else {
            _ = try? connection.service().image(request)
            return
        }
        guard let (image, reply) = try? ImageTask.answer(request, specification) else { return }
        ImageCache.shared.keep(image, for: specification, reply)
    }
}
