internal import WorkerProtocol

/// Reads the database of a library of Photos 3 or 4.
final class EarlierPhotosReader: ForeignLibraryReader {
    typealias Failure = ForeignDatabase.Failure

    private(set) var counts: ForeignCounts
    private let database: ForeignDatabase
    private let rows: ForeignDatabase.Statement
    private let details: EarlierPhotosDetails
    /// The row IDs of assets that have the same identifier as an earlier row.
    private let repeated: Set<Int64>

    init(_ database: ForeignDatabase) throws(Failure) {
        self.database = database
        try database.require("LiGlobals", "keyPath", "value")
        try database.require("RKVersion", "modelId", "uuid", "masterUuid", "type")
        try database.require("RKMaster", "modelId", "uuid", "imagePath", "originalFileName")
        try database.require("RKAlbum", "modelId", "uuid", "name", "albumType", "albumSubclass")
        try database.require("RKFolder", "uuid", "name", "folderType", "parentFolderUuid")
        let version = try database.statement(
            "SELECT value FROM LiGlobals WHERE keyPath = 'libraryVersion'"
        )
        guard try version.step(),
            let number = version.integer(0) ?? version.text(0).flatMap(Int64.init)
        else { throw Failure(reason: "Its database does not state its version.") }
        switch number {
        case 3000..<4000:
            counts = ForeignCounts(
                generation: "Photos 3 (macOS 10.13)",
                model: Int(clamping: number)
            )
        case 4000..<5000:
            counts = ForeignCounts(
                generation: "Photos 4 (macOS 10.14)",
                model: Int(clamping: number)
            )
        case 2000..<3000:
            throw Failure(
                reason: "It is a library of Photos 2. Open it in Photos of macOS 10.13 or later"
                    + " once, which upgrades it, and import it again."
            )
        default:
            throw Failure(reason: "Its version (\(number)) is not one of Photos 3 or 4.")
        }
        counts.isUnknownVersion = ![3301, 4016, 4025].contains(number)
        counts.assets = Int(clamping: try database.integer("SELECT count(*) FROM RKVersion") ?? 0)
        details = try EarlierPhotosDetails(database)
        repeated = try database.repeatedKeys(in: "RKVersion", "modelId", "uuid")
        rows = try database.statement(try EarlierAssetQuery.sql(database))
        counts.identifier = try database.identifierOfEarlierLibrary()
        counts.newestDate = try database.newestDate(in: "RKVersion", "lastModifiedDate")
        try countCollections()
    }

    func nextAsset() throws(Failure) -> ForeignAsset? {
        guard try rows.step() else { return nil }
        let asset = try EarlierAssetQuery.asset(rows, details)
        guard !repeated.isEmpty, let key = rows.integer(0), repeated.contains(key) else {
            return asset
        }
        return asset.renamed("version \(key)")
    }

    // MARK: - Collections

    private var isDeleted: String {
        get throws(Failure) { try database.column("c", "RKAlbum", "isInTrash") }
    }
    private var isBuiltIn: String {
        get throws(Failure) { "coalesce(\(try database.column("c", "RKAlbum", "isMagic")), 0)" }
    }

    private func countCollections() throws(Failure) {
        let statement = try database.statement(
            """
            SELECT c.albumSubclass, \(try isDeleted), count(*) FROM RKAlbum c
            WHERE NOT \(try isBuiltIn) GROUP BY 1, 2
            """
        )
        while try statement.step() {
            let name: String? =
                switch (statement.integer(0), statement.isTrue(1)) {
                case (1, _): "importSession"
                case (2, _): "smartAlbum"
                case (3, true): "deleted"
                case (3, false): "album"
                default: nil
                }
            if let name {
                counts.collections[name, default: 0] += Int(clamping: statement.integer(2) ?? 0)
            }
        }
    }

    private var keys: [String: Int64] = [:]
    private var shortNames: [String: String] = [:]
    /// The sort rules of albums, by the album's identifier.
    private var rules: [String: SortRule] = [:]

    /// The order in which Photos shows an album.
    private enum SortRule {
        case custom, date, title

        /// Creates the sort rule for a key path in the database; an unknown key path means the
        /// custom order.
        init(_ path: String?) {
            switch path {
            case "exifProperties.ImageDate": self = .date
            case "basicProperties.VersionName": self = .title
            default: self = .custom
            }
        }

        var word: String? {
            switch self {
            case .custom: nil
            case .date: "date"
            case .title: "title"
            }
        }
    }

