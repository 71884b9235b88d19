internal import Foundation
internal import GRDB
internal import PhotoModel

/// The kind of change of an object.
///
/// The raw values are stored.
package enum JournalChange: Int, Sendable {
    case insert = 1
    case update = 2
    case delete = 3
}

/// Writes the journal entries of a transaction.
///
/// 1. Every insert, update and delete of an object's row has its entry in the same transaction.
/// 2. A transaction that changes objects has one version, one more than the last. A transaction
///    that changes none has no version, so versions have no gaps.
/// 3. An insert contains all values of the row, an update the old and new values that differ, a
///    delete all old values. Replaying the entries from the first on therefore yields the rows.
/// 4. An album's members are in the album's entries, never in those of assets.
struct JournalWriter {
    private let database: Database
    private let author: String
    private let time: Date
    /// The origin of a change that another device made; nil for a local change.
    private let origin: RemoteOrigin?
    /// The batch that groups this transaction with others.
    private let batch: String?
    /// The version that this transaction undoes.
    var undoes: Int64?
    /// The version of this transaction, assigned when the first entry is written.
    private(set) var version: Int64?
    /// The hybrid clock's time of the version.
    private(set) var clock = HybridTime.zero
    /// The insert statement, prepared when the first entry is written.
    private var insertion: Statement?

    init(
        database: Database,
        author: String,
        time: Date,
        batch: String? = nil,
        origin: RemoteOrigin? = nil
    ) {
        self.database = database
        self.author = author
        self.time = time
        self.batch = batch
        self.origin = origin
    }

    typealias Values = [(name: String, value: DatabaseValue)]

    mutating func append(
        _ change: JournalChange,
        of kind: ObjectKind,
        id: Int64,
        uuid: String,
        old: Values,
        new: Values,
        contentChanged: Bool,
        members: MembersChange = MembersChange()
    ) throws {
        let version = try beginVersion()
        let names = JournalNames(database)
        let (old, new) =
            kind == .album || kind == .folder
            ? (try names.naming(old), try names.naming(new)) : (old, new)
        try insertionStatement().execute(
            values: [
                version.databaseValue, kind.rawValue.databaseValue, id.databaseValue,
                uuid.databaseValue, change.rawValue.databaseValue, contentChanged.databaseValue,
                JournalValue.encode(old)?.databaseValue ?? .null,
                JournalValue.encode(new)?.databaseValue ?? .null,
                try members.text(naming: names)?.databaseValue ?? .null,
            ],
            in: database
        )
    }

    private mutating func insertionStatement() throws -> Statement {
        if let insertion { return insertion }
        let statement = try database.cachedStatement(
            sql: """
                INSERT INTO journalEntry
                    (version, kind, objectId, uuid, change, contentChanged, oldValues, newValues,
                    members)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
                """
        )
        insertion = statement
        return statement
    }

    /// Returns the transaction's version, assigning one if necessary.
    @discardableResult
    mutating func beginVersion() throws -> Int64 {
        if let version { return version }
        let (last, before) = try lastVersion()
        clock = stamp(after: before)
        let next = last + 1
        let statement = try database.cachedStatement(
            sql: """
                INSERT INTO journalVersion
                    (version, time, author, batch, undoes, hlc, origin, originTime)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?)
                """
        )
        try statement.execute(arguments: [
            next, time.timeIntervalSinceReferenceDate, author, batch, undoes,
            Int64(clamping: clock.rawValue), origin?.device,
            origin?.time.timeIntervalSinceReferenceDate,
        ])
        version = next
        return next
    }

    /// Begins a version, even without changes, if the last version's clock is behind the origin's
    /// time.
    ///
    /// Later local changes then get times after the origin's.
    mutating func observeOrigin() throws {
        guard version == nil, let origin, try lastVersion().clock < origin.stamp else { return }
        try beginVersion()
    }

    /// Returns the last version and its hybrid clock time; zeros if there are no versions.
    private func lastVersion() throws -> (version: Int64, clock: HybridTime) {
        let statement = try database.cachedStatement(
            sql: "SELECT version, hlc FROM journalVersion ORDER BY version DESC LIMIT 1"
        )
        guard let row = try Row.fetchOne(statement) else { return (0, .zero) }
        let clock: Int64? = row[1]
        return (row[0], clock.map { HybridTime(rawValue: UInt64(clamping: $0)) } ?? .zero)
    }

    /// Returns the transaction's time according to the hybrid clock, given the last version's time.
    ///
    /// A local change gets a time after that of the last version. A change of another device gets
    /// the later one of that time and its own.
    private func stamp(after last: HybridTime) -> HybridTime {
        if let origin { return max(last, origin.stamp) }
        var clock = HybridClock(last: last)
        return clock.next(now: time.millisecondsSince1970)
    }

    /// Returns the version of the last committed transaction that changed objects; 0 for none.
    static func currentVersion(_ database: Database) throws -> Int64 {
        let statement = try database.cachedStatement(sql: "SELECT max(version) FROM journalVersion")
        return try Int64.fetchOne(statement) ?? 0
    }
}

extension Date {
    /// The whole milliseconds since 1970; 0 for earlier dates.
    var millisecondsSince1970: UInt64 {
        UInt64(exactly: max(0, (timeIntervalSince1970 * 1_000).rounded(.down))) ?? .max
    }
}
