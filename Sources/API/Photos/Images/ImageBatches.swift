internal import Dispatch
internal import LibraryService
internal import PhotoModel
internal import RemoteLibrary
internal import Synchronization

/// A request for an image that departs together with others.
protocol BatchedImage: Sendable {
    var connection: LibraryConnection { get }

    /// Returns the request at its departure; nil if it needs no answer.
    func depart() -> ImageRequest?

    /// Receives the answer, on a thread of the queue.
    func receive(_ answer: Result<ReadyImage, LibraryError>, to request: ImageRequest)
}

/// The requests for readily available images of libraries at the other end of a connection, many of
/// which take one call.
///
/// `BatchPace` decides when they depart. Each has its own answer, which is decoded on the threads
/// of the queue. What no rendition serves is asked for by itself, so it delays no other image.
final class ImageBatches: Sendable {
    private struct State {
        var waiting: [Int: any BatchedImage] = [:]
        var last = 0
        var pace = BatchPace()
        /// Indicates whether the end of the main queue's block will be noted.
        var isTurnPosted = false
        /// The time at which the pace is asked for the next step.
        var timer: BatchPace.Instant?
    }

    private static let timers = DispatchQueue(label: "photos.images.batches")

    private let workQueue: WorkQueue
    private let state = Mutex(State())

    init(_ workQueue: WorkQueue) { self.workQueue = workQueue }

    /// Adds a request.
    ///
    /// - Returns: A number to remove the request with before it departs.
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

    /// Removes a request that has not departed.
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

    /// Takes the first requests to one library, in their order.
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

    /// Asks for images until each has its answer: in one call, unless they are large.
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
    /// The open library if it is at the other end of a connection.
    var connectedLibrary: (any ConnectedLibrary)? { openService as? any ConnectedLibrary }
}
