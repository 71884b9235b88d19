internal import WorkerProtocol

/// Reads the databases of a library of iPhoto 9.
final class IPhotoReader: ForeignLibraryReader {
    typealias Failure = ForeignDatabase.Failure

    /// The identifier of the folder that contains the events, which are imported as albums.
    private static let eventsItem = "iPhoto events"

    private(set) var counts: ForeignCounts
    private let database: ForeignDatabase
    private let rows: ForeignDatabase.Statement
    private let library: EarlierPhotosDetails
    private let details: IPhotoDetails
    /// The row IDs of versions that have the same identifier as an earlier row.
    private let repeated: Set<Int64>

    init(
        _ database: ForeignDatabase,
        _ model: IPhotoModel,
        parts: [ForeignLibraryPart: Int32],
        secondsPerStatement: Int
    ) throws(Failure) {
        self.database = database
        try database.require("RKVersion", "modelId", "uuid", "masterUuid")
        try database.require("RKMaster", "uuid", "imagePath")
        try database.require("RKAlbum", "modelId", "uuid", "name", "albumSubclass")
        try database.require("RKFolder", "modelId", "uuid", "name", "folderType")
        library = try EarlierPhotosDetails(database)
        details = try IPhotoDetails(parts, secondsPerStatement: secondsPerStatement)
        rows = try database.statement(try IPhotoAssetQuery.sql(database))
        counts = ForeignCounts(generation: "iPhoto 9", model: model.version)
        counts.identifier = try database.identifierOfEarlierLibrary()
        let condition = try IPhotoAssetQuery.condition(database)
        repeated = try database.repeatedKeys(
            in: "RKVersion",
            "modelId",
            "uuid",
            where: condition
        )
        counts.assets = Int(
            clamping: try database.integer("SELECT count(*) FROM RKVersion v WHERE \(condition)")
                ?? 0
        )
        counts.notes =
            [
                ForeignNote(
                    code: "unverifiedScope",
                    text:
                        "It is a library of iPhoto; no such library could be tried. Compare the counts"
                        + " and some photos with iPhoto before you delete it."
                )
            ] + details.notes
        try countCollections()
    }

    func nextAsset() throws(Failure) -> ForeignAsset? {
        guard try rows.step() else { return nil }
        let asset = try IPhotoAssetQuery.asset(rows, library, details)
        guard let key = rows.integer(0), repeated.contains(key) else { return asset }
        return asset.renamed("version \(key)")
    }

    // MARK: - Collections

    /// The source of an imported album's members: an album or an event of iPhoto.
    private enum Members {
        case album(Int64)
        case event(String)
    }

    private var members: [String: Members] = [:]

    /// Returns the SQL condition for collections that a user made and that are not in the Trash.
    ///
    /// The table must have the alias `c`.
    private func isPersonal(_ table: String) throws(Failure) -> String {
        """
        NOT coalesce(\(try database.column("c", table, "isMagic")), 0)
            AND NOT coalesce(\(try database.column("c", table, "isInTrash")), 0)
        """
    }

    private func countCollections() throws(Failure) {
        let trashed = try database.column("c", "RKAlbum", "isInTrash")
        let magic = try database.column("c", "RKAlbum", "isMagic")
        let statement = try database.statement(
            """
            SELECT c.albumSubclass, coalesce(\(trashed), 0), count(*) FROM RKAlbum c
            WHERE NOT coalesce(\(magic), 0) GROUP BY 1, 2
            """
        )
        while try statement.step() {
            let name: String? =
                switch (statement.integer(0), statement.isTrue(1)) {
                case (2, _): "smartAlbum"
                case (3, true): "deleted"
                case (3, false): "album"
                default: nil
                }
            if let name {
                counts.collections[name, default: 0] += Int(clamping: statement.integer(2) ?? 0)
            }
        }
        let events = try database.integer(
            "SELECT count(*) FROM RKFolder c WHERE c.folderType = 2 AND \(try isPersonal("RKFolder"))"
        )
        guard let events, events > 0 else { return }
        counts.collections["event"] = Int(clamping: events)
        counts.notes.append(
            ForeignNote(
                code: "eventsAsAlbums",
                text: "Events become albums in the folder “iPhoto Events” (\(events))."
            )
        )
    }

