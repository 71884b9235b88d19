internal import Foundation
internal import LibraryService
internal import PhotoModel
internal import PhotosCompanions
internal import Synchronization

/// A request for a movie; its handler is called exactly once.
///
/// Unchecked because the client's handler is not marked as Sendable. It is called once.
final class MovieTask: @unchecked Sendable {
    typealias Handler = (AVURLAsset?, [AnyHashable: Any]) -> Void

    private struct State {
        var machine = RequestMachine()
        /// The ticket for removing the work from the queue; nil until the work has been enqueued.
        var place: Int?
    }

    /// The queue on which files are located and opened.
    private static let workQueue = WorkQueue(label: "photos.movies", width: 2)
    /// The queue on which handlers are called.
    ///
    /// It is concurrent, because handlers may wait for one another.
    private static let results = HandlerQueue.concurrent("photos.movies.results")

    private let id: PHImageRequestID
    private let asset: PHAsset
    private let version: ImageRequest.Version
    private let network: NetworkAccess
    private let handler: Handler
    private let whenEnded: @Sendable () -> Void
    private let state = Mutex(State())

    init(
        id: PHImageRequestID,
        asset: PHAsset,
        version: PHVideoRequestOptionsVersion,
        network: NetworkAccess,
        handler: @escaping Handler,
        whenEnded: @escaping @Sendable () -> Void
    ) {
        self.id = id
        self.asset = asset
        self.version = version == .original ? .original : .current
        self.network = network
        self.handler = handler
        self.whenEnded = whenEnded
    }

    func start() {
        network.whenStopped { [weak self] in self?.cancel() }
        let place = Self.workQueue.add { [self] in
            guard state.withLock(\.machine.isOpen) else { return }
            network.run { [self] () throws(LibraryError) in
                try find()
            } end: { [self] result in
                switch result {
                case .success(let movie): deliver(movie, information, as: .last)
                case .failure(let error): deliver(nil, information(error), as: .last)
                }
            }
        }
        let isOpen = state.withLock { state in
            state.place = place
            return state.machine.isOpen
        }
        // A cancellation that came before could not remove it.
        if !isOpen { Self.workQueue.remove(place) }
    }

    func cancel() {
        let (action, place) = state.withLock { ($0.machine.cancel(), $0.place) }
        if action == .ignore { return }
        network.cancel()
        if let place { Self.workQueue.remove(place) }
        var info = information
        info[PHImageCancelledKey] = true
        deliver(nil, info, as: .cancellation)
    }

    private func deliver(
        _ movie: AVURLAsset?,
        _ info: [AnyHashable: Any],
        as kind: RequestMachine.Result
    ) {
        if state.withLock({ $0.machine.deliver(kind) }) == .drop { return }
        whenEnded()
        let result = Unchecked(value: (movie, info))
        Self.results.add { [self] in handler(result.value.0, result.value.1) }
    }

    private func find() throws(LibraryError) -> AVURLAsset {
        guard let record = asset.record, let connection = asset.connection else {
            throw UnavailableImage.error(asset)
        }
        let request = MovieDataRequest(assetUUID: record.uuid, version: version)
        let service = try connection.service()
        let wanted = DownloadRequest.File.movie(assetUUID: record.uuid, version: version)
        let (reply, file) = try network.attempt([wanted], of: connection) {
            () throws(LibraryError) in
            try service.movieData(request)
        }
        return AVURLAsset(opened: MovieFile(reply, file))
    }

    private var information: [AnyHashable: Any] {
        [
            PHImageResultRequestIDKey: id,
            PHImageResultIsDegradedKey: false,
            PHImageResultIsInCloudKey: false,
        ]
    }

    private func information(_ error: LibraryError) -> [AnyHashable: Any] {
        var info = information
        info[PHImageResultIsInCloudKey] = error.isInCloud
        info[PHImageErrorKey] = PHPhotosError(error)
        return info
    }
}

extension MovieFile {
    /// Creates the movie file for a library's reply, and retains the open file.
    convenience init(_ reply: MovieDataReply, _ file: Descriptor) {
        let opened = LibraryFile(path: reply.path, file)
        self.init(
            url: opened.url,
            opened: opened.descriptor ?? file,
            name: (reply.resource.path as NSString).lastPathComponent
        )
    }
}
