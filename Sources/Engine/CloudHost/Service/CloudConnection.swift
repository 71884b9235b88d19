internal import CloudKeys
internal import CloudSync
internal import EmbeddedLibrary
internal import Foundation
internal import LibraryService
internal import Logging
internal import ObjectStorage
internal import PhotoLibrary
internal import PhotoModel
internal import RemoteLibrary

/// The connection of one library to its cloud library.
///
///     idle ──request, change, time──▶ busy ──end──▶ idle
///
/// One operation is carried out at a time; the state can be read meanwhile.
final class CloudConnection: Sendable {
    /// The maximum time that a request waits for a session to end.
    static let patience = Duration.seconds(20)
    /// The maximum time that a session waits for the duty lock, which only one process can hold at
    /// a time.
    private static let lockPatience = Duration.seconds(30)

    let path: String
    unowned let service: CloudService
    let monitor = Monitor(State())
    private let removalYield = RemovalYield()
    /// The downloads on demand of all clients of the library.
    private let requested = Monitor<RequestedDownloads?>(nil)

    init(_ path: String, _ service: CloudService) {
        self.path = path
        self.service = service
    }

    var downloads: RequestedDownloads {
        requested.update { requested in
            if let requested { return requested }
            let made = RequestedDownloads { [unowned self] content, download in
                begin(download, of: content)
            }
            requested = made
            return made
        }
    }

    // MARK: - Status

    /// Returns the current status, which is first read from the library if it is not known yet.
    func reply() throws(LibraryError) -> CloudReply {
        if !monitor.withLock(\.isKnown) {
            let lease = try borrow()
            defer { lease.end() }
            try learn(lease)
        }
        return CloudReply(monitor.withLock(\.status))
    }

    /// Updates the status from the library and its settings, without connecting to the store.
    private func learn(_ lease: CloudLease) throws(LibraryError) {
        let library = try lease.engine.libraryIdentifier()
        let membership = try lease.engine.cloudMembership()
        let stored = StoredSettings(of: library, in: service.secrets)
        let settings = try? stored.read()
        if var moved = settings, moved.library != path, membership != nil {
            // The daemon looks for the library at its present place from now on.
            moved.library = path
            try stored.write(moved)
        }
        let missing = membership == nil ? 0 : try lease.engine.missingFileCounts().waiting
        monitor.update { state in
            state.isKnown = true
            guard let membership else {
                state.leave()
                return
            }
            if state.status.state == .none { state.status.state = .idle }
            state.status.cloudLibrary = membership.library
            state.status.device = membership.device.hexadecimal
            state.status.address = settings?.store.address.text
            state.status.pending.downloads = missing
        }
    }

    // MARK: - Sessions

    /// Begins a session on a new thread or, if another operation is in progress, requests a session
    /// to follow it.
    ///
    /// A session whose thread cannot be started counts as one that has failed.
    ///
    /// - Parameter isShort: Whether only the logs that changed are read. A session that follows
    ///   another one is always short, and one that follows another operation never is.
    /// - Returns: The status at the time of the request, whose number of sessions does not include
    ///   the requested session even if that has already ended.
    /// - Throws: The reason why the library cannot be opened.
    @discardableResult
    func beginSession(isShort: Bool = false) throws(LibraryError) -> CloudStatus {
        _ = try reply()
        let (begins, status) = monitor.update { state in (state.begin(), state.status) }
        if begins { startSession(isShort: isShort) }
        return status
    }

    /// Runs a session on a new thread, and the sessions that are requested meanwhile.
    ///
    /// The connection must be busy, and is until the last of them ends.
    private func startSession(isShort: Bool) {
        let isStarted = service.startThread("photos-cloud") { [self] in
            runSession(isShort: isShort)
            // It may have read the library before the change for which another one was requested.
            while hasToContinue() { runSession(isShort: true) }
        }
        guard !isStarted else { return }
        monitor.update { $0.failToStart(Self.threadShortage) }
        log(Self.threadShortage)
    }

    /// Ends the operation in progress, and returns whether a session that was requested meanwhile
    /// has to be run instead.
    private func hasToContinue() -> Bool {
        let mayContinue = service.mayContinue
        return monitor.update { $0.end(mayContinue: mayContinue) }
    }

