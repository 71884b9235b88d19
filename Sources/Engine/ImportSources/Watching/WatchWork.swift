internal import Foundation
internal import Glibc
internal import LibraryService
internal import Logging
internal import PhotoModel
internal import RemoteLibrary

/// The work of a `WatchRunner`, on its thread.
final class WatchWork {
    /// The interval at which paused work checks its conditions again.
    private static let paused = Duration.milliseconds(500)
    /// The interval between updates of the counts in the list of watch folders.
    private static let noteInterval = Duration.seconds(5)

    let runner: WatchRunner
    private var events: FolderEvents?
    var candidates: WatchCandidates
    /// The watch folders, by a number that is never reused.
    var roots: [Int: WatchRoot] = [:]
    private var lastKey = 0
    /// The import session; nil before the first file.
    var session: Int64?
    /// The mount points below the watch folders.
    private var mounts: Set<[UInt8]> = []
    private var nextLook: SuspendingClock.Instant
    private var nextNote: SuspendingClock.Instant
    var isPaused = false
    /// The time of the next import attempt after a failed one; nil if the last attempt did not
    /// fail.
    var failedUntil: SuspendingClock.Instant?
    /// Opens a file to import; tests replace this closure.
    var openFile: (_ path: [UInt8], _ flags: Int32) -> Int32 = WatchImporter.systemOpen

    /// Creates the work of a runner.
    ///
    /// - Parameters:
    ///   - runner: The runner.
    ///   - events: The events of the folders; nil to scan them now and then instead.
    init(_ runner: WatchRunner, events: FolderEvents? = FolderEvents()) {
        self.runner = runner
        self.events = events
        nextLook = runner.configuration.now()
        nextNote = nextLook
        candidates = WatchCandidates(stability: runner.configuration.stability)
    }

    /// The present time.
    var now: SuspendingClock.Instant { runner.configuration.now() }

    var eventDescriptor: Int32? { events?.number }

    /// The time at which the next step is due unless an event arrives earlier.
    var nextTime: SuspendingClock.Instant {
        var times = [nextLook] + roots.values.compactMap(\.nextScan)
        if let due = candidates.nextDue {
            times.append(max(due, failedUntil ?? due, isPaused ? now + Self.paused : due))
        }
        if roots.values.contains(where: \.isChanged) { times.append(nextNote) }
        return times.min() ?? nextLook
    }

