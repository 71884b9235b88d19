internal import Dispatch
internal import Foundation
internal import PhotosJSON
internal import PhotosManagement
internal import Synchronization

/// The imports of this run.
final class Imports: Sendable {
    /// Bytes of a file that is sent.
    static let fileLimit: Int64 = 64 << 30
    /// Bytes that are sent at once.
    static let chunkSize = 8 << 20
    /// Files of an import.
    static let filesLimit = 100_000
    /// Files that are listed of a folder of this machine.
    static let listedLimit = 10_000
    /// Imports that take files at once.
    static let sessionLimit = 8
    /// Imports that are remembered.
    private static let memoryLimit = 64
    /// Bytes that stay free on the volume.
    private static let reserve: Int64 = 256 << 20
    /// After how long without a byte an import that takes files is given up when others want to begin.
    private static let patience = Duration.seconds(3_600)

    private let library: PhotoLibraryBundle
    private let events: EventHub
    private let folder: URL
    private let sessions = Mutex<[GalleryImport]>([])
    private let queue = DispatchQueue(label: "photos.gallery.imports", qos: .utility)

    init(library: PhotoLibraryBundle, events: EventHub) {
        self.library = library
        self.events = events
        folder = FileManager.default.temporaryDirectory.appending(
            path: "photos-gallery-\(UUID().uuidString)",
            directoryHint: .isDirectory
        )
    }

    /// Ends all imports, and removes what was sent and not imported.
    func stop() {
        for session in sessions.withLock(\.self) { session.stop() }
        queue.sync {}
        try? FileManager.default.removeItem(at: folder)
    }

    /// Makes sure that a volume has room for so many bytes more.
    static func requireRoom(for size: Int64, at url: URL) throws {
        let path = url.path(percentEncoded: false)
        let volume = try FileManager.default.attributesOfFileSystem(forPath: path)
        let free = (volume[.systemFreeSize] as? NSNumber)?.int64Value ?? .max
        guard size < free - Self.reserve else {
            throw RequestError(.refused, "There is no room for a file of \(size) bytes.")
        }
    }

    /// Whether files that are there already are being imported; who sends more shows the gallery.
    var isRunning: Bool { sessions.withLock { $0.contains { $0.stage == .importing } } }

    // MARK: - Sessions

    /// Begins an import of files that a browser sends.
    func begin() throws -> GalleryImport { try add(try GalleryImport(folder: folder)) }

    /// Begins an import of a folder of this machine.
    func begin(folder path: String) throws -> GalleryImport {
        let source = SourcePath(path)
        guard path.hasPrefix("/"), source.exists else {
            throw RequestError.notFound("There is no folder \(path).")
        }
        let session = try add(try GalleryImport(folder: nil))
        session.beginLocal()
        run(session, [source])
        return session
    }

    private func add(_ session: GalleryImport) throws -> GalleryImport {
        try sessions.withLock { sessions in
            let now = ContinuousClock.now
            let receiving = sessions.filter { $0.stage == .receiving }
            for old in receiving where now - old.lastUse > Self.patience { old.stop() }
            guard sessions.count(where: { $0.stage == .receiving }) < Self.sessionLimit else {
                session.stop()
                throw RequestError(.tooMany, "Too many imports take files at once.")
            }
            sessions.append(session)
            if sessions.count > Self.memoryLimit,
                let old = sessions.firstIndex(where: { $0.stage == .done || $0.stage == .failed })
            {
                sessions.remove(at: old)
            }
            return session
        }
    }

    /// The import with a name.
    func session(_ name: String) throws -> GalleryImport {
        guard let session = sessions.withLock({ $0.first { $0.name == name } }) else {
            throw RequestError.notFound("There is no import \(name).")
        }
        return session
    }

    /// All of them, the latest first, without their files.
    var json: JSONObject {
        var object = JSONObject()
        let all = sessions.withLock { Array($0.reversed()) }
        object.add(
            "imports",
            all.map { session in
                var part = JSONObject()
                part.add("session", session.name)
                part.add("state", session.stage.rawValue)
                return part
            }
        )
        return object
    }

    /// Imports what was sent.
    func finish(_ session: GalleryImport) throws { run(session, try session.beginUploaded()) }

    private func run(_ session: GalleryImport, _ paths: [SourcePath]) {
        queue.async { [self] in
            session.run(paths, into: library) { notify(session) }
        }
    }

    private func notify(_ session: GalleryImport) {
        let news = session.takeNews()
        events.send("import", session.json(files: news, without: []).line, to: .unlocked)
        let hidden = HiddenAssets.among(session.assets(ofFiles: news), in: library)
        events.send("import", session.json(files: news, without: hidden).line, to: .locked)
    }

    /// How an import stands, for a session that may see hidden photos or not.
    func json(of session: GalleryImport, showsHidden: Bool) -> JSONObject {
        let hidden = showsHidden ? [] : HiddenAssets.among(session.assets(), in: library)
        return session.json(without: hidden)
    }
}
