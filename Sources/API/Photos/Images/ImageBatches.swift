internal import Dispatch
internal import LibraryService
internal import PhotoModel
internal import RemoteLibrary
internal import Synchronization

/// An image request that can be sent together with others in one call.
protocol BatchedImage: Sendable {
    var connection: LibraryConnection { get }

    /// Returns the request to send, or nil if the image is no longer needed or is obtained in
    /// another way.
    func depart() -> ImageRequest?

    /// Receives the answer to the sent request, on a thread of the work queue.
    func receive(_ answer: Result<ReadyImage, LibraryError>, to request: ImageRequest)
}

/// Combines requests for readily available images, so that many of them need only one call over a
/// connection.
///
/// `BatchPace` decides when a batch is sent. Each request has its own answer, which is decoded on
/// the threads of the queue. An image that no rendition serves is requested individually, so it
/// delays no other image.
final class ImageBatches: Sendable {
    private struct State {
        var waiting: [Int: any BatchedImage] = [:]
        var last = 0
        var pace = BatchPace()
        /// Indicates whether a block that calls `endTurn` is pending on the main queue.
        var isTurnPosted = false
        /// The time of the next scheduled call to `step`; nil if none is scheduled.
        var timer: BatchPace.Instant?
    }

    private static let timers = DispatchQueue(label: "photos.images.batches")

    private let workQueue: WorkQueue
    private let state = Mutex(State())

    init(_ workQueue: WorkQueue) { self.workQueue = workQueue }

    /// Adds a request to be sent in a batch.
    ///
    /// - Returns: A number with which to remove the request before it is sent.
    func add(_ image: any BatchedImage) -> Int {
        let inTurn = ImageDelivery.isOnMain && ImageDelivery.shared.servesMain
        let (place, step, posts) = state.withLock { state in
            state.last += 1
            state.waiting[state.last] = image
            let posts = inTurn && !state.isTurnPosted
            if posts { state.isTurnPosted = true }
            return (state.last, state.pace.add(at: .now, inTurn: inTurn), posts)
        }
        if posts {
            DispatchQueue.main.async { [self] in
                take { state in
                    state.isTurnPosted = false
                    return state.pace.endTurn(at: .now)
                }
            }
        }
        take { _ in step }
        return place
    }

    /// Removes a request that has not been sent.
    func remove(_ place: Int) { state.withLock { $0.waiting[place] = nil } }

    // MARK: - Steps

    private func take(_ decide: (inout State) -> BatchPace.Step) {
        let (step, isTimed) = state.withLock { state in
            let step = decide(&state)
            guard case .wait(let time) = step, state.timer.map({ $0 > time }) ?? true else {
                return (step, false)
            }
            state.timer = time
            return (step, true)
        }
        switch step {
        case .rest: break
        case .send: workQueue.add { [self] in send() }
        case .wait(let time): if isTimed { wait(until: time) }
        }
    }

    private func wait(until time: BatchPace.Instant) {
        let (seconds, attoseconds) = (time - .now).components
        let nanoseconds = Int(seconds) * 1_000_000_000 + Int(attoseconds / 1_000_000_000)
        Self.timers.asyncAfter(deadline: .now() + .nanoseconds(max(0, nanoseconds))) { [self] in
            take { state in
                if state.timer == time { state.timer = nil }
                return state.pace.step(at: .now)
            }
        }
    }

    // MARK: - A batch

    private func send() {
        let images = departing()
        if let connection = images.first?.connection {
            exchange(
                images.compactMap { image in image.depart().map { (image, $0) } },
                connection
            )
        }
        take { state in state.pace.end(at: .now, isPartial: !state.waiting.isEmpty) }
    }

    /// Removes and returns the oldest waiting requests for one library, up to the maximum number
    /// per call.
    ///
    /// They are in the order in which they were added.
    private func departing() -> [any BatchedImage] {
        state.withLock { state in
            let places = state.waiting.keys.sorted()
            guard let first = places.first.flatMap({ state.waiting[$0] }) else { return [] }
            var images: [any BatchedImage] = []
            for place in places where images.count < ReadyImagesRequest.maximumCount {
                guard let image = state.waiting[place], image.connection === first.connection
                else { continue }
                images.append(image)
                state.waiting[place] = nil
            }
            return images
        }
    }

    /// Sends a batch of image requests to the library, and delivers each answer to the
    /// `BatchedImage` that the request belongs to.
    ///
    /// A reply may answer only the first requests, such as when the images are large. The call is
    /// then repeated for the rest.
    private func exchange(
        _ all: [(image: any BatchedImage, request: ImageRequest)],
        _ connection: LibraryConnection
    ) {
        var rest = all[...]
        while !rest.isEmpty {
            let answers: [Result<ReadyImage, LibraryError>]
            do throws(LibraryError) {
                let request = ReadyImagesRequest(rest.map(\.request))
                let reply = try connection.service().readyImages(request)
                guard !reply.answers.isEmpty else {
                    throw LibraryError(.internalError, "The library answered no request.")
                }
                answers = reply.answers.map { .success($0) }
            } catch {
                answers = rest.map { _ in .failure(error) }
            }
            for ((image, request), answer) in zip(rest, answers) {
                workQueue.add { image.receive(answer, to: request) }
            }
            rest = rest.dropFirst(answers.count)
        }
    }
}

extension LibraryConnection {
    /// The open library if it is reached through a connection; nil if it is in this process or not
    /// open.
    var connectedLibrary: (any ConnectedLibrary)? { openService as? any ConnectedLibrary }
}
