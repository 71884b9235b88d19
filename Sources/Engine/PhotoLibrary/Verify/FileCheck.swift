internal import GRDB
internal import Glibc
internal import LibraryService
internal import PhotoModel

/// Checks invariant 1: every file that a row references is complete.
struct FileCheck {
    /// The maximum number of rows per slice; if files are read, `bytesPerSlice` also limits the
    /// slice.
    private static let rowsPerSlice = 2_000
    private static let bytesPerSlice: Int64 = 128 << 20

    let store: LibraryStore
    /// Repairs damaged files with copies from another library; nil if no other library was given.
    var mender: FileMender?

    func slice(from position: Int64, isFull: Bool) throws -> Verifier.Slice {
        let (records, last) = try store.read { database in
            let sql =
                ResourceRecord.selectSQL + " WHERE resource.id > ? ORDER BY resource.id LIMIT ?"
            return (
                try Row.fetchAll(database, sql: sql, arguments: [position, Self.rowsPerSlice])
                    .map(ResourceRecord.init(row:)),
                try Int64.fetchOne(database, sql: "SELECT max(id) FROM resource") ?? 0
            )
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
            let sql = "SELECT 1 FROM resource WHERE id = ? AND path = ? AND presence = 0"
            return try Bool.fetchOne(database, sql: sql, arguments: [record.id, record.path])
                ?? false
        }
    }

    private func finding(_ record: ResourceRecord, _ kind: String, _ what: String) -> Finding {
        let path = store.bundle.absolutePath(of: record.path)
        return Finding(
            .damage,
            kind: kind,
            message: "The file of \(record.originalFilename) \(what).",
            advice: "Restore it from a backup: photos verify --repair --from BACKUP. Its SHA-256 is"
                + " \(record.sha256).",
            path: path,
            localIdentifier: record.assetUUID + ObjectKind.asset.identifierSuffix
        )
    }
}
