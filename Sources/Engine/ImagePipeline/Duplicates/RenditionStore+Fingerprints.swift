internal import Foundation
internal import GRDB

/// Fingerprints are stored beside the renditions, from which they can be recomputed.
extension RenditionStore {
    /// The fingerprint of an asset's content.
    package struct Fingerprint: Sendable {
        /// The fingerprint; nil when none can be computed.
        package var print: PictureFingerprint?
        /// The content version from which it was computed.
        package var contentVersion: Int

        package init(print: PictureFingerprint?, contentVersion: Int) {
            self.print = print
            self.contentVersion = contentVersion
        }
    }

    /// Stores the fingerprint of an asset and replaces an earlier one.
    package func store(_ fingerprint: Fingerprint, of assetUUID: String) {
        file.write("store a fingerprint") { database in
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
    }

    /// Returns all stored fingerprints, by asset UUID.
    package func fingerprints() -> [String: Fingerprint] {
        file.read { database in
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
        } ?? [:]
    }
}
