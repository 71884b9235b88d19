internal import Foundation
internal import GRDB
internal import PhotoModel

/// Insertion of very many assets that another device made.
extension LibraryTransaction {
    /// Returns the row id that the next row of a table with `AUTOINCREMENT` gets.
    func nextID(in table: String) throws -> Int64 {
        let last = try Int64.fetchOne(
            database,
            sql: """
                SELECT max(ifnull((SELECT seq FROM sqlite_sequence WHERE name = ?), 0),
                    ifnull((SELECT max(id) FROM \(table)), 0))
                """,
            arguments: [table]
        )
        return (last ?? 0) + 1
    }

    /// Inserts assets that arrived from another device, and files of them that have not arrived.
    ///
    /// Has the effects of `insertAsset` and `insertResource` with few statements. The triggers do
    /// not fire; what they would write is written for all assets at once.
    ///
    /// - Parameters:
    ///   - assets: The assets, whose row ids are those from `nextID(in:)` on, in ascending order.
    ///   - files: The files, which refer to the assets by row id; their own ids are ignored.
    /// - Throws: The errors of SQLite.
    func insertArrivals(_ assets: [AssetRecord], _ files: [ResourceRecord]) throws {
        guard let firstAsset = assets.first?.id else { return }
        _ = try commitTime()
        guard let version else { return }
        let firstFile = try nextID(in: ResourceRecord.map.table)
        var assetRows = InsertedRows(AssetRecord.map, of: .asset, version: version, in: database)
        var fileRows = InsertedRows(
            ResourceRecord.map,
            of: .resource,
            version: version,
            more: ["presence"],
            in: database
        )
        try Triggers.off(database) {
            for asset in assets {
                assetRows.append(asset, id: asset.id, uuid: asset.uuid)
                if assetRows.isFull { try assetRows.write(to: database) }
            }
            try assetRows.write(to: database)
            for (id, file) in zip(firstFile..., files) {
                fileRows.append(file, id: id, uuid: file.uuid, more: [1])
                if fileRows.isFull { try fileRows.write(to: database) }
            }
            try fileRows.write(to: database)
            // Before the assets are counted, since their counts depend on it.
            if !files.isEmpty { try run(Schema.noteNewRAWs, from: firstFile) }
            try run(Schema.addNewAssets, from: firstAsset)
            for sql in Schema.countNewAssets { try run(sql, from: firstAsset) }
        }
        let haveRAW = Set(files.lazy.filter(\.isRAW).map(\.assetID))
        moments.reserve(assets.count)
        for asset in assets {
            let facet = AssetFacet(asset, hasRAW: haveRAW.contains(asset.id))
            smartAlbums.add(facet, addedDate: asset.addedDate)
            recordMoments(of: asset.id, from: nil, to: asset)
        }
    }

    private func run(_ sql: String, from id: Int64) throws {
        try database.cachedStatement(sql: sql).execute(arguments: [id])
    }
}
