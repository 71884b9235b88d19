internal import Media
internal import WorkerProtocol

/// Reads the database of a library of Photos 5 or later.
///
/// Each release of Photos numbers its join tables differently, so their names are derived from
/// `Z_PRIMARYKEY`. If a column's name differs between releases, the name that exists is used. No
/// sample with a shared library or with photos that were shared with the user was available for
/// tests.
final class PhotosLibraryReader: ForeignLibraryReader {
    typealias Failure = ForeignDatabase.Failure

    private(set) var counts: ForeignCounts

    let database: ForeignDatabase
    let assetTable: String
    let assetNumber: Int64
    private let albumNumber: Int64
    private let rows: ForeignDatabase.Statement
    private let details: PhotosAssetDetails
    /// The row IDs of assets that have the same identifier as an earlier row.
    private let repeated: Set<Int64>

    init(_ database: ForeignDatabase) throws(Failure) {
        self.database = database
        try database.require("Z_PRIMARYKEY", "Z_NAME", "Z_ENT")
        var numbers: [String: Int64] = [:]
        var version: Int64?
        let last = try database.column("e", "Z_PRIMARYKEY", "Z_MAX")
        let entities = try database.statement(
            "SELECT e.Z_NAME, e.Z_ENT, \(last) FROM Z_PRIMARYKEY e"
        )
        while try entities.step() {
            if let name = entities.text(0), let number = entities.integer(1), number > 0 {
                numbers[name] = number
                // Core Data numbers the transactions of a store, and never a number twice.
                if name == "TRANSACTION" { version = entities.integer(2) }
            }
        }
        let isGeneric = numbers["GenericAsset"] != nil
        guard let asset = numbers[isGeneric ? "GenericAsset" : "Asset"],
            let album = numbers["Album"], let keyword = numbers["Keyword"]
        else { throw Failure(reason: "Its database does not say how its tables are numbered.") }
        assetTable = isGeneric ? "ZGENERICASSET" : "ZASSET"
        assetNumber = asset
        albumNumber = album
        try database.require(assetTable, "Z_PK", "ZUUID", "ZKIND", "ZDIRECTORY", "ZFILENAME")
        try database.require("ZADDITIONALASSETATTRIBUTES", "Z_PK", "ZASSET")
        try database.require("ZGENERICALBUM", "Z_PK", "ZKIND", "ZUUID")
        let model = try Self.model(of: database)
        counts = ForeignCounts(generation: Self.generation(model), model: model)
        counts.isUnknownVersion = model > 19_320 || model < 13_000
        counts.assets = Int(
            clamping: try database.integer("SELECT count(*) FROM \(assetTable)") ?? 0
        )
        counts.version = version
        counts.newestDate = try database.newestDate(in: assetTable, "ZMODIFICATIONDATE")
        if try database.columns(of: "Z_METADATA").contains("Z_UUID") {
            let identifier = try database.statement("SELECT Z_UUID FROM Z_METADATA")
            if try identifier.step() { counts.identifier = identifier.text(0) }
        }
        repeated = try database.repeatedKeys(in: assetTable, "Z_PK", "ZUUID")
        rows = try database.statement(PhotosAssetQuery.sql(database, assetTable))
        details = try PhotosAssetDetails(database, keywordNumber: keyword)
        try countCollections()
    }

    private static func model(of database: ForeignDatabase) throws(Failure) -> Int {
        guard try database.columns(of: "Z_METADATA").contains("Z_PLIST") else { return 0 }
        let statement = try database.statement("SELECT Z_PLIST FROM Z_METADATA")
        guard try statement.step(), let data = statement.data(0, limit: 4 << 20) else { return 0 }
        return ModelVersionList.version(data) ?? 0
    }

    private static func generation(_ model: Int) -> String {
        switch model / 1000 {
        case 13: "Photos 5 (macOS 10.15)"
        case 14: "Photos 6 (macOS 11)"
        case 15: "Photos 7 (macOS 12)"
        case 16: "Photos 8 (macOS 13)"
        case 17: "Photos 9 (macOS 14)"
        case 18: "Photos 10 (macOS 15)"
        case 19: "Photos 11 (macOS 26)"
        default: "Photos (model \(model))"
        }
    }

    // MARK: - Assets

    func nextAsset() throws(Failure) -> ForeignAsset? {
        guard try rows.step() else { return nil }
        let asset = try PhotosAssetQuery.asset(rows, model: counts.model, details)
        guard !repeated.isEmpty, let key = rows.integer(0), repeated.contains(key) else {
            return asset
        }
        return asset.renamed("asset \(key)")
    }

    // MARK: - Collections

    /// The kinds of collections, by their numbers in the database.
    private static let kinds: [Int64: ForeignCollection.Kind] = [
        2: .album, 1505: .sharedAlbum, 4000: .folder, 1508: .project,
    ]

    private func countCollections() throws(Failure) {
        let trashed = try database.column("c", "ZGENERICALBUM", "ZTRASHEDSTATE")
        let statement = try database.statement(
            "SELECT c.ZKIND, \(trashed), count(*) FROM ZGENERICALBUM c GROUP BY 1, 2"
        )
        while try statement.step() {
            let name: String? =
                switch (statement.integer(0), statement.isTrue(1)) {
                case (1506, _): "importSession"
                case (1507, _): "smartAlbum"
                case (let kind?, true): Self.kinds[kind] == nil ? nil : "deleted"
                case (let kind?, false): Self.kinds[kind]?.rawValue
                case (nil, _): nil
                }
            if let name {
                counts.collections[name, default: 0] += Int(clamping: statement.integer(2) ?? 0)
            }
        }
    }

