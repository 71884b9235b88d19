internal import Foundation
internal import Photos
internal import PhotosJSON
internal import PhotosManagement
internal import Synchronization

/// Movies that browsers can play: as they are, or converted once and kept.
final class Movies: Sendable {
    /// Bytes of converted movies that are kept; those played longest ago go first.
    static let cacheLimit: Int64 = 4 << 30
    /// How many are converted at once.
    private static let width = 1

    /// What is there of a movie.
    enum Movie: Sendable {
        case file(path: String)
        case converting(progress: Double)
        case failed(String)
    }

    private enum Conversion {
        case running(AVAssetExportSession)
        case failed(String)
    }

    private struct State {
        var playable: [String: Bool] = [:]
        var conversions: [String: Conversion] = [:]
    }

    private let library: PhotoLibraryBundle
    private let folder: URL
    private let events: EventHub
    private let state = Mutex(State())

    init(library: PhotoLibraryBundle, folder: URL?, events: EventHub) throws {
        self.library = library
        self.events = events
        let root = folder ?? Self.standardFolder
        self.folder = root.appending(path: "movies", directoryHint: .isDirectory)
        do {
            try FileManager.default.createDirectory(
                at: self.folder,
                withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700]
            )
        } catch {
            throw GalleryError.noCacheFolder(self.folder.path(percentEncoded: false))
        }
    }

    private static var standardFolder: URL {
        let environment = ProcessInfo.processInfo.environment
        let base =
            environment["XDG_CACHE_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil }
            ?? NSHomeDirectory() + "/.cache"
        return URL(filePath: base + "/swift-photos/gallery", directoryHint: .isDirectory)
    }

    /// Ends all conversions.
    func stop() {
        for case .running(let session) in state.withLock({ Array($0.conversions.values) }) {
            session.cancelExport()
        }
    }

    // MARK: - Asking

    /// The movie of an asset, or the one of a Live Photo.
    ///
    /// Where it has to be converted that begins now, and ``Movie/converting(progress:)`` says how far it is.
    func movie(
        of known: AssetMemory.Known,
        version: PHImageRequestOptionsVersion
    ) async throws -> Movie {
        let file = try await Blocking.run { [library] in
            try Self.file(of: known, version, library)
        }
        let key = "\(file.sha256).mp4"
        if try await isPlayable(file, key) { return .file(path: file.path) }
        let target = folder.appending(path: key)
        if FileManager.default.fileExists(atPath: target.path(percentEncoded: false)) {
            // What was played last goes last.
            try? FileManager.default.setAttributes(
                [.modificationDate: Date()],
                ofItemAtPath: target.path(percentEncoded: false)
            )
            return .file(path: target.path(percentEncoded: false))
        }
        return convert(file.path, target, key, id: known.asset.bareIdentifier)
    }

    private struct File: Sendable {
        var path: String
        var sha256: String
    }

    /// The file that a movie is in; its name comes from the library, never from a request.
    private static func file(
        of known: AssetMemory.Known,
        _ version: PHImageRequestOptionsVersion,
        _ library: PhotoLibraryBundle
    ) throws -> File {
        let resources = try library.resources(of: known.asset.localIdentifier)
        let edited: [ResourceFacts.Role] = [.fullSizeVideo, .fullSizePairedVideo]
        let original: [ResourceFacts.Role] = [.video, .pairedVideo, .audio]
        let wanted = version == .current ? edited + original : original
        let found = wanted.lazy.compactMap { role in resources.first { $0.role == role } }.first
        guard let found else {
            throw Refusal.notFound("There is no movie of \(known.facts.originalFilename).")
        }
        let path = library.url.appending(path: found.relativePath).path(percentEncoded: false)
        return File(path: path, sha256: found.sha256)
    }

    // MARK: - Playing

    /// Codecs that browsers of the day play, by the names that files give them.
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

    private func convert(_ path: String, _ target: URL, _ key: String, id: String) -> Movie {
        let begun = state.withLock { state -> (Movie, AVAssetExportSession?) in
            switch state.conversions[key] {
            case .running(let session):
                return (.converting(progress: Double(session.progress)), nil)
            case .failed(let message):
                // Whoever asks once more tries once more.
                state.conversions[key] = nil
                return (.failed(message), nil)
            case nil: break
            }
            let running = state.conversions.values.count {
                if case .running = $0 { true } else { false }
            }
            // The others begin when they are asked for again.
            guard running < Self.width else { return (.converting(progress: 0), nil) }
            let session = AVAssetExportSession(
                asset: AVURLAsset(url: URL(filePath: path)),
                presetName: AVAssetExportPreset1920x1080
            )
            guard let session else { return (.failed("Converting is not available."), nil) }
            session.outputURL = target
            session.outputFileType = .mp4
            session.shouldOptimizeForNetworkUse = true
            state.conversions[key] = .running(session)
            return (.converting(progress: 0), session)
        }
        if let session = begun.1 {
            makeRoom()
            session.exportAsynchronously { [weak self] in self?.ended(session, key, id) }
            tellProgress(of: session, key, id)
        }
        return begun.0
    }

    private func ended(_ session: AVAssetExportSession, _ key: String, _ id: String) {
        let message = session.status == .completed ? nil : session.error?.localizedDescription ?? ""
        state.withLock { $0.conversions[key] = message.map(Conversion.failed) }
        tell(id, message == nil ? "ready" : "failed", message == nil ? 1 : 0, message)
    }

    private func tellProgress(of session: AVAssetExportSession, _ key: String, _ id: String) {
        Task { [weak self] in
            while true {
                try await Task.sleep(for: .milliseconds(500))
                guard let self, case .running? = self.state.withLock({ $0.conversions[key] }) else {
                    return
                }
                self.tell(id, "converting", Double(session.progress), nil)
            }
        }
    }

    private func tell(_ id: String, _ name: String, _ progress: Double, _ message: String?) {
        var object = JSONObject()
        object.add("id", id)
        object.add("state", name)
        object.add("progress", progress)
        object.add("message", message)
        events.send("movie", object.line)
    }

    /// Removes what was played longest ago, until there is room.
    private func makeRoom() {
        let keys: [URLResourceKey] = [.fileSizeKey, .contentModificationDateKey]
        let files = try? FileManager.default.contentsOfDirectory(
            at: folder,
            includingPropertiesForKeys: keys
        )
        var found = (files ?? []).filter { $0.pathExtension == "mp4" }.map { url in
            let values = try? url.resourceValues(forKeys: Set(keys))
            return (
                url: url, size: Int64(values?.fileSize ?? 0),
                date: values?.contentModificationDate ?? .distantPast
            )
        }
        found.sort { $0.date < $1.date }
        var total = found.reduce(0) { $0 + $1.size }
        for file in found where total > Self.cacheLimit {
            try? FileManager.default.removeItem(at: file.url)
            total -= file.size
        }
    }
}
