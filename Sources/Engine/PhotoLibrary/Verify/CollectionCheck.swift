internal import GRDB
internal import LibraryService
internal import PhotoModel

/// Checks that the rows of albums and folders are consistent, and that the totals of albums and
/// smart albums are correct.
///
/// A repair corrects totals, which are derived from the members.
struct CollectionCheck {
    /// The maximum number of albums that one call of `slice` checks.
    ///
    /// It is small since an album may have very many members.
    private static let albumsPerSlice = 50

    let store: LibraryStore

    func slice(from position: Int64, repairs: Bool) throws -> Verifier.Slice {
        var (slice, wrong) = try store.read { database in
            var slice = Verifier.Slice()
            if position == 0 { slice.findings = try structure(database) }
            let albums = try Row.fetchAll(
                database,
                sql: CollectionRecord.map.selectSQL
                    + " WHERE kind = \(ObjectKind.album.rawValue) AND id > ? ORDER BY id LIMIT ?",
                arguments: [position, Self.albumsPerSlice]
            ).map(CollectionRecord.init(row:))
            let wrong = try albums.filter { album in
                var right = album
                try right.setTotals(from: database)
                return right != album
            }
            if albums.count == Self.albumsPerSlice { slice.next = albums.last?.id }
            let last = try Int64.fetchOne(database, sql: "SELECT max(id) FROM collection") ?? 0
            if let next = slice.next, last > 0 { slice.progress = Double(next) / Double(last) }
            return (slice, wrong)
        }
        if position == 0, let finding = try SmartAlbumCheck(store: store).finding(repairs: repairs)
        {
            slice.findings.append(finding)
        }
        let isRepaired = repairs && store.readOnlyReason == nil && !wrong.isEmpty
        if isRepaired {
            try store.write(author: Maintenance.author) { transaction in
                for album in wrong { try transaction.repairTotals(ofAlbum: album.id) }
            }
        }
        slice.findings += wrong.map { album in
            finding(
                "wrongTotals",
                "the number or the dates do not match its photos",
                album,
                advice: isRepaired ? "They were corrected." : "Run photos verify --repair.",
                isRepaired: isRepaired
            )
        }
        return slice
    }

    /// Finds folders that contain themselves, and objects in containers of the wrong kind.
    private func structure(_ database: Database) throws -> [Finding] {
        let restore = "Restore database/library.sqlite from a backup."
        return try Self.rules.flatMap { rule in
            try Row.fetchAll(
                database,
                sql: CollectionRecord.map.selectSQL + " WHERE " + rule.condition
            ).map { finding(rule.kind, rule.message, try .init(row: $0), advice: restore) }
        }
    }

    private func finding(
        _ kind: String,
        _ message: String,
        _ record: CollectionRecord,
        advice: String,
        isRepaired: Bool = false
    ) -> Finding {
        Finding(
            .damage,
            kind: kind,
            message: "\(record.kind) “\(record.title)”: \(message).",
            advice: advice,
            localIdentifier: record.localIdentifier,
            isRepaired: isRepaired
        )
    }

    private static let rules: [(kind: String, message: String, condition: String)] = [
        (
            "folderCycle", "it is not in a folder under the root folder",
            """
            id NOT IN (
                WITH RECURSIVE reached(id) AS (
                    SELECT id FROM collection WHERE parentId IS NULL
                    UNION
                    SELECT c.id FROM collection AS c JOIN reached ON c.parentId = reached.id)
                SELECT id FROM reached)
            """
        ),
        (
            "wrongContainer", "it is an album, but contains albums or folders",
            "kind = 2 AND EXISTS (SELECT 1 FROM collection AS c WHERE c.parentId = collection.id)"
        ),
        (
            "wrongContainer", "it is a folder, but contains photos",
            "kind = 3 AND EXISTS (SELECT 1 FROM albumAsset WHERE albumId = collection.id)"
        ),
    ]
}

extension LibraryTransaction {
    /// Recomputes an album's totals from its members and stores them.
    fileprivate func repairTotals(ofAlbum id: Int64) throws {
        guard let row = try collection(id: id) else { return }
        var right = row
        try right.setTotals(from: database)
        try store(right, over: row)
    }

    /// Returns an object's state at a version, replayed from the journal; nil if the object did not
    /// exist then.
    func journaledObject(kind: ObjectKind, id: Int64, through version: Int64 = .max) throws
        -> JournaledObject?
    {
        let rows = try Row.fetchCursor(
            database,
            sql: """
                SELECT \(JournalEntry.columns) FROM journalEntry
                WHERE kind = ? AND objectId = ? AND version <= ? ORDER BY version, id
                """,
            arguments: [kind.rawValue, id, version]
        )
        var object: JournaledObject?
        while let row = try rows.next() {
            object =
                JournaledObject.applying(try JournalEntry(row: row, in: database), to: object)
                .object
        }
        return object
    }
}
