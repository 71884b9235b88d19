internal import Foundation
internal import Glibc
internal import LibraryService
internal import Logging
internal import PhotoModel
internal import RemoteLibrary

/// The work of a `WatchRunner`, on its thread.
final class WatchWork {
    private static let filesPerBatch = 32
    private static let bytesPerBatch: Int64 = 256 << 20
    /// The pause after the library could not be changed, and while work is paused.
    private static let failurePause = Duration.seconds(30)
    private static let paused = Duration.milliseconds(500)
    /// The interval at which counts are written to the list.
    private static let noteInterval = Duration.seconds(5)

    private let runner: WatchRunner
    private var events = FolderEvents()
    private var candidates: WatchCandidates
    /// The watch folders by a number that is not used again.
    private var roots: [Int: WatchRoot] = [:]
    private var lastKey = 0
    private var session: Int64?
    /// The mount points below the watch folders.
    private var mounts: Set<String> = []
    private var nextLook = SuspendingClock.now
    private var nextNote = SuspendingClock.now
    private var isPaused = false
    private var failedUntil: SuspendingClock.Instant?

    init(_ runner: WatchRunner) {
        self.runner = runner
        candidates = WatchCandidates(stability: runner.configuration.stability)
    }

    var eventDescriptor: Int32? { events?.number }

    /// The time at which the next step has something to do, unless an event comes first.
    var nextTime: SuspendingClock.Instant {
        var times = [nextLook] + roots.values.compactMap(\.nextScan)
        if let due = candidates.nextDue {
            times.append(max(due, failedUntil ?? due, isPaused ? .now + Self.paused : due))
        }
        if roots.values.contains(where: \.isChanged) { times.append(nextNote) }
        return times.min() ?? nextLook
    }

    /// Does what is due, and imports at most one batch.
    ///
    /// - Throws: When the library cannot be used any more.
    func step() throws(LibraryError) {
        adoptFolders()
        if nextLook <= .now { look() }
        readEvents()
        scanDue()
        try importDue()
        if candidates.count == 0 { endSession() }
        noteCounts(always: false)
        report()
    }

    /// Writes the counts, and ends the import session.
    func end() {
        endSession()
        noteCounts(always: true)
    }

    // MARK: - Folders

    private func adoptFolders() {
        let folders = runner.monitor.withLock(\.folders)
        let wanted = Set(folders.map(\.identifier))
        for (key, root) in roots where !wanted.contains(root.folder.identifier) {
            leave(key)
            roots[key] = nil
        }
        let known = Set(roots.values.map(\.folder.identifier))
        for folder in folders where !known.contains(folder.identifier) {
            lastKey += 1
            roots[lastKey] = WatchRoot(folder, ledgers: runner.list.ledgers)
            nextLook = .now
        }
    }

    /// Notices folders that are gone or back, and volumes that were mounted.
    private func look() {
        nextLook = .now + runner.configuration.look
        let present = mountPoints()
        let areMountsNew = present != mounts
        mounts = present
        for key in roots.keys.sorted() {
            guard var root = roots[key] else { continue }
            let identity = root.look()
            if identity != root.identity {
                leave(key)
                root.identity = identity
                root.nextScan = identity == nil ? nil : .now
            } else if areMountsNew, identity != nil {
                root.nextScan = .now
            }
            roots[key] = root
        }
    }

    /// Returns the mount points below the watch folders, of which there are no events.
    private func mountPoints() -> Set<String> {
        let table = (try? String(contentsOfFile: "/proc/self/mountinfo", encoding: .utf8)) ?? ""
        let folders = roots.values.map { $0.folder.path + "/" }
        let points = table.split(separator: "\n").compactMap { line -> String? in
            let words = line.split(separator: " ", maxSplits: 5)
            return words.count > 4 ? String(words[4]) : nil
        }
        return Set(points.filter { point in folders.contains { point.hasPrefix($0) } })
    }

