internal import Photos
internal import PhotosJSON
internal import PhotosManagement
internal import Synchronization

/// Downloads files that are only in the cloud.
///
///     open ──file is here──▶ file
///       └──only in the cloud──▶ download, shared by all requests of the file ──▶ file
///
/// 1. The session of each request receives the event `download` with the progress.
/// 2. A download is canceled when no request has waited for it for ``patience``. A browser whose
///    request ended at its time limit can therefore ask again, and the download continues.
final class Downloads: Sendable {
    /// The time for which a download continues while no request waits for it.
    private static let patience = Duration.seconds(15)

    private typealias Fractions = AsyncThrowingStream<Double, any Error>

    private struct Job {
        let task: Task<Void, Never>
        let number: Int
        var fraction = 0.0
        var waiting: [Int: Fractions.Continuation] = [:]
    }

    private struct State {
        /// The running downloads, by resource identifier.
        var jobs: [String: Job] = [:]
        var next = 0
        var isStopped = false

        mutating func number() -> Int {
            next += 1
            return next
        }
    }

    private let events: EventHub
    private let state = Mutex(State())

    init(events: EventHub) {
        self.events = events
    }

    /// Cancels all downloads.
    func stop() {
        let jobs = state.withLock { state in
            state.isStopped = true
            return Array(state.jobs.values)
        }
        for job in jobs { job.task.cancel() }
    }

    /// Opens a file of an asset; downloads the file first if it is only in the cloud.
    ///
    /// - Parameters:
    ///   - file: The file.
    ///   - asset: The asset of the file.
    ///   - library: The view of the library in which the asset was found.
    ///   - session: The session that receives the progress.
    ///   - limit: The maximum time to wait for a download; nil for its end.
    /// - Returns: The file; nil if the time limit was reached, while the download continues.
    /// - Throws: ``RequestError`` with `away` if the file cannot be downloaded, and with `notFound`
    ///   if it is lost; `CancellationError`.
    func open(
        _ file: ResourceFacts,
        of asset: PHAsset,
        in library: PhotoLibraryBundle,
        for session: String,
        within limit: Duration? = nil
    ) async throws -> OpenFile? {
        let path = library.url.appending(path: file.relativePath).path(percentEncoded: false)
        if let open = try? OpenFile(path: path) { return open }
        let fractions = try follow(file, of: asset)
        let isDone = try await Self.ends(within: limit) { [self] in
            for try await fraction in fractions {
                notify(asset.bareIdentifier, fraction, session: session)
            }
        }
        try Task.checkCancellation()
        return isDone ? try OpenFile(path: path) : nil
    }

    /// Runs `body` and cancels it at a time limit; returns whether `body` ended before the limit.
    private static func ends(
        within limit: Duration?,
        _ body: @escaping @Sendable () async throws -> Void
    ) async throws -> Bool {
        try await withThrowingTaskGroup(of: Bool.self) { group in
            group.addTask {
                try await body()
                return true
            }
            if let limit {
                group.addTask {
                    try await Task.sleep(for: limit)
                    return false
                }
            }
            defer { group.cancelAll() }
            return try await group.next() ?? false
        }
    }

    /// Sends the progress of a download to all windows of a session.
    func notify(_ id: String, _ fraction: Double, session: String) {
        var object = JSONObject()
        object.add("id", id)
        object.add("progress", fraction)
        events.send("download", object.line, session: session)
    }

    // MARK: - Sharing

    /// Joins the running download of a file, or starts a new one.
    ///
    /// - Returns: The fractions of the download, from the present one.
    private func follow(_ file: ResourceFacts, of asset: PHAsset) throws -> Fractions {
        let (stream, continuation) = Fractions.makeStream(bufferingPolicy: .bufferingNewest(1))
        let isStopped = state.withLock { state in
            guard !state.isStopped else { return true }
            let place = state.number()
            if state.jobs[file.id] == nil {
                let number = state.number()
                let task = Task { [weak self] in
                    let result = await self?.download(file, of: asset)
                    self?.end(file.id, number, result ?? .failure(CancellationError()))
                }
                state.jobs[file.id] = Job(task: task, number: number)
            }
            continuation.onTermination = { [weak self] _ in self?.leave(file.id, place) }
            state.jobs[file.id]?.waiting[place] = continuation
            continuation.yield(state.jobs[file.id]?.fraction ?? 0)
            return false
        }
        guard !isStopped else { throw RequestError(.stopping, "The gallery is shutting down.") }
        return stream
    }

    private func download(_ file: ResourceFacts, of asset: PHAsset) async -> Result<Void, any Error>
    {
        do {
            let resource = try await Blocking.run {
                PHAssetResource.assetResources(for: asset).first {
                    $0.originalFilename == file.originalFilename
                }
            }
            guard let resource else {
                throw RequestError.notFound("\(file.originalFilename) does not exist any more.")
            }
            try await resource.download { [weak self] in self?.report(file.id, $0) }
            return .success(())
        } catch {
            return .failure(error)
        }
    }

    private func report(_ id: String, _ fraction: Double) {
        let waiting = state.withLock { state -> [Fractions.Continuation] in
            guard let job = state.jobs[id], fraction > job.fraction else { return [] }
            state.jobs[id]?.fraction = fraction
            return Array(job.waiting.values)
        }
        for continuation in waiting { continuation.yield(fraction) }
    }

    private func end(_ id: String, _ number: Int, _ result: Result<Void, any Error>) {
        let job = state.withLock { state -> Job? in
            guard state.jobs[id]?.number == number else { return nil }
            return state.jobs.removeValue(forKey: id)
        }
        for continuation in job?.waiting.values.map(\.self) ?? [] {
            switch result {
            case .success: continuation.finish()
            case .failure(let error): continuation.finish(throwing: error)
            }
        }
    }

    private func leave(_ id: String, _ place: Int) {
        let abandoned = state.withLock { state -> Int? in
            guard state.jobs[id]?.waiting.removeValue(forKey: place) != nil else { return nil }
            return state.jobs[id]?.waiting.isEmpty == true ? state.jobs[id]?.number : nil
        }
        guard let abandoned else { return }
        Task { [weak self] in
            try await Task.sleep(for: Self.patience)
            let job = self?.state.withLock { state -> Job? in
                guard let job = state.jobs[id], job.number == abandoned, job.waiting.isEmpty else {
                    return nil
                }
                return state.jobs.removeValue(forKey: id)
            }
            job?.task.cancel()
        }
    }
}
