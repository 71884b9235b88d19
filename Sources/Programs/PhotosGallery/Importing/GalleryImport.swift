internal import Foundation
internal import Glibc
internal import PhotosJSON
internal import PhotosManagement
internal import Synchronization

/// An import session: files that a browser uploads in chunks, or files on this machine.
///
/// Received bytes survive a broken connection: the page requests the offset of each file and
/// resumes there.
final class GalleryImport: Sendable {
    /// The stage of a session.
    enum Stage: String, Sendable {
        case receiving, importing, done, failed
    }

    private struct File {
        var path: String
        var size: Int64
        var modified: Double
        var offset: Int64 = 0
        /// The path of the file in the upload folder.
        var place: String
        var isBusy = false
        var outcome: String?
        var reason: String?
        var asset: String?

        var isComplete: Bool { offset == size }
    }

    private struct State {
        var stage = Stage.receiving
        var files: [File] = []
        var known: [String: Int] = [:]
        /// The numbers of files by their paths relative to the upload folder.
        var byPlace: [String: Int] = [:]
        /// The numbers of files by their absolute paths.
        var byPath: [String: Int] = [:]
        var message: String?
        var counts: [String: Int] = [:]
        var progress = ImportProgress()
        /// The numbers of files that changed since the last event.
        var news: Set<Int> = []
        var lastUse = ContinuousClock.now
    }

    let name = String(Secret.make().prefix(16))
    private let folder: URL?
    private let control = OperationControl()
    private let state = Mutex(State())

