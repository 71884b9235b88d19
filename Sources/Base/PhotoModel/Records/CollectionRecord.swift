package import FoundationEssentials

/// The data of an album, a folder or a moment at one version of the library.
package struct CollectionRecord: Codable, Hashable, Sendable, Identifiable {
    /// The row id, which is internal and never reused; 0 for the root folder, which has no row.
    package var id: Int64
    package var uuid: String
    /// The kind: `album`, `folder`, `moment` or `momentList`.
    package var kind: ObjectKind
    package var title: String
    /// The row id of the parent folder; 0 for the root folder.
    package var parentID: Int64
    /// The sort position among the collections of the parent folder; only the order is significant.
    package var position: Int64
    package var creationDate: Date
    /// The date of the last change to the title or to the membership.
    package var modificationDate: Date
    /// The number of an album's assets that a fetch with default options returns.
    package var assetCount: Int
    /// The earliest creation date among the assets that `assetCount` counts; nil if none has a
    /// date.
    package var startDate: Date?
    /// The latest creation date among the assets that `assetCount` counts; nil if none has a date.
    package var endDate: Date?
    /// The grouping level of a moment or moment list; nil for other collections.
    package var momentLevel: MomentLevel?
    /// The center of a moment's locations.
    package var place: Location?
    /// The place names of a moment, from the smallest place to the largest.
    ///
    /// A moment list has the names of its moment with the most assets that have a location.
    package var locationNames: [String] = []

    package init(
        id: Int64,
        uuid: String,
        kind: ObjectKind,
        title: String,
        parentID: Int64,
        position: Int64,
        creationDate: Date
    ) {
        self.id = id
        self.uuid = uuid
        self.kind = kind
        self.title = title
        self.parentID = parentID
        self.position = position
        self.creationDate = creationDate
        modificationDate = creationDate
        assetCount = 0
    }

    /// The local identifier, such as `UUID/L0/040` or `UUID/L0/020`.
    package var localIdentifier: String { uuid + kind.identifierSuffix }

    /// The UUID of the root folder, the same in every library.
    package static let rootUUID = "00000000-0000-0000-0000-000000000020"

    /// The prefix of the UUIDs of collections without rows: the root folder and the smart albums.
    package static let builtInPrefix = "00000000-0000-0000-0000-"

    /// Indicates whether the collection has no row because it is the root folder or a smart album.
    package var isBuiltIn: Bool { uuid.hasPrefix(Self.builtInPrefix) }

    /// The root folder, which cannot be renamed or deleted.
    ///
    /// It contains all collections that are in no other folder.
    package static let root = CollectionRecord(
        id: 0,
        uuid: rootUUID,
        kind: .folder,
        title: "",
        parentID: 0,
        position: 0,
        creationDate: Date(timeIntervalSinceReferenceDate: 0)
    )
}
