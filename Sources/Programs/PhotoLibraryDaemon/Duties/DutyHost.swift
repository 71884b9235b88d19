internal import DaemonCore
internal import EmbeddedLibrary
internal import Foundation
internal import Glibc
internal import ImportSources
internal import LibraryService
internal import Logging
internal import PhotoModel
internal import RemoteLibrary

/// Opens libraries on a thread of its own, so that background work does not depend on clients.
///
/// Libraries with watch folders stay open. The standard library is opened once an hour. The thread
/// watches the list of watch folders, so that its changes take effect at once. A library that
/// cannot be opened, such as one whose volume is not mounted, is tried again.
final class DutyHost: Sendable {
    private struct Watched {
        var runner: WatchRunner
        var entry: EngineTable.Entry
        var path: String
        var folders: [WatchFolder]
    }

    private struct State {
        var isStopping = false
        var hasEnded = true
        var watched: [String: Watched] = [:]
        var hasFolders = false
        var isListUnreadable = false
    }

    private static let retryInterval = Duration.seconds(30)
    private static let visitInterval = Duration.seconds(3_600)
    /// The maximum time for which the standard library is kept open for background work.
    ///
    /// It is reached, for example, if another process has the duty lock.
    private static let visitLimit = Duration.seconds(600)
    /// The delay from the daemon's start until the daemon first opens the standard library without
    /// a client.
    private static let firstVisit = Duration.seconds(60)

    private let engines: EngineTable
    private let conditions: DutyConditions
    private let standardLibrary: String
    private let list: WatchFolderList
    private let times: WatchRunner.Configuration
    private let logger = Logger(label: "photos.watch")
    private let monitor = Monitor(State())
    private let wakeup: Wakeup?

    init(
        _ engines: EngineTable,
        conditions: DutyConditions,
        standardLibrary: String,
        list: WatchFolderList = .standard,
        times: WatchRunner.Configuration = WatchRunner.Configuration()
    ) {
        self.engines = engines
        self.conditions = conditions
        self.standardLibrary = standardLibrary
        self.list = list
        self.times = times
        wakeup = Wakeup()
    }

    /// Indicates whether watch folders exist.
    ///
    /// The daemon then has to keep running.
    var hasFolders: Bool { monitor.withLock(\.hasFolders) }

    /// The states of the watch folders, by folder identifier.
    var states: [String: String] {
        var states: [String: String] = [:]
        for watched in monitor.withLock(\.watched).values {
            for (folder, state) in watched.runner.states {
                states[folder.uuidString] = state.rawValue
            }
        }
        return states
    }

    /// The combined state of all imports from watch folders; nil if there are no watch folders.
    var duty: DutyState? {
        monitor.withLock { state in
            guard state.hasFolders else { return nil }
            let runners = state.watched.values.map(\.runner)
            let states = runners.flatMap { $0.states.values }
            return DutyState(
                activity: states.contains(.scanning)
                    ? .running : states.contains(.paused) ? .paused : .idle,
                lastRun: runners.compactMap(\.lastRun).max()
            )
        }
    }

    /// Starts the thread that opens libraries.
    ///
    /// - Returns: False if the system has reached its limit of threads.
    func start() -> Bool {
        adoptList()
        monitor.update { $0.hasEnded = false }
        return NamedThread.start("photos-host") { [self] in
            run()
            monitor.update { $0.hasEnded = true }
        }
    }

    /// Stops the thread and the imports from watch folders, and waits until they have ended.
    ///
    /// Each import finishes its current file.
    func stop() {
        monitor.update { $0.isStopping = true }
        wakeup?.signal()
        for watched in monitor.withLock(\.watched).values { watched.runner.requestStop() }
        _ = monitor.wait { $0.hasEnded ? true : nil }
    }

    // MARK: - The thread