    private func runSession(isShort: Bool) {
        monitor.update { state in
            if state.status.state != .none { state.status.state = .syncing }
        }
        do throws(LibraryError) {
            let lease = try borrow()
            defer { lease.end() }
            try waitForLock(lease)
            try perform { () throws(LibraryError) in
                try await self.withHost(lease) { host throws(LibraryError) in
                    let report = try await host.session(isShort: isShort)
                    self.note(report)
                }
            }
            monitor.update { state in
                state.status.state = .idle
                state.status.error = nil
                state.status.lastSync = Date().timeIntervalSince1970
                state.status.sessions += 1
            }
            try learn(lease)
        } catch  where error.code == .cancelled && !service.mayContinue {
            // That the daemon ends is no failure.
            monitor.update { $0.endEarly() }
        } catch {
            monitor.update { $0.fail(error) }
            log(error)
        }
    }

    private func log(_ error: LibraryError) {
        service.logger.warning(
            "A session with a cloud library failed and will be tried again.",
            metadata: [
                "cloud.code": "\(error.code.rawValue)",
                "cloud.error": service.logger.detail("\(error)"),
            ]
        )
    }

    private func note(_ report: SyncHost.Report) {
        monitor.update { state in
            state.status.uploaded = report.uploaded
            state.status.downloaded = report.downloaded
            state.status.removed = report.removed
            state.status.versions = report.versions
            state.status.pending = report.pending
            state.status.alarms = report.alarms
        }
    }

    private func waitForLock(_ lease: CloudLease) throws(LibraryError) {
        let deadline = SuspendingClock.now + Self.lockPatience
        // The daemon gets it a moment after it has opened the library, or another process has it.
        var pause = Duration.milliseconds(2)
        while !lease.holdsLock() {
            try CallContext.current?.checkCancellation()
            guard service.mayContinue, .now < deadline else {
                throw LibraryError(
                    .busy,
                    "Another process performs the background work of the library.",
                    recovery: "Try again after the other program has ended."
                )
            }
            _ = monitor.wait(before: .now + pause) { _ -> Bool? in nil }
            pause = min(pause * 2, .milliseconds(100))
        }
    }

    // MARK: - Parts

    private func host(_ lease: CloudLease) throws(LibraryError) -> SyncHost {
        try SyncHost(
            lease.engine,
            SyncHost.Configuration(
                secrets: service.secrets,
                opener: service.opener,
                logger: service.logger,
                mayContinue: { [service] in service.mayContinue && lease.holdsLock() },
                requested: { [downloads] in downloads.recent },
                removalYield: removalYield,
                report: { [self] report in note(report) }
            )
        )
    }

    /// Runs `body` with the host of the last session or, if that host was not kept, with a new
    /// host.
    ///
    /// The host is kept for the next session if the library stays open.
    func withHost<Result: Sendable>(
        _ lease: CloudLease,
        _ body: (SyncHost) async throws(LibraryError) -> Result
    ) async throws(LibraryError) -> Result {
        let known = monitor.update { state in
            defer { state.host = nil }
            return state.host
        }
        let host: SyncHost
        if let known { host = known } else { host = try self.host(lease) }
        monitor.update { $0.open = host }
        do throws(LibraryError) {
            let result = try await body(host)
            let isKept = monitor.update { state in
                guard state.kept?.engine === lease.engine else { return false }
                state.host = host
                return true
            }
            if !isKept { await close(host) }
            return result
        } catch {
            // The next session reads the durable state again.
            await close(host)
            throw error
        }
    }

    /// Closes the connection to the store, after downloads on demand that use it have ended.
    ///
    /// The next session and the next download read the settings again.
    func disconnect() async {
        let host = monitor.update { state in
            defer { (state.host, state.open) = (nil, nil) }
            return state.host
        }
        await host?.close()
    }

    private func close(_ host: SyncHost) async {
        await host.close()
        await forgetIfClosed(host)
    }

    // MARK: - Background sessions

    /// Indicates whether the last session failed.
    var hasFailed: Bool { monitor.withLock { $0.status.state == .failed } }

    /// Opens the library and keeps it open for background sessions.
    ///
    /// - Returns: The library; nil if it is not part of a cloud library any more.
    func keep() throws(LibraryError) -> CloudLease? {
        if let kept = monitor.withLock(\.kept) { return kept }
        let lease = try service.lease(path)
        do throws(LibraryError) {
            guard try lease.engine.cloudMembership() != nil else {
                lease.end()
                return nil
            }
        } catch {
            lease.end()
            throw error
        }
        monitor.update { $0.kept = lease }
        downloads.resume()
        lease.engine.downloader = downloads
        return lease
    }