    /// Performs the tasks that are due, and imports at most one batch.
    ///
    /// - Throws: When the library cannot be used any more.
    func step() throws(LibraryError) {
        try adoptFolders()
        if nextLook <= now { look() }
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

    private func adoptFolders() throws(LibraryError) {
        let folders = runner.monitor.withLock(\.folders)
        let wanted = Set(folders.map(\.identifier))
        for (key, root) in roots where !wanted.contains(root.folder.identifier) {
            leave(key)
            roots[key] = nil
        }
        let known = Set(roots.values.map(\.folder.identifier))
        for folder in folders where !known.contains(folder.identifier) {
            var root = WatchRoot(folder, ledgers: runner.list.ledgers)
            try root.ledger.adapt(to: runner.service)
            lastKey += 1
            roots[lastKey] = root
            nextLook = now
        }
    }

    /// Detects folders that disappeared or reappeared, and volumes that were mounted.
    private func look() {
        nextLook = now + runner.configuration.look
        let present = mountPoints() ?? mounts
        let areMountsNew = present != mounts
        mounts = present
        for key in roots.keys.sorted() {
            guard var root = roots[key] else { continue }
            let identity = root.look()
            if identity != root.identity {
                leave(key)
                root.identity = identity
                root.nextScan = identity == nil ? nil : now
            } else if areMountsNew, identity != nil {
                root.nextScan = now
            }
            roots[key] = root
        }
    }

    /// Returns the mount points below the watch folders; nil if they are unknown at present.
    ///
    /// inotify does not report mounts.
    private func mountPoints() -> Set<[UInt8]>? {
        guard let table = try? MountTable.current() else { return nil }
        let folders = roots.values.map { $0.path + [UInt8(ascii: "/")] }
        return Set(
            table.mounts.map(\.point).filter { point in
                folders.contains { point.starts(with: $0) }
            }
        )
    }

    /// Stops watching a folder and drops its waiting files.
    private func leave(_ key: Int) {
        guard let root = roots[key] else { return }
        events?.forget(root.path)
        candidates.forgetAll(in: key)
    }

    private func scanDue() {
        for key in roots.keys.sorted() {
            guard let root = roots[key], let time = root.nextScan, time <= now else { continue }
            set(root.folder.identifier, .scanning)
            roots[key]?.nextScan = nil
            events?.beginAgain()
            roots[key]?.isIncomplete = false
            scan(root.path, key, isRoot: true)
            // A waiting file may be one that could not be read before.
            if roots[key]?.isIncomplete == false, !candidates.folders.contains(key) {
                roots[key]?.reportedFailures = []
            }
        }
    }

    private func scan(_ path: [UInt8], _ key: Int, isRoot: Bool) {
        var failures: [SystemError] = []
        let scanner = WatchScanner { [self] folder, path in
            events?.watch(folder, path: path)
            return !runner.isStopping
        } find: { [self] file in
            see(file, key, isInPlace: false)
        } fail: {
            failures.append($0)
        }
        scanner.scan(path, isRoot: isRoot)
        if events?.isIncomplete != false || roots[key]?.isRemote == true {
            planScan(of: key, in: runner.configuration.rescan)
        }
        note(failures, of: key)
    }

    /// Logs the failures of a scan or an import to read files or folders, and schedules another
    /// scan.
    func note(_ failures: [SystemError], of key: Int) {
        guard let first = failures.first else { return }
        let isLasting = failures.allSatisfy { [EACCES, EPERM, ENAMETOOLONG].contains($0.number) }
        let times = runner.configuration
        planScan(of: key, in: isLasting ? times.rescan : times.retry)
        roots[key]?.isIncomplete = true
        let isKnown = roots[key]?.reportedFailures.insert(first).inserted == false
        runner.logger.log(
            level: isKnown ? .debug : .warning,
            "A part of a watch folder cannot be read and will be tried again.",
            metadata: [
                "watch.path": runner.logger.hidden(first.path ?? ""),
                "watch.error": "\(first.reason)", "watch.failures": "\(failures.count)",
            ]
        )
    }

    /// Schedules a scan of a watch folder, unless an earlier one is already scheduled.
    private func planScan(of key: Int, in time: Duration) {
        guard let root = roots[key] else { return }
        roots[key]?.nextScan = min(root.nextScan ?? now + time, now + time)
    }

    private func see(_ file: SourceFile, _ key: Int, isInPlace: Bool) {
        guard roots[key]?.ledger.contains(file) == false else {
            return candidates.forget(file.path)
        }
        candidates.see(file, in: key, isInPlace: isInPlace, at: now)
    }

    // MARK: - Events

    private func readEvents() {
        for event in events?.read() ?? [] {
            switch event {
            case .overflow:
                runner.logger.debug("Events of watch folders were lost.")
                // When the burst is probably over.
                for (key, root) in roots where root.identity != nil {
                    planScan(of: key, in: runner.configuration.stability)
                }
            case .gone(let path, let isFolder):
                candidates.forget(path)
                if isFolder { forgetFolder(path) }
            case .unwatched(let path):
                if events?.isWatching(path) != true { forgetFolder(path) }
            case .folder(let path):
                if let key = key(of: path) { scan(path, key, isRoot: false) }
            case .file(let path, let isInPlace):
                guard let key = key(of: path) else { continue }
                let name = path.lastComponent
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

    /// Stops watching a folder that is gone and drops its waiting files.
    private func forgetFolder(_ path: [UInt8]) {
        candidates.forgetAll(below: path)
        events?.forget(path)
        // A folder that replaces a watch folder may have the same inode number.
        let prefix = path + [UInt8(ascii: "/")]
        for (key, root) in roots where root.path == path || root.path.starts(with: prefix) {
            roots[key]?.identity = nil
            roots[key]?.nextScan = nil
        }
        nextLook = now
    }

    private func key(of path: [UInt8]) -> Int? {
        roots.first { path.starts(with: $0.value.path + [UInt8(ascii: "/")]) }?.key
    }

    // MARK: - State

    /// Saves the changed folders with their counts to the list of watch folders.
    private func noteCounts(always: Bool) {
        guard always || nextNote <= now || candidates.count == 0 else { return }
        nextNote = now + Self.noteInterval
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
                    root.isIncomplete ? .scanning : .watching
                }
        }
        runner.monitor.update { $0.states = states }
    }

    private func set(_ folder: UUID, _ state: WatchRunner.FolderState) {
        runner.monitor.update { $0.states[folder] = state }
    }
}

extension Logger {
    /// Returns the given private value if the logger records the debug level, and a placeholder
    /// otherwise.
    ///
    /// A private value may name a person or a place.
    func hidden(_ value: @autoclosure () -> String) -> MetadataValue {
        logLevel <= .debug ? "\(value())" : "\(LogText.removed)"
    }
}
