internal import GRDB
internal import PhotoModel

/// A stored entry of the journal.
struct JournalEntry {
    /// The columns of `journalEntry` that `init(row:)` reads, in order.
    static let columns = """
        id, version, kind, objectId, uuid, change, contentChanged, oldValues, newValues, members
        """

    typealias Values = [String: JournalValue.Scalar]

    let id: Int64
    let version: Int64
    let kind: ObjectKind
    let objectID: Int64
    let uuid: String
    let change: JournalChange
    let contentChanged: Bool
    /// The old values: the changed values for an update, all values other than NULL for a deletion.
    let old: Values
    /// The new values: the changed values for an update, all values other than NULL for an
    /// insertion.
    let new: Values
    /// The change of an album's members; nil if there is no such change.
    let members: MembersChange?

    /// Parses a row of `columns`.
    ///
    /// Members and parents are resolved to row ids, whether the entry names them by UUID or, as in
    /// entries of earlier versions of the library, by row id.
    ///
    /// - Throws: `LibraryError` with code `corrupt` if an entry cannot be read.
    init(row: Row, in database: Database) throws {
        var cells = RowReader(row: row, table: "journalEntry")
        id = try cells.next()
        version = try cells.next()
        kind = try cells.next(ObjectKind.init(rawValue:))
        objectID = try cells.next()
        uuid = try cells.next()
        change = try cells.next(JournalChange.init(rawValue:))
        contentChanged = try cells.next()
        var old = try Self.values(cells.nextOptional(), version: version, uuid: uuid)
        var new = try Self.values(cells.nextOptional(), version: version, uuid: uuid)
        let names = JournalNames(database)
        if kind == .album || kind == .folder {
            guard try names.resolveParent(in: &old), try names.resolveParent(in: &new) else {
                throw Self.unreadable(version: version, uuid: uuid)
            }
        }
        (self.old, self.new) = (old, new)
        if let text: String = cells.nextOptional() {
            guard let change = try MembersChange(text: text, naming: names) else {
                throw Self.unreadable(version: version, uuid: uuid)
            }
            members = change
        } else {
            members = nil
        }
    }

    private static func values(_ text: String?, version: Int64, uuid: String) throws -> Values {
        guard let text else { return [:] }
        do {
            return try JournalValue.decode(text)
        } catch {
            throw unreadable(version: version, uuid: uuid)
        }
    }

    private static func unreadable(version: Int64, uuid: String) -> LibraryError {
        LibraryError(
            .corrupt,
            "The journal's version \(version) cannot be read for \(uuid).",
            recovery: "Run photos verify, and restore the library from a backup.",
            identifiers: [uuid]
        )
    }
}
