internal import Foundation
internal import GRDB
internal import Glibc
internal import LibraryService
internal import Logging
internal import PhotoLibrary
internal import PhotoModel
internal import Synchronization

/// Access to `renditions.sqlite`, which may be deleted, replaced or damaged while programs run.
///
/// 1. No call throws. Data that cannot be read is treated as missing, and data that cannot be
///    written is dropped; the write returns the reason.
/// 2. A deleted or replaced file is detected at the next call, which opens the file at the path.
///    Nothing is written to an unlinked file.
/// 3. A damaged file is deleted and recreated, once for all programs: under a lock on its folder,
///    and only if it is still the file that was found damaged.
/// 4. An error is logged once, until the same operation succeeds again.
/// 5. Where the file cannot be written, for example on a read-only volume, it is read without any
///    change, and new renditions are not kept.
final class RenditionFile: Sendable {
    /// The version of the tables; a file with another version is cleared.
    private static let format = 3
    /// The time before a file that could not be opened is tried again.
    private static let pause = Duration.seconds(30)
    /// The maximum size in bytes of a file that is copied because it cannot be opened for reading
    /// in place.
    private static let copyLimit: Int64 = 1 << 30

    private struct Opened {
        var connections: ConnectionPool
        /// Indicates whether the file can be written.
        var isWritable: Bool
        var identity: Identity
        /// The identity of the write-ahead log.
        var log: Identity?
        /// The copy that is read instead of a file that cannot be opened in place.
        var copy: TemporaryCopy?
    }

    private struct State {
        var isClosed = false
        var opened: Opened?
        var failure: (identity: Identity?, time: ContinuousClock.Instant, error: any Error)?
        /// The operations whose last attempt failed.
        var failedOperations: Set<String> = []
    }

    /// The identity of a file: its device and inode numbers.
    private struct Identity: Equatable {
        var device: dev_t
        var number: ino_t

        init?(_ path: String) {
            var status = stat()
            guard stat(path, &status) == 0 else { return nil }
            device = status.st_dev
            number = status.st_ino
        }
    }

    let path: String
    private let logPath: String
    private let logger: Logger
    private let state = Mutex(State())

    init(path: String, logger: Logger) {
        self.path = path
        logPath = path + "-wal"
        self.logger = logger
    }

    // MARK: - Reading and writing

    /// Runs `body` in a read transaction; nil when nothing can be read.
    func read<Value>(_ body: (Database) throws -> Value?) -> Value? {
        try? attempt("read a thumbnail") { try $0.connections.read(body) }
    }

    /// Runs `body` with a single statement, without a transaction; nil when nothing can be read.
    func readOnce<Value>(_ body: (Database) throws -> Value?) -> Value? {
        try? attempt("read a thumbnail") { try $0.connections.readOnce(body) }
    }

    /// Writes in one transaction.
    ///
    /// - Parameters:
    ///   - what: The name of the operation in the log.
    ///   - body: The statements.
    /// - Returns: The reason why this write failed, regardless of other operations; `cancelled`
    ///   after `close()`.
    @discardableResult
    func write(
        _ what: String,
        _ body: (Database) throws -> Void
    ) -> Result<Void, LibraryError> {
        do {
            try attempt(what, writes: true) { try $0.connections.write(body) }
            return .success(())
        } catch {
            return .failure(libraryError(error))
        }
    }

    /// Checkpoints the log, and truncates it unless a reader needs it.
    func emptyLog() {
        let what = "write the log of the thumbnails into their file"
        _ = try? attempt(what, writes: true) { opened in
            try opened.connections.writeWithoutTransaction { _ = try $0.checkpoint(.truncate) }
        }
    }

    /// Shrinks the file by the space of deleted rows.
    func compact() {
        _ = try? attempt("return the space of removed thumbnails", writes: true) { opened in
            try opened.connections.writeWithoutTransaction { try $0.execute(sql: "VACUUM") }
        }
        emptyLog()
    }

