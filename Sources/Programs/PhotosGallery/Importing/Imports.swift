internal import Dispatch
internal import Foundation
internal import PhotosJSON
internal import PhotosManagement
internal import Synchronization

/// The import sessions since the server started.
final class Imports: Sendable {
    /// The maximum size of an uploaded file, in bytes.
    static let fileLimit: Int64 = 64 << 30
    /// The maximum size of an uploaded chunk, in bytes.
    static let chunkSize = 8 << 20
    /// The maximum number of files per import.
    static let filesLimit = 100_000
    /// The maximum number of files listed for a folder on this machine.
    static let listedLimit = 10_000
    /// The maximum number of sessions that receive files at the same time.
    static let sessionLimit = 8
    /// The maximum number of import sessions that are retained with their reports.
    private static let memoryLimit = 16
    /// The number of bytes that have to remain free on the volume.
    private static let reserve: Int64 = 256 << 20
    /// The time without uploads after which a session may be stopped in favor of a new one.
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

    /// Stops all imports and removes uploaded files that were not imported.
    func stop() {
        for session in sessions.withLock(\.self) { session.stop() }
        queue.sync {}
        try? FileManager.default.removeItem(at: folder)
    }

    /// Throws an error unless a volume has enough free space for a file.
    static func requireRoom(for size: Int64, at url: URL) throws {
        let path = url.path(percentEncoded: false)
        let volume = try FileManager.default.attributesOfFileSystem(forPath: path)
        let free = (volume[.systemFreeSize] as? NSNumber)?.int64Value ?? .max
        guard size < free - Self.reserve else {
            throw RequestError(.refused, "There is not enough space for a file of \(size) bytes.")
        }
    }

    /// `true` if any import is running.
    ///
    /// Sessions that still receive files do not count, since their page is open.
    var isRunning: Bool { sessions.withLock { $0.contains { $0.stage == .importing } } }

    // MARK: - Sessions

    /// Starts a session for files that a browser uploads.
    func begin(for owner: String) throws -> GalleryImport {
        try add(try GalleryImport(folder: folder, owner: owner))
    }

    /// Starts the import of a folder on this machine.
    func begin(
        folder path: String,
        _ choices: ImportChoices,
        for owner: String
    ) throws -> GalleryImport {
        let source = try choices.source(path)
        let session = try add(try GalleryImport(folder: nil, owner: owner, choices: choices))
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
                throw RequestError(.tooMany, "Too many imports are receiving files at once.")
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

    /// Returns the session with a name.
    func session(_ name: String) throws -> GalleryImport {
        guard let session = sessions.withLock({ $0.first { $0.name == name } }) else {
            throw RequestError.notFound("There is no import \(name).")
        }
        return session
    }

    /// All import sessions as JSON, without their files, the latest first.
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

    /// Starts the import of the files that a session has received.
    func finish(_ session: GalleryImport) throws { run(session, try session.beginUploaded()) }

    private func run(_ session: GalleryImport, _ paths: [SourcePath]) {
        queue.async { [self] in
            session.run(paths, into: library) { notify(session) }
        }
    }

    private func notify(_ session: GalleryImport) {
        let news = session.takeNews()
        events.send("import", session.json(files: news, hidden: nil).line, to: .unlocked)
        let locked = session.json(files: news, hidden: filter(showsHidden: false))
        events.send("import", locked.line, to: .locked)
    }

    /// Returns a part of the report of an import, with or without hidden photos.
    ///
    /// If the browser session `reader` started the import, the result also contains the request
    /// that started it.
    func report(
        of session: GalleryImport,
        for reader: String,
        outcome: String?,
        from offset: Int,
        count: Int,
        showsHidden: Bool
    ) -> JSONObject {
        var object = session.report.json(
            outcome: outcome,
            from: offset,
            count: count,
            hidden: filter(showsHidden: showsHidden)
        )
        object.add("session", session.name)
        object.add("state", session.stage.rawValue)
        object.add("message", session.message)
        object.add("dryRun", session.isDryRun)
        object.add("request", session.request(for: reader))
        return object
    }

    /// Returns the whole report of an import as JSON Lines, with or without hidden photos.
    ///
    /// The source may be the file of a photo that was hidden meanwhile. So its path is included
    /// only if the browser session `reader` started the import or may see hidden photos.
    func reportLines(of session: GalleryImport, for reader: String, showsHidden: Bool) -> String {
        let report = session.report
        return report.lines(
            isDryRun: session.isDryRun,
            without: filter(showsHidden: showsHidden)?(report.assets),
            showsSources: showsHidden || session.isOwned(by: reader)
        )
    }

    /// Returns the state of an import, with or without hidden photos.
    ///
    /// The browser session `reader` receives the names of all files that it uploaded.
    func json(of session: GalleryImport, for reader: String, showsHidden: Bool) -> JSONObject {
        session.json(for: reader, hidden: filter(showsHidden: showsHidden))
    }

    /// Returns a closure that selects the hidden assets among the UUIDs passed to it.
    ///
    /// Returns nil if the session may see all assets.
    private func filter(showsHidden: Bool) -> ((Set<String>) -> Set<String>)? {
        guard !showsHidden else { return nil }
        return { [library] assets in HiddenAssets.among(assets, in: library) }
    }
}
