internal import Foundation
internal import GRDB
internal import Synchronization

/// Storage of image fingerprints in the database of renditions; lost fingerprints can be recomputed
/// from the renditions.
extension RenditionStore {
    /// The fingerprint of an asset's content.
    package struct Fingerprint: Sendable {
        /// The fingerprint; nil when none can be computed.
        package var print: PictureFingerprint?
        /// The version of the asset's content from which the fingerprint was computed.
        package var contentVersion: Int

        package init(print: PictureFingerprint?, contentVersion: Int) {
            self.print = print
            self.contentVersion = contentVersion
        }
    }

    /// Stores the fingerprint of an asset and replaces an earlier one.
    ///
    /// Where it cannot be stored, for example on a read-only volume, this object remembers it.
    package func store(_ fingerprint: Fingerprint, of assetUUID: String) {
        let stored = file.write("store a fingerprint") { database in
            try database.execute(
                sql: """
                    INSERT OR REPLACE INTO fingerprint (assetUUID, contentVersion, print, aspect)
                    VALUES (?, ?, ?, ?)
                    """,
                arguments: [
                    assetUUID, fingerprint.contentVersion, fingerprint.print?.data,
                    fingerprint.print?.aspect,
                ]
            )
        }
        switch stored {
        case .success: remembered.withLock { $0[assetUUID] = nil }
        case .failure: remember(fingerprint, of: assetUUID)
        }
    }

    /// Keeps the fingerprint of an asset in memory for the lifetime of this object.
    func remember(_ fingerprint: Fingerprint, of assetUUID: String) {
        remembered.withLock { $0[assetUUID] = fingerprint }
    }

    /// Returns all fingerprints in the file and in memory, by asset UUID.
    package func fingerprints() -> [String: Fingerprint] {
        let stored: [String: Fingerprint]? = file.read { database in
            let rows = try Row.fetchCursor(
                database,
                sql: "SELECT assetUUID, contentVersion, print, aspect FROM fingerprint"
            )
            var prints: [String: Fingerprint] = [:]
            while let row = try rows.next() {
                let data: Data? = row[2]
                let aspect: Double? = row[3]
                prints[row[0]] = Fingerprint(
                    print: data.flatMap { PictureFingerprint(data: $0, aspect: aspect ?? 0) },
                    contentVersion: row[1]
                )
            }
            return prints
        }
        return (stored ?? [:]).merging(remembered.withLock { $0 }) { $1 }
    }
}
