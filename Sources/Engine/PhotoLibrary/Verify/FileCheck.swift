internal import GRDB
internal import Glibc
internal import LibraryService
internal import PhotoModel

/// Checks invariant 1: every file that a row references, or that is kept for an undo, is complete.
struct FileCheck {
    /// The files that are checked.
    enum Files {
        /// The files of assets.
        case present
        /// The files of replaced or reverted edits, whose rows an undo can restore.
        case former
    }

    /// The maximum number of rows per slice; if files are read, `bytesPerSlice` also limits the
    /// slice.
    private static let rowsPerSlice = 2_000
    private static let bytesPerSlice: Int64 = 128 << 20

    let store: LibraryStore
    var files = Files.present
    /// Repairs damaged files with copies from another library; nil if no other library was given.
    var mender: FileMender?

    func slice(from position: Int64, isFull: Bool) throws -> Verifier.Slice {
        let (records, last) = try store.read { database in
            try files == .present
                ? Self.present(after: position, in: database)
                : Self.former(after: position, in: database)
        }
        var slice = Verifier.Slice()
        var bytes: Int64 = 0
        for record in records {
            slice.findings += try (check(record, isFull: isFull) ?? []).map { finding in
                try mender?.mend(record, finding) ?? finding
            }
            slice.next = record.id
            bytes += record.size
            if isFull, bytes >= Self.bytesPerSlice { break }
        }
        slice.progress = last == 0 ? 1 : Double(slice.next ?? last) / Double(last)
        if slice.next == last { slice.next = nil }
        return slice
    }

    /// Returns the next rows, and the highest id of all rows.
    private static func present(
        after position: Int64,
        in database: Database
    ) throws -> ([ResourceRecord], Int64) {
        let sql = ResourceRecord.selectSQL + " WHERE resource.id > ? ORDER BY resource.id LIMIT ?"
        let records = try Row.fetchAll(database, sql: sql, arguments: [position, rowsPerSlice])
            .map(ResourceRecord.init(row:))
        return (records, try Int64.fetchOne(database, sql: "SELECT max(id) FROM resource") ?? 0)
    }

    /// Returns the next former rows of files that are kept for an undo, from the journal's entries
    /// that deleted them, and the highest id of such rows.
    private static func former(
        after position: Int64,
        in database: Database
    ) throws -> ([ResourceRecord], Int64) {
        let sql = """
            SELECT formerFile.resourceId, journalEntry.oldValues, asset.uuid FROM formerFile
            JOIN journalEntry ON journalEntry.kind = ? AND journalEntry.change = ?
                AND journalEntry.objectId = formerFile.resourceId
                AND journalEntry.version = formerFile.version
                AND journalEntry.oldValues IS NOT NULL
            LEFT JOIN asset ON asset.id = formerFile.assetId
            WHERE formerFile.resourceId > ?
                AND NOT EXISTS (SELECT 1 FROM resource WHERE path = formerFile.path)
            ORDER BY formerFile.resourceId LIMIT ?
            """
        let arguments: StatementArguments = [
            ObjectKind.resource.rawValue, JournalChange.delete.rawValue, position, rowsPerSlice,
        ]
        let rows = try Row.fetchAll(database, sql: sql, arguments: arguments)
        let records = try rows.compactMap { row -> ResourceRecord? in
            let text: String = row[1]
            let uuid: String? = row[2]
            let former = try ResourceRecord.map.row(
                id: row[0],
                JournalValue.decode(text),
                more: [("assetUUID", (uuid ?? "").databaseValue)],
                in: database
            )
            return try former.map(ResourceRecord.init(row:))
        }
        let last = try Int64.fetchOne(database, sql: "SELECT max(resourceId) FROM formerFile")
        return (records, last ?? 0)
    }

    /// Checks the file of a resource.
    ///
    /// - Parameters:
    ///   - record: The row of the file.
    ///   - isFull: Whether to compute the SHA-256.
    ///   - mayContinue: Called between parts of the file; false stops reading it.
    /// - Returns: The findings; nil if it was stopped.
    /// - Throws: Errors of the database.
    func check(
        _ record: ResourceRecord,
        isFull: Bool,
        while mayContinue: () -> Bool = { true }
    ) throws -> [Finding]? {
        let path = store.bundle.absolutePath(of: record.path)
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        guard descriptor >= 0 else {
            let error = SystemError.last("open", path: path)
            // A row deleted meanwhile is not a finding, and neither is a file in the cloud.
            guard try isExpected(record) else { return [] }
            return error.number == ENOENT
                ? [finding(record, "missingFile", "is missing")]
                : [finding(record, "unreadableFile", "cannot be read: \(error.reason)")]
        }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            return [finding(record, "unreadableFile", "is not a regular file")]
        }
        guard Int64(status.st_size) == record.size else {
            let what = "has \(status.st_size) bytes instead of \(record.size)"
            return [finding(record, "wrongSize", what)]
        }
        guard isFull else { return [] }
        do throws(SystemError) {
            let found = try FileOperations().digest(of: descriptor, while: mayContinue)
            guard let digest = found?.hexadecimal else { return nil }
            guard digest != record.sha256 else { return [] }
            let what = "differs from the imported file: its SHA-256 is \(digest)"
            return [finding(record, "wrongBytes", what)]
        } catch {
            return [finding(record, "unreadableFile", "cannot be read: \(error.reason)")]
        }
    }

    private func isExpected(_ record: ResourceRecord) throws -> Bool {
        try store.read { database in
            let sql =
                switch files {
                case .present: "SELECT 1 FROM resource WHERE id = ? AND path = ? AND presence = 0"
                case .former: "SELECT 1 FROM formerFile WHERE resourceId = ? AND path = ?"
                }
            return try Bool.fetchOne(database, sql: sql, arguments: [record.id, record.path])
                ?? false
        }
    }

    private func finding(_ record: ResourceRecord, _ kind: String, _ what: String) -> Finding {
        let path = store.bundle.absolutePath(of: record.path)
        let reason = files == .former ? ", which is kept for an undo," : ""
        return Finding(
            .damage,
            kind: kind,
            message: "The file of \(record.originalFilename)\(reason) \(what).",
            advice: "Restore it from a backup: photos verify --repair --from BACKUP. Its SHA-256 is"
                + " \(record.sha256).",
            path: path,
            localIdentifier: record.assetUUID.isEmpty
                ? nil : record.assetUUID + ObjectKind.asset.identifierSuffix
        )
    }
}
