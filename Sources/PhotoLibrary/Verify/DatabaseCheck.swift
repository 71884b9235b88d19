internal import GRDB
internal import LibraryService

/// SQLite's own look at its file, and references between tables.
struct DatabaseCheck {
    let store: LibraryStore

    func slice(isFull: Bool) throws -> Verifier.Slice {
        try store.read { database in
            let pragma = isFull ? "integrity_check" : "quick_check"
            let lines: [String]
            let references: [Row]
            do {
                lines = try String.fetchAll(database, sql: "PRAGMA \(pragma)")
                references = try Row.fetchAll(database, sql: "PRAGMA foreign_key_check")
            } catch let error as DatabaseError where error.resultCode == .SQLITE_CORRUPT {
                // Damage that stops SQLite's check itself.
                lines = [error.message ?? "it cannot be read"]
                references = []
            }
            return Verifier.Slice(
                findings: lines.filter { $0 != "ok" }.map { line in
                    finding("damagedDatabase", "SQLite finds the database damaged: \(line).")
                }
                    + references.map { row in
                        let table: String = row[0]
                        let id: Int64? = row[1]
                        return finding(
                            "danglingReference",
                            "Row \(id.map(String.init) ?? "?") of \(table) belongs to an object that"
                                + " is not there."
                        )
                    }
            )
        }
    }

    private func finding(_ kind: String, _ message: String) -> Finding {
        Finding(
            .damage,
            kind: kind,
            message: message,
            advice:
                "Restore database/library.sqlite from a backup; the originals are not concerned.",
            path: store.bundle.database
        )
    }
}
