/// The totals of a library of another program.
package struct ForeignCounts: Codable, Hashable, Sendable {
    /// The program and its generation, such as “Photos 5”.
    package var generation: String
    /// The version number of the database's model.
    package var model: Int
    /// The identifier of the library; nil if it has none.
    package var identifier: String?
    /// The number of assets, including shared ones and those in the trash.
    package var assets: Int
    /// The number of collections of each kind, by the kinds' names, including those that are not
    /// imported.
    package var collections: [String: Int]
    /// Indicates whether this version is newer than all versions that were tried.
    package var isUnknownVersion: Bool
    /// A number that grows with each change of the library; nil if it has none.
    package var version: Int64?
    /// The latest date of a change of an asset, in seconds since 2001-01-01; nil if unknown.
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