    func collections() throws(Failure) -> [ForeignCollection] {
        var records: [ForeignCollection] = []
        var folders: [String: String] = [:]
        var known: Set<String> = [Self.eventsItem]
        func add(
            _ statement: ForeignDatabase.Statement,
            _ kind: ForeignCollection.Kind,
            _ source: (String) -> Members?
        ) -> ForeignCollection? {
            guard let short = statement.text(0, limit: 64), !short.isEmpty else { return nil }
            let uuid = ForeignValue.uuid(short: short) ?? ForeignValue.uuid(short)
            guard known.insert(uuid ?? short).inserted else { return nil }
            var record = ForeignCollection(
                item: uuid ?? short,
                uuid: uuid,
                kind: kind,
                title: statement.text(1, limit: ForeignLimits.text) ?? "",
                parent: statement.text(2, limit: 64)
            )
            record.creationDate = ForeignValue.date(statement.number(3))
            if kind == .folder { folders[short] = record.item }
            if let source = source(short) { members[record.item] = source }
            return record
        }
        let folderRows = try rows(of: "RKFolder", "parentFolderUuid", where: "c.folderType = 1")
        while try folderRows.step() {
            if let record = add(folderRows, .folder, { _ in nil }) { records.append(record) }
        }
        let albumRows = try rows(of: "RKAlbum", "folderUuid", where: "c.albumSubclass = 3")
        while try albumRows.step() {
            // Slideshows, books, cards and calendars are projects.
            let isAlbum = (albumRows.integer(4) ?? 1) == 1
            let key = albumRows.integer(5) ?? 0
            let record = add(albumRows, isAlbum ? .album : .project) { _ in .album(key) }
            if let record { records.append(record) }
        }
        for index in records.indices {
            records[index].parent = records[index].parent.flatMap { folders[$0] }
        }
        records = EarlierPhotosReader.ordered(records)
        let eventRows = try rows(
            of: "RKFolder",
            nil,
            where: "c.folderType = 2",
            order: try database.column("c", "RKFolder", "minImageDate")
        )
        var events: [ForeignCollection] = []
        while try eventRows.step() {
            guard var event = add(eventRows, .album, Members.event) else { continue }
            event.parent = Self.eventsItem
            if event.title.isEmpty { event.title = "Untitled Event" }
            events.append(event)
        }
        guard !events.isEmpty else { return records }
        let folder = ForeignCollection(
            item: Self.eventsItem,
            uuid: nil,
            kind: .folder,
            title: "iPhoto Events",
            parent: nil
        )
        return records + [folder] + events
    }

    /// Returns a statement that selects the collections that users made.
    ///
    /// Its columns are the identifier, name, parent, date, type and row ID.
    private func rows(
        of table: String,
        _ parent: String?,
        where condition: String,
        order: String = "NULL"
    ) throws(Failure) -> ForeignDatabase.Statement {
        let parent: String =
            if let parent {
                try database.column("c", table, parent)
            } else {
                "NULL"
            }
        return try database.statement(
            """
            SELECT c.uuid, c.name, \(parent), \(try database.column("c", table, "createDate")),
                \(try database.column("c", table, "albumType")), c.modelId
            FROM \(table) c WHERE \(condition) AND \(try isPersonal(table))
            ORDER BY \(order), c.modelId
            """
        )
    }

    func members(of collection: ForeignCollection) throws(Failure) -> [String] {
        let statement: ForeignDatabase.Statement
        switch members[collection.item] {
        case .album(let key):
            guard try database.hasColumns(("RKAlbumVersion", ["albumId", "versionId"])) else {
                return []
            }
            let isOrdered = try database.hasColumns(
                ("RKCustomSortOrder", ["containerUuid", "objectUuid", "orderNumber"])
            )
            statement = try database.statement(
                """
                SELECT v.uuid, v.modelId FROM RKAlbumVersion j
                JOIN RKVersion v ON v.modelId = j.versionId
                JOIN RKAlbum c ON c.modelId = j.albumId
                \(isOrdered ? """
                    LEFT JOIN RKCustomSortOrder o
                        ON o.containerUuid = c.uuid AND o.objectUuid = v.uuid
                    """ : "")
                WHERE j.albumId = ?
                ORDER BY \(isOrdered ? "o.orderNumber IS NULL, o.orderNumber, " : "")
                    \(try database.column("v", "RKVersion", "imageDate")), v.modelId
                """
            )
            statement.start(key)
        case .event(let short):
            let project = try database.column("v", "RKVersion", "projectUuid")
            statement = try database.statement(
                """
                SELECT v.uuid, v.modelId FROM RKVersion v
                WHERE \(project) = ? AND \(try IPhotoAssetQuery.condition(database))
                ORDER BY \(try database.column("v", "RKVersion", "imageDate")), v.modelId
                """
            )
            statement.start(short)
        case nil: return []
        }
        var items: [String] = []
        while try statement.step() {
            if let key = statement.integer(1), repeated.contains(key) {
                items.append("version \(key)")
                continue
            }
            guard let short = statement.text(0, limit: 64) else { continue }
            items.append(ForeignValue.uuid(short: short) ?? ForeignValue.uuid(short) ?? short)
        }
        return items
    }
}