    private struct Node {
        var record: ForeignCollection
        var key: Int64
        var parent: Int64?
    }

    func collections() throws(Failure) -> [ForeignCollection] {
        let table = "ZGENERICALBUM"
        let statement = try database.statement(
            """
            SELECT c.Z_PK, c.ZUUID, c.ZKIND, \(try database.column("c", table, "ZTITLE")),
                \(try database.column("c", table, "ZPARENTFOLDER")),
                \(try database.column("c", table, "ZTRASHEDSTATE")),
                \(try database.column("c", table, "ZCUSTOMSORTKEY")),
                \(try database.column("c", table, "ZCUSTOMKEYASSET")),
                \(try database.column("c", table, "ZCREATIONDATE"))
            FROM ZGENERICALBUM c
            ORDER BY \(try database.column("c", table, "Z_FOK_PARENTFOLDER")), c.Z_PK
            """
        )
        var nodes: [Node] = []
        var items: [Int64: String] = [:]
        while try statement.step() {
            guard let key = statement.integer(0), let number = statement.integer(2),
                let kind = Self.kinds[number], !statement.isTrue(5)
            else { continue }
            let uuid = ForeignValue.uuid(statement.text(1))
            var record = ForeignCollection(
                item: uuid ?? "album \(key)",
                uuid: uuid,
                kind: kind,
                title: statement.text(3, limit: ForeignLimits.text) ?? "",
                parent: nil
            )
            record.creationDate = ForeignValue.date(statement.number(8))
            if kind != .folder, let sort = statement.integer(6), sort == 1 || sort == 5 {
                record.noteSortRule(sort == 1 ? "date" : "title")
            }
            if kind != .folder, statement.integer(7) != nil {
                record.notes.append(
                    ForeignNote(
                        code: "coverNotKept",
                        text: "The cover of the album “\(record.title)” was chosen by a person; it"
                            + " is not kept."
                    )
                )
            }
            guard items[key] == nil else { continue }
            items[key] = record.item
            sortKeys[record.item] = (key, statement.integer(6) ?? 0)
            nodes.append(Node(record: record, key: key, parent: statement.integer(4)))
        }
        return Self.ordered(nodes, items)
    }

    /// Returns collections sorted so that each parent precedes its children.
    ///
    /// If folders contain each other in a cycle, the first collection in or below the cycle is
    /// moved to the top level.
    private static func ordered(_ nodes: [Node], _ items: [Int64: String]) -> [ForeignCollection] {
        var children: [Int64: [Node]] = [:]
        var folders: Set<Int64> = []
        for node in nodes where node.record.kind == .folder { folders.insert(node.key) }
        var top: [Node] = []
        for node in nodes {
            if let parent = node.parent, folders.contains(parent) {
                children[parent, default: []].append(node)
            } else {
                top.append(node)
            }
        }
        var result: [ForeignCollection] = []
        var done: Set<Int64> = []
        func add(_ roots: [Node]) {
            var queue = roots[...]
            while let node = queue.popFirst() {
                guard done.insert(node.key).inserted else { continue }
                result.append(node.record)
                queue += (children[node.key] ?? []).map { child in
                    var child = child
                    child.record.parent = node.record.item
                    return child
                }
            }
        }
        add(top)
        for node in nodes where !done.contains(node.key) {
            var node = node
            node.record.notes.append(
                ForeignNote(
                    code: "folderCycle",
                    text: "The folder “\(node.record.title)” lies in itself; it was put at the top."
                )
            )
            add([node])
        }
        return result
    }

    /// The row IDs and sort rules of collections, by the collection's identifier.
    private var sortKeys: [String: (key: Int64, sort: Int64)] = [:]

    func members(of collection: ForeignCollection) throws(Failure) -> [String] {
        let join = "Z_\(albumNumber)ASSETS"
        let (album, asset) = ("Z_\(albumNumber)ALBUMS", "Z_\(assetNumber)ASSETS")
        guard let (key, sort) = sortKeys[collection.item],
            try database.columns(of: join).isSuperset(of: [album, asset])
        else { return [] }
        let stored = try database.column("j", join, "Z_FOK_\(assetNumber)ASSETS")
        let isAscending = try database.column("c", "ZGENERICALBUM", "ZCUSTOMSORTASCENDING")
        let order =
            switch sort {
            case 1:
                ForeignDatabase.dateOrder(try date, isAscending: isAscending) + ", \(stored)"
            case 5:
                ForeignDatabase.titleOrder(
                    try database.column("x", "ZADDITIONALASSETATTRIBUTES", "ZTITLE"),
                    isAscending: isAscending
                ) + ", \(stored)"
            default: stored
            }
        let statement = try database.statement(
            """
            SELECT a.Z_PK, a.ZUUID FROM \(join) j JOIN \(assetTable) a ON a.Z_PK = j.\(asset)
            JOIN ZGENERICALBUM c ON c.Z_PK = j.\(album)
            LEFT JOIN ZADDITIONALASSETATTRIBUTES x ON x.ZASSET = a.Z_PK
            WHERE j.\(album) = ? ORDER BY \(order), a.Z_PK
            """
        )
        statement.start(key)
        var members: [String] = []
        while try statement.step() {
            let key = statement.integer(0) ?? 0
            let uuid = repeated.contains(key) ? nil : ForeignValue.uuid(statement.text(1))
            members.append(uuid ?? "asset \(key)")
        }
        return members
    }

    private var date: String {
        get throws(Failure) { try database.column("a", assetTable, "ZDATECREATED") }
    }
}
