package import Foundation
internal import GRDB
package import Logging
internal import PhotoLibrary
package import PhotoModel
internal import Synchronization

/// The small pictures of a library: `renditions.sqlite`.
///
/// All of it can be made again, so nothing here fails an operation: a full disk, a damaged file or one
/// that somebody deletes costs renditions, never an import or a request. Opened when it is first
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

    /// One small picture and what it is.
    package struct Rendition: Sendable {
        package var jpeg: Data
        /// Of a partly transparent picture: the alpha of its pixels, with which the JPEG's colours are
        /// multiplied, as a grey JPEG.
        package var alpha: Data?
        package var size: PixelSize
        package var origin: Origin

        package init(jpeg: Data, alpha: Data? = nil, size: PixelSize, origin: Origin) {
            self.jpeg = jpeg
            self.alpha = alpha
            self.size = size
            self.origin = origin
        }
    }

    /// The size class of the first small rendition.
    package static let firstSizeClass = 256
    /// The size classes, from the smallest: a grid's, and a screen's of a telephone.
    package static let sizeClasses = [256, 1024]

    let file: RenditionFile

    /// The renditions in the file at a path, which is made where it is not.
    package init(path: String, logger: Logger) {
        file = RenditionFile(path: path, logger: logger)
    }

    /// Keeps a rendition for a key, in place of one that was there, and says whether it could.
    @discardableResult
    package func store(_ rendition: Rendition, for key: Key) -> Bool {
        file.write("store a rendition") { database in
            try database.cachedStatement(
                sql: """
                    INSERT OR REPLACE INTO rendition
                        (assetUUID, sizeClass, contentVersion, origin, width, height, jpeg, alpha)
                    VALUES (?, ?, ?, ?, ?, ?, ?, ?)
                    """
            ).execute(arguments: [
                key.assetUUID, key.sizeClass, key.contentVersion, rendition.origin.rawValue,
                rendition.size.width, rendition.size.height, rendition.jpeg, rendition.alpha,
            ])
        }
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
        file.readOnce { database in
            let rows = try StatementReader(
                database,
                """
                SELECT width, height, origin, jpeg, alpha FROM rendition
                WHERE assetUUID = ? AND contentVersion = ? ORDER BY sizeClass
                """,
                [assetUUID, contentVersion]
            )
            var largest: Rendition?
            while try rows.step() {
                let size = PixelSize(width: rows.integer(0), height: rows.integer(1))
                let isEnough = covers(size)
                guard isEnough || takesAny, let origin = Origin(rawValue: rows.integer(2)),
                    let jpeg = rows.bytes(3)
                else { continue }
                largest = Rendition(jpeg: jpeg, alpha: rows.bytes(4), size: size, origin: origin)
                if isEnough { break }
            }
            return largest
        }
    }

    /// Forgets a rendition that turned out to be damaged.
    package func remove(of assetUUID: String, contentVersion: Int) {
        file.write("remove a rendition") { database in
            try database.execute(
                sql: "DELETE FROM rendition WHERE assetUUID = ? AND contentVersion = ?",
                arguments: [assetUUID, contentVersion]
            )
        }
    }

    /// How many renditions there are.
    package func count() -> Int {
        file.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM rendition") } ?? 0
    }
}
