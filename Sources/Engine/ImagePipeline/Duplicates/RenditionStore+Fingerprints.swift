internal import Foundation
internal import GRDB

/// What pictures look like, kept beside their renditions: it can be told again from them.
extension RenditionStore {
    /// What is known of an asset's looks.
    package struct Fingerprint: Sendable {
        /// Nil when nothing can be told.
        package var print: PictureFingerprint?
        /// Of which content.
        package var contentVersion: Int

        package init(print: PictureFingerprint?, contentVersion: Int) {
            self.print = print
            self.contentVersion = contentVersion
        }
    }

    /// Keeps what an asset looks like, in place of what was known before.
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

    /// What all assets look like, as far as is known, by UUID.
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