    /// Forgets the files of a watch folder, and no longer watches it.
    private func leave(_ key: Int) {
        guard let root = roots[key] else { return }
        events?.forget(root.path)
        candidates.forgetAll(in: key)
    }

    private func scanDue() {
        for key in roots.keys.sorted() {
            guard let root = roots[key], let time = root.nextScan, time <= .now else { continue }
            set(root.folder.identifier, .scanning)
            roots[key]?.nextScan = nil
            events?.beginAgain()
            scan(root.path, key, isRoot: true)
            if events?.isIncomplete != false || root.isRemote {
                roots[key]?.nextScan = .now + runner.configuration.rescan
            }
        }
    }

    private func scan(_ path: [UInt8], _ key: Int, isRoot: Bool) {
        let scanner = WatchScanner { [self] folder, path in
            events?.watch(folder, path: path)
            return !runner.isStopping
        } find: { [self] file in
            see(file, key, isInPlace: false)
        }
        scanner.scan(path, isRoot: isRoot)
    }

    private func see(_ file: SourceFile, _ key: Int, isInPlace: Bool) {
        guard roots[key]?.ledger.contains(file) == false else {
            return candidates.forget(file.path)
        }
        candidates.see(file, in: key, isInPlace: isInPlace, at: .now)
    }

    // MARK: - Events

    private func readEvents() {
        for event in events?.read() ?? [] {
            switch event {
            case .overflow:
                runner.logger.debug("Events of watch folders were lost.")
                // When the burst is probably over.
                let time = SuspendingClock.now + runner.configuration.stability
                for (key, root) in roots where root.identity != nil {
                    roots[key]?.nextScan = min(root.nextScan ?? time, time)
                }
            case .gone(let path, let isFolder):
                candidates.forget(path)
                guard isFolder else { continue }
                candidates.forgetAll(below: path)
                events?.forget(path)
                nextLook = .now
            case .folder(let path):
                if let key = key(of: path) { scan(path, key, isRoot: false) }
            case .file(let path, let isInPlace):
                guard let key = key(of: path) else { continue }
                let name = Array(path[((path.lastIndex(of: UInt8(ascii: "/")) ?? -1) + 1)...])
                guard !WatchScanner.isSkipped(name), !WatchScanner.isTemporary(name) else {
                    continue
                }
                var status = stat()
                guard path.withCString({ lstat($0, &status) }) == 0,
                    status.st_mode & S_IFMT == S_IFREG
                else { continue }
                see(SourceFile(path: path, status: status), key, isInPlace: isInPlace)
            }
        }
    }

    private func key(of path: [UInt8]) -> Int? {
        roots.first { path.starts(with: $0.value.path + [UInt8(ascii: "/")]) }?.key
    }

    // MARK: - Importing

    private func importDue() throws(LibraryError) {
        if let failedUntil, failedUntil > .now { return }
        failedUntil = nil
        guard let due = candidates.nextDue, due <= .now else {
            isPaused = false
            return
        }
        isPaused = !runner.mayWork()
        guard !isPaused else { return }
        var batch = candidates.takeDue(at: .now, limit: Self.filesPerBatch)[...]
        while let first = batch.first, !runner.isStopping {
            var bytes: Int64 = 0
            let part = batch.prefix { entry in
                defer { bytes = bytes.addingSaturated(entry.file.size) }
                return bytes == 0 || bytes.addingSaturated(entry.file.size) <= Self.bytesPerBatch
            }
            batch = batch.dropFirst(part.count)
            do throws(LibraryError) {
                try importFiles(part.map(\.file), first.folder)
            } catch {
                for entry in part {
                    candidates.postpone(entry.file.path, to: .now + Self.failurePause)
                }
                try wait(after: error)
            }
        }
    }

