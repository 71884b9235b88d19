import Foundation
import GRDB
import PhotoModel

@testable import PhotoLibrary

/// The three states that a model test compares: rows, journal and model.
enum LibraryReadings {
    typealias Table = [Int64: [String: DatabaseValue]]

    /// Returns the model that corresponds to the rows, and the totals of the albums.
    static func model(
        of database: Database
    ) throws -> (model: LibraryModel, totals: [String: LibraryModel.Totals]) {
        var model = LibraryModel()
        var names: [Int64: String] = [:]
        for row in try Row.fetchAll(database, sql: "SELECT * FROM asset") {
            let (id, uuid): (Int64, String) = (row["id"], row["uuid"])
            names[id] = uuid
            let seconds: Double? = row["creationDate"]
            let trashed: Double? = row["trashedDate"]
            model.assets[uuid] = LibraryModel.Asset(
                title: row["title"],
                date: seconds.map(Date.init(timeIntervalSinceReferenceDate:)),
                isFavorite: row["isFavorite"],
                isHidden: row["isHidden"],
                isTrashed: trashed != nil
            )
        }
        let rows = try Row.fetchAll(database, sql: "SELECT * FROM collection ORDER BY position, id")
        let folders = Dictionary(
            uniqueKeysWithValues: rows.map { ($0["id"] as Int64, $0["uuid"] as String) }
        )
        var totals: [String: LibraryModel.Totals] = [:]
        for row in rows {
            let (id, uuid): (Int64, String) = (row["id"], row["uuid"])
            let parent: Int64? = row["parentId"]
            var collection = LibraryModel.Collection(
                kind: ObjectKind(rawValue: row["kind"]) ?? .asset,
                title: row["title"],
                parent: parent.map { folders[$0] ?? "?" } ?? CollectionRecord.rootUUID
            )
            collection.members = try Int64.fetchAll(
                database,
                sql: "SELECT assetId FROM albumAsset WHERE albumId = ? ORDER BY position, assetId",
                arguments: [id]
            ).map { names[$0] ?? "?" }
            model.collections[uuid] = collection
            model.children[collection.parent, default: []].append(uuid)
            if collection.kind == .folder { model.children[uuid, default: []] += [] }
            guard collection.kind == .album else { continue }
            let (start, end): (Double?, Double?) = (row["startDate"], row["endDate"])
            totals[uuid] = LibraryModel.Totals(
                count: row["assetCount"],
                start: start.map(Date.init(timeIntervalSinceReferenceDate:)),
                end: end.map(Date.init(timeIntervalSinceReferenceDate:))
            )
        }
        return (model, totals)
    }

    /// The columns whose values follow from others, so that the journal does not contain them.
    private static let derived: Set<String> = [
        "hasRAW", "isVisible", "isBurstHidden", "assetCount", "startDate", "endDate",
    ]

    /// Returns the rows of assets, collections and memberships, without derived values.
    static func rows(
        of database: Database
    ) throws -> (assets: Table, collections: Table, members: [Int64: [Int64: Int64]]) {
        func table(_ name: String) throws -> Table {
            var table: Table = [:]
            for row in try Row.fetchAll(database, sql: "SELECT * FROM \(name)") {
                var values: [String: DatabaseValue] = [:]
                for (column, value) in row
                where column != "id" && !derived.contains(column) && !value.isNull {
                    values[column] = value
                }
                table[row["id"]] = values
            }
            return table
        }
        var members: [Int64: [Int64: Int64]] = [:]
        for row in try Row.fetchAll(database, sql: "SELECT * FROM albumAsset") {
            members[row["albumId"], default: [:]][row["assetId"]] = row["position"]
        }
        return (try table("asset"), try table("collection"), members)
    }

    /// Returns the same rows from the journal only, without the library's own replay.
    static func replay(
        of database: Database
    ) throws -> (assets: Table, collections: Table, members: [Int64: [Int64: Int64]]) {
        let assets = try names(of: 1, "asset", database)
        let folders = try names(of: 3, "collection", database)
        var tables: [Int: Table] = [:]
        var members: [Int64: [Int64: Int64]] = [:]
        let entries = try Row.fetchAll(
            database,
            sql: "SELECT * FROM journalEntry WHERE kind <> 4 ORDER BY version, id"
        )
        for entry in entries {
            let (kind, id): (Int, Int64) = (entry["kind"], entry["objectId"])
            let table = kind == 1 ? 1 : 2
            switch entry["change"] as Int {
            case 1: tables[table, default: [:]][id] = try values(entry["newValues"])
            case 2:
                tables[table, default: [:]][id]?.merge(try values(entry["newValues"])) { $1 }
            default:
                tables[table, default: [:]][id] = nil
                members[id] = kind == 2 ? nil : members[id]
                continue
            }
            guard let text: String = entry["members"] else { continue }
            apply(try object(text), assets, to: &members[id, default: [:]])
        }
        for (id, values) in tables[2] ?? [:] {
            guard let parent = values["parent"] else { continue }
            tables[2]?[id]?["parent"] = nil
            let name = String.fromDatabaseValue(parent)
            tables[2]?[id]?["parentId"] =
                name.flatMap { folders[$0] }?.databaseValue ?? .null
        }
        let clean = tables.mapValues { table in
            table.mapValues { $0.filter { !$1.isNull && !derived.contains($0) } }
        }
        return (clean[1] ?? [:], clean[2] ?? [:], members.filter { !$1.isEmpty })
    }

    /// Returns the row ids of all objects that exist or existed by UUID.
    private static func names(of kind: Int, _ table: String, _ database: Database) throws
        -> [String: Int64]
    {
        let rows = try Row.fetchAll(
            database,
            sql: """
                SELECT uuid, objectId FROM tombstone WHERE kind = \(kind)
                UNION ALL SELECT uuid, id FROM \(table)
                """
        )
        return Dictionary(rows.map { ($0[0], $0[1]) }) { $1 }
    }

    private static func apply(
        _ change: [String: Any],
        _ assets: [String: Int64],
        to members: inout [Int64: Int64]
    ) {
        func lists(_ name: String) -> [[Int64]] {
            (change[name] as? [[Any]] ?? []).map { item in
                item.compactMap { cell in
                    (cell as? String).map { assets[$0] ?? 0 } ?? (cell as? NSNumber)?.int64Value
                }
            }
        }
        if change["renumbered"] != nil {
            let ordered = members.sorted { ($0.value, $0.key) < ($1.value, $1.key) }
            for (index, member) in ordered.enumerated() {
                members[member.key] = Int64(index + 1) << 32
            }
        }
        for item in lists("removed") { members[item[0]] = nil }
        for item in lists("inserted") { members[item[0]] = item[1] }
        for item in lists("moved") { members[item[0]] = item[2] }
    }

    private static func object(_ text: String) throws -> [String: Any] {
        try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any] ?? [:]
    }

    private static func values(_ text: String?) throws -> [String: DatabaseValue] {
        guard let text else { return [:] }
        return try object(text).mapValues { value in
            switch value {
            case let string as String where string.hasPrefix("s:"):
                String(string.dropFirst(2)).databaseValue
            case let string as String: string.databaseValue
            case let number as NSNumber:
                number.doubleValue == number.doubleValue.rounded()
                    ? number.int64Value.databaseValue : number.doubleValue.databaseValue
            default: .null
            }
        }
    }
}
