package import Foundation
internal import GRDB
package import Logging
package import PhotoModel
internal import Synchronization

/// The small pictures of a library: `renditions.sqlite`.
///
/// All of it can be made again, so nothing here fails an operation: a full disk or a damaged file
/// costs renditions, never an import. A damaged file is replaced. The file is opened when it is first
/// needed. Thread-safe.
package final class RenditionStore: Sendable {
    /// One small picture: an asset's content version, in a size class.
    package struct Key: Hashable, Sendable {
        package var assetUUID: String
        package var contentVersion: Int
        /// The longer side in pixels at most.
        package var sizeClass: Int

        package init(assetUUID: String, contentVersion: Int, sizeClass: Int) {
            self.assetUUID = assetUUID
            self.contentVersion = contentVersion
            self.sizeClass = sizeClass
        }
    }

    /// Where a rendition's pixels came from: better sources replace worse ones.
    package enum Origin: Int, Sendable {
        /// The preview that the camera embedded.
        case embeddedPreview = 1
        /// The original or the edit itself.
        case content = 2
    }

    /// The size class of the first small rendition.
    package static let firstSizeClass = 256
    /// The size classes, from the smallest: a grid's, and a screen's of a telephone.
    package static let sizeClasses = [256, 1024]

    private let path: String
    private let logger: Logger
    private let state = Mutex(State.unopened)

    private enum State {
        case unopened
        /// Nil where it can't be opened.
        case opened(DatabasePool?)
    }

    /// The renditions in the file at a path, which is made where it is not.
    package init(path: String, logger: Logger) {
        self.path = path
        self.logger = logger
    }

    private func opened() -> DatabasePool? {
        state.withLock { state in
            if case .opened(let database) = state { return database }
            let database = Self.open(path, logger: logger)
            state = .opened(database)
            return database
        }
    }

    /// Keeps a JPEG for a key, in place of one that was there.
    package func store(_ jpeg: Data, width: Int, height: Int, origin: Origin, for key: Key) {
        attempt("store a rendition") { database in
            try database.execute(
                sql: """
                    INSERT OR REPLACE INTO rendition
                        (assetUUID, sizeClass, contentVersion, origin, width, height, jpeg)
                    VALUES (?, ?, ?, ?, ?, ?, ?)
                    """,
                arguments: [
                    key.assetUUID, key.sizeClass, key.contentVersion, origin.rawValue, width,
                    height,
                    jpeg,
                ]
            )
        }
    }

    /// The JPEG for a key, if there is one of that content version.
    package func jpeg(for key: Key) -> Data? {
        read { database in
            try Data.fetchOne(
                database.cachedStatement(
                    sql: """
                        SELECT jpeg FROM rendition
                        WHERE assetUUID = ? AND sizeClass = ? AND contentVersion = ?
                        """
                ),
                arguments: [key.assetUUID, key.sizeClass, key.contentVersion]
            )
        }
    }

    /// One small picture and what it is.
    package struct Rendition: Sendable {
        package var jpeg: Data
        package var size: PixelSize
        package var origin: Origin
    }

    /// The smallest rendition that covers, else the largest where any will do.
    ///
    /// - Parameters:
    ///   - assetUUID: Whose.
    ///   - contentVersion: Of which content.
    ///   - covers: Whether a size is enough.
    ///   - takesAny: Whether one that is not enough will do.
    /// - Returns: Nil when there is none that does.
    package func rendition(
        of assetUUID: String,
        contentVersion: Int,
        covers: (PixelSize) -> Bool,
        takesAny: Bool
    ) -> Rendition? {
        read { database in
            let rows = try Row.fetchAll(
                database.cachedStatement(
                    sql: """
                        SELECT sizeClass, width, height, origin FROM rendition
                        WHERE assetUUID = ? AND contentVersion = ? ORDER BY width
                        """
                ),
                arguments: [assetUUID, contentVersion]
            )
            func size(_ row: Row) -> PixelSize {
                PixelSize(width: row["width"], height: row["height"])
            }
            guard let row = rows.first(where: { covers(size($0)) }) ?? (takesAny ? rows.last : nil),
                let origin = Origin(rawValue: row["origin"]),
                let jpeg = try Data.fetchOne(
                    database.cachedStatement(
                        sql: "SELECT jpeg FROM rendition WHERE assetUUID = ? AND sizeClass = ?"
                    ),
                    arguments: [assetUUID, row["sizeClass"] as Int]
                )
            else { return nil }
            return Rendition(jpeg: jpeg, size: size(row), origin: origin)
        }
    }

    /// Forgets a rendition that turned out to be damaged.
    package func remove(of assetUUID: String, contentVersion: Int) {
        attempt("remove a rendition") { database in
            try database.execute(
                sql: "DELETE FROM rendition WHERE assetUUID = ? AND contentVersion = ?",
                arguments: [assetUUID, contentVersion]
            )
        }
    }

    /// How many renditions there are.
    package func count() -> Int {
        read { try Int.fetchOne($0, sql: "SELECT count(*) FROM rendition") } ?? 0
    }

    private func read<Value>(_ body: (Database) throws -> Value?) -> Value? {
        guard let database = opened() else { return nil }
        do {
            return try database.read(body)
        } catch {
            complain("read a rendition", error)
            return nil
        }
    }

    private func attempt(_ what: String, _ body: (Database) throws -> Void) {
        guard let database = opened() else { return }
        do {
            try database.write(body)
        } catch {
            complain(what, error)
        }
    }

    private func complain(_ what: String, _ error: any Error) {
        logger.warning(
            "Could not \(what); it will be made again.",
            metadata: ["renditions.path": "\(path)", "error": "\(error)"]
        )
    }

    // MARK: - Opening

    private static func open(_ path: String, logger: Logger) -> DatabasePool? {
        do {
            return try openOnce(path)
        } catch let error as DatabaseError
            where error.resultCode == .SQLITE_CORRUPT || error.resultCode == .SQLITE_NOTADB
        {
            logger.warning(
                "The renditions are damaged and are begun anew.",
                metadata: ["renditions.path": "\(path)"]
            )
            for suffix in ["", "-wal", "-shm"] {
                try? FileManager.default.removeItem(atPath: path + suffix)
            }
            return try? openOnce(path)
        } catch {
            logger.warning(
                "The renditions cannot be opened; pictures are made anew each time.",
                metadata: ["renditions.path": "\(path)", "error": "\(error)"]
            )
            return nil
        }
    }

    private static func openOnce(_ path: String) throws -> DatabasePool {
        var configuration = Configuration()
        configuration.busyMode = .timeout(10)
        configuration.label = "photos.renditions"
        // A commit that a power cut takes back costs a rendition, not the file.
        configuration.prepareDatabase { try $0.execute(sql: "PRAGMA synchronous = NORMAL") }
        let pool = try DatabasePool(path: path, configuration: configuration)
        try pool.write { database in
            try database.execute(
                sql: """
                    CREATE TABLE IF NOT EXISTS rendition (
                        assetUUID TEXT NOT NULL,
                        sizeClass INTEGER NOT NULL,
                        contentVersion INTEGER NOT NULL,
                        origin INTEGER NOT NULL,
                        width INTEGER NOT NULL,
                        height INTEGER NOT NULL,
                        jpeg BLOB NOT NULL,
                        PRIMARY KEY (assetUUID, sizeClass)
                    ) STRICT
                    """
            )
        }
        return pool
    }
}
