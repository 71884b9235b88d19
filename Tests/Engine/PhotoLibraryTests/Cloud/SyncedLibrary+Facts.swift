import CloudSync
import Foundation
import GRDB
import PhotoModel

@testable import PhotoLibrary

/// What libraries that exchanged all changes must agree on.
extension SyncedLibrary {
    /// Returns all values that travel, by object: columns by the rules of the merge table, files,
    /// folders, and the order of albums and folders.
    func facts() throws -> [String: String] {
        try store.read { database in
            var facts: [String: String] = [:]
            let assetColumns = Self.travelling("asset").filter { $0 != "keywords" }
            for row in try Row.fetchAll(database, sql: "SELECT * FROM asset") {
                let finder = try AssetRowFinder(database)
                guard let record = try finder.asset(id: row["id"]) else { continue }
                var lines = assetColumns.map { "\($0)=\(row[$0] as DatabaseValue)" }
                lines.append("keywords=\(record.keywords.sorted())")
                lines.append("visible=\(record.isVisible)")
                facts["asset \(record.uuid)"] = lines.joined(separator: "\n")
            }
            let files = """
                SELECT resource.*, asset.uuid AS assetUUID, resource.path AS place
                FROM resource JOIN asset ON asset.id = assetId
                """
            for row in try Row.fetchAll(database, sql: files) {
                let lines = (Self.travelling("resource") + ["assetUUID", "place"]).map {
                    "\($0)=\(row[$0] as DatabaseValue)"
                }
                facts["file \(row["uuid"] as String)"] = lines.joined(separator: "\n")
            }
            for row in try Row.fetchAll(
                database,
                sql: "SELECT uuid, CAST(stamps AS TEXT) FROM cloudStamp WHERE kind = 4"
            ) {
                facts["alias \(row[0] as String)"] = row[1]
            }
            try addCollections(to: &facts, database)
            return facts
        }
    }

    private func addCollections(to facts: inout [String: String], _ database: Database) throws {
        let names = [
            "title", "kind", "creationDate", "modificationDate", "assetCount", "startDate",
            "endDate",
        ]
        let collections = """
            SELECT c.*, p.uuid AS folder FROM collection AS c
            LEFT JOIN collection AS p ON p.id = c.parentId ORDER BY c.position, c.id
            """
        var children: [String: [String]] = [:]
        for row in try Row.fetchAll(database, sql: collections) {
            let uuid: String = row["uuid"]
            let folder: String? = row["folder"]
            children[folder ?? "root", default: []].append(uuid)
            facts["collection \(uuid)"] =
                names.map { "\($0)=\(row[$0] as DatabaseValue)" }.joined(separator: "\n")
                + "\nfolder=\(folder ?? "root")"
            facts["members \(uuid)"] = try String.fetchAll(
                database,
                sql: """
                    SELECT asset.uuid FROM albumAsset JOIN asset ON asset.id = assetId
                    WHERE albumId = ? ORDER BY albumAsset.position, assetId
                    """,
                arguments: [row["id"] as Int64]
            ).joined(separator: "\n")
        }
        for (folder, uuids) in children {
            facts["order \(folder)"] = uuids.joined(separator: "\n")
        }
    }

    private static func travelling(_ table: String) -> [String] {
        (MergeTable.rules[table] ?? [:]).filter { _, rule in
            switch rule {
            case .register, .initial, .constant, .record: true
            default: false
            }
        }.keys.filter { $0 != "orderKey" }.sorted()
    }

    /// Throws a difference between the library and the merged state of all operations, which knows
    /// nothing of rows.
    func compareWithMergedState() throws {
        let view = machine.state.view()
        try store.read { database in
            let assets = try Row.fetchAll(database, sql: AssetRecord.map.selectSQL)
                .map(AssetRecord.init(row:))
            let collections = try Row.fetchAll(database, sql: CollectionRecord.map.selectSQL)
                .map(CollectionRecord.init(row:))
            let present = Set(assets.map(\.uuid) + collections.map(\.uuid))
            let expected = Set(view.objects.keys.map(\.uuid))
            guard present == expected else {
                throw Difference(
                    "here only \(present.subtracting(expected).sorted()), "
                        + "merged only \(expected.subtracting(present).sorted())"
                )
            }
            let aliases = try String.fetchSet(
                database,
                sql: "SELECT uuid || CAST(stamps AS TEXT) FROM cloudStamp WHERE kind = 4"
            )
            let merged = Set(view.aliases.map { $0.key.uuid + $0.value.uuid })
            guard aliases == merged else {
                throw Difference("has the aliases \(aliases), not \(merged)")
            }
            for asset in assets { try compare(asset, view, database) }
            for collection in collections { try compare(collection, view, database) }
        }
    }

    private func compare(
        _ asset: AssetRecord,
        _ view: MergedLibrary,
        _ database: Database
    ) throws {
        let values = view.objects[try CloudID.of(asset.uuid)]?.values ?? [:]
        let files = try Row.fetchAll(
            database,
            sql: ResourceRecord.selectSQL + " WHERE assetId = ? ORDER BY resource.id",
            arguments: [asset.id]
        ).map(ResourceRecord.init(row:))
        for (key, value) in values {
            let here =
                key.group == .modification
                ? CloudColumns.value(of: asset.modificationDate)
                : try CloudObjects.value(of: key, in: asset, files)
            guard here == value else {
                throw Difference("\(asset.uuid) \(key): \(here) is not \(value)")
            }
        }
        let words = values.keys.filter { $0.group == .keyword }.count
        guard asset.keywords.count == words else {
            throw Difference("\(asset.uuid) has the keywords \(asset.keywords)")
        }
    }

    private func compare(
        _ collection: CollectionRecord,
        _ view: MergedLibrary,
        _ database: Database
    ) throws {
        let id = try CloudID.of(collection.uuid)
        let values = view.objects[id]?.values ?? [:]
        guard values[RegisterKey(.title)] == .text(collection.title) else {
            throw Difference("\(collection.uuid) has the title \(collection.title)")
        }
        let parent = try String.fetchOne(
            database,
            sql: "SELECT uuid FROM collection WHERE id = ?",
            arguments: [collection.parentID]
        )
        guard view.parents[id]?.uuid == parent else {
            throw Difference("\(collection.uuid) is in \(parent ?? "the root")")
        }
        var members: [(key: [UInt8], uuid: String)] = []
        for (key, value) in values {
            guard key.group == .member, case .object(let asset) = key.item,
                case .member(let order?) = value
            else { continue }
            members.append((order, asset.uuid))
        }
        let expected = members.sorted {
            $0.key == $1.key ? $0.uuid < $1.uuid : $0.key.lexicographicallyPrecedes($1.key)
        }.map(\.uuid)
        let present = try String.fetchAll(
            database,
            sql: """
                SELECT uuid FROM albumAsset JOIN asset ON asset.id = assetId
                WHERE albumId = ? ORDER BY albumAsset.position, assetId
                """,
            arguments: [collection.id]
        )
        guard present == expected else {
            let notes = try Set(present).symmetricDifference(expected).map { uuid in
                let asset = try CloudID.of(uuid)
                let key = RegisterKey(.member, .object(asset))
                let register = machine.state.objects[id]?.registers[key]
                let here = try CloudStampTable(database: database)
                    .member(album: collection.uuid, asset: uuid)
                return "\(uuid) of \(machine.state.twins(of: asset).map(\.uuid)), "
                    + "here \(String(describing: here)), merged \(String(describing: register))"
            }
            throw Difference("\(collection.uuid) has \(present), not \(expected): \(notes)")
        }
    }
}
