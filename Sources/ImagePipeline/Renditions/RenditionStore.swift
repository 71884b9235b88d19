package import Foundation
internal import GRDB
package import Logging
internal import PhotoModel
internal import RenditionCodec

/// The small pictures of a library: `renditions.sqlite`.
///
/// All of it can be made again, so nothing here fails an operation: a full disk or a damaged file
/// costs renditions, never an import. A damaged file is replaced. Thread-safe.
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

    private let path: String
    private let logger: Logger
    private let queue: DatabaseQueue?

    /// Opens the file at a path, or makes it.
    package init(path: String, logger: Logger) {
        self.path = path
        self.logger = logger
        queue = Self.open(path, logger: logger)
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
        guard let queue else { return nil }
        do {
            return try queue.read { database in
                try Data.fetchOne(
                    database,
                    sql: """
                        SELECT jpeg FROM rendition
                        WHERE assetUUID = ? AND sizeClass = ? AND contentVersion = ?
                        """,
                    arguments: [key.assetUUID, key.sizeClass, key.contentVersion]
                )
            }
        } catch {
            complain("read a rendition", error)
            return nil
        }
    }

    /// How many renditions there are.
    package func count() -> Int {
        guard let queue else { return 0 }
        return (try? queue.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM rendition") })
            ?? 0
    }

    private func attempt(_ what: String, _ body: (Database) throws -> Void) {
        guard let queue else { return }
        do {
            try queue.write(body)
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

    private static func open(_ path: String, logger: Logger) -> DatabaseQueue? {
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

    private static func openOnce(_ path: String) throws -> DatabaseQueue {
        var configuration = Configuration()
        configuration.busyMode = .timeout(10)
        configuration.label = "photos.renditions"
        configuration.journalMode = .wal
        let queue = try DatabaseQueue(path: path, configuration: configuration)
        try queue.write { database in
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
        return queue
    }
}
