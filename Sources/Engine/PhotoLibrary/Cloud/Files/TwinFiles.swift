internal import CloudSync
internal import Foundation
internal import GRDB
internal import PhotoModel

/// What a device has of the files of twins (assets that are the same photo), read from their rows
/// before these are united or separated.
///
/// Another row may show the twins afterward. It continues with what the device has:
///
/// 1. A content that was removed to free space counts as removed. Otherwise, the next session
///    would download it again, since files that never were here are downloaded once.
/// 2. The row's content version is the highest one of these rows if it shows the same picture as
///    that row, and above it otherwise. So a rendition of any of these rows shows the present
///    picture if it has the content version of the new row (`ShownTwin`). Applying the merged
///    registers raises the version for files that the row had already; that is taken back.
struct TwinFiles {
    private struct File: Hashable {
        var type: Int
        var content: Data
    }

    /// The columns and files that determine the picture.
    private struct Picture: Equatable {
        var originalChoice: Int
        var files: Set<File>

        init(_ asset: AssetRecord, _ database: Database) throws {
            originalChoice = asset.originalResourceChoice
            let rows = try Row.fetchAll(
                database.cachedStatement(
                    sql: "SELECT type, sha256 FROM resource WHERE assetId = ?"
                ),
                arguments: [asset.id]
            )
            files = Set(rows.map { File(type: $0[0], content: $0[1]) })
        }
    }

    private let transaction: LibraryTransaction
    private let pictures: [(picture: Picture, contentVersion: Int)]
    /// The contents whose files were removed to free space.
    private let removed: Set<Data>

    /// Reads the files of assets.
    init(of assets: [AssetRecord], in transaction: LibraryTransaction) throws {
        let database = transaction.database
        var removed: Set<Data> = []
        for asset in assets {
            removed.formUnion(
                try Data.fetchAll(
                    database.cachedStatement(
                        sql: "SELECT sha256 FROM resource WHERE assetId = ? AND presence = 2"
                    ),
                    arguments: [asset.id]
                )
            )
        }
        self.transaction = transaction
        self.removed = removed
        pictures = try assets.map { asset in
            (picture: try Picture(asset, database), contentVersion: asset.contentVersion)
        }
    }

    /// Continues with these files in the row that shows the twins now.
    func pass(to asset: AssetRecord) throws {
        let database = transaction.database
        for content in removed {
            try database.cachedStatement(
                sql: """
                    UPDATE resource SET presence = 2
                    WHERE assetId = ? AND sha256 = ? AND presence = 1
                    """
            ).execute(arguments: [asset.id, content])
        }
        let picture = try Picture(asset, database)
        let versions = pictures.map { former in
            former.picture == picture ? former.contentVersion : former.contentVersion + 1
        }
        guard let version = versions.max(), version != asset.contentVersion else { return }
        var shown = asset
        shown.contentVersion = version
        try transaction.store(shown, over: asset, contentChanged: true)
    }
}

/// An asset without a row, and the twin that is shown in its place.
///
/// The asset was united with that twin, or it was shown for both and left by a purge of it alone.
package struct ShownTwin: Sendable {
    /// The UUID of the asset without a row.
    package var absorbed: String
    /// The UUID of the asset that is shown.
    package var shown: String
    /// The content version of the asset that is shown.
    ///
    /// A rendition of the absorbed asset with this version shows the same picture.
    package var contentVersion: Int
}

extension LibraryStore {
    /// Returns those of some assets without rows, up to a thousand, in whose place a twin is shown.
    package func shownTwins(of assets: [String]) throws -> [ShownTwin] {
        guard !assets.isEmpty else { return [] }
        let marks = Array(repeating: "?", count: assets.count).joined(separator: ", ")
        return try read { database in
            var found = try Row.fetchAll(
                database,
                sql: """
                    SELECT cloudStamp.uuid, asset.uuid, contentVersion
                    FROM cloudStamp CROSS JOIN asset ON asset.uuid = CAST(stamps AS TEXT)
                    WHERE cloudStamp.kind = \(CloudStampTable.Kind.alias.rawValue)
                        AND cloudStamp.uuid IN (\(marks))
                    """,
                arguments: StatementArguments(assets)
            ).map { ShownTwin(absorbed: $0[0], shown: $0[1], contentVersion: $0[2]) }
            let aliases = Set(found.map(\.absorbed))
            let twins = try String.fetchAll(
                database,
                sql: """
                    SELECT uuid FROM cloudStamp
                    WHERE kind = \(CloudStampTable.Kind.twin.rawValue) AND uuid IN (\(marks))
                    """,
                arguments: StatementArguments(assets)
            )
            for uuid in twins where !aliases.contains(uuid) {
                if let twin = try Self.remainingTwin(of: uuid, in: database) { found.append(twin) }
            }
            return found
        }
    }

    /// Returns the twin that is shown after an asset left its twins; nil if none is.
    ///
    /// An asset that was purged alone has no alias any more, but its twins are still known.
    private static func remainingTwin(
        of uuid: String,
        in database: Database
    ) throws -> ShownTwin? {
        let finder = try AssetRowFinder(database)
        for twin in try CloudTwinTable(database: database).members(of: CloudID.of(uuid)) {
            guard let asset = try finder.asset(uuid: twin.uuid) else { continue }
            return ShownTwin(
                absorbed: uuid,
                shown: asset.uuid,
                contentVersion: asset.contentVersion
            )
        }
        return nil
    }
}