    private func run() {
        // Where no program of this user has written yet, the list would not be watched.
        try? FileManager.default.createDirectory(
            atPath: list.folder,
            withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700]
        )
        let events = inotify_init1(Int32(IN_NONBLOCK | IN_CLOEXEC))
        defer { if events >= 0 { close(events) } }
        if events >= 0 {
            // The list is replaced by a rename.
            inotify_add_watch(events, list.folder, UInt32(IN_MOVED_TO | IN_DELETE | IN_ONLYDIR))
        }
        var visit = SuspendingClock.now + Self.firstVisit
        var visited: EngineTable.Entry?
        while !monitor.withLock(\.isStopping) {
            let next = adoptList()
            let isOver = visit - Self.visitInterval + Self.visitLimit <= .now
            if let entry = visited, isOver || !entry.duties.isBusy {
                engines.release(standardLibrary, entry)
                visited = nil
            } else if visited == nil, visit <= .now {
                // Without a library there is nothing to do.
                visited = try? engines.use(standardLibrary)
                visit = .now + Self.visitInterval
            }
            let pause = visited == nil ? min(next, visit - SuspendingClock.now) : .seconds(1)
            wait(for: pause, events)
        }
        if let visited { engines.release(standardLibrary, visited) }
        for library in monitor.withLock(\.watched).keys { end(library) }
    }

    private func wait(for pause: Duration, _ events: Int32) {
        var entries = [wakeup?.number ?? -1, events].map {
            pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
        }
        let milliseconds = Int(pause / .milliseconds(1))
        _ = poll(&entries, 2, Int32(clamping: min(max(1, milliseconds), 3_600_000)))
        var buffer = [UInt8](repeating: 0, count: 4_096)
        if events >= 0 { while read(events, &buffer, buffer.count) > 0 {} }
        wakeup?.reset()
    }

    /// Opens the libraries that have watch folders, and closes those that no longer have any.
    ///
    /// A library is also closed if its imports failed, if it was replaced, if the daemon cannot
    /// write to it, or if it is at the listed path but was opened at another one.
    ///
    /// - Returns: The time after which to call this again.
    @discardableResult
    private func adoptList() -> Duration {
        let libraries: [String: WatchedLibrary]
        do throws(LibraryError) {
            libraries = try list.libraries()
        } catch {
            let isKnown = monitor.update { state in
                defer { state.isListUnreadable = true }
                return state.isListUnreadable
            }
            guard !isKnown else { return Self.retryInterval }
            logger.error(
                "The list of watch folders cannot be read.",
                metadata: ["watch.code": "\(error.code.rawValue)", "watch.file": "\(list.file)"]
            )
            return Self.retryInterval
        }
        monitor.update { state in
            state.hasFolders = !libraries.isEmpty
            state.isListUnreadable = false
        }
        guard !monitor.withLock(\.hasEnded) else { return .zero }
        var next = Duration.seconds(3_600)
        for (library, watched) in monitor.withLock(\.watched) {
            let isLost = watched.runner.failure != nil || !watched.entry.engine.isShareable
            if let wanted = libraries[library], !isLost,
                wanted.path == watched.path || !isPresent(library, at: wanted.path)
            {
                continue
            }
            end(library)
        }
        for (library, wanted) in libraries {
            if let watched = monitor.withLock({ $0.watched[library] }) {
                // A library that disappears is noticed now and then.
                next = min(next, Self.retryInterval)
                guard watched.folders.map(\.identifier) != wanted.folders.map(\.identifier) else {
                    continue
                }
                watched.runner.setFolders(wanted.folders)
                monitor.update { $0.watched[library]?.folders = wanted.folders }
            } else if !begin(library, wanted) {
                next = min(next, Self.retryInterval)
            }
        }
        return next
    }

    // MARK: - Libraries

    /// Opens a library and begins to watch its watch folders.
    ///
    /// - Returns: False if that is not possible at present.
    private func begin(_ library: String, _ wanted: WatchedLibrary) -> Bool {
        do throws(LibraryError) {
            let place = place(of: library, listed: wanted.path)
            let entry = try engines.use(place)
            do throws(LibraryError) {
                guard entry.library == library, entry.engine.isShareable else {
                    throw LibraryError(
                        .libraryMissing,
                        "The library with watch folders is not at \(wanted.path).",
                        reason: "Another library is there, or it cannot be written to.",
                        recovery: "Add a watch folder with the library's present path."
                    )
                }
                let client = ClientIdentity(author: "watch-folder", requester: "watch-folder")
                let runner = WatchRunner(
                    library: library,
                    folders: wanted.folders,
                    service: try entry.engine.session(for: client),
                    list: list,
                    configuration: times,
                    logger: logger
                ) { [conditions] in
                    entry.duties.holdsLock && conditions.obstacle() == nil
                }
                runner.start()
                if place != wanted.path { keep(place, of: library) }
                monitor.update { state in
                    state.watched[library] = Watched(
                        runner: runner,
                        entry: entry,
                        path: place,
                        folders: wanted.folders
                    )
                }
            } catch {
                engines.release(place, entry)
                throw error
            }
            return true
        } catch {
            logger.debug(
                "The library of watch folders cannot be opened and will be tried again.",
                metadata: ["watch.code": "\(error.code.rawValue)"]
            )
            return false
        }
    }

    /// Returns the path at which to open a library.
    ///
    /// It is the listed path, unless the library was moved from there and a client has it open at
    /// another one. Copies have the identifier of their library, so no other path is used while
    /// anything is at the listed one, or while its volume may not be mounted.
    private func place(of library: String, listed path: String) -> String {
        var status = stat()
        guard lstat(path, &status) != 0, errno == ENOENT else { return path }
        // An empty folder may be a mount point without its volume.
        let parent = (path as NSString).deletingLastPathComponent
        let siblings = (try? FileManager.default.contentsOfDirectory(atPath: parent)) ?? []
        guard !siblings.isEmpty else { return path }
        return engines.entries.first { $0.key != path && $0.value.library == library }?.key ?? path
    }

    /// Returns whether a library is at a path.
    private func isPresent(_ library: String, at path: String) -> Bool {
        if let entry = engines.entries[path] {
            return entry.library == library && entry.engine.isShareable
        }
        return (try? EmbeddedLibrary.libraryUUID(at: path)) == library
    }

    /// Stores the new path of a moved library in the list of watch folders.
    private func keep(_ path: String, of library: String) {
        do throws(LibraryError) {
            try list.change { libraries in libraries[library]?.path = path }
        } catch {
            logger.warning(
                "The new path of a library with watch folders could not be stored.",
                metadata: ["watch.code": "\(error.code.rawValue)"]
            )
        }
    }

    private func end(_ library: String) {
        guard let watched = monitor.withLock({ $0.watched[library] }) else { return }
        watched.runner.stop()
        monitor.update { $0.watched[library] = nil }
        engines.release(watched.path, watched.entry)
    }
}
