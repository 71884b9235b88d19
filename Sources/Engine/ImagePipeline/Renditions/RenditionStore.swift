package import Foundation
internal import GRDB
package import Logging
internal import PhotoLibrary
package import PhotoModel
internal import Synchronization

/// The renditions of a library, in `renditions.sqlite`.
///
/// All of them can be recreated, so no error here makes an operation fail. A full volume, or a
/// damaged or deleted file, costs renditions but never an import or a request. The file is opened
/// when it is first needed. Thread-safe.
package final class RenditionStore: Sendable {
    /// The key of a rendition: the asset, its content version and the size class.
    package struct Key: Hashable, Sendable {
        package var assetUUID: String
        package var contentVersion: Int
        /// The size class: the maximum length of the longer side, in pixels.
        package var sizeClass: Int

        package init(assetUUID: String, contentVersion: Int, sizeClass: Int) {
            self.assetUUID = assetUUID
            self.contentVersion = contentVersion
            self.sizeClass = sizeClass
        }
    }

    /// The source of a rendition's pixels; better sources have higher values.
    package enum Origin: Int, Sendable {
        /// The preview that the camera embedded.
        case embeddedPreview = 1
        /// The original or the edited file.
        case content = 2
    }

    /// A rendition with its size and origin.
    package struct Rendition: Sendable {
        package var jpeg: Data
        /// The alpha of a partly transparent image as a grayscale JPEG; the colors are
        /// premultiplied with it.
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

    /// The size class of the first rendition, which is made during import.
    package static let firstSizeClass = 256
    /// The size classes in ascending order: for grids, and for phone screens.
    package static let sizeClasses = [256, 1024]
    /// The size class of the larger rendition that remains stored when a photo's original is
    /// removed.
    package static let remainingSizeClass = 2048

    let file: RenditionFile
    /// The fingerprints that are kept only in memory, by asset UUID.
    let remembered = Mutex<[String: Fingerprint]>([:])

    /// Creates a store for the file at a path.
    ///
    /// The file is created when it is first needed.
    package init(path: String, logger: Logger) {
        file = RenditionFile(path: path, logger: logger)
    }

    /// Stores a rendition, and replaces an earlier one in its size class.
    ///
    /// - Parameters:
    ///   - rendition: The rendition.
    ///   - key: The asset, its content version and the size class.
    /// - Returns: The reason why this rendition could not be stored; `cancelled` if the file of the
    ///   renditions was closed.
    @discardableResult
    package func store(_ rendition: Rendition, for key: Key) -> Result<Void, LibraryError> {
        file.write("store a thumbnail") { database in
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

    /// Returns the smallest rendition that is large enough.
    ///
    /// If there is none, returns the largest one, provided that any is accepted.
    ///
    /// - Parameters:
    ///   - assetUUID: The asset.
    ///   - contentVersion: The content version of the asset.
    ///   - covers: Returns whether a size is large enough.
    ///   - takesAny: Whether a smaller rendition is accepted.
    /// - Returns: Nil when no rendition qualifies.
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

    /// Removes the renditions of an asset's content version, after a rendition was found to be
    /// damaged.
    package func remove(of assetUUID: String, contentVersion: Int) {
        file.write("remove a thumbnail") { database in
            try database.execute(
                sql: "DELETE FROM rendition WHERE assetUUID = ? AND contentVersion = ?",
                arguments: [assetUUID, contentVersion]
            )
        }
    }

    /// Returns the number of renditions.
    package func count() -> Int {
        file.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM rendition") } ?? 0
    }
}
