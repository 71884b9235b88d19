internal import Foundation
internal import Photos
internal import PhotosJSON
internal import PhotosManagement
internal import Synchronization

/// Provides movies that browsers can play: the original file, or a cached copy that was converted.
final class Movies: Sendable {
    /// The maximum number of conversions that are running or queued.
    private static let queueLimit = 64
    /// The maximum time for which a request waits for the download of a movie.
    ///
    /// A longer wait could exceed the timeout of a proxy.
    private static let downloadLimit = Duration.seconds(20)
    /// The time after which all conversions are cancelled if there are neither event streams nor
    /// requests.
    private static let patience = Duration.seconds(15)

    /// The state of a requested movie.
    enum Movie: Sendable {
        case file(path: String)
        case downloading
        case converting(progress: Double)
        case failed(String)
    }

    /// A conversion that is running or queued.
    private struct Job {
        let key: String
        let path: String
        let target: URL
        /// The UUIDs of the assets for which the conversion was requested.
        ///
        /// Their movies have the same content.
        var ids: Set<String>
        /// The sessions that wait for the conversion.
        var sessions: Set<String>
        var lastAsk = ContinuousClock.now
        /// The export session; nil while the job is queued.
        var export: AVAssetExportSession?
        /// `true` once no session waits for the conversion.
        var isLeft = false

        var progress: Double { export.map { Double($0.progress) } ?? 0 }
    }

    private struct State {
        var playable: [String: Bool] = [:]
        /// The conversions in the order of their requests; only the first is running.
        var jobs: [Job] = []
        var failures: [String: String] = [:]
        var isStopped = false
    }

    private let library: PhotoLibraryBundle
    private let cache: MovieCache
    private let events: EventHub
    private let downloads: Downloads
    private let state = Mutex(State())

    init(
        library: PhotoLibraryBundle,
        folder: URL?,
        events: EventHub,
        downloads: Downloads
    ) throws {
        self.library = library
        self.events = events
        self.downloads = downloads
        cache = try MovieCache(library: library, folder: folder)
    }

    /// Begins to remove converted movies that the library no longer contains.
    func start() { cache.start() }

    /// Cancels all conversions.
    func stop() {
        cache.stop()
        let running = state.withLock { state in
            state.isStopped = true
            defer { state.jobs.removeAll { $0.export == nil } }
            return state.jobs.compactMap(\.export)
        }
        for export in running { export.cancelExport() }
    }

    // MARK: - Requesting

    /// Returns the current state of an asset's movie or of a Live Photo's video.
    ///
    /// If the movie is only in the cloud, it is downloaded first. If the download takes longer than
    /// ``downloadLimit``, it continues, and the next request waits for it again.
    ///
    /// If the movie has to be converted, the conversion is queued and
    /// ``Movie/converting(progress:)`` reports its progress. It is cancelled once no session waits
    /// for it.
    func movie(
        of known: AssetMemory.Known,
        version: PHImageRequestOptionsVersion,
        for session: String
    ) async throws -> Movie {
        let facts = try await Blocking.run { [library] in
            try Self.file(of: known, version, library)
        }
        let open = try await downloads.open(
            facts,
            of: known.asset,
            in: library,
            for: session,
            within: Self.downloadLimit
        )
        guard open != nil else { return .downloading }
        let path = library.url.appending(path: facts.relativePath).path(percentEncoded: false)
        let file = File(path: path, sha256: facts.sha256)
        let key = "\(file.sha256).mp4"
        if try await isPlayable(file, key) { return .file(path: file.path) }
        if let cached = cache.path(of: file.sha256) { return .file(path: cached) }
        try cache.prepare()
        let job = Job(
            key: key,
            path: file.path,
            target: cache.location(of: file.sha256),
            ids: [known.asset.bareIdentifier],
            sessions: [session]
        )
        return try convert(job)
    }

    /// A movie file, whose path comes from the library and never from a request.
    private struct File: Sendable {
        var path: String
        var sha256: String
    }

    /// Finds the file of an asset's movie.
    private static func file(
        of known: AssetMemory.Known,
        _ version: PHImageRequestOptionsVersion,
        _ library: PhotoLibraryBundle
    ) throws -> ResourceFacts {
        let resources = try library.resources(of: known.asset.localIdentifier)
        let edited: [ResourceFacts.Role] = [.fullSizeVideo, .fullSizePairedVideo]
        let original: [ResourceFacts.Role] = [.video, .pairedVideo, .audio]
        let wanted = version == .current ? edited + original : original
        let found = wanted.lazy.compactMap { role in resources.first { $0.role == role } }.first
        guard let found else {
            throw RequestError.notFound("\(known.facts.originalFilename) has no video.")
        }
        return found
    }

    // MARK: - Playing

    /// The codecs that current browsers can play, by their four-character codes in movie files.
    private static let playableCodecs: Set<String> = [
        "avc1", "avc3", "vp08", "vp09", "av01", "VP80", "VP90", "AV01",
        "mp4a", "Opus", "fLaC", ".mp3", "vorb",
    ]