    /// Ends background sessions and their connections, and closes the library.
    func release() {
        monitor.withLock(\.kept)?.engine.downloader = nil
        downloads.stop()
        _ = monitor.wait { $0.isBusy ? nil : true }
        let (lease, host) = monitor.update { state in
            defer { (state.kept, state.host, state.open) = (nil, nil, nil) }
            return (state.kept, state.host)
        }
        if let host {
            try? Self.wait { () throws(LibraryError) in await host.close() }
        }
        lease?.end()
    }

    /// Returns an open library for an operation.
    ///
    /// It is the one that is kept open for background sessions, or is opened for this operation.
    func borrow() throws(LibraryError) -> CloudLease {
        guard let kept = monitor.withLock(\.kept), kept.engine.isShareable else {
            return try service.lease(path)
        }
        return CloudLease(engine: kept.engine, holdsLock: kept.holdsLock) {}
    }

    /// Performs an operation between sessions, and blocks sessions until the operation ends.
    ///
    /// A session that is requested meanwhile begins then.
    ///
    /// `preparation` precedes the operation, which is not performed if `preparation` throws an
    /// error. It may block the calling thread.
    func exclusively<Result: Sendable>(
        _ body: @escaping @Sendable (CloudLease) async throws(LibraryError) -> Result,
        after preparation: (CloudLease) throws(LibraryError) -> Void = { _ in }
    ) throws(LibraryError) -> Result {
        let begins: Bool? = monitor.wait(before: .now + Self.patience) { state in
            guard !state.isBusy else { return nil }
            state.isBusy = true
            return true
        }
        guard begins == true else {
            throw Self.isSyncing
        }
        defer { if hasToContinue() { startSession(isShort: false) } }
        let lease = try borrow()
        defer { lease.end() }
        try waitForLock(lease)
        try preparation(lease)
        return try perform { () throws(LibraryError) in try await body(lease) }
    }

    /// Cancels the operation in progress.
    func cancel() { monitor.withLock(\.task)?.cancel() }

    /// Performs the asynchronous part of an operation and blocks this thread until it ends.
    ///
    /// It is canceled by the end of the service and by a cancellation of the current
    /// `CallContext`.
    private func perform<Result: Sendable>(
        _ body: @escaping @Sendable () async throws(LibraryError) -> Result
    ) throws(LibraryError) -> Result {
        defer { monitor.withLock { $0.task = nil } }
        return try Self.wait(body) { task in
            monitor.withLock { $0.task = task }
            // The service may have been canceled before this task was known.
            if !service.mayContinue { task.cancel() }
        }
    }

    static let isSyncing = LibraryError(
        .busy,
        "The library is being synced.",
        recovery: "Try again after the session has ended; see photos cloud status."
    )

    private static let threadShortage = LibraryError(
        .tooManyOpenFiles,
        "A session with the cloud library could not be started.",
        reason: "The system has reached its limit of threads.",
        recovery: "Quit other programs, and try again."
    )

    /// Runs asynchronous work and blocks this thread until it ends.
    ///
    /// A cancellation of the current `CallContext` cancels the work.
    ///
    /// - Parameters:
    ///   - body: The work.
    ///   - whenBegun: Receives the task of the work, before this thread waits.
    /// - Returns: The result of the work.
    /// - Throws: The error of the work.
    static func wait<Result: Sendable>(
        _ body: @escaping @Sendable () async throws(LibraryError) -> Result,
        whenBegun: (Task<Void, Never>) -> Void = { _ in }
    ) throws(LibraryError) -> Result {
        let outcome = Monitor<Swift.Result<Result, LibraryError>?>(nil)
        let task = Task {
            let result: Swift.Result<Result, LibraryError>
            do throws(LibraryError) {
                result = .success(try await body())
            } catch {
                result = .failure(error)
            }
            outcome.update { $0 = result }
        }
        whenBegun(task)
        let cancellation = CallContext.current?.cancellation ?? CallCancellation()
        let ended = cancellation.withHandler({ task.cancel() }, while: { outcome.wait { $0 } })
        guard let result = ended else {
            throw LibraryError(.internalError, "The work with the cloud library did not end.")
        }
        return try result.get()
    }
}
