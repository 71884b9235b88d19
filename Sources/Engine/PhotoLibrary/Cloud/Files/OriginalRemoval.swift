package import CloudSync
internal import Foundation
internal import GRDB
internal import PhotoModel

/// An original that may be removed from this computer, provided that the object store has it.
package struct RemovableOriginal: Hashable, Sendable {
    package var content: ContentID
    /// The total size in bytes of all local files whose content is `content`.
    package var size: Int64
    /// The UUIDs of the photos with the content.
    package var assets: [String]
}

/// Removes local copies of originals that the object store has, to free space.
///
///     here ──commit──▶ presence 2, path in discardedFile ──unlink──▶ removed
///
/// 1. A content is removed as a whole: if one of its files must stay, all stay.
/// 2. Files that editing made, and sidecars, stay. So do the originals of `KeptAssets`.
/// 3. Nothing is removed while changes wait for their export: they may be about the content.
/// 4. The version has an origin, so nothing is stamped, exported or undone, and no content version
///    changes, so the renditions remain valid.
/// 5. A crash after the commit leaves the paths in `discardedFile`, from which the next writer
///    removes the files.
private struct OriginalRemoval {
    static let types: [ResourceType] = [
        .photo, .video, .audio, .alternatePhoto, .pairedVideo, .photoProxy,
    ]

    struct File {
        var id: Int64
        var path: String
        var size: Int64
        var asset: String
    }

    let database: Database
    let kept: KeptAssets

    init(_ database: Database, now: Date) throws {
        self.database = database
        kept = try KeptAssets(database, now: now)
    }

    /// Returns the local files that have a given content; nil if any of them must not be removed.
    func files(of content: ContentID) throws -> [File]? {
        let rows = try Row.fetchAll(
            database.cachedStatement(
                sql: """
                    SELECT resource.id, path, size, type, assetId, asset.uuid
                    FROM resource JOIN asset ON asset.id = assetId
                    WHERE sha256 = ? AND presence = 0 ORDER BY resource.id
                    """
            ),
            arguments: [content.data]
        )
        var files: [File] = []
        for row in rows {
            guard let type = ResourceType(rawValue: row[3]), Self.types.contains(type),
                !kept.ids.contains(row[4])
            else { return nil }
            files.append(File(id: row[0], path: row[1], size: row[2], asset: row[5]))
        }
        return files
    }

    /// Marks a file as stored only in the cloud, and marks its local copy for removal.
    func remove(_ file: File) throws {
        try database.cachedStatement(sql: "UPDATE resource SET presence = 2 WHERE id = ?")
            .execute(arguments: [file.id])
        try database.cachedStatement(sql: "INSERT OR IGNORE INTO discardedFile (path) VALUES (?)")
            .execute(arguments: [file.path])
    }
}

/// Ranks files by day of last access, oldest first, and within a day by size, largest first.
private struct LeastRecentlyUsed {
    private static let day: Int64 = 86_400_000_000_000

    private struct Entry {
        var day: Int64
        var size: Int64
        var content: Data

        static func precedes(_ first: Entry, _ second: Entry) -> Bool {
            if first.day != second.day { return first.day < second.day }
            if first.size != second.size { return first.size > second.size }
            return first.content.lexicographicallyPrecedes(second.content)
        }
    }

    private let limit: Int
    private var entries: [Entry] = []

    init(limit: Int) { self.limit = limit }

    mutating func add(_ content: Data, size: Int64, accessTime: Int64) {
        entries.append(Entry(day: accessTime / Self.day, size: size, content: content))
        if entries.count >= 2 * limit { sort() }
    }

    private mutating func sort() {
        entries.sort(by: Entry.precedes)
        if entries.count > limit { entries.removeSubrange(limit...) }
    }

    /// Returns the ranked contents, each once.
    mutating func contents() -> [ContentID] {
        sort()
        var seen: Set<Data> = []
        return entries.compactMap { entry in
            seen.insert(entry.content).inserted ? ContentID(bytes: entry.content) : nil
        }
    }
}

extension LibraryStore {
    /// The journal author of the versions that record the removal of originals.
    private static let removalAuthor = "cloud:optimize"

    /// Chooses originals to remove, the least recently opened first.
    ///
    /// Reads the status of each original, so it takes seconds for a million.
    ///
    /// - Parameters:
    ///   - bytes: The number of bytes that removing them should free.
    ///   - limit: The largest number of originals.
    ///   - excluded: Those that are not to be chosen.
    /// - Returns: The originals, in the order in which they should be removed.
    /// - Throws: The errors of reading the library.
    package func removableOriginals(
        bytes: Int64,
        limit: Int,
        except excluded: Set<ContentID>
    ) throws -> [RemovableOriginal] {
        var ranking = LeastRecentlyUsed(limit: limit + excluded.count)
        let types = OriginalRemoval.types.map { String($0.rawValue) }.joined(separator: ", ")
        return try read { database in
            let removal = try OriginalRemoval(database, now: now)
            let rows = try Row.fetchCursor(
                database,
                sql: """
                    SELECT path, size, sha256, assetId FROM resource
                    WHERE presence = 0 AND type IN (\(types))
                    """
            )
            while let row = try rows.next() {
                // Kept photos would otherwise hide those that were used later.
                guard !removal.kept.ids.contains(row[3]) else { continue }
                let path: String = row[0]
                guard let status = FileStatus(path: bundle.absolutePath(of: path)) else { continue }
                ranking.add(row[2], size: row[1], accessTime: status.accessTime)
            }
            var chosen: [RemovableOriginal] = []
            var sum: Int64 = 0
            for content in ranking.contents() where !excluded.contains(content) {
                guard sum < bytes, chosen.count < limit else { break }
                guard let files = try removal.files(of: content), !files.isEmpty else { continue }
                let size = files.reduce(0) { $0 + $1.size }
                sum += size
                chosen.append(
                    RemovableOriginal(
                        content: content,
                        size: size,
                        assets: Set(files.map(\.asset)).sorted()
                    )
                )
            }
            return chosen
        }
    }