    private func isPlayable(_ file: File, _ key: String) async throws -> Bool {
        if let known = state.withLock({ $0.playable[key] }) { return known }
        let asset = AVURLAsset(url: URL(filePath: file.path))
        let tracks = try await asset.load(.tracks)
        let extent = file.path.split(separator: ".").last?.lowercased() ?? ""
        var answer = ["mov", "mp4", "m4v", "m4a", "webm", "mkv"].contains(extent)
        for track in tracks where track.mediaType == .video || track.mediaType == .audio {
            for format in try await track.load(.formatDescriptions) {
                let code = format.mediaSubType.rawValue
                let bytes = [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: code >> $0) }
                let name = String(decoding: bytes, as: UTF8.self)
                if !Self.playableCodecs.contains(name) { answer = false }
            }
        }
        let isPlayable = answer
        state.withLock { state in
            if state.playable.count > 10_000 { state.playable = [:] }
            state.playable[key] = isPlayable
        }
        return isPlayable
    }

    // MARK: - Converting

    private func convert(_ job: Job) throws -> Movie {
        let (answer, isFirst) = try state.withLock { state -> (Movie, Bool) in
            // Reports a failure once; the next request tries again.
            if let message = state.failures.removeValue(forKey: job.key) {
                return (.failed(message), false)
            }
            if let index = state.jobs.firstIndex(where: { $0.key == job.key && !$0.isLeft }) {
                state.jobs[index].ids.formUnion(job.ids)
                state.jobs[index].sessions.formUnion(job.sessions)
                state.jobs[index].lastAsk = .now
                return (.converting(progress: state.jobs[index].progress), false)
            }
            guard !state.isStopped else {
                throw RequestError(.stopping, "The gallery is shutting down.")
            }
            guard state.jobs.count < Self.queueLimit else {
                throw RequestError(
                    .tooMany,
                    "Too many videos are waiting to be converted.",
                    recovery: "Try again when some of them are converted."
                )
            }
            state.jobs.append(job)
            return (.converting(progress: 0), state.jobs.count == 1)
        }
        if isFirst { startNext() }
        return answer
    }

    /// Removes a session from the sessions that wait for the conversion of a movie.
    ///
    /// A conversion that no session waits for is cancelled and leaves no file behind.
    func leave(_ id: String, session: String) {
        let left = state.withLock { state -> [Job] in
            var left: [Job] = []
            for index in state.jobs.indices where state.jobs[index].ids.contains(id) {
                state.jobs[index].sessions.remove(session)
                guard state.jobs[index].sessions.isEmpty, !state.jobs[index].isLeft else {
                    continue
                }
                state.jobs[index].isLeft = true
                left.append(state.jobs[index])
            }
            state.jobs.removeAll { $0.isLeft && $0.export == nil }
            return left
        }
        for job in left { end(job) }
    }

    /// Cancels a conversion that no session waits for.
    ///
    /// For a queued conversion, only the event is sent.
    private func end(_ job: Job) {
        if let export = job.export {
            export.cancelExport()
        } else {
            notify(job, "cancelled", nil)
        }
    }

    /// Starts the first queued conversion, unless one is running.
    private func startNext() {
        cache.makeRoom()
        let started = state.withLock { state -> (Job, AVAssetExportSession?)? in
            guard var job = state.jobs.first, job.export == nil, !state.isStopped else {
                return nil
            }
            let export = AVAssetExportSession(
                asset: AVURLAsset(url: URL(filePath: job.path)),
                presetName: AVAssetExportPreset1920x1080
            )
            if let export {
                export.outputURL = job.target
                export.outputFileType = .mp4
                export.shouldOptimizeForNetworkUse = true
                job.export = export
                state.jobs[0] = job
            } else {
                state.jobs.removeFirst()
                state.failures[job.key] = "Video conversion is not available."
            }
            return (job, export)
        }
        guard let (job, export) = started else { return }
        guard let export else {
            notify(job, "failed", "Video conversion is not available.")
            return startNext()
        }
        export.exportAsynchronously { [weak self] in self?.ended(export) }
        watch(export)
    }

    private func ended(_ export: AVAssetExportSession) {
        let isCancelled = export.status == .cancelled
        let message = export.status == .completed ? nil : export.error?.localizedDescription ?? ""
        let job = state.withLock { state -> Job? in
            guard let index = state.jobs.firstIndex(where: { $0.export === export }) else {
                return nil
            }
            let job = state.jobs.remove(at: index)
            if let message, !isCancelled { state.failures[job.key] = message }
            return job
        }
        if let job {
            notify(
                job,
                isCancelled ? "cancelled" : message == nil ? "ready" : "failed",
                isCancelled ? nil : message
            )
        }
        // Its assets may have been deleted meanwhile.
        cache.sweepSoon()
        startNext()
    }

    /// Reports the progress of a conversion until it ends.
    ///
    /// If there are neither event streams nor requests for some time, all conversions are
    /// cancelled.
    private func watch(_ export: AVAssetExportSession) {
        Task { [weak self] in
            var lastCompany = ContinuousClock.now
            while true {
                try await Task.sleep(for: .milliseconds(500))
                guard let self,
                    let job = self.state.withLock({ state in
                        state.jobs.first { $0.export === export }
                    })
                else { return }
                self.notify(job, "converting", nil)
                if self.events.hasListeners { lastCompany = .now }
                let company = max(lastCompany, job.lastAsk)
                if ContinuousClock.now - company > Self.patience { self.leaveAll() }
            }
        }
    }

    /// Cancels all conversions, both running and queued.
    private func leaveAll() {
        let left = state.withLock { state -> [Job] in
            for index in state.jobs.indices { state.jobs[index].isLeft = true }
            defer { state.jobs.removeAll { $0.export == nil } }
            return state.jobs
        }
        for job in left { end(job) }
    }

    private func notify(_ job: Job, _ name: String, _ message: String?) {
        for id in job.ids.sorted() {
            notify(id, name, name == "ready" ? 1 : job.progress, message)
        }
    }

    private func notify(_ id: String, _ name: String, _ progress: Double, _ message: String?) {
        var object = JSONObject()
        object.add("id", id)
        object.add("state", name)
        object.add("progress", progress)
        object.add("message", message)
        let isHidden = !HiddenAssets.among([id], in: library).isEmpty
        events.send("movie", object.line, to: isHidden ? .unlocked : .everybody)
    }
}
