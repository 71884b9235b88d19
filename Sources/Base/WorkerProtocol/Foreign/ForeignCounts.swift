/// The totals of another program's library.
package struct ForeignCounts: Codable, Hashable, Sendable {
    /// The program and its generation, such as “Photos 5”.
    package var generation: String
    /// The version number of the database's data model.
    package var model: Int
    /// The identifier of the library; nil if it has none.
    package var identifier: String?
    /// The number of assets, including shared ones and those in the trash.
    package var assets: Int
    /// The number of collections of each kind, keyed by the name of the kind.
    ///
    /// Kinds that are not imported are included.
    package var collections: [String: Int]
    /// Indicates whether the library's version is newer than all versions that the import was
    /// tested with.
    package var isUnknownVersion: Bool
    /// A number that increases with each change of the library; nil if the library has none.
    package var version: Int64?
    /// The date of the latest change of an asset, in seconds since 2001-01-01; nil if unknown.
    package var newestDate: Double?
    /// Remarks about the source as a whole.
    package var notes: [ForeignNote] = []

    package init(generation: String, model: Int) {
        self.generation = generation
        self.model = model
        assets = 0
        collections = [:]
        isUnknownVersion = false
    }
}
