internal import DaemonCore
internal import EmbeddedLibrary
internal import LibraryService
internal import PhotoModel
internal import RemoteLibrary

/// The open libraries of a daemon, one engine for each path.
///
///     absent ──first client──▶ opening ──▶ in use ──last session──▶ idle ──a minute──▶ absent
///                                 │          ▲                       │
///                              failed        └──────next client──────┘
///
/// 1. A library is opened by one thread; clients that request the same library meanwhile wait.
/// 2. An engine whose library was replaced, or that cannot write, continues to serve its present
///    clients. The next client gets a new engine.
/// 3. A library stays open while work on its database is in progress.
/// 4. At most `idleLimit` engines are kept without a session, each for at most `idleTime`.
final class EngineTable: Sendable {
    /// An open library.
    final class Entry: Sendable {
        let engine: LibraryEngine
        /// The unique identifier of the library.
        let library: String
        let answers: EngineAnswers
        /// The background work of the library.
        let duties: DutyRunner
        /// The provider of the library's files for programs that must not be able to change the
        /// files.
        let readOnlyFiles: ReadOnlyFiles

        fileprivate init(
            _ engine: LibraryEngine,
            at path: String,
            _ conditions: DutyConditions,
            _ noteWork: @escaping @Sendable () -> Void
        ) throws(LibraryError) {
            self.engine = engine
            readOnlyFiles = ReadOnlyFiles(of: path)
            duties = DutyRunner(engine, conditions: conditions, noteWork: noteWork)
            answers = EngineAnswers(engine)
            library = try engine.libraryUUID()
        }

        /// Stops the background work, and closes the library once its last session has ended.
        func close() {
            duties.stop()
            engine.close()
        }
    }

    private struct Place {
        /// The open library; nil while it is being opened.
        var entry: Entry?
        /// The number of calls of `use` without a matching call of `release`.
        var users = 0
        /// The time since which the library has been unused; nil while it is in use.
        var idleSince: SuspendingClock.Instant?
    }

    private struct State {
        var places: [String: Place] = [:]
        var isClosed = false
    }

    private struct Idle {
        var path: String
        var entry: Entry
        var since: SuspendingClock.Instant
    }

    private let configuration: EmbeddedLibrary.Configuration
    private let conditions: DutyConditions
    private let noteWork: @Sendable () -> Void
    private let idleTime: Duration
    private let idleLimit: Int
    private let monitor = Monitor(State())

    /// Creates an empty table.
    ///
    /// - Parameters:
    ///   - configuration: The environment of the libraries.
    ///   - conditions: The conditions under which background work pauses.
    ///   - idleTime: The time for which an engine is kept without a session.
    ///   - idleLimit: The number of engines that are kept without a session.
    ///   - noteWork: Called after work in the background.
    init(
        _ configuration: EmbeddedLibrary.Configuration,
        conditions: DutyConditions = DutyConditions(),
        idleTime: Duration = .seconds(60),
        idleLimit: Int = 8,
        noteWork: @escaping @Sendable () -> Void = {}
    ) {
        var configuration = configuration
        configuration.dutyHost = { conditions.obstacle() == nil }
        self.configuration = configuration
        self.conditions = conditions
        self.noteWork = noteWork
        self.idleTime = idleTime
        self.idleLimit = idleLimit
    }

    /// Starts the thread that closes idle engines until `close` is called.
    ///
    /// - Returns: False if the system has reached its limit of threads.
    func start() -> Bool {
        NamedThread.start("photos-engines") { [self] in
            while true {
                let (idle, isClosed) = nextIdle()
                for entry in idle { entry.close() }
                if isClosed { return }
            }
        }
    }

    /// Performs work with the library at a path, and opens the library first if necessary.
    ///
    /// - Parameters:
    ///   - path: The library's folder.
    ///   - body: The work, which may open a session. The engine is not closed meanwhile.
    /// - Returns: The result of the work.
    /// - Throws: The reason why the library cannot be opened, and the error of the work.
    func withEngine<Result>(
        at path: String,
        _ body: (Entry) throws(LibraryError) -> Result
    ) throws(LibraryError) -> Result {
        let entry = try use(path)
        defer { release(path, entry) }
        return try body(entry)
    }

    /// Closes each engine after its last session, and stops the thread that closes idle engines.
    func close() {
        let entries = monitor.update { state in
            state.isClosed = true
            defer { state.places = [:] }
            return state.places.values.compactMap(\.entry)
        }
        for entry in entries { entry.duties.requestStop() }
        for entry in entries { entry.close() }
    }