    /// Runs an operation, and repeats it once if the file was damaged or replaced.
    ///
    /// - Throws: The error of the operation or of opening the file; `cancelled` after `close()`.
    private func attempt<Value>(
        _ what: String,
        writes: Bool = false,
        isLast: Bool = false,
        _ body: (Opened) throws -> Value
    ) throws -> Value {
        let opened = try opened()
        // Not logged, because the whole library is read-only.
        if writes, !opened.isWritable { throw DatabaseError(resultCode: .SQLITE_READONLY) }
        do {
            let value = try body(opened)
            state.withLock { state in
                // Most operations follow no failure; each picture takes this way.
                if !state.failedOperations.isEmpty { state.failedOperations.remove(what) }
            }
            return value
        } catch {
            if isLast || !recover(from: error, opened) {
                complain(what, error)
                throw error
            }
        }
        return try attempt(what, writes: writes, isLast: true, body)
    }

    /// Handles an error and returns whether the operation should be retried.
    private func recover(from error: any Error, _ opened: Opened) -> Bool {
        guard let error = error as? DatabaseError else { return false }
        if Self.isDamage(error) {
            beginAnew(opened.identity)
            close(opened)
            return true
        }
        // The file, or its log, may have been deleted; the present file is then opened.
        let isLost =
            error.extendedResultCode == .SQLITE_READONLY_DBMOVED
            || error.resultCode == .SQLITE_IOERR || error.resultCode == .SQLITE_CANTOPEN
        if isLost { close(opened) }
        return isLost && Identity(path) != opened.identity
    }

    private static func isDamage(_ error: DatabaseError) -> Bool {
        switch error.resultCode {
        case .SQLITE_CORRUPT, .SQLITE_NOTADB: true
        // Tables are missing if the log was deleted while the file was open.
        case .SQLITE_ERROR: error.message?.hasPrefix("no such") ?? false
        default: false
        }
    }

    /// The operation that opens the file, as named in the log.
    private static let opening = "open the file"

    private func complain(_ what: String, _ error: any Error) {
        guard state.withLock({ $0.failedOperations.insert(what).inserted }) else { return }
        logger.warning(
            "Renditions could not be read or stored; they will be made again.",
            metadata: [
                "renditions.operation": "\(what)",
                "renditions.path": logger.detail(path),
                "renditions.error": logger.detail("\(error)"),
                "renditions.code": Self.code(of: error),
            ]
        )
    }

    private static func code(of error: any Error) -> Logger.MetadataValue {
        (error as? DatabaseError).map { "\($0.extendedResultCode.rawValue)" } ?? "other"
    }

    /// Returns the error of a write for the user.
    private func libraryError(_ error: any Error) -> LibraryError {
        if let error = error as? LibraryError { return error }
        let message = "Thumbnails cannot be stored in \(path)."
        let words = (error as? DatabaseError)?.message.map { "SQLite reported: \($0)." }
        switch (error as? DatabaseError).flatMap({ VolumeProblem(behind: $0, at: folder) }) {
        case .full:
            return LibraryError(
                .noSpace,
                message,
                reason: "The volume is full.",
                recovery: "Free some space on the volume and try again.",
                path: path
            )
        case .readOnly:
            return LibraryError(
                .readOnly,
                message,
                reason: "The volume is mounted read-only.",
                recovery: "Mount the volume for writing and try again.",
                path: path
            )
        case nil:
            return LibraryError(
                isWritable ? .inputOutput : .noPermission,
                message,
                reason: isWritable ? words : "This user has no permission to write to it.",
                recovery: isWritable
                    ? "Check the volume and the system log (dmesg), then try again."
                    : "Change its permissions, or run the program as its owner.",
                path: path
            )
        }
    }

    private var folder: String { (path as NSString).deletingLastPathComponent }

    /// Indicates whether the file can be written or created, and its log can be created beside it.
    private var isWritable: Bool {
        access(folder, W_OK) == 0 && (access(path, W_OK) == 0 || errno == ENOENT)
    }

    // MARK: - Deleting

    /// Deletes the file; programs that have it open create a new one.
    func delete() {
        withFolderLocked { remove() }
        state.withLock { state in
            state.opened = nil
            state.failure = nil
            state.failedOperations = []
        }
    }

    /// The size on disk in bytes, including the log; 0 without a file.
    var length: Int64 {
        ["", "-wal"].reduce(0) { sum, suffix in
            var status = stat()
            return sum + (stat(path + suffix, &status) == 0 ? Int64(status.st_size) : 0)
        }
    }

