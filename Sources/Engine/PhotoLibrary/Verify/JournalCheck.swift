internal import GRDB
internal import LibraryService
internal import PhotoModel

/// Checks invariant 4: the journal's versions have no gaps, and replaying the journal yields the
/// rows of all objects.
///
/// The position of a slice is the index of an object kind × 2⁴⁸ + a row id.
struct JournalCheck {
    private static let kindShift: Int64 = 48

    /// A kind of object, the table of its rows, and the number of objects per slice.
    private struct Part {
        let kind: ObjectKind
        let table: String
        let columns: String
        /// The SQL condition that selects the objects of this kind in the table.
        var condition = "1"
        var perSlice: Int64 = 2_000
    }

    private static let parts = [
        Part(kind: .asset, table: "asset", columns: AssetRecord.map.list),
        Part(kind: .resource, table: "resource", columns: ResourceRecord.map.list),
        // An album may have very many members.
        Part(
            kind: .album,
            table: "collection",
            columns: CollectionRecord.map.list,
            condition: "kind = \(ObjectKind.album.rawValue)",
            perSlice: 20
        ),
        Part(
            kind: .folder,
            table: "collection",
            columns: CollectionRecord.map.list,
            condition: "kind = \(ObjectKind.folder.rawValue)"
        ),
    ]

    let store: LibraryStore

    func slice(from position: Int64) throws -> Verifier.Slice {
        let index = Int(position >> Self.kindShift)
        let start = position & ((1 << Self.kindShift) - 1)
        guard Self.parts.indices.contains(index) else { return Verifier.Slice() }
        let part = Self.parts[index]
        return try store.read { database in
            var slice = Verifier.Slice()
            if position == 0 { slice.findings += try gaps(database) }
            let rows =
                try Int64.fetchOne(
                    database,
                    sql: "SELECT max(id) FROM \(part.table) WHERE \(part.condition)"
                ) ?? 0
            let entries =
                try Int64.fetchOne(
                    database,
                    sql: "SELECT max(objectId) FROM journalEntry WHERE kind = ?",
                    arguments: [part.kind.rawValue]
                ) ?? 0
            let last = max(rows, entries)
            let end = min(last, start + part.perSlice)
            var replay = JournalReplay(database: database, kind: part.kind)
            try replay.run(after: start, through: end)
            try replay.compare(
                sql: """
                    SELECT id, \(part.columns) FROM \(part.table)
                    WHERE \(part.condition) AND id > ? AND id <= ?
                    """,
                arguments: [start, end]
            )
            slice.findings += replay.differences.map { difference in
                finding("journalMismatch", difference.message, difference.uuid, part.kind)
            }
            if end < last {
                slice.next = Int64(index) << Self.kindShift + end
            } else if index + 1 < Self.parts.count {
                slice.next = Int64(index + 1) << Self.kindShift
            }
            let done = last == 0 ? 1 : Double(end) / Double(last)
            slice.progress = (Double(index) + done) / Double(Self.parts.count)
            return slice
        }
    }

    private func gaps(_ database: Database) throws -> [Finding] {
        let sql = """
            SELECT version FROM journalVersion AS this WHERE version > 1 AND NOT EXISTS (
                SELECT 1 FROM journalVersion WHERE version = this.version - 1)
            """
        return try Int64.fetchAll(database, sql: sql).map { version in
            finding("journalGap", "The journal has no version \(version - 1).", nil, .asset)
        }
    }

    private func finding(_ kind: String, _ message: String, _ uuid: String?, _ object: ObjectKind)
        -> Finding
    {
        Finding(
            .damage,
            kind: kind,
            message: message,
            advice:
                "The originals are not affected. Restore database/library.sqlite from a backup if"
                + " there is one.",
            path: store.bundle.database,
            localIdentifier: uuid.map { $0 + object.identifierSuffix }
        )
    }
}