    /// The open libraries by path.
    var entries: [String: Entry] { monitor.withLock { $0.places.compactMapValues(\.entry) } }

    /// Indicates whether work on the database of an open library is in progress.
    var hasPendingDuties: Bool { entries.values.contains(where: \.duties.isPending) }

    /// Releases the memory of the caches of open libraries.
    ///
    /// - Returns: False if background work is in progress, so that there will be more memory to
    ///   release afterward.
    func releaseMemory() -> Bool {
        let entries = entries.values
        for entry in entries { entry.engine.releaseMemory() }
        return !entries.contains(where: \.duties.isActive)
    }

    // MARK: - Using an engine

    /// Returns the library at a path, and keeps it open until `release` is called.
    ///
    /// The library is opened first if necessary.
    ///
    /// - Parameter path: The library's folder.
    /// - Returns: The library, for which `release` has to be called once.
    /// - Throws: The reason why it cannot be opened.
    func use(_ path: String) throws(LibraryError) -> Entry {
        while true {
            // The entry, or an empty list for the thread that opens it.
            let found = monitor.wait { state -> [Entry]? in
                guard let place = state.places[path] else {
                    state.places[path] = Place()
                    return []
                }
                guard let entry = place.entry else { return nil }
                state.places[path]?.users += 1
                state.places[path]?.idleSince = nil
                return [entry]
            }
            guard let entry = found?.first else { return try open(path) }
            if entry.engine.isShareable { return entry }
            forget(path, entry)
        }
    }

    private func open(_ path: String) throws(LibraryError) -> Entry {
        do throws(LibraryError) {
            let engine = try LibraryEngine.open(at: path, configuration: configuration)
            let entry: Entry
            do throws(LibraryError) {
                entry = try Entry(engine, at: path, conditions, noteWork)
            } catch {
                engine.close()
                throw error
            }
            engine.whenUnused { [weak self, weak entry] in
                if let entry { self?.noteUnused(path, entry) }
            }
            monitor.update { $0.places[path] = Place(entry: entry, users: 1) }
            entry.duties.start()
            return entry
        } catch {
            monitor.update { $0.places[path] = nil }
            throw error
        }
    }

    /// Releases a library that `use` returned.
    func release(_ path: String, _ entry: Entry) {
        let isShareable = entry.engine.isShareable
        monitor.update { state in
            guard state.places[path]?.entry === entry else { return }
            state.places[path]?.users -= 1
        }
        noteUnused(path, entry)
        if !isShareable { forget(path, entry) }
    }

    /// Records that an engine is idle from now on, unless it is in use or has sessions.
    private func noteUnused(_ path: String, _ entry: Entry) {
        monitor.update { state in
            guard let place = state.places[path], place.entry === entry, place.users == 0,
                entry.engine.sessionCount == 0
            else { return }
            state.places[path]?.idleSince = .now
        }
    }

    /// Removes an engine from the table, and closes the engine once its last session has ended.
    private func forget(_ path: String, _ entry: Entry) {
        monitor.update { state in
            if state.places[path]?.entry === entry { state.places[path] = nil }
        }
        // A client does not wait for the end of the work.
        entry.duties.requestStop()
        if !NamedThread.start("photos-closing", { entry.close() }) { entry.close() }
    }

    // MARK: - Idle engines

    /// Waits until engines must be closed, and removes these engines from the table.
    private func nextIdle() -> (entries: [Entry], isClosed: Bool) {
        let first = monitor.withLock { idle($0).first.map { $0.since + idleTime } }
        let deadline = first.map { hasPendingDuties ? max($0, .now + .seconds(1)) : $0 }
        let result = monitor.wait(before: deadline) {
            state -> (entries: [Entry], isClosed: Bool)? in
            if state.isClosed { return ([], true) }
            let idle = idle(state)
            let now = SuspendingClock.now
            let excess = idle.count - idleLimit
            let ended = idle.enumerated()
                .filter { $0 < excess || $1.since + idleTime <= now }.map(\.element)
                .filter { !$0.entry.duties.isPending }
            for place in ended { state.places[place.path] = nil }
            let isEarlier = idle.first.map { $0.since + idleTime } != first
            return ended.isEmpty && !isEarlier ? nil : (ended.map(\.entry), false)
        }
        return result ?? ([], false)
    }

    /// Returns the idle engines, longest idle first.
    private func idle(_ state: State) -> [Idle] {
        state.places.compactMap { path, place in
            guard let entry = place.entry, let since = place.idleSince else { return nil }
            return Idle(path: path, entry: entry, since: since)
        }.sorted { $0.since < $1.since }
    }
}