    /// The identities, sizes and modification times of the file and its log, which change with each
    /// write of any program.
    struct Stamp: Equatable {
        fileprivate var values: [Int64] = []
        /// The time of the latest write, in nanoseconds since 1970.
        ///
        /// `taken` is the time of the stamp itself, in the same unit.
        fileprivate var latest: Int64 = 0
        fileprivate var taken: Int64 = 0

        static func == (first: Stamp, second: Stamp) -> Bool { first.values == second.values }

        /// Indicates whether the latest write was long enough ago that a further write would have a
        /// different time.
        var isSettled: Bool { taken - latest > 100_000_000 }
    }

    var stamp: Stamp {
        var stamp = Stamp()
        stamp.taken = Int64(Date().timeIntervalSince1970 * 1_000_000_000)
        for name in [path, logPath] {
            guard let status = FileStatus(path: name) else {
                stamp.values.append(-1)
                continue
            }
            let time = status.modificationTime
            stamp.values += [Int64(bitPattern: status.inode), status.size, time]
            stamp.latest = max(stamp.latest, time)
        }
        return stamp
    }

    /// Indicates whether the file exists; reading this property does not create the file.
    var isThere: Bool { Identity(path) != nil }

    private func remove() {
        // The log is removed first: a file without its log is an older state, but a log without its
        // file is useless.
        for suffix in ["-wal", "-shm", ""] { unlink(path + suffix) }
    }

    /// Deletes a damaged file, unless another program already did.
    private func beginAnew(_ damaged: Identity) {
        withFolderLocked {
            guard Identity(path) == damaged else { return }
            logger.warning(
                "The renditions are damaged and are begun anew.",
                metadata: ["renditions.path": logger.detail(path)]
            )
            remove()
        }
    }

    private func withFolderLocked(_ body: () -> Void) {
        let descriptor = Glibc.open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        defer { if descriptor >= 0 { Glibc.close(descriptor) } }
        if descriptor >= 0 { while flock(descriptor, LOCK_EX) != 0, errno == EINTR {} }
        body()
    }

    // MARK: - Opening

    /// Closes the file; nothing is read or written afterward.
    ///
    /// The log is checkpointed and removed, unless another process has the file open.
    func close() {
        let opened = state.withLock { state in
            state.isClosed = true
            defer { state.opened = nil }
            return state.opened
        }
        try? opened?.connections.close()
    }

    private func close(_ opened: Opened) {
        state.withLock { state in
            if state.opened?.connections === opened.connections { state.opened = nil }
        }
    }

    /// Opens the file unless it is open.
    ///
    /// - Throws: The error of the last attempt to open it; `cancelled` after `close()`.
    private func opened() throws -> Opened {
        let (result, isNew) = state.withLock { state -> (Result<Opened, any Error>, Bool) in
            if state.isClosed { return (.failure(LibraryError.cancelled), false) }
            let identity = Identity(path)
            // A file that was opened for reading only is reopened once it becomes writable.
            if let opened = state.opened, opened.identity == identity,
                opened.isWritable || !isWritable
            {
                if !opened.isWritable || opened.log == Identity(logPath) {
                    return (.success(opened), false)
                }
                // No other process sees the contents of an unlinked log.
                beginAnew(opened.identity)
            }
            state.opened = nil
            if let failure = state.failure, failure.identity == Identity(path),
                ContinuousClock.now - failure.time < Self.pause
            {
                return (.failure(failure.error), false)
            }
            do {
                let opened = try open()
                state.opened = opened
                state.failure = nil
                state.failedOperations.remove(Self.opening)
                return (.success(opened), false)
            } catch {
                state.failure = (Identity(path), .now, error)
                return (.failure(error), true)
            }
        }
        if isNew, case .failure(let error) = result { complain(Self.opening, error) }
        return try result.get()
    }

    private func open() throws -> Opened {
        let before = Identity(path)
        if let before, !isWritable { return try openForReading(before) }
        do {
            return try openOnce()
        } catch let error as DatabaseError where Self.isDamage(error) {
            if let before { beginAnew(before) }
            return try openOnce()
        }
    }

