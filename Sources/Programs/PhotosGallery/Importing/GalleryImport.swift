internal import Foundation
internal import Glibc
internal import Photos
internal import PhotosJSON
internal import PhotosManagement
internal import Synchronization

/// An import session.
///
/// It imports files that a browser uploads in chunks, or files and libraries of other programs on
/// this machine. The received bytes are kept if the connection breaks: the page requests the offset
/// of each file and resumes the upload there.
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
        /// The number of requests that sent bytes of the file; only the last one may write.
        var requests = 0
        var outcome: String?
        var reason: String?
        var asset: String?
        /// Indicates whether the file's photo is hidden at its source.
        ///
        /// Used only if the file has no asset.
        var isHidden = false
        /// The number of files inside an archive of an export, by outcome; empty for a file that is
        /// not such an archive.
        var contents: [String: Int] = [:]

        var isComplete: Bool { offset == size }
    }

    private struct State {
        var stage = Stage.receiving
        var files: [File] = []
        var known: [String: Int] = [:]
        /// The indices of files by their paths relative to the upload folder.
        var byPlace: [String: Int] = [:]
        /// The indices of files by their absolute paths.
        var byPath: [String: Int] = [:]
        var message: String?
        var report = ImportReport()
        var meter = ImportMeter()
        /// The indices of the files that changed since the last event.
        var news: Set<Int> = []
        var lastUse = ContinuousClock.now
    }

    let name = String(Secret.make().prefix(16))
    private let folder: URL?
    /// The browser session that started the import.
    private let owner: String
    /// The user's choices for an import from a folder on this machine.
    private let choices: ImportChoices
    private let control = OperationControl()
    private let state = Mutex(State())
    /// The lock that is held while bytes are written.
    private let writing = Mutex(())

    /// Creates an import session that receives uploads in a new folder inside `folder`.
    ///
    /// `folder` is nil for an import of files on this machine. `owner` is the browser session that
    /// started the import.
    init(folder: URL?, owner: String, choices: ImportChoices = ImportChoices()) throws {
        self.owner = owner
        self.choices = choices
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

    /// The reason why the import failed; nil if it did not.
    var message: String? { state.withLock { $0.message } }

    var lastUse: ContinuousClock.Instant { state.withLock { $0.lastUse } }

    // MARK: - Receiving

    /// Registers a file to upload, and returns its number and the offset at which the upload starts
    /// or resumes.
    ///
    /// A file that was registered before resumes at its offset.
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

    /// Receives the next bytes of a file.
    ///
    /// After a failure, the page can send the same bytes again, also before the server has noticed
    /// that the former connection is broken: that request then writes no more. The offset has to be
    /// the number of bytes received so far. `receive` passes the bytes to `write` in portions.
    /// Returns the new offset and whether the file is complete.
    func receive(
        _ number: Int,
        at offset: Int64,
        _ receive: (_ write: (Data) async throws -> Void) async throws -> Void
    ) async throws -> (offset: Int64, done: Bool) {
        let file = try begin(number, at: offset)
        var written = offset
        defer { end(number, file.requests, at: written) }
        let handle = try FileHandle(forWritingTo: URL(filePath: file.place))
        defer { try? handle.close() }
        try await Blocking.run { [self] in
            try writing.withLock { _ in
                try requireLast(number, file.requests)
                try handle.truncate(atOffset: UInt64(offset))
                try handle.seek(toOffset: UInt64(offset))
            }
        }
        try await receive { bytes in
            guard written + Int64(bytes.count) <= file.size else {
                throw RequestError(.tooLarge, "More bytes were sent than the declared file size.")
            }
            try await Blocking.run { [self] in
                try writing.withLock { _ in
                    try requireLast(number, file.requests)
                    try handle.write(contentsOf: bytes)
                }
            }
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
            guard state.stage == .receiving else {
                throw RequestError(.refused, "The import has already begun. Start another one.")
            }
            guard state.files[number].offset == offset else {
                var requestError = RequestError(.refused, "The offset must be the received size.")
                requestError.details = [("offset", state.files[number].offset)]
                throw requestError
            }
            state.files[number].requests += 1
            return state.files[number]
        }
    }

    /// Throws an error if a later request sends the file.
    private func requireLast(_ number: Int, _ request: Int) throws {
        guard state.withLock({ $0.files[number].requests == request }) else {
            throw RequestError(
                .refused,
                "The file is sent by another request.",
                reason: "Its upload was resumed.",
                recovery: "Continue in the window that resumed it."
            )
        }
    }

    private func end(_ number: Int, _ request: Int, at offset: Int64) {
        state.withLock { state in
            guard state.files[number].requests == request else { return }
            state.files[number].offset = offset
            state.news.insert(number)
        }
    }

    // MARK: - Importing

    /// Ends the upload phase, marks the import as started, and returns the paths to import.
    ///
    /// Incomplete files are reported as failed.
    func beginUploaded() throws -> [SourcePath] {
        guard let folder else { throw RequestError(.refused, "This import has already begun.") }
        try state.withLock { state in
            guard state.stage == .receiving else {
                throw RequestError(.refused, "This import has already begun.")
            }
            state.stage = .importing
            for number in state.files.indices where !state.files[number].isComplete {
                let reason = "The upload is incomplete."
                state.files[number].outcome = "failed"
                state.files[number].reason = reason
                state.report.add(
                    .init(path: state.files[number].path, outcome: "failed", reason: reason)
                )
                try? FileManager.default.removeItem(atPath: state.files[number].place)
            }
        }
        return [SourcePath(folder.path(percentEncoded: false))]
    }

    /// Marks the import of files on this machine as started.
    func beginLocal() { state.withLock { $0.stage = .importing } }

    /// Runs the import on the current thread.
    ///
    /// A dry run imports into a plan of the library.
    func run(_ paths: [SourcePath], into library: PhotoLibraryBundle, notify: () -> Void) {
        do {
            let plan = choices.isDryRun ? try PhotoLibraryBundle.openPlan(of: library.url) : nil
            defer { plan?.close() }
            let library = plan ?? library
            var files: [SourcePath] = []
            // Uploads have no libraries: a browser sends files.
            for path in paths {
                let kind = folder == nil ? ImportSourceKind(of: path) : .files
                if let reason = kind.reasonAgainst {
                    begin([ReportLines.Source(kind: kind.rawValue, path: path)])
                    fail(path, reason)
                } else if kind != .files {
                    try migrate(path, kind, into: library, notify)
                } else {
                    files.append(path)
                }
            }
            if !files.isEmpty, !control.isStopped {
                try importFiles(files, into: library, notify)
            }
            concludeArchives()
            recordUploadsWithoutOutcome()
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

    private func importFiles(
        _ paths: [SourcePath],
        into library: PhotoLibraryBundle,
        _ notify: () -> Void
    ) throws {
        var options = LibraryImport.Options()
        options.movesFiles = folder != nil
        options.countsAhead = folder == nil
        options.author = Self.author
        let work = LibraryImport(
            library: library,
            paths: paths,
            options: options,
            control: control
        )
        state.withLock { $0.meter.beginFiles(at: .now) }
        begin(ReportLines.Source.all(among: paths).map(shown))
        var hint = TakeoutHint()
        let summary = try work.run { progress in
            state.withLock { $0.meter.advance(progress, at: .now) }
            notify()
        } handler: { event in
            switch event {
            case .outcome(let outcome):
                hint.add(outcome)
                record(ReportItem(outcome))
            case .notEntered(let path, let reason): record(notEntered: path, reason)
            }
        }
        // Uploaded files are where nobody can import them again.
        let advice = folder == nil ? hint.text(paths) : nil
        state.withLock { state in
            state.report.totals = .files(summary)
            if let advice {
                state.report.notes.append(
                    ReportNote(code: "takeoutInFolder", isError: false, text: advice)
                )
            }
        }
        guard !summary.addsUp, !summary.wasStopped else { return }
        state.withLock { state in
            state.message =
                "\(summary.foundFiles) files were found, and \(summary.files) outcomes reported."
                + " Import them again."
        }
    }

    /// Sets the missing outcomes of uploaded archives, each to the most important outcome of the
    /// archive's files.
    ///
    /// Failures are the most important outcome, and unsupported files the least important.
    private func concludeArchives() {
        state.withLock { state in
            // An archive that cannot be read to its end has an outcome of its own.
            for number in state.files.indices
            where !state.files[number].contents.isEmpty && state.files[number].outcome == nil {
                let contents = state.files[number].contents
                let order = ["failed", "missing", "imported", "paired", "duplicate", "unsupported"]
                state.files[number].outcome = order.first { contents[$0] != nil }
                state.news.insert(number)
            }
        }
    }

    /// Records a skipped folder, such as a library inside an imported folder.
    ///
    /// The files in a skipped folder have no outcomes.
    private func record(notEntered path: SourcePath, _ reason: String) {
        let text = placeForUsers(path.description)
        state.withLock { state in
            state.report.notes.append(
                ReportNote(code: "notEntered", isError: false, text: "Skipped \(text). \(reason)")
            )
        }
    }

    /// Records the uploaded files that the import skipped because they are inside a library or an
    /// export.
    private func recordUploadsWithoutOutcome() {
        guard folder != nil, !control.isStopped else { return }
        state.withLock { state in
            for number in state.files.indices where state.files[number].outcome == nil {
                let reason = "It is inside a library or an export, which is not entered."
                state.files[number].outcome = "unsupported"
                state.files[number].reason = reason
                state.report.add(
                    .init(
                        path: state.files[number].path,
                        outcome: "unsupported",
                        reason: reason
                    )
                )
                state.news.insert(number)
            }
        }
    }

    /// Imports a library of another program.
    private func migrate(
        _ source: SourcePath,
        _ kind: ImportSourceKind,
        into library: PhotoLibraryBundle,
        _ notify: () -> Void
    ) throws {
        begin([ReportLines.Source(kind: kind.rawValue, path: source)])
        var options = choices.migrationOptions
        options.author = Self.author
        let work = LibraryMigration(
            library: library,
            source: source,
            options: options,
            control: control
        )
        let summary: MigrationSummary
        do {
            summary = try work.run { start in
                state.withLock { state in
                    state.meter.begin(start, at: .now)
                    state.report.start = start
                    state.report.notes = start.notes.map(ReportNote.init)
                }
                notify()
            } progress: { summary in
                state.withLock { state in
                    state.meter.advance(summary, at: .now)
                    state.report.totals = .library(summary)
                }
                notify()
            } handler: { item in
                record(ReportItem(item, of: work))
            }
        } catch let error as PHPhotosError {
            let texts = [error.localizedDescription, error.failureReason, error.recoverySuggestion]
            fail(source, texts.compactMap(\.self).joined(separator: " "))
            throw error
        }
        state.withLock { state in
            state.report.totals = .library(summary)
            let shown = Set(state.report.notes.map(\.text))
            state.report.notes += summary.notes.filter { !shown.contains($0.text) }
                .map(ReportNote.init)
            guard !summary.addsUp, !summary.wasStopped else { return }
            state.message =
                "Only \(summary.settled) of \(summary.assets) photos and movies have an outcome."
                + " Import the library again."
        }
    }

    private static let author = "photos gallery"

    // MARK: - Outcomes

    /// Records the sources of the import.
    private func begin(_ sources: [ReportLines.Source]) {
        state.withLock { $0.report.sources += sources }
    }

    /// Records a failed item for a library that could not be read.
    ///
    /// A part of the library may have been read before the failure.
    private func fail(_ source: SourcePath, _ reason: String) {
        state.withLock { state in
            if case .files = state.report.totals { state.report.totals = .unreadableLibrary }
        }
        record(ReportItem(path: source.description, outcome: "failed", reason: reason))
    }

    /// Returns a source whose path omits the upload folder, which is internal.
    private func shown(_ source: ReportLines.Source) -> ReportLines.Source {
        guard folder != nil, let path = source.path else { return source }
        var source = source
        let place = placeForUsers(path.description)
        source.path = place.isEmpty || place == path.description ? nil : SourcePath(place)
        return source
    }

    /// Returns a path that omits the upload folder.
    private func placeForUsers(_ path: String) -> String {
        guard let own = folder?.path(percentEncoded: false), path.hasPrefix(own) else {
            return path
        }
        return String(path.dropFirst(own.count))
    }

    private func record(_ item: ReportItem) {
        state.withLock { state in
            var item = item
            let number: Int
            if folder != nil, let known = item.path.flatMap({ state.byPath[$0] }) {
                number = known
                // The path in the upload folder is internal.
                item.path = state.files[known].path
                state.report.add(item)
                // All files of an archive have its path.
                guard !item.isInArchive else {
                    state.files[known].contents[item.outcome, default: 0] += 1
                    state.news.insert(known)
                    return
                }
            } else {
                state.report.add(item)
                // For local folders, the state lists only a limited number of files, to bound the
                // size of answers.
                guard folder == nil, state.files.count < Imports.listedLimit else { return }
                number = state.files.count
                state.files.append(
                    File(path: item.name, size: 0, modified: 0, place: item.name)
                )
            }
            state.files[number].outcome = item.outcome
            state.files[number].reason = item.reason
            state.files[number].asset = item.asset
            state.files[number].isHidden = item.isHidden
            state.news.insert(number)
        }
    }

    /// Stops the import; assets that are already imported remain.
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

    /// Returns the indices of the files that changed since the last call.
    func takeNews() -> [Int] {
        state.withLock { state in
            defer { state.news = [] }
            return state.news.sorted()
        }
    }

    /// Returns the state of the import as JSON.
    ///
    /// - Parameters:
    ///   - numbers: The numbers of the files to list; nil for all.
    ///   - reader: The browser session that reads; nil for several.
    ///   - hidden: Returns which of some assets, by their UUIDs, to leave out; nil if the session
    ///     may see all.
    /// - Returns: The session as JSON for the page.
    func json(
        files numbers: [Int]? = nil,
        for reader: String? = nil,
        hidden: ((Set<String>) -> Set<String>)?
    ) -> JSONObject {
        // One copy: a file that becomes an asset while the library is asked is not in it.
        let state = self.state.withLock { $0 }
        let numbers = numbers ?? Array(state.files.indices)
        let left = hidden?(Set(numbers.compactMap { state.files[$0].asset }))
        var object = JSONObject()
        object.add("session", name)
        object.add("state", state.stage.rawValue)
        let files = numbers.compactMap { number in
            var file = state.files[number]
            if let left, file.asset.map(left.contains) ?? file.isHidden {
                // A browser knows the names of the files that it sent, and no others.
                guard folder != nil, reader == owner else { return nil as JSONObject? }
                (file.asset, file.reason) = (nil, nil)
            }
            return Self.json(file, number)
        }
        object.add("files", files)
        var counts = JSONObject()
        for (kind, count) in state.report.counts.sorted(by: { $0.key < $1.key }) {
            counts.add(kind, count)
        }
        object.add("counts", counts)
        let isOfPhotos = state.meter.unit == .photos
        object.add(
            "total",
            isOfPhotos ? state.meter.total : max(state.files.count, state.meter.total)
        )
        object.add("done", isOfPhotos ? state.meter.done : state.report.total)
        state.meter.add(to: &object, isOver: state.stage == .done)
        object.add("dryRun", choices.isDryRun)
        object.add("message", state.message)
        return object
    }

    /// Indicates whether the import is a dry run, which changes nothing.
    var isDryRun: Bool { choices.isDryRun }

    /// Returns the request that would start the same import.
    ///
    /// It is nil for uploaded files and for other browser sessions, since the path may be that of a
    /// photo that was hidden meanwhile.
    func request(for reader: String) -> JSONObject? {
        folder == nil && reader == owner ? choices.json : nil
    }

    /// Indicates whether a browser session started the import.
    func isOwned(by reader: String) -> Bool { reader == owner }

    /// The report with the outcomes of all files.
    var report: ImportReport { state.withLock { $0.report } }

    private static func json(_ file: File, _ number: Int) -> JSONObject {
        var object = JSONObject()
        object.add("file", number)
        object.add("path", file.path)
        object.add("size", file.size)
        object.add("offset", file.offset)
        object.add("outcome", file.outcome)
        object.add("reason", file.reason)
        object.add("id", file.asset)
        if !file.contents.isEmpty { object.add("contents", ImportReport.object(file.contents)) }
        return object
    }
}
