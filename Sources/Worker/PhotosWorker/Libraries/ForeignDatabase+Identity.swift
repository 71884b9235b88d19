internal import WorkerProtocol

/// Identifiers of libraries, and of assets that have one in common.
extension ForeignDatabase {
    /// Returns the row ids of rows whose UUID an earlier row has.
    ///
    /// A sound library has none.
    func repeatedKeys(in table: String, _ key: String, _ uuid: String) throws(Failure)
        -> Set<Int64>
    {
        let statement = try statement(
            """
            SELECT a.\(key) FROM \(table) a JOIN (
                SELECT upper(\(uuid)) AS name, min(\(key)) AS first FROM \(table)
                WHERE \(uuid) IS NOT NULL GROUP BY 1 HAVING count(*) > 1
            ) d ON upper(a.\(uuid)) = d.name WHERE a.\(key) <> d.first
            """
        )
        var keys: Set<Int64> = []
        while try statement.step() { if let key = statement.integer(0) { keys.insert(key) } }
        return keys
    }

    /// Returns the identifier of a library of Photos 3 and 4 or of iPhoto: that of its database, or
    /// else of its oldest original; nil if it has neither.
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
    /// Returns the asset as one without an identifier of its own.
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

    /// Adds a note that names the values of which something was cut.
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