    private func importFiles(_ files: [SourceFile], _ key: Int) throws(LibraryError) {
        guard let root = roots[key] else { return }
        var folder = root.folder
        let importer = WatchImporter(
            service: runner.service,
            session: try importSession(),
            root: root.path
        )
        let verdicts = try importer.importFiles(files)
        var assets: [String] = []
        var settled: [(file: SourceFile, outcome: WatchLedger.Outcome)] = []
        for (file, verdict) in zip(files, verdicts) {
            switch verdict {
            case .done(let asset, let isNew):
                if let asset, !assets.contains(asset) { assets.append(asset) }
                if isNew { folder.imported += 1 }
                settled.append((file, .done))
            case .failed(let reason):
                runner.logger.info(
                    "A file of a watch folder was not imported.",
                    metadata: [
                        "watch.path": runner.logger.hidden(file.text),
                        "watch.reason": runner.logger.hidden(reason),
                    ]
                )
                settled.append((file, .failed))
            case .changed(let present):
                candidates.forget(file.path)
                candidates.see(present, in: key, isInPlace: false, at: .now)
            case .gone: candidates.forget(file.path)
            }
        }
        try WatchAlbum(service: runner.service).add(assets, of: &folder)
        if folder.imported > root.folder.imported {
            folder.lastImport = Date().timeIntervalSince1970
        }
        for (file, _) in settled { candidates.forget(file.path) }
        do {
            try roots[key]?.ledger.add(settled)
        } catch {
            throw error.libraryError("The ledger of a watch folder cannot be written.")
        }
        folder.failed = roots[key]?.ledger.failedCount ?? folder.failed
        let isChanged = folder != root.folder
        roots[key]?.folder = folder
        if isChanged { roots[key]?.isChanged = true }
        runner.monitor.update { $0.lastRun = Date().timeIntervalSince1970 }
    }

    /// Waits before the next batch, unless the library cannot be used any more.
    private func wait(after error: LibraryError) throws(LibraryError) {
        let isLasting = [
            .libraryMissing, .volumeMissing, .readOnly, .corrupt, .internalError, .newerFormat,
        ].contains(error.code)
        runner.logger.log(
            level: error.code == .busy ? .debug : .warning,
            "Files of a watch folder could not be imported and will be tried again.",
            metadata: [
                "watch.code": "\(error.code.rawValue)",
                "watch.error": runner.logger.hidden("\(error)"),
            ]
        )
        session = nil
        if isLasting { throw error }
        failedUntil = .now + Self.failurePause
    }

    private func importSession() throws(LibraryError) -> Int64 {
        if let session { return session }
        let number = try runner.service.beginImport(ImportSessionRequest()).session
        session = number
        return number
    }

    private func endSession() {
        guard let number = session else { return }
        session = nil
        try? runner.service.endImport(ImportEndRequest(session: number))
    }

    // MARK: - State

    /// Writes the counts of the folders to the list.
    private func noteCounts(always: Bool) {
        guard always || nextNote <= .now || candidates.count == 0 else { return }
        nextNote = .now + Self.noteInterval
        for (key, root) in roots where root.isChanged {
            let folder = root.folder
            do throws(LibraryError) {
                try runner.list.update(folder.identifier, of: runner.library) { $0 = folder }
                roots[key]?.isChanged = false
            } catch {
                runner.logger.warning(
                    "The list of watch folders could not be updated.",
                    metadata: ["watch.error": runner.logger.hidden("\(error)")]
                )
            }
        }
    }

    private func report() {
        let waiting = candidates.folders
        var states: [UUID: WatchRunner.FolderState] = [:]
        for (key, root) in roots {
            states[root.folder.identifier] =
                if root.identity == nil {
                    .missing
                } else if waiting.contains(key) {
                    isPaused || failedUntil != nil ? .paused : .scanning
                } else {
                    .watching
                }
        }
        runner.monitor.update { $0.states = states }
    }

    private func set(_ folder: UUID, _ state: WatchRunner.FolderState) {
        runner.monitor.update { $0.states[folder] = state }
    }
}

extension Logger {
    /// Returns a value that may name a person or a place, unless this logger does not record the
    /// debug level.
    fileprivate func hidden(_ value: @autoclosure () -> String) -> MetadataValue {
        logLevel <= .debug ? "\(value())" : "<private>"
    }
}
