internal import GRDB
internal import LibraryService
internal import PhotoModel

/// Runs SQLite's integrity check, and checks references between tables.
struct DatabaseCheck {
    let store: LibraryStore

    func slice(isFull: Bool) throws -> Verifier.Slice {
        do {
            return Verifier.Slice(findings: missingChanges + (try findings(isFull: isFull)))
        } catch let error as DatabaseError where error.resultCode == .SQLITE_CORRUPT {
            // The damage prevents SQLite's check itself.
            return Verifier.Slice(findings: [damagedDatabase(error.message ?? "it cannot be read")])
        }
    }

    /// The finding for committed changes that were lost with the write-ahead log.
    private var missingChanges: [Finding] {
        guard let version = store.missingVersion ?? store.acceptedVersion else { return [] }
        let error = LibraryError.changesMissing(upTo: version, store.bundle)
        let isRepaired = store.missingVersion == nil
        return [
            Finding(
                .damage,
                kind: "missingChanges",
                message: error.message,
                advice: isRepaired
                    ? "The older state was accepted; later change tokens have expired."
                    : error.recovery ?? "",
                path: store.bundle.log,
                isRepaired: isRepaired
            )
        ]
    }

    private func findings(isFull: Bool) throws -> [Finding] {
        try store.read { database in
            let pragma = isFull ? "integrity_check" : "quick_check"
            let lines = try String.fetchAll(database, sql: "PRAGMA \(pragma)")
            let references = try Row.fetchAll(database, sql: "PRAGMA foreign_key_check")
            return lines.filter { $0 != "ok" }.map(damagedDatabase)
                + references.map { row in
                    let table: String = row[0]
                    let id: Int64? = row[1]
                    if table == "albumAsset" {
                        let parent: String = row[2]
                        let what = parent == "asset" ? "a photo" : "an album"
                        return finding(
                            "danglingReference",
                            "An album entry refers to \(what) that does not exist."
                        )
                    }
                    return finding(
                        "danglingReference",
                        "Row \(id.map(String.init) ?? "?") of \(table) belongs to an object that does"
                            + " not exist."
                    )
                }
        }
    }

    private func damagedDatabase(_ words: String) -> Finding {
        finding("damagedDatabase", "SQLite reports that the database is damaged: \(words).")
    }

    private func finding(_ kind: String, _ message: String) -> Finding {
        Finding(
            .damage,
            kind: kind,
            message: message,
            advice:
                "Restore database/library.sqlite from a backup. The originals are not affected.",
            path: store.bundle.database
        )
    }
}
