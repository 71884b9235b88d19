internal import Foundation
internal import GRDB
internal import PhotoModel

/// Operations that move assets to Recently Deleted, restore them and delete them permanently.
///
/// Albums keep assets in Recently Deleted as members, so restored assets reappear at their previous
/// positions.
extension LibraryTransaction {
    /// Moves assets to Recently Deleted; assets that are already there are not changed.
    ///
    /// - Throws: `identifierNotFound`.
    package func trashAssets(_ ids: [Int64]) throws {
        var bursts: [String: Bool] = [:]
        // A clock that is behind must not make the assets appear to have been deleted long ago.
        let date = max(now, try lastKnownTime())
        for id in try inOrderOfIndexes(Self.unique(ids)) {
            let old = try existingAsset(id)
            guard old.trashedDate == nil else { continue }
            var asset = old
            asset.trashedDate = date
            try store(asset, over: old, contentChanged: false)
            if let burst = asset.burstIdentifier {
                let isHiddenKey = asset.representsBurst && asset.isHidden
                bursts[burst] = isHiddenKey || bursts[burst] == true
            }
        }
        for (burst, hiddenKeyLeft) in bursts.sorted(by: { $0.key < $1.key }) {
            try keepOneKeyFrame(of: burst, hiddenKeyLeft: hiddenKeyLeft)
        }
    }

    /// Returns the latest time among the last 5,000 versions.
    private func lastKnownTime() throws -> Date {
        let seconds = try Double.fetchOne(
            database.cachedStatement(
                sql: """
                    SELECT max(time) FROM
                        (SELECT time FROM journalVersion ORDER BY version DESC LIMIT 5000)
                    """
            )
        )
        return seconds.map(Date.init(timeIntervalSinceReferenceDate:)) ?? .distantPast
    }

    /// Restores assets from Recently Deleted; assets that are not there are not changed.
    ///
    /// - Throws: `identifierNotFound`.
    package func restoreAssets(_ ids: [Int64]) throws {
        var bursts: [String: Set<Int64>] = [:]
        for id in try inOrderOfIndexes(Self.unique(ids)) {
            let old = try existingAsset(id)
            guard old.trashedDate != nil else { continue }
            var asset = old
            asset.trashedDate = nil
            try store(asset, over: old, contentChanged: false)
            if let burst = asset.burstIdentifier { bursts[burst, default: []].insert(asset.id) }
        }
        for (burst, arrived) in bursts.sorted(by: { $0.key < $1.key }) {
            try keepOneKeyFrame(of: burst, arrived: arrived)
        }
    }

    /// Permanently deletes assets: their memberships, resources, rows and, after the commit, files.
    ///
    /// Each asset leaves a tombstone.
    ///
    /// - Throws: `identifierNotFound`; `changeNotSupported` for an asset that is not in Recently
    ///   Deleted.
    package func purgeAssets(_ ids: [Int64]) throws {
        for id in try inOrderOfIndexes(Self.unique(ids)) {
            let asset = try existingAsset(id)
            guard asset.trashedDate != nil else {
                throw LibraryError(
                    .changeNotSupported,
                    "\(asset.originalFilename) cannot be permanently deleted: it is not in Recently"
                        + " Deleted.",
                    recovery: "Delete it first.",
                    identifiers: [asset.localIdentifier]
                )
            }
            try noteDeparture(ofAsset: asset)
            for album in try albumIDs(of: asset.id) {
                try removeMembers([asset.id], from: album)
            }
            try purgeResources(ofAsset: asset.id)
            try discardFormerFiles(ofAsset: asset.id)
            try deleteAsset(id: asset.id)
        }
    }

    private func purgeResources(ofAsset id: Int64) throws {
        let rows = try Row.fetchAll(
            database.cachedStatement(
                sql: "SELECT id, path FROM resource WHERE assetId = ? ORDER BY id"
            ),
            arguments: [id]
        )
        for row in rows {
            let (resource, path): (Int64, String) = (row[0], row[1])
            try database.cachedStatement(
                sql: "INSERT OR IGNORE INTO discardedFile (path) VALUES (?)"
            ).execute(arguments: [path])
            // The source file counts as new when it is imported again.
            try database.cachedStatement(sql: "DELETE FROM importedFile WHERE resourceId = ?")
                .execute(arguments: [resource])
            try deleteResource(id: resource)
            discardsFiles = true
        }
    }

    private func existingAsset(_ id: Int64) throws -> AssetRecord {
        guard let asset = try asset(id: id) else {
            throw Self.noRow("asset", "with the row id \(id)")
        }
        return asset
    }
}