    /// Creates a session that receives uploads in a new folder inside `folder`; nil for files on
    /// this machine.
    init(folder: URL?) throws {
        self.folder = folder?.appending(path: name, directoryHint: .isDirectory)
        if let own = self.folder {
            try FileManager.default.createDirectory(
                at: own,
                withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700]
            )
        }
    }

    var stage: Stage { state.withLock { $0.stage } }

    var lastUse: ContinuousClock.Instant { state.withLock { $0.lastUse } }

    // MARK: - Receiving

    /// Announces a file; one that was announced before resumes at its offset.
    func announce(path: String, size: Int64, modified: Double) throws -> (
        number: Int, offset: Int64
    ) {
        guard let folder else { throw RequestError(.refused, "This import does not accept files.") }
        guard let parts = UploadName.parts(path) else {
            throw RequestError.badRequest("The path \(path) does not name a file.")
        }
        guard size >= 0, size <= Imports.fileLimit else {
            throw RequestError(.tooLarge, "A file has at most \(Imports.fileLimit) bytes.")
        }
        let key = parts.joined(separator: "/") + "\n\(size)\n\(modified)"
        return try state.withLock { state in
            state.lastUse = .now
            guard state.stage == .receiving else {
                throw RequestError(.refused, "The import has already begun. Start another one.")
            }
            if let number = state.known[key] { return (number, state.files[number].offset) }
            guard state.files.count < Imports.filesLimit else {
                throw RequestError(.tooMany, "An import has at most \(Imports.filesLimit) files.")
            }
            try Imports.requireRoom(for: size, at: folder)
            let number = state.files.count
            var place = parts.joined(separator: "/")
            // A second file of the same name is put into a separate folder.
            if state.byPlace[place] != nil { place = "again-\(number)/" + place }
            let url = folder.appending(path: place)
            try FileManager.default.createDirectory(
                at: url.deletingLastPathComponent(),
                withIntermediateDirectories: true
            )
            let path = url.path(percentEncoded: false)
            try Data().write(to: url)
            state.files.append(
                File(
                    path: parts.joined(separator: "/"),
                    size: size,
                    modified: modified,
                    place: path
                )
            )
            state.known[key] = number
            state.byPlace[place] = number
            state.byPath[path] = number
            return (number, 0)
        }
    }

    /// Receives the next bytes of a file; after a failure the page can send them again.
    ///
    /// The offset has to be the number of bytes received so far. `receive` passes the bytes to
    /// `write` in portions. Returns the new offset and whether the file is complete.
    func receive(
        _ number: Int,
        at offset: Int64,
        _ receive: (_ write: (Data) async throws -> Void) async throws -> Void
    ) async throws -> (offset: Int64, done: Bool) {
        let file = try begin(number, at: offset)
        var written = offset
        defer { end(number, at: written) }
        let handle = try FileHandle(forWritingTo: URL(filePath: file.place))
        defer { try? handle.close() }
        try handle.truncate(atOffset: UInt64(offset))
        try handle.seek(toOffset: UInt64(offset))
        try await receive { bytes in
            guard written + Int64(bytes.count) <= file.size else {
                throw RequestError(.tooLarge, "More bytes were sent than the declared file size.")
            }
            try await Blocking.run { try handle.write(contentsOf: bytes) }
            written += Int64(bytes.count)
        }
        if written == file.size {
            try? FileManager.default.setAttributes(
                [.modificationDate: Date(timeIntervalSince1970: file.modified / 1_000)],
                ofItemAtPath: file.place
            )
        }
        return (written, written == file.size)
    }

    private func begin(_ number: Int, at offset: Int64) throws -> File {
        try state.withLock { state in
            state.lastUse = .now
            guard state.files.indices.contains(number) else {
                throw RequestError.notFound("The import has no file \(number).")
            }
            guard state.stage == .receiving, !state.files[number].isBusy else {
                throw RequestError(.refused, "The file cannot receive data at the moment.")
            }
            guard state.files[number].offset == offset else {
                var requestError = RequestError(.refused, "The offset must be the received size.")
                requestError.details = [("offset", state.files[number].offset)]
                throw requestError
            }
            state.files[number].isBusy = true
            return state.files[number]
        }
    }

    private func end(_ number: Int, at offset: Int64) {
        state.withLock { state in
            state.files[number].isBusy = false
            state.files[number].offset = offset
            state.news.insert(number)
        }
    }

    // MARK: - Importing

    /// Starts importing the uploaded files; incomplete files are reported as failed.
    func beginUploaded() throws -> [SourcePath] {
        guard let folder else { throw RequestError(.refused, "This import has already begun.") }
        try state.withLock { state in
            guard state.stage == .receiving else {
                throw RequestError(.refused, "This import has already begun.")
            }
            state.stage = .importing
            for number in state.files.indices where !state.files[number].isComplete {
                state.files[number].outcome = "failed"
                state.files[number].reason = "The upload is incomplete."
                state.counts["failed", default: 0] += 1
                try? FileManager.default.removeItem(atPath: state.files[number].place)
            }
        }
        return [SourcePath(folder.path(percentEncoded: false))]
    }

    /// Starts importing files on this machine.
    func beginLocal() { state.withLock { $0.stage = .importing } }

    /// Runs the import on the current thread.
    func run(_ paths: [SourcePath], into library: PhotoLibraryBundle, notify: () -> Void) {
        var options = LibraryImport.Options()
        options.movesFiles = folder != nil
        options.countsAhead = folder == nil
        options.author = "photos gallery"
        let work = LibraryImport(
            library: library,
            paths: paths,
            options: options,
            control: control
        )
        do {
            _ = try work.run(
                progress: { progress in
                    state.withLock { $0.progress = progress }
                    notify()
                },
                handler: { event in
                    if case .outcome(let outcome) = event { record(outcome) }
                }
            )
            state.withLock { $0.stage = .done }
        } catch {
            state.withLock { state in
                state.stage = .failed
                state.message = LibraryFailure(error).description
            }
        }
        clear()
        notify()
    }

    private func record(_ outcome: FileOutcome) {
        let path = outcome.path.description
        state.withLock { state in
            state.counts[outcome.kind.rawValue, default: 0] += 1
            let number: Int
            if let known = state.byPath[path] {
                number = known
            } else {
                // For local folders, only a limited number of files is listed, to bound the memory
                // of large folders.
                guard folder == nil, state.files.count < Imports.listedLimit else { return }
                number = state.files.count
                let own = File(path: path, size: 0, modified: 0, place: path)
                state.files.append(own)
                state.byPath[path] = number
            }
            state.files[number].outcome = outcome.kind.rawValue
            state.files[number].reason = outcome.reason
            state.files[number].asset = outcome.localIdentifier.map {
                String($0.prefix { $0 != "/" })
            }
            state.news.insert(number)
        }
    }

    /// Stops the session; imported assets remain.
    func stop() {
        control.stop()
        let wasReceiving = state.withLock { state in
            guard state.stage == .receiving else { return false }
            state.stage = .done
            state.message = "The import was stopped."
            return true
        }
        if wasReceiving { clear() }
    }

    private func clear() {
        if let folder { try? FileManager.default.removeItem(at: folder) }
    }

    // MARK: - Reporting

    /// Returns the numbers of the files that changed since the last call.
    func takeNews() -> [Int] {
        state.withLock { state in
            defer { state.news = [] }
            return state.news.sorted()
        }
    }

    /// Returns the UUIDs of the assets that files were imported as or are duplicates of; all files
    /// for nil.
    func assets(ofFiles numbers: [Int]? = nil) -> Set<String> {
        state.withLock { state in
            Set((numbers ?? Array(state.files.indices)).compactMap { state.files[$0].asset })
        }
    }

    /// Returns the state of the session.
    ///
    /// - Parameters:
    ///   - numbers: The numbers of the files to list; nil for all.
    ///   - hidden: The UUIDs of assets to leave out.
    /// - Returns: The session as JSON for the page.
    func json(files numbers: [Int]? = nil, without hidden: Set<String>) -> JSONObject {
        state.withLock { state in
            var object = JSONObject()
            object.add("session", name)
            object.add("state", state.stage.rawValue)
            let files = (numbers ?? Array(state.files.indices)).map { number in
                var file = state.files[number]
                if let asset = file.asset, hidden.contains(asset) {
                    (file.asset, file.reason) = (nil, nil)
                }
                return Self.json(file, number)
            }
            object.add("files", files)
            var counts = JSONObject()
            for (kind, count) in state.counts.sorted(by: { $0.key < $1.key }) {
                counts.add(kind, count)
            }
            object.add("counts", counts)
            object.add("total", max(state.files.count, state.progress.totalFiles))
            object.add("done", state.counts.values.reduce(0, +))
            object.add("message", state.message)
            return object
        }
    }

    private static func json(_ file: File, _ number: Int) -> JSONObject {
        var object = JSONObject()
        object.add("file", number)
        object.add("path", file.path)
        object.add("size", file.size)
        object.add("offset", file.offset)
        object.add("outcome", file.outcome)
        object.add("reason", file.reason)
        object.add("id", file.asset)
        return object
    }
}