    /// Removes the local copies of originals after the caller has checked that the object store has
    /// them.
    ///
    /// - Parameter contents: The contents; those that must stay now are left out.
    /// - Returns: The contents that were removed; empty while changes wait for their export.
    /// - Throws: `changeNotSupported` if the library has not joined a cloud library, and the errors
    ///   of `write`.
    package func removeOriginals(_ contents: [ContentID]) throws -> [ContentID] {
        guard let device = try cloudMembership()?.device else { throw CloudExporter.notJoined }
        let origin = RemoteOrigin(
            author: Self.removalAuthor,
            device: device.hexadecimal,
            time: now,
            stamp: .zero
        )
        return try write(author: origin.author, origin: origin) { transaction in
            let database = transaction.database
            guard try !Self.hasUnexportedChanges(database) else { return [] }
            let removal = try OriginalRemoval(database, now: now)
            var removed: [ContentID] = []
            for content in contents {
                guard let files = try removal.files(of: content), !files.isEmpty else { continue }
                for file in files { try removal.remove(file) }
                removed.append(content)
            }
            guard !removed.isEmpty else { return [] }
            // Readers that know that no file is missing notice it by the version.
            _ = try transaction.commitTime()
            transaction.discardsFiles = true
            return removed
        }
    }
}

/// The methods of optimized storage for files that are not stored locally.
extension LibraryStore {
    /// Returns the contents to download under optimized storage: those of files that were never
    /// stored locally, and the originals of kept photos.
    ///
    /// Photos whose files were never stored locally cannot be shown yet. Kept photos come first,
    /// then the newest ones, and those in Recently Deleted last.
    package func neededContents() throws -> [ContentID] {
        try read { database in
            let kept = try KeptAssets(database, now: now).ids
            var found: [Data] = []
            if !kept.isEmpty {
                let rows = try Row.fetchCursor(
                    database,
                    sql: "SELECT sha256, assetId FROM resource NOT INDEXED WHERE presence = 2"
                )
                while let row = try rows.next() {
                    if kept.contains(row[1]) { found.append(row[0]) }
                }
            }
            found += try Data.fetchAll(
                database,
                sql: """
                    SELECT sha256 FROM (
                        SELECT sha256, assetId FROM resource NOT INDEXED WHERE presence = 1)
                    JOIN asset ON asset.id = assetId
                    ORDER BY trashedDate IS NOT NULL, coalesce(creationDate, addedDate) DESC,
                        sha256
                    """
            )
            var seen: Set<ContentID> = []
            return found.compactMap { content in
                guard let id = ContentID(bytes: content) else { return nil }
                return seen.insert(id).inserted ? id : nil
            }
        }
    }

    /// A photo whose original was removed.
    package struct RemovedAsset: Sendable {
        package var id: Int64
        package var uuid: String
        package var contentVersion: Int
        /// Indicates whether the present picture is made from an original.
        ///
        /// Otherwise, it is made from the file of an edit, which is here or is downloaded.
        package var showsOriginal: Bool
    }

    /// Returns up to `limit` photos with removed originals and row ids above `id`, in ascending
    /// order of row ids.
    package func removedAssets(after id: Int64, limit: Int) throws -> [RemovedAsset] {
        try read { database in
            try Row.fetchAll(
                database.cachedStatement(
                    sql: """
                        SELECT DISTINCT asset.id, asset.uuid, contentVersion,
                            NOT (hasAdjustments AND EXISTS (
                                SELECT 1 FROM resource AS edit
                                WHERE edit.assetId = asset.id AND edit.presence <> 2
                                    AND edit.type = CASE mediaType
                                        WHEN \(MediaType.video.rawValue)
                                        THEN \(ResourceType.fullSizeVideo.rawValue)
                                        ELSE \(ResourceType.fullSizePhoto.rawValue) END))
                        FROM asset CROSS JOIN resource ON resource.assetId = asset.id
                        WHERE asset.id > ? AND presence = 2 ORDER BY asset.id LIMIT ?
                        """
                ),
                arguments: [id, limit]
            ).map {
                RemovedAsset(id: $0[0], uuid: $0[1], contentVersion: $0[2], showsOriginal: $0[3])
            }
        }
    }

    /// Marks the removed originals of photos so that they can be downloaded again.
    ///
    /// They are marked like files that were never stored locally.
    package func forgetRemovals(ofAssets ids: [Int64]) throws {
        guard !ids.isEmpty else { return }
        try alone { database in
            let statement = try database.cachedStatement(
                sql: "UPDATE resource SET presence = 1 WHERE assetId = ? AND presence = 2"
            )
            for id in ids { try statement.execute(arguments: [id]) }
        }
    }
}
