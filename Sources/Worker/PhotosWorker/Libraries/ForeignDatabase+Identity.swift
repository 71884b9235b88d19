internal import WorkerProtocol

/// The identifiers of libraries, and the detection of duplicate identifiers of assets.
extension ForeignDatabase {
    /// Returns the row IDs of the rows that have the same UUID as an earlier row.
    ///
    /// An undamaged library has no such rows. The comparison is case-sensitive only for short UUIDs
    /// of 22 characters.
    ///
    /// - Parameters:
    ///   - table: The table, which has the alias `v` in the condition.
    ///   - key: The column with the row ids.
    ///   - uuid: The column with the UUIDs.
    ///   - condition: The rows that are compared.
    /// - Returns: The row ids.
    /// - Throws: An error for a database that cannot be read.
    func repeatedKeys(
        in table: String,
        _ key: String,
        _ uuid: String,
        where condition: String = "1"
    ) throws(Failure) -> Set<Int64> {
        // Without WITH, whose functions the authorizer would take for those of a view of the file.
        let named = """
            SELECT v.\(key) AS id,
                CASE length(v.\(uuid)) WHEN 22 THEN v.\(uuid) ELSE upper(v.\(uuid)) END AS name
            FROM \(table) v WHERE v.\(uuid) IS NOT NULL AND \(condition)
            """
        let statement = try statement(
            """
            SELECT n.id FROM (\(named)) n JOIN (
                SELECT name, min(id) AS first FROM (\(named)) GROUP BY name HAVING count(*) > 1
            ) d ON n.name = d.name WHERE n.id <> d.first
            """
        )
        var keys: Set<Int64> = []
        while try statement.step() { if let key = statement.integer(0) { keys.insert(key) } }
        return keys
    }

    /// Returns the newest date in a column; nil if there is none or the table has no such column.
    func newestDate(in table: String, _ column: String) throws(Failure) -> Double? {
        let dates = try self.column("a", table, column)
        let statement = try statement("SELECT max(\(dates)) FROM \(table) a")
        return try statement.step() ? ForeignValue.date(statement.number(0)) : nil
    }

    /// Returns the identifier of a library of Photos 3 or 4, or of iPhoto.
    ///
    /// This is the UUID of the database. If there is none, the identifier is made from the creation
    /// date of the root folder, or else from the UUID of the first original. Returns nil if all of
    /// these are missing.
    func identifierOfEarlierLibrary() throws(Failure) -> String? {
        if try hasColumns(("RKAdminData", ["propertyArea", "propertyName", "propertyValue"])) {
            let statement = try statement(
                """
                SELECT propertyValue FROM RKAdminData
                WHERE propertyArea = 'database' AND propertyName = 'databaseUuid'
                """
            )
            if try statement.step(), let text = statement.text(0, limit: 64), !text.isEmpty {
                return text
            }
        }
        let date = try column("f", "RKFolder", "createDate")
        let folder = try statement(
            "SELECT \(date) FROM RKFolder f WHERE f.uuid = 'LibraryFolder'"
        )
        if try folder.step(), let seconds = folder.number(0) { return "library of \(seconds)" }
        // A second column, so that no index gives the order.
        let master = try statement("SELECT uuid, imagePath FROM RKMaster LIMIT 1")
        return try master.step() ? master.text(0, limit: 64).map { "library with \($0)" } : nil
    }
}

extension ForeignAsset {
    /// Returns the asset with a new `item` and no UUID, because another asset already has the UUID.
    func renamed(_ item: String) -> ForeignAsset {
        var asset = self
        asset.item = item
        asset.uuid = nil
        asset.notes.append(
            ForeignNote(
                code: "identifierTaken",
                text: "Another photo of its library has its identifier, so it got a new one."
            )
        )
        return asset
    }

    /// Adds a note that names the values that were truncated.
    mutating func noteCutTexts(_ values: (isCut: Bool, name: String)...) {
        let names = values.filter(\.isCut).map(\.name)
        guard !names.isEmpty else { return }
        notes.append(
            ForeignNote(
                code: "textTooLong",
                text: "Its text is longer than this library takes, and was cut: "
                    + names.joined(separator: ", ") + "."
            )
        )
    }
}
