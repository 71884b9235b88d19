package import Foundation

/// The result of reading files of a library again to detect damage, a sample each day.
package struct LastScrub: Codable, Hashable, Sendable {
    /// A file that differs from the imported one, or that cannot be read.
    package struct Damage: Codable, Hashable, Sendable {
        /// The row of the file.
        package var resource: Int64
        /// The path below the library's folder.
        package var path: String
        /// The kind, as of a finding of a check.
        package var kind: String

        package init(resource: Int64, path: String, kind: String) {
            self.resource = resource
            self.path = path
            self.kind = kind
        }
    }

    /// The time of the last file.
    package var date: Date
    /// The damaged files that were found and not repaired since.
    package var damages: [Damage] = []

    package init(date: Date) { self.date = date }
}
