internal import Foundation
package import GRDB
internal import Glibc
package import LibraryService
package import PhotoModel
internal import Synchronization

/// An open library's database: many readers, one writer at a time across all processes.
///
/// 1. Only SQLite opens `library.sqlite`; nothing here opens it by other means.
/// 2. A writer holds the writer lock from before BEGIN IMMEDIATE until after COMMIT.
/// 3. What `write` acknowledged is durable (`synchronous=FULL`).
/// 4. `changed` is written and touched after the commit is visible, never before.
/// 5. A database that is older than `changed` says is not written to, until somebody accepts it.
///
/// Thread-safe. Calls block their thread; a call from inside another call's closure is an error of
/// the program.
package final class LibraryStore: Sendable {
    /// How long a writer waits for others, in seconds.
    package static let writerPatience: Double = 30

    package let bundle: LibraryBundle
    /// Why the library can only be read; nil when it can be written to.
    package let readOnlyReason: String?
    /// The version up to which changes are missing; nil when none are.
    package let missingVersion: Int64?
    /// The version up to which changes were missing when the library was opened with leave to accept
    /// that; nil when none were.
    package let acceptedVersion: Int64?
    private let pool: DatabasePool
    private let readers: StatementReaders
    private let lock: WriterLock?
    private let files: FileOperations
    private let clock: @Sendable () -> Date
    private let recovery = RecoveryState()
    private let maintenance = Maintenance()
    private let uuid = Mutex<String?>(nil)
    private let removal = Mutex<(@Sendable () -> Void)?>(nil)
    /// Whether this store has committed a change.
    package var hasWritten: Bool { written.load(ordering: .relaxed) }
    private let written = Atomic(false)
    /// The database that was opened; nil when it could not be looked at.
    let identity: FileIdentity?
    /// Keeps a copy of a library on a read-only medium, and removes it.
    private let temporaryCopy: TemporaryCopy?

    init(
        bundle: LibraryBundle,
        pool: DatabasePool,
        lock: WriterLock?,
        readOnlyReason: String?,
        missingVersion: Int64? = nil,
        acceptedVersion: Int64? = nil,
        temporaryCopy: TemporaryCopy?,
        files: FileOperations,
        clock: @escaping @Sendable () -> Date
    ) {
        self.bundle = bundle
        self.pool = pool
        readers = StatementReaders(path: pool.path, configuration: Self.configuration())
        self.lock = lock
        self.readOnlyReason = readOnlyReason
        self.missingVersion = missingVersion
        self.acceptedVersion = acceptedVersion
        self.temporaryCopy = temporaryCopy
        self.files = files
        self.clock = clock
        identity = FileIdentity(bundle.database)
    }

    /// The changes that are missing, as an error; nil when none are.
    package var missingChanges: LibraryError? {
        missingVersion.map { LibraryError.changesMissing(upTo: $0, bundle) }
    }

    /// The library's time.
    var now: Date { clock() }

    /// What tells this library from all others; the same after a move or a restore.
    package func libraryUUID() throws -> String {
        if let known = uuid.withLock(\.self) { return known }
        let read = try pool.read { try LibrarySetting.uuid.value(in: $0) } ?? ""
        uuid.withLock { $0 = read }
        return read
    }

    /// The day that Recently Added begins with, by this library's clock.
    var firstRecentDay: Int64 {
        SmartAlbum.firstRecentDay(at: clock().timeIntervalSinceReferenceDate)
    }

    /// Runs `body` in a read transaction: one snapshot, whatever writers do meanwhile.
    package func read<Result>(_ body: (Database) throws -> Result) throws -> Result {
        try pool.read(body)
    }

    /// Runs `body`, which reads with one statement.
    ///
    /// A statement has a snapshot of its own, so no transaction is begun: that costs as much again.
    package func readOnce<Result>(_ body: (Database) throws -> Result) throws -> Result {
        try readers.read(body)
    }

    /// A connection of its own, for reading; its transactions may stay open.
    func makeReader() throws -> DatabaseQueue {
        var configuration = Self.configuration()
        configuration.readonly = true
        configuration.allowsUnsafeTransactions = true
        return try DatabaseQueue(path: pool.path, configuration: configuration)
    }

    /// The version of the last committed change.
    package func currentVersion() throws -> Int64 {
        try pool.read(JournalWriter.currentVersion)
    }

    /// The version of the last committed transaction that changed objects, and its stamp; 0 and nil for
    /// none.
    package func presentVersion() throws -> (version: Int64, stamp: HistoryStamp?) {
        try pool.read { database in
            let version = try JournalWriter.currentVersion(database)
            return (version, try HistorySummary.stamp(of: version, database))
        }
    }

    /// Runs `body` as one atomic, durable change, alone among all writers.
    ///
    /// When `body` or the commit fails, rows are rolled back and the transaction's `onFailure`
    /// closures have run before this throws.
    ///
    /// - Parameters:
    ///   - author: Who changes, for the journal.
    ///   - batch: What this change belongs to together with others, so that one undo takes all of them
    ///     back; nil for a change of its own.
    ///   - origin: Who made the change and when, where that was not here and now.
    ///   - patience: How long to wait for other writers, in seconds.
    ///   - body: Makes the change.
    /// - Returns: What `body` returns.
    /// - Throws: `readOnly`, `busy`, and what `body` and the commit throw.
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
        maintenance.runIfDue(now: now) { try maintain() }
        return result
    }

    /// Sets what runs after each change that removed assets for good, maintenance's included.
    ///
    /// It is called without the writer lock, on the thread that made the change.
    package func whenAssetsAreRemoved(_ body: @escaping @Sendable () -> Void) {
        removal.withLock { $0 = body }
    }

    /// `write`, and nothing that is due besides.
    func perform<Result>(
        author: String,
        batch: String? = nil,
        origin: RemoteOrigin? = nil,
        patience: Double = writerPatience,
        _ body: (LibraryTransaction) throws -> Result
    ) throws -> Result {
        let (result, removesAssets) = try writerLock().withLock(patience: patience) {
            try checkPresence()
            let (result, version, removesAssets) = try pool.writeWithoutTransaction { database in
                try recovery.runIfDue {
                    try StagingRecovery.clear(bundle: bundle, database: database, files: files)
                    try DiscardedFiles.clear(bundle: bundle, database: database, files: files)
                }
                let transaction = LibraryTransaction(
                    database: database,
                    author: origin?.author ?? author,
                    batch: batch,
                    now: origin?.time ?? now
                )
                let result = try commit(transaction, body)
                if transaction.discardsFiles {
                    // The change is made; what fails here is made up for by a later writer.
                    try? DiscardedFiles.clear(bundle: bundle, database: database, files: files)
                }
                boundLog(database)
                return (result, transaction.version, transaction.removesAssets)
            }
            announceChange(of: version)
            return (result, removesAssets)
        }
        written.store(true, ordering: .relaxed)
        if removesAssets { removal.withLock(\.self)?() }
        return result
    }

    /// Runs `body` in a transaction of its own that changes no objects, and so makes no version.
    ///
    /// With `discardsFiles` those files go afterwards that nothing needs any more.
    func alone<Result>(
        patience: Double = writerPatience,
        discardsFiles: Bool = false,
        _ body: (Database) throws -> Result
    ) throws -> Result {
        try writerLock().withLock(patience: patience) {
            try checkPresence()
            return try pool.writeWithoutTransaction { database in
                var result: Result?
                try database.inTransaction(.immediate) {
                    result = try body(database)
                    return .commit
                }
                if discardsFiles {
                    // What fails here is made up for by a later writer.
                    try? DiscardedFiles.clear(bundle: bundle, database: database, files: files)
                }
                boundLog(database)
                return try Self.unwrap(result)
            }
        }
    }

    private func boundLog(_ database: Database) {
        WriteAheadLog.truncateIfLong(
            at: bundle.log,
            database,
            patience: Self.writerPatience
        )
    }

    /// Runs `body` under the writer lock with a consistent view, without changing rows: no other
    /// process is between moving a file and committing its row.
    package func readAlone<Result>(_ body: (Database) throws -> Result) throws -> Result {
        guard let lock else { return try pool.read(body) }
        return try lock.withLock(patience: Self.writerPatience) { try pool.read(body) }
    }

    /// Clears what dead imports left, now.
    @discardableResult
    package func clearStaging() throws -> StagingRecovery.Summary {
        try writerLock().withLock(patience: Self.writerPatience) {
            try pool.writeWithoutTransaction { database in
                try StagingRecovery.clear(bundle: bundle, database: database, files: files)
            }
        }
    }

    /// Removes the files of resources that were purged, should some be left.
    func clearDiscardedFiles() throws {
        try writerLock().withLock(patience: Self.writerPatience) {
            try pool.writeWithoutTransaction { database in
                try DiscardedFiles.clear(bundle: bundle, database: database, files: files)
            }
        }
    }

    /// Closes the database.
    ///
    /// Waits for the calls that are under way; later ones fail. The write-ahead log is written into the
    /// database and removed, unless another process or connection has the library open.
    package func close() throws {
        readers.close()
        try pool.closeWriterLast()
    }

    private func writerLock() throws -> WriterLock {
        if let lock { return lock }
        throw refusalOfWriting
    }

    /// Why a library that does not open for writing refuses changes.
    var refusalOfWriting: LibraryError {
        missingChanges
            ?? LibraryError(
                .readOnly,
                "The library at \(bundle.root) can only be read.",
                reason: readOnlyReason,
                recovery: "Open it where it can be written to, or copy it to another volume.",
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
                try transaction.flushAlbums()
                try transaction.flushSmartAlbums()
                try transaction.flushMoments()
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
            throw LibraryError(.internalError, "A change of the library ended without a result.")
        }
        return result
    }

    /// Notes the version of a commit in `changed`, and notifies the watchers of that file.
    ///
    /// Does not fail: the note is a lower bound, and watchers also poll.
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

/// When to look for what crashes left: at the first write, and now and then.
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
