internal import Foundation
package import GRDB
internal import Glibc
package import LibraryService
internal import Logging
package import PhotoModel
internal import Synchronization

/// The database of an open library, with many readers and one writer at a time across all
/// processes.
///
/// 1. Only SQLite opens `library.sqlite`; no code here opens it by other means.
/// 2. A writer holds the writer lock from before BEGIN IMMEDIATE until after COMMIT.
/// 3. Changes acknowledged by `write` are durable (`synchronous=FULL`).
/// 4. `changed` is written and touched after the commit is visible, never before.
/// 5. A database that is older than the version in `changed` is not written to until a person
///    accepts the loss.
///
/// Thread-safe. Calls block their thread. A call from inside another call's closure is a programmer
/// error.
package final class LibraryStore: Sendable {
    /// The maximum number of seconds that a writer waits for other writers.
    package static let writerPatience: Double = 30

    package let bundle: LibraryBundle
    /// The reason why the library is read-only; nil if it can be written to.
    package let readOnlyReason: String?
    /// The last committed version whose changes are missing; nil if no changes are missing.
    package let missingVersion: Int64?
    /// The last committed version whose changes were missing when the library was opened and whose
    /// loss was accepted; nil if no loss was accepted.
    package let acceptedVersion: Int64?
    private let pool: ConnectionPool
    private let lock: WriterLock?
    /// The file system operations that are used for the library's files.
    package let files: FileOperations
    private let clock: @Sendable () -> Date
    /// The loggers of the store and the library's other components.
    package let loggers: LibraryLoggers
    private let recovery = RecoveryState()
    private let maintenance = Maintenance()
    /// The cached set of files that are only in the cloud.
    let absentFiles = AbsentFiles()
    /// The lock of background work; nil for a library that cannot be written to and for an import
    /// plan.
    package let dutyLock: DutyLock?
    private let hasDutyHost = Atomic(false)
    /// The last asset that the current search for expired ones found; nil before it begins.
    let trashPosition = Mutex<ExpiredAssets.Position?>(nil)
    private let uuid = Mutex<String?>(nil)
    private let removal = Mutex<(@Sendable () -> Void)?>(nil)
    /// Indicates whether this store has committed a change.
    package var hasWritten: Bool { written.load(ordering: .relaxed) }
    private let written = Atomic(false)
    /// The identity of the opened database; nil if its status was not available.
    let identity: FileIdentity?
    /// The temporary copy that is used if the library cannot be opened in place or this store is an
    /// import plan.
    ///
    /// The copy is deleted when this value is closed or destroyed.
    private let temporaryCopy: TemporaryCopy?
    /// The highest row ids of assets and of collections when the import plan was created; nil if
    /// this store is not an import plan.
    let lastKnown: PlanBoundary?

    init(
        bundle: LibraryBundle,
        pool: ConnectionPool,
        lock: WriterLock?,
        readOnlyReason: String?,
        missingVersion: Int64? = nil,
        acceptedVersion: Int64? = nil,
        temporaryCopy: TemporaryCopy?,
        lastKnown: PlanBoundary? = nil,
        files: FileOperations,
        loggers: LibraryLoggers,
        clock: @escaping @Sendable () -> Date
    ) {
        self.lastKnown = lastKnown
        self.bundle = bundle
        self.pool = pool
        self.loggers = loggers
        self.lock = lock
        self.readOnlyReason = readOnlyReason
        self.missingVersion = missingVersion
        self.acceptedVersion = acceptedVersion
        self.temporaryCopy = temporaryCopy
        self.files = files
        self.clock = clock
        dutyLock = lock == nil || bundle.planned != nil ? nil : DutyLock(bundle: bundle)
        identity = FileIdentity(bundle.database)
    }

    /// The error that reports missing changes; nil if none are missing.
    package var missingChanges: LibraryError? {
        missingVersion.map { LibraryError.changesMissing(upTo: $0, bundle) }
    }

    /// The current time according to the library's clock.
    var now: Date { clock() }

    /// Returns the UUID that identifies this library, even after a move or a restore.
    package func libraryUUID() throws -> String {
        if let known = uuid.withLock(\.self) { return known }
        let read = try pool.read { try LibrarySetting.uuid.value(in: $0) } ?? ""
        uuid.withLock { $0 = read }
        return read
    }

    /// The first day of the Recently Added album, according to the library's clock.
    var firstRecentDay: Int64 {
        SmartAlbum.firstRecentDay(at: clock().timeIntervalSinceReferenceDate)
    }

    /// Runs `body` in a read transaction, which sees one snapshot regardless of concurrent writers.
    package func read<Result>(_ body: (Database) throws -> Result) throws -> Result {
        try pool.read(body)
    }

    /// Runs `body` without a transaction; `body` must read with a single statement.
    ///
    /// A single statement has a consistent snapshot of its own, and a transaction would double the
    /// cost.
    package func readOnce<Result>(_ body: (Database) throws -> Result) throws -> Result {
        try pool.readOnce(body)
    }

    /// Creates a separate read connection, whose transactions may stay open.
    func makeReader() throws -> DatabaseQueue {
        var configuration = Self.configuration(loggers.store)
        configuration.readonly = true
        configuration.allowsUnsafeTransactions = true
        return try DatabaseQueue(path: pool.path, configuration: configuration)
    }

    /// Returns the version of the last committed change.
    package func currentVersion() throws -> Int64 {
        try pool.read(JournalWriter.currentVersion)
    }

    /// Returns the version and the stamp of the last committed transaction that changed objects.
    ///
    /// They are 0 and nil if there is none.
    package func presentVersion() throws -> (version: Int64, stamp: HistoryStamp?) {
        // Servers ask this before each response, so it is one statement without a transaction.
        try readOnce { database in
            let rows = try StatementReader(
                database,
                "SELECT version, time FROM journalVersion ORDER BY version DESC LIMIT 1",
                []
            )
            guard try rows.step() else { return (0, nil) }
            let time = Date(timeIntervalSinceReferenceDate: rows.real(1))
            return (Int64(rows.integer(0)), HistoryStamp(time))
        }
    }

    /// Runs `body` as one atomic and durable transaction, while no other writer in any process is
    /// active.
    ///
    /// If `body` or the commit fails, the rows are rolled back and the transaction's `onFailure`
    /// closures run before this throws.
    ///
    /// - Parameters:
    ///   - author: The author in the journal.
    ///   - batch: The batch that groups this change with others, so that one undo reverts all of
    ///     them; nil for a separate change.
    ///   - origin: The origin of a change made elsewhere.
    ///   - patience: The number of seconds to wait for other writers.
    ///   - body: Makes the change.
    /// - Returns: The result of `body`.
    /// - Throws: `readOnly`, `busy`, and the errors of `body` and the commit.
    package func write<Result>(
        author: String,
        batch: String? = nil,
        origin: RemoteOrigin? = nil,
        patience: Double = LibraryStore.writerPatience,
        _ body: (LibraryTransaction) throws -> Result
    ) throws -> Result {
        let result = try perform(
            author: author,
            batch: batch,
            origin: origin,
            patience: patience,
            body
        )
        if !hasDutyHost.load(ordering: .relaxed) {
            maintenance.runIfDue(now: now, logger: loggers.maintenance, lock: dutyLock) {
                try maintain()
            }
        }
        return result
    }

    /// Leaves maintenance to a host that performs the background work, so that `write` no longer
    /// runs it after a change.
    package func becomeHosted() { hasDutyHost.store(true, ordering: .relaxed) }

    /// Sets the closure that runs after each change that permanently deleted assets.
    ///
    /// The change may also be one by maintenance. It is called without the writer lock, on the
    /// thread that made the change.
    package func whenAssetsAreRemoved(_ body: @escaping @Sendable () -> Void) {
        removal.withLock { $0 = body }
    }

    /// Performs `write`, but skips maintenance that is due.
    func perform<Result>(
        author: String,
        batch: String? = nil,
        origin: RemoteOrigin? = nil,
        patience: Double = writerPatience,
        _ body: (LibraryTransaction) throws -> Result
    ) throws -> Result {
        try performMeasured(
            author: author,
            batch: batch,
            origin: origin,
            patience: patience,
            body
        ).result
    }

    /// Performs `write` without running due maintenance, and measures how long the writer lock is
    /// held.
    func performMeasured<Result>(
        author: String,
        batch: String? = nil,
        origin: RemoteOrigin? = nil,
        patience: Double = writerPatience,
        _ body: (LibraryTransaction) throws -> Result
    ) throws -> (result: Result, held: Duration) {
        let ((result, removesAssets), held) = try withWriterLock(patience: patience) {
            let (result, version, removesAssets) = try pool.writeWithoutTransaction { database in
                try recovery.runIfDue { try recoverAndClear(database) }
                let transaction = LibraryTransaction(
                    database: database,
                    author: author,
                    batch: batch,
                    origin: origin,
                    now: now
                )
                let result = try commit(transaction, body)
                if transaction.discardsFiles {
                    // The change is committed; a later writer retries after a failure here.
                    try? DiscardedFiles.clear(bundle: bundle, database: database, files: files)
                }
                releaseExcess(database)
                return (result, transaction.version, transaction.removesAssets)
            }
            announceChange(of: version)
            return (result, removesAssets)
        }
        written.store(true, ordering: .relaxed)
        if removesAssets { removal.withLock(\.self)?() }
        return (result, held)
    }

    /// Runs `body` in a separate write transaction, which must not change objects and creates no
    /// version.
    ///
    /// With `discardsFiles`, the remaining files of purged resources are removed afterward.
    func alone<Result>(
        patience: Double = writerPatience,
        discardsFiles: Bool = false,
        _ body: (Database) throws -> Result
    ) throws -> Result {
        try aloneMeasured(patience: patience, discardsFiles: discardsFiles, body).result
    }

    /// Performs `alone`, and measures how long the writer lock is held.
    func aloneMeasured<Result>(
        patience: Double = writerPatience,
        discardsFiles: Bool = false,
        _ body: (Database) throws -> Result
    ) throws -> (result: Result, held: Duration) {
        try withWriterLock(patience: patience) {
            try pool.writeWithoutTransaction { database in
                var result: Result?
                try database.inTransaction(.immediate) {
                    result = try body(database)
                    return .commit
                }
                if discardsFiles {
                    // A later writer retries after a failure here.
                    try? DiscardedFiles.clear(bundle: bundle, database: database, files: files)
                }
                releaseExcess(database)
                return try Self.unwrap(result)
            }
        }
    }

    /// Removes the files that crashed processes left behind, and measures how long the writer lock
    /// is held.
    func recoverNow(patience: Double) throws -> Duration {
        try withWriterLock(patience: patience) {
            try pool.writeWithoutTransaction { database in
                try recoverAndClear(database)
                releaseExcess(database)
            }
        }.held
    }

    /// Runs `body` under the writer lock if the library is still at its path, and measures how long
    /// the lock is held.
    ///
    /// A restore replaces the library under the lock, so it cannot do so before `body` ends.
    private func withWriterLock<Result>(
        patience: Double,
        _ body: () throws -> Result
    ) throws -> (result: Result, held: Duration) {
        // The lock of a missing library cannot be acquired.
        if lock != nil { try checkPresence() }
        var start = ContinuousClock.now
        let result = try writerLock().withLock(patience: patience) {
            start = .now
            try checkPresence()
            return try body()
        }
        return (result, ContinuousClock.now - start)
    }

    private func recoverAndClear(_ database: Database) throws {
        try recover(database)
        try DiscardedFiles.clear(bundle: bundle, database: database, files: files)
    }

    /// Limits the disk space of the write-ahead log and the memory of the page cache after a
    /// transaction.
    private func releaseExcess(_ database: Database) {
        WriteAheadLog.truncateIfLong(
            at: bundle.log,
            database,
            patience: Self.writerPatience
        )
        PageCache.releaseIfLarge(database)
    }

    /// Runs `body` in a read transaction under the writer lock.
    ///
    /// So no other process can be between moving a file and committing the file's row.
    package func readAlone<Result>(_ body: (Database) throws -> Result) throws -> Result {
        try withoutWriters { try pool.read(body) }
    }

    /// Runs `body` outside of any transaction, while no other process can write to the library.
    ///
    /// `body` may read through this store. A library that is not open for writing is not locked.
    func withoutWriters<Result>(_ body: () throws -> Result) throws -> Result {
        guard lock != nil else { return try body() }
        return try withWriterLock(patience: Self.writerPatience, body).result
    }

    /// Copies a single snapshot of the database into an empty database.
    ///
    /// Other processes can write meanwhile.
    func copyDatabase(into destination: DatabaseQueue) throws {
        try pool.backup(to: destination)
    }

    /// Removes the files that crashed imports left behind, without waiting for the schedule.
    @discardableResult
    package func clearStaging() throws -> StagingRecovery.Summary {
        try withWriterLock(patience: Self.writerPatience) {
            try pool.writeWithoutTransaction { try recover($0) }
        }.result
    }

    /// Removes the files that crashed imports left behind, and logs the result.
    ///
    /// Old parts of downloads are removed as well, also in a library that is no longer synced.
    @discardableResult
    private func recover(_ database: Database) throws -> StagingRecovery.Summary {
        downloadParts.clear()
        let summary = try StagingRecovery.clear(bundle: bundle, database: database, files: files)
        guard summary.sessions > 0 else { return summary }
        // A program may exit without removing its folder, so a session alone is routine.
        loggers.store.log(
            level: summary.removedFiles.isEmpty ? .debug : .info,
            "Interrupted work was cleaned up.",
            metadata: [
                "recovery.sessions": "\(summary.sessions)",
                "recovery.files": "\(summary.removedFiles.count)",
            ]
        )
        return summary
    }

    /// Removes the remaining files of purged resources.
    func clearDiscardedFiles() throws {
        _ = try withWriterLock(patience: Self.writerPatience) {
            try pool.writeWithoutTransaction { database in
                try DiscardedFiles.clear(bundle: bundle, database: database, files: files)
            }
        }
    }

    /// Frees the memory of database connections that are not in use.
    ///
    /// The next calls read the pages again, mostly from the system's own cache.
    package func releaseMemory() { pool.releaseMemory() }

    /// Closes the database.
    ///
    /// Waits for calls in progress; later calls fail. The write-ahead log is checkpointed and
    /// removed, unless another process or connection has the library open.
    package func close() throws {
        defer { temporaryCopy?.discard() }
        try pool.close()
    }

    private func writerLock() throws -> WriterLock {
        if let lock { return lock }
        throw refusalOfWriting
    }

    /// The error for an attempt to change a library that is not open for writing.
    var refusalOfWriting: LibraryError {
        missingChanges
            ?? LibraryError(
                .readOnly,
                "The library at \(bundle.root) is read-only.",
                reason: readOnlyReason,
                recovery: "Open it from a writable volume, or copy it to another volume.",
                path: bundle.root
            )
    }

    private func commit<Result>(
        _ transaction: LibraryTransaction,
        _ body: (LibraryTransaction) throws -> Result
    ) throws -> Result {
        var result: Result?
        do {
            try transaction.database.inTransaction(.immediate) {
                let value = try body(transaction)
                try transaction.flushRestoredAssets(FileLink(bundle: bundle, files: files))
                try transaction.flushRestoredMembers()
                try transaction.flushAlbums()
                try transaction.flushSmartAlbums()
                try transaction.flushMoments()
                try transaction.flushCloud()
                try transaction.runLastSteps()
                result = value
                return .commit
            }
            transaction.complete()
        } catch {
            transaction.undo(isCommitUncertain: result != nil)
            throw error
        }
        return try Self.unwrap(result)
    }

    private static func unwrap<Result>(_ result: Result?) throws -> Result {
        guard let result else {
            throw LibraryError(.internalError, "A change of the library returned no result.")
        }
        return result
    }

    /// Records the version of a commit in the file `changed`, and notifies processes that watch the
    /// file.
    ///
    /// Ignores errors: the recorded version is only a lower bound, and watchers also poll.
    private func announceChange(of version: Int64?) {
        if let version, let libraryUUID = try? libraryUUID() {
            try? CommittedVersion(libraryUUID: libraryUUID, version: version).write(to: bundle)
        }
        if utimes(bundle.changed, nil) != 0, errno == ENOENT {
            Glibc.close(
                Glibc.open(bundle.changed, O_WRONLY | O_CREAT | O_CLOEXEC, BundleModes.newFile)
            )
        }
    }
}

/// The schedule of recovery after crashes: before the first write, and then at most every 60
/// seconds.
private final class RecoveryState: Sendable {
    private static let interval = Duration.seconds(60)
    private let lock = NSLock()
    // Guarded by `lock`.
    nonisolated(unsafe) private var last: ContinuousClock.Instant?

    func runIfDue(_ body: () throws -> Void) throws {
        let now = ContinuousClock.now
        let isDue = lock.withLock {
            if let last, now - last < Self.interval { return false }
            last = now
            return true
        }
        if isDue { try body() }
    }
}
