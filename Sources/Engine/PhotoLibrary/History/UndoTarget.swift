internal import GRDB
internal import PhotoModel

/// What the next undo takes back: the last version, or the last import, that was not taken back yet; or
/// what the next redo does: the last undoing that was not.
///
/// A version that takes back a change is an undoing, one that takes back an undoing is a redoing, and can
/// be undone like any change. What the library did by itself is passed over.
struct UndoTarget {
    /// Ascending; several when one import made them.
    let versions: [Int64]

    /// The last of them, by which the journal knows what was undone.
    let last: Int64

    /// What this is about in the end: `versions`, or what those of an undoing had taken back.
    let subject: [Int64]

    /// Whether it is an undoing.
    var isUndoing: Bool { versions != subject }

    private init(versions: [Int64], last: Int64, subject: [Int64]) {
        self.versions = versions
        self.last = last
        self.subject = subject
    }

    // MARK: - Undoing

    /// What the next undo takes back; nil when there is nothing, or nothing that the journal still has.
    static func undo(in database: Database) throws -> UndoTarget? {
        let start = try HistorySummary.start(database)
        let rows = try history(database, since: start)
        let sorts = VersionSorts(database)
        // An undoing comes after what it takes back, so it is met first.
        var undone: Set<Int64> = []
        var undoneBatches: Set<String> = []
        while let row = try rows.next() {
            let (version, author): (Int64, String) = (row[0], row[1])
            let (batch, undoes): (String?, Int64?) = (row[2], row[3])
            if undone.contains(version) {
                if let batch { undoneBatches.insert(batch) }
                continue
            }
            if let undoes, try sorts.sort(of: version) != .redoing {
                undone.insert(undoes)
                continue
            }
            if let batch, undoneBatches.contains(batch) { continue }
            if author == Maintenance.author { continue }
            let versions =
                try batch.map { try Self.versions(of: $0, through: version, database) }?
                .filter { $0 > start } ?? [version]
            return UndoTarget(versions: versions, last: version, subject: versions)
        }
        return nil
    }

    /// What the next redo takes back; nil when nothing was undone, or something was changed since.
    static func redo(in database: Database) throws -> UndoTarget? {
        let start = try HistorySummary.start(database)
        let rows = try history(database, since: start)
        let sorts = VersionSorts(database)
        var redone: Set<Int64> = []
        while let row = try rows.next() {
            let (version, author): (Int64, String) = (row[0], row[1])
            let undoes: Int64? = row[3]
            if redone.contains(version) || author == Maintenance.author && undoes == nil {
                continue
            }
            switch try sorts.sort(of: version) {
            case .redoing: if let undoes { redone.insert(undoes) }
            case .undoing(let change):
                guard change > start else { return nil }
                return UndoTarget(
                    versions: [version],
                    last: version,
                    subject: try Self.versions(with: change, database).filter { $0 > start }
                )
            case .change, .unknown: return nil
            }
        }
        return nil
    }

    private static func history(_ database: Database, since start: Int64) throws -> RowCursor {
        try Row.fetchCursor(
            database,
            sql: """
                SELECT version, author, batch, undoes FROM journalVersion WHERE version > ?
                ORDER BY version DESC
                """,
            arguments: [start]
        )
    }

    /// The versions of a batch that were not undone when it went on after an undo.
    private static func versions(
        of batch: String,
        through last: Int64,
        _ database: Database
    ) throws -> [Int64] {
        let undone =
            try Int64.fetchOne(
                database,
                sql: """
                    SELECT max(undoes) FROM journalVersion
                    WHERE undoes IN (SELECT version FROM journalVersion WHERE batch = ?)
                    """,
                arguments: [batch]
            ) ?? 0
        return try Int64.fetchAll(
            database,
            sql: """
                SELECT version FROM journalVersion WHERE batch = ? AND version > ? AND version <= ?
                ORDER BY version
                """,
            arguments: [batch, undone, last]
        )
    }

    /// A version, and those of its batch before it.
    private static func versions(with version: Int64, _ database: Database) throws -> [Int64] {
        try Int64.fetchAll(
            database,
            sql: """
                SELECT version FROM journalVersion WHERE version = ?1 OR version < ?1 AND batch = (
                    SELECT batch FROM journalVersion WHERE version = ?1)
                ORDER BY version
                """,
            arguments: [version]
        )
    }
}

/// What versions are: changes, undoings of changes, redoings of what was undone.
struct VersionSorts {
    enum Sort: Equatable {
        case change
        /// Of a change, in the end.
        case undoing(Int64)
        case redoing
        /// What it took back is not in the journal any more.
        case unknown
    }

    private let database: Database

    init(_ database: Database) {
        self.database = database
    }

    /// Follows what takes back what: undoing an undoing is a redoing, undoing that an undoing again.
    func sort(of version: Int64) throws -> Sort {
        let statement = try database.cachedStatement(
            sql: "SELECT undoes FROM journalVersion WHERE version = ?"
        )
        var (version, steps) = (version, 0)
        while true {
            guard let row = try Row.fetchOne(statement, arguments: [version]) else {
                return .unknown
            }
            guard let undoes: Int64 = row[0] else { break }
            // A version takes back an earlier one; a damaged journal may say something else.
            guard undoes < version else { return .unknown }
            (version, steps) = (undoes, steps + 1)
        }
        if steps == 0 { return .change }
        return steps.isMultiple(of: 2) ? .redoing : .undoing(version)
    }
}
