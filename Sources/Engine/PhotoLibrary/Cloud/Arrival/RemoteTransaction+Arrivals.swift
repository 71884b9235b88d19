internal import CloudSync
internal import Foundation
internal import GRDB
internal import PhotoModel

/// The insertion of many new assets with few statements.
extension RemoteTransaction {
    /// Inserts the new assets of transactions that create many of them.
    ///
    /// An asset is inserted with all its registers before other operations are applied. The result
    /// is the same as if its operations had arrived in an earlier transaction.
    ///
    /// - Parameters:
    ///   - transactions: The received transactions.
    ///   - least: The number of new assets below which none is inserted here.
    /// - Returns: The transactions without the operations on the inserted assets.
    /// - Throws: `corrupt` for values that cannot be read; the errors of SQLite.
    func insertArrivals(
        in transactions: [CloudTransaction],
        atLeast least: Int
    ) throws -> [CloudTransaction] {
        guard CloudArrivals.count(in: transactions) >= max(1, least) else { return transactions }
        var arrivals = CloudArrivals(transactions)
        arrivals.remove(try CloudPresence.known(arrivals.assets.map(\.uuid), in: database))
        guard arrivals.assets.count >= max(1, least) else { return transactions }
        try insert(arrivals.assets)
        return arrivals.removed(from: transactions)
    }

    private func insert(_ arriving: [ArrivingAsset]) throws {
        var records = try arriving.map { asset in
            try Self.record(of: asset.id, asset.creation, asset.created, asset.registers)
        }
        // In the order of dates, which is that of most indexes, so that neighbors change a page one
        // after the other.
        let dates = records.map { $0.creationDate?.timeIntervalSinceReferenceDate ?? -.infinity }
        let order = records.indices.sorted { (dates[$0], $0) < (dates[$1], $1) }
        let first = try transaction.nextID(in: AssetRecord.map.table)
        for (id, place) in zip(first..., order) { records[place].id = id }
        var files: [ArrivingFile] = []
        for place in order {
            for (file, isEdit) in arriving[place].files {
                let record = try ResourceRecord(file, of: records[place], isEdit: isEdit)
                files.append(
                    ArrivingFile(place: place, resource: file, record: record, isEdit: isEdit)
                )
            }
        }
        let known = try assets(withKnownFiles: files)
        try transaction.insertArrivals(
            order.map { records[$0] },
            files.filter { !known.contains($0.place) }.map(\.record)
        )
        for file in files where known.contains(file.place) {
            try insert(file.resource, of: records[file.place], isEdit: file.isEdit)
        }
        try insertStamps(of: arriving)
    }

    /// A file of the new asset at a place in the list.
    private struct ArrivingFile {
        var place: Int
        var resource: CloudResource
        var record: ResourceRecord
        var isEdit: Bool
    }

    /// Returns the places of those assets of whose files the library knows one already, or that
    /// name a file twice.
    private func assets(withKnownFiles files: [ArrivingFile]) throws -> Set<Int> {
        guard !files.isEmpty else { return [] }
        var uuids = try database.texts(
            files.map(\.record.uuid),
            where: "EXISTS (SELECT 1 FROM resource WHERE uuid = value)"
        )
        let paths = try database.texts(
            files.map(\.record.path),
            where: "EXISTS (SELECT 1 FROM formerFile WHERE path = value)"
        )
        var places: Set<Int> = []
        for file in files {
            let isNew = uuids.insert(file.record.uuid).inserted
            if !isNew || paths.contains(file.record.path) { places.insert(file.place) }
        }
        return places
    }

    private func insertStamps(of arriving: [ArrivingAsset]) throws {
        var rows = RowBuffer(
            "INSERT INTO cloudStamp (kind, uuid, stamps)",
            columns: 3,
            "ON CONFLICT DO UPDATE SET stamps = excluded.stamps",
            in: database
        )
        let ids = arriving.map(\.id)
        for place in ids.indices.sorted(by: { ids[$0] < ids[$1] }) {
            rows.append(Int64(CloudStampTable.Kind.asset.rawValue))
            rows.append(arriving[place].uuid)
            rows.append(blob: arriving[place].encodedStamps)
            if rows.isFull { try rows.write(to: database) }
        }
        try rows.write(to: database)
    }
}
