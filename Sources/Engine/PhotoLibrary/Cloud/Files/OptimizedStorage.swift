internal import CLinuxShim
internal import CloudSync
internal import Foundation
internal import GRDB
internal import PhotoModel

/// The setting that keeps space free on a library's volume by removing local copies of originals
/// stored in the object store.
package struct OptimizedStorage: Hashable, Sendable {
    /// The number of bytes to keep free; nil for the default.
    package var keepFree: Int64?

    package init(keepFree: Int64? = nil) { self.keepFree = keepFree }

    /// Returns the number of bytes to keep free on a volume: by default a tenth of it, and at least
    /// 20 GB.
    package func space(ofVolume size: Int64) -> Int64 {
        keepFree ?? max(size / 10, 20_000_000_000)
    }

    /// Reads the setting; nil if optimized storage is off.
    ///
    /// - Throws: `corrupt` for a setting that cannot be read.
    init?(_ database: Database) throws {
        guard let text = try LibrarySetting.cloudKeepFree.value(in: database) else { return nil }
        if text == Self.defaultText { return }
        guard let bytes = Int64(text), bytes >= 0 else {
            throw LibraryError(
                .corrupt,
                "The setting of the optimized storage cannot be read: \(text).",
                recovery: "Use photos cloud optimize on, or off."
            )
        }
        keepFree = bytes
    }

    fileprivate var text: String { keepFree.map(String.init) ?? Self.defaultText }

    private static let defaultText = "default"
}

extension LibraryStore {
    /// Returns the setting; nil if optimized storage is off.
    package func optimizedStorage() throws -> OptimizedStorage? {
        try read { try OptimizedStorage($0) }
    }

    /// Changes the setting; nil turns optimized storage off, so that all originals are downloaded
    /// again.
    ///
    /// - Throws: `changeNotSupported` if the library has not joined a cloud library.
    package func setOptimizedStorage(_ storage: OptimizedStorage?) throws {
        try alone { database in
            guard try CloudMembership(database) != nil else { throw CloudExporter.notJoined }
            if let storage {
                try LibrarySetting.cloudKeepFree.set(storage.text, in: database)
            } else {
                try LibrarySetting.cloudKeepFree.remove(in: database)
                try database.execute(sql: "UPDATE resource SET presence = 1 WHERE presence = 2")
            }
        }
    }

    /// Returns the UUIDs of the albums whose originals are always stored locally.
    package func keptAlbums() throws -> [String] {
        try read { try KeptAssets.albums($0) }
    }

    /// Sets whether the originals of an album's photos are always stored locally.
    ///
    /// - Parameters:
    ///   - uuid: The identifier of the album.
    ///   - isKept: Whether they stay.
    /// - Throws: `identifierNotFound` for an album that does not exist, and `changeNotSupported` if
    ///   the library has not joined a cloud library.
    package func setAlbum(_ uuid: String, isKept: Bool) throws {
        try alone { database in
            guard try CloudMembership(database) != nil else { throw CloudExporter.notJoined }
            let exists = try Bool.fetchOne(
                database,
                sql: "SELECT EXISTS (SELECT 1 FROM collection WHERE uuid = ? AND kind = ?)",
                arguments: [uuid, ObjectKind.album.rawValue]
            )
            guard exists == true || !isKept else {
                throw LibraryError(
                    .identifierNotFound,
                    "There is no album \(uuid) in the library.",
                    recovery: "Use an album that photos albums shows.",
                    identifiers: [uuid]
                )
            }
            var albums = try KeptAssets.albums(database).filter { $0 != uuid }
            if isKept { albums.append(uuid) }
            try LibrarySetting.cloudKeptAlbums.set(albums, in: database)
        }
    }

    /// Returns the size and free space of the library's volume.
    ///
    /// - Parameter isSettled: Whether the volume is synced before. Some file systems free the space
    ///   of removed files only then.
    /// - Returns: The size and free space.
    /// - Throws: The volume's error.
    package func volumeSpace(isSettled: Bool = false) throws -> VolumeSpace {
        // A failure has no other consequence than a smaller result.
        if isSettled { _ = cphotos_sync_volume(bundle.root) }
        guard let space = VolumeSpace(at: bundle.root) else {
            throw SystemError.last("statvfs", path: bundle.root).libraryError(doing: "access")
        }
        return space
    }
}

/// The photos whose originals are always stored locally: those in marked albums, and recent
/// favorites.
struct KeptAssets {
    /// The time, in seconds, for which the original of a new favorite is kept locally.
    private static let favoriteTime = 30.0 * 86_400

    /// The row ids of the photos.
    let ids: Set<Int64>

    init(_ database: Database, now: Date) throws {
        var ids: Set<Int64> = []
        for album in try Self.albums(database) {
            ids.formUnion(
                try Int64.fetchSet(
                    database,
                    sql: """
                        SELECT assetId FROM albumAsset
                        JOIN collection ON collection.id = albumAsset.albumId
                        WHERE collection.uuid = ?
                        """,
                    arguments: [album]
                )
            )
        }
        let table = CloudStampTable(database: database)
        let favorites = try Row.fetchCursor(
            database,
            sql: "SELECT id, uuid FROM asset WHERE isFavorite = 1"
        )
        let start = (now - Self.favoriteTime).millisecondsSince1970
        while let row = try favorites.next() {
            let uuid: String = row[1]
            let stamp = try table.stamps(of: .asset, uuid)?.entries[RegisterKey(.isFavorite)]?.stamp
            // Without a stamp the time is not known.
            if stamp.map({ $0.time.milliseconds >= start }) ?? true { ids.insert(row[0]) }
        }
        self.ids = ids
    }

    /// The UUIDs of the marked albums.
    static func albums(_ database: Database) throws -> [String] {
        try LibrarySetting.cloudKeptAlbums.names(in: database)
    }
}
