internal import GRDB
internal import PhotoModel

/// The versions that the next undo or redo reverts.
///
/// The next undo reverts the latest version or import that has not been undone. The next redo
/// reverts the latest undo that has not been redone.
///
/// A version that reverts a change is an undo. A version that reverts an undo is a redo, which can
/// be undone like any change. Changes by the library's maintenance and by other devices are
/// skipped.
struct UndoTarget {
    /// The library versions whose changes are undone, in ascending order: a single version, or all
    /// versions of one import.
    let versions: [Int64]

    /// The last of `versions`, which identifies the undone change in the journal.
    let last: Int64

    /// The versions of the original change: `versions` itself, or the undone versions if `versions`
    /// is an undo.
    let subject: [Int64]

    /// Indicates whether `versions` are an undo, so that reverting them is a redo.
    var isUndoing: Bool { versions != subject }

    private init(versions: [Int64], last: Int64, subject: [Int64]) {
        self.versions = versions
        self.last = last
        self.subject = subject
    }

    // MARK: - Undoing

    /// Returns the target of the next undo; nil if there is nothing to undo, or if the journal no
    /// longer contains it.
    static func undo(in database: Database) throws -> UndoTarget? {
        let start = try HistorySummary.start(database)
        let rows = try history(database, since: start)
        let sorts = VersionSorts(database)
        // An undo comes after its target, so this loop reaches it first.
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

    /// Returns the target of the next redo; nil if nothing was undone or the library has changed
    /// since the undo.
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
                    AND origin IS NULL
                ORDER BY version DESC
                """,
            arguments: [start]
        )
    }

    /// Returns the versions of a batch after its last undone version, up to and including `last`.
    ///
    /// A batch may continue after an undo.
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

    /// Returns a version together with the earlier versions of the same batch.
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

/// Classifies versions as changes, undos and redos.
struct VersionSorts {
    enum Sort: Equatable {
        case change
        /// An undo, with the version of the original change.
        case undoing(Int64)
        case redoing
        /// A version that reverts another version which the journal no longer contains.
        case unknown
    }

    private let database: Database

    init(_ database: Database) {
        self.database = database
    }

    /// Classifies a version by the chain of versions that it reverts.
    ///
    /// Reverting an undo is a redo, and reverting that is an undo again.
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
            // A version reverts an earlier one, but a damaged journal may state otherwise.
            guard undoes < version else { return .unknown }
            (version, steps) = (undoes, steps + 1)
        }
        if steps == 0 { return .change }
        return steps.isMultiple(of: 2) ? .redoing : .undoing(version)
    }
}
