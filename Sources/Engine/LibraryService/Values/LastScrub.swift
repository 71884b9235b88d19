package import Foundation

/// The result of rereading daily samples of files to detect damage.
package struct LastScrub: Codable, Hashable, Sendable {
    /// A file that differs from the imported one, or that cannot be read.
    package struct Damage: Codable, Hashable, Sendable {
        /// The row id of the file's resource.
        package var resource: Int64
        /// The path below the library's folder.
        package var path: String
        /// The kind of the damage, as in `Finding.kind`.
        package var kind: String

        package init(resource: Int64, path: String, kind: String) {
            self.resource = resource
            self.path = path
            self.kind = kind
        }
    }

    /// The time when the last file was read.
    package var date: Date
    /// The damaged files that were found and not repaired since.
    package var damages: [Damage] = []

    package init(date: Date) { self.date = date }
}