    func collections() throws(Failure) -> [ForeignCollection] {
        let trashed = try database.column("c", "RKFolder", "isInTrash")
        let magic = try database.column("c", "RKFolder", "isMagic")
        let folders = try database.statement(
            """
            SELECT c.uuid, c.name, c.parentFolderUuid,
                \(try database.column("c", "RKFolder", "createDate"))
            FROM RKFolder c WHERE c.folderType = 1 AND NOT coalesce(\(trashed), 0)
                AND NOT coalesce(\(magic), 0) AND c.uuid <> 'LibraryFolder' ORDER BY c.modelId
            """
        )
        var records: [ForeignCollection] = []
        var identifiers: [String] = []
        func add(
            _ statement: ForeignDatabase.Statement,
            _ kind: ForeignCollection.Kind,
            key: Int64? = nil
        ) {
            guard let short = statement.text(0, limit: 64), shortNames[short] == nil else { return }
            let uuid = ForeignValue.uuid(short: short) ?? ForeignValue.uuid(short)
            var record = ForeignCollection(
                item: uuid ?? short,
                uuid: uuid,
                kind: kind,
                title: statement.text(1, limit: ForeignLimits.text) ?? "",
                parent: statement.text(2, limit: 64)
            )
            record.creationDate = ForeignValue.date(statement.number(3))
            shortNames[short] = record.item
            if let key { keys[record.item] = key }
            records.append(record)
            identifiers.append(short)
        }
        while try folders.step() { add(folders, .folder) }
        let albums = try database.statement(
            """
            SELECT c.uuid, c.name, \(try database.column("c", "RKAlbum", "folderUuid")),
                \(try database.column("c", "RKAlbum", "createDate")), c.albumType, c.modelId,
                \(try database.column("c", "RKAlbum", "sortKeyPath"))
            FROM RKAlbum c WHERE c.albumSubclass = 3 AND NOT \(try isBuiltIn)
                AND NOT coalesce(\(try isDeleted), 0) ORDER BY c.modelId
            """
        )
        while try albums.step() {
            let count = records.count
            add(albums, albums.integer(4) == 1 ? .album : .project, key: albums.integer(5))
            guard records.count > count else { continue }
            let rule = SortRule(albums.text(6, limit: 256))
            if let word = rule.word { records[count].noteSortRule(word) }
            rules[records[count].item] = rule
        }
        records = try EarlierCollectionOrder(database).sorted(records, identifiers)
        for index in records.indices {
            records[index].parent = records[index].parent.flatMap { shortNames[$0] }
        }
        return Self.ordered(records)
    }

    /// Returns collections sorted so that each parent precedes its children.
    ///
    /// If folders contain each other in a cycle, the first collection in or below the cycle is
    /// moved to the top level.
    static func ordered(_ records: [ForeignCollection]) -> [ForeignCollection] {
        let folders = Set(records.filter { $0.kind == .folder }.map(\.item))
        var rest = records
        var result: [ForeignCollection] = []
        var done: Set<String> = []
        while !rest.isEmpty {
            let ready = rest.filter { record in
                record.parent.map { !folders.contains($0) || done.contains($0) } ?? true
            }
            guard !ready.isEmpty else {
                // Each is in a circle or below one.
                rest[0].parent = nil
                continue
            }
            done.formUnion(ready.map(\.item))
            result += ready
            rest.removeAll { done.contains($0.item) }
        }
        return result
    }

    func members(of collection: ForeignCollection) throws(Failure) -> [String] {
        guard let key = keys[collection.item],
            try database.columns(of: "RKAlbumVersion").isSuperset(of: ["albumId", "versionId"])
        else { return [] }
        let hasCustomOrder = try database.columns(of: "RKCustomSortOrder")
            .isSuperset(of: ["containerUuid", "objectUuid", "orderNumber"])
        let custom = hasCustomOrder ? "o.orderNumber IS NULL, o.orderNumber, " : ""
        let isAscending = try database.column("c", "RKAlbum", "sortAscending")
        let order =
            switch rules[collection.item] ?? .custom {
            case .custom: custom + "v.imageDate"
            case .date:
                ForeignDatabase.dateOrder("v.imageDate", isAscending: isAscending)
                    + ", \(custom)v.imageDate"
            case .title:
                ForeignDatabase.titleOrder(
                    try database.column("v", "RKVersion", "name"),
                    isAscending: isAscending
                ) + ", \(custom) v.imageDate"
            }
        let statement = try database.statement(
            """
            SELECT v.uuid, v.modelId FROM RKAlbumVersion j
            JOIN RKVersion v ON v.modelId = j.versionId
            JOIN RKAlbum c ON c.modelId = j.albumId
            \(hasCustomOrder ? """
                LEFT JOIN RKCustomSortOrder o
                    ON o.containerUuid = c.uuid AND o.objectUuid = v.uuid
                """ : "")
            WHERE j.albumId = ? ORDER BY \(order), v.modelId
            """
        )
        statement.start(key)
        var members: [String] = []
        while try statement.step() {
            if let key = statement.integer(1), repeated.contains(key) {
                members.append("version \(key)")
                continue
            }
            guard let short = statement.text(0, limit: 64) else { continue }
            members.append(
                ForeignValue.uuid(short: short) ?? ForeignValue.uuid(short) ?? short
            )
        }
        return members
    }
}
