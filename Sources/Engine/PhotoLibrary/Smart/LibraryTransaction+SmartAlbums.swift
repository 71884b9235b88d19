internal import Foundation
internal import GRDB
internal import PhotoModel

/// Records which smart albums a transaction changes.
extension LibraryTransaction {
    /// Records a change of an asset that may affect smart albums.
    ///
    /// `old` is nil for a new asset, `new` for a deleted one.
    func recordSmartAlbums(of id: Int64, from old: AssetRecord?, to new: AssetRecord?) throws {
        var before = old.map { PendingSmartAlbumChanges.Seen($0, hasRAW: false) }
        var after = new.map { PendingSmartAlbumChanges.Seen($0, hasRAW: false) }
        // Most changes do not affect smart albums, and then no row is read.
        if before == after { return }
        if old != nil, try hasRAW(id) {
            before?.facet.traits.insert(.raw)
            after?.facet.traits.insert(.raw)
        }
        smartAlbums.record(id, from: before, to: after)
    }

    /// Runs a closure that changes resources, and records the assets whose `hasRAW` it changes.
    func notingRAW<Result>(
        of resources: [ResourceRecord],
        _ body: () throws -> Result
    ) throws -> Result {
        let assets = Set(resources.filter(\.isRAW).map(\.assetID))
        let before = try assets.map { ($0, try hasRAW($0)) }
        let result = try body()
        for (id, had) in before {
            let has = try hasRAW(id)
            guard had != has, let asset = try asset(id: id) else { continue }
            smartAlbums.record(
                id,
                from: PendingSmartAlbumChanges.Seen(asset, hasRAW: had),
                to: PendingSmartAlbumChanges.Seen(asset, hasRAW: has)
            )
        }
        return result
    }

    /// Stores this transaction's version for each smart album that the transaction changed.
    func flushSmartAlbums() throws {
        guard let version else { return }
        let day = SmartAlbum.firstRecentDay(at: now.timeIntervalSinceReferenceDate)
        let statement = try database.cachedStatement(
            sql: """
                INSERT INTO smartAlbum (subtype, version) VALUES (?, ?)
                ON CONFLICT DO UPDATE SET version = excluded.version
                """
        )
        let changed = smartAlbums.changedAlbums(firstRecentDay: day)
        for album in changed.sorted(by: { $0.rawValue < $1.rawValue }) {
            try statement.execute(arguments: [album.rawValue, version])
        }
        smartAlbums = PendingSmartAlbumChanges()
    }

    private func hasRAW(_ id: Int64) throws -> Bool { try finder().hasRAW(id) }
}

extension ResourceRecord {
    /// Indicates whether the resource is an original in a RAW format.
    ///
    /// The triggers of `hasRAW` use the same condition.
    var isRAW: Bool {
        (type == .photo || type == .alternatePhoto) && contentType.isRAWContentType
    }
}
