internal import GRDB
internal import LibraryService
internal import PhotoModel

/// Invariant 4: the journal, replayed, gives the rows; and its versions have no gaps.
///
/// Positions count through the objects of each kind in turn: the kind's place × 2⁴⁸ + row id.
struct JournalCheck {
    private static let objectsPerSlice: Int64 = 2_000
    private static let kindShift: Int64 = 48
    private static let kinds: [(kind: ObjectKind, table: String, columns: String)] = [
        (.asset, "asset", AssetRecord.map.list),
        (.resource, "resource", ResourceRecord.map.list),
    ]

    let store: LibraryStore

    func slice(from position: Int64) throws -> Verifier.Slice {
        let index = Int(position >> Self.kindShift)
        let start = position & ((1 << Self.kindShift) - 1)
        guard Self.kinds.indices.contains(index) else { return Verifier.Slice() }
        let (kind, table, columns) = Self.kinds[index]
        return try store.read { database in
            var slice = Verifier.Slice()
            if position == 0 { slice.findings += try gaps(database) }
            let rows = try Int64.fetchOne(database, sql: "SELECT max(id) FROM \(table)") ?? 0
            let entries =
                try Int64.fetchOne(
                    database,
                    sql: "SELECT max(objectId) FROM journalEntry WHERE kind = ?",
                    arguments: [kind.rawValue]
                ) ?? 0
            let last = max(rows, entries)
            let end = min(last, start + Self.objectsPerSlice)
            var replay = JournalReplay(database: database, kind: kind)
            try replay.run(after: start, through: end)
            try replay.compare(
                sql: "SELECT id, \(columns) FROM \(table) WHERE id > ? AND id <= ?",
                arguments: [start, end]
            )
            slice.findings += replay.differences.map { finding("journalMismatch", $0, $1) }
            if end < last {
                slice.next = Int64(index) << Self.kindShift + end
            } else if index + 1 < Self.kinds.count {
                slice.next = Int64(index + 1) << Self.kindShift
            }
            let part = last == 0 ? 1 : Double(end) / Double(last)
            slice.progress = (Double(index) + part) / Double(Self.kinds.count)
            return slice
        }
    }

    private func gaps(_ database: Database) throws -> [Finding] {
        let sql = """
            SELECT version FROM journalVersion AS this WHERE version > 1 AND NOT EXISTS (
                SELECT 1 FROM journalVersion WHERE version = this.version - 1)
            """
        return try Int64.fetchAll(database, sql: sql).map { version in
            finding("journalGap", "The journal has no version \(version - 1).", nil)
        }
    }

    private func finding(_ kind: String, _ message: String, _ uuid: String?) -> Finding {
        Finding(
            .damage,
            kind: kind,
            message: message,
            advice:
                "The pictures are not concerned. Restore database/library.sqlite from a backup if"
                + " there is one.",
            path: store.bundle.database,
            localIdentifier: uuid.map { $0 + ObjectKind.asset.identifierSuffix }
        )
    }
}