    /// Opens the file for reading if this process cannot write to the file or its folder, for
    /// example on a read-only volume.
    ///
    /// SQLite cannot open such a database in WAL mode. On a read-only volume and with an empty
    /// log, the file is opened as immutable; otherwise a private copy is read.
    private func openForReading(_ identity: Identity) throws -> Opened {
        var configuration = configuration()
        var copy: TemporaryCopy?
        let source: String
        var log = stat()
        let hasLog = stat(logPath, &log) == 0 && log.st_size > 0
        if !hasLog, VolumeProblem(at: folder) == .readOnly {
            configuration.readonly = true
            let escaped = path.addingPercentEncoding(withAllowedCharacters: .urlPathAllowed)
            source = "file:\(escaped ?? path)?immutable=1"
        } else {
            guard length <= Self.copyLimit else {
                throw DatabaseError(
                    resultCode: .SQLITE_READONLY,
                    message: "it is too large to copy"
                )
            }
            let root = (folder as NSString).deletingLastPathComponent
            let made = try TemporaryCopy(ofDatabase: path, in: LibraryBundle(root: root))
            source = made.database
            copy = made
        }
        let queue = try DatabaseQueue(path: source, configuration: configuration)
        let format = try queue.read { try Int.fetchOne($0, sql: "PRAGMA user_version") }
        guard format == Self.format else {
            throw DatabaseError(resultCode: .SQLITE_READONLY, message: "it is of another version")
        }
        return Opened(
            connections: ConnectionPool(
                path: source,
                configuration: configuration,
                reader: queue
            ),
            isWritable: false,
            identity: identity,
            log: nil,
            copy: copy
        )
    }

    private func configuration() -> Configuration {
        var configuration = Configuration()
        configuration.busyMode = .timeout(10)
        configuration.label = "photos.renditions"
        configuration.prepareDatabase { database in
            // A commit that is lost in a power failure costs a rendition and does not damage the
            // file.
            try database.execute(sql: "PRAGMA synchronous = NORMAL")
            // Deleted renditions are overwritten, so that nothing of purged assets remains.
            if !database.configuration.readonly {
                try database.execute(sql: "PRAGMA secure_delete = ON")
                try WriteAheadLog.limit(database)
            }
        }
        return configuration
    }

    private func openOnce() throws -> Opened {
        let configuration = configuration()
        DatabaseFile.make(at: path)
        let connections = ConnectionPool(path: path, configuration: configuration)
        let (format, mode) = try connections.read { database in
            let format = try Int.fetchOne(database, sql: "PRAGMA user_version")
            return (format, try String.fetchOne(database, sql: "PRAGMA journal_mode"))
        }
        // The first statement of a writer gives the file its log.
        if format != Self.format || mode != "wal" { try connections.write(Self.makeTables) }
        guard let identity = Identity(path) else {
            throw DatabaseError(resultCode: .SQLITE_CANTOPEN, message: "it was deleted at once")
        }
        return Opened(
            connections: connections,
            isWritable: true,
            identity: identity,
            log: Identity(logPath)
        )
    }

    private static func makeTables(_ database: Database) throws {
        // Another program may already have created the tables.
        guard try Int.fetchOne(database, sql: "PRAGMA user_version") != format else { return }
        try database.execute(
            sql: """
                DROP TABLE IF EXISTS rendition;
                DROP TABLE IF EXISTS sweep;
                DROP TABLE IF EXISTS fingerprint;
                CREATE TABLE rendition (
                    assetUUID TEXT NOT NULL,
                    sizeClass INTEGER NOT NULL,
                    contentVersion INTEGER NOT NULL,
                    origin INTEGER NOT NULL,
                    width INTEGER NOT NULL,
                    height INTEGER NOT NULL,
                    jpeg BLOB NOT NULL,
                    -- Of a partly transparent picture, with whose alpha the colours are multiplied.
                    alpha BLOB,
                    PRIMARY KEY (assetUUID, sizeClass)
                ) STRICT;
                -- Answers what there is without looking at the pictures.
                CREATE INDEX rendition_content
                    ON rendition(sizeClass, assetUUID, contentVersion, origin, width, height);
                -- The version of the library whose deletions have been dealt with.
                CREATE TABLE sweep (version INTEGER NOT NULL) STRICT;
                -- What duplicates are told by.
                CREATE TABLE fingerprint (
                    assetUUID TEXT NOT NULL PRIMARY KEY,
                    contentVersion INTEGER NOT NULL,
                    print BLOB,
                    aspect REAL
                ) STRICT, WITHOUT ROWID;
                PRAGMA user_version = \(format);
                """
        )
    }
}
