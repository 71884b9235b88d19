package import FoundationEssentials

/// Everything that is known about an album, a folder or a moment, as of one version of the library.
package struct CollectionRecord: Codable, Hashable, Sendable, Identifiable {
    /// The row id: inside only, never reused; 0 for the root folder, which has no row.
    package var id: Int64
    package var uuid: String
    /// `album` or `folder`; `moment` or `momentList`.
    package var kind: ObjectKind
    package var title: String
    /// The folder that holds it; 0 for the root folder.
    package var parentID: Int64
    /// Where it stands among the collections of its folder; only the order means something.
    package var position: Int64
    package var creationDate: Date
    /// When its title, or which members it has, was last changed.
    package var modificationDate: Date
    /// How many of an album's assets show in a fetch that asks for nothing special.
    package var assetCount: Int
    /// The earliest creation date among those; nil when none has one.
    package var startDate: Date?
    /// The latest creation date among those.
    package var endDate: Date?
    /// How large a group of assets it is; nil for what is no moment and no list of moments.
    package var momentLevel: MomentLevel?
    /// The middle of a moment's places.
    package var place: Location?
    /// The names of the place of a moment, from the smallest: of a list, those of the moment with the
    /// most placed assets.
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

    /// `UUID/L0/040` or `UUID/L0/020`.
    package var localIdentifier: String { uuid + kind.identifierSuffix }

    /// The UUID of the root folder, the same in every library.
    package static let rootUUID = "00000000-0000-0000-0000-000000000020"

    /// How the UUIDs begin of collections that have no rows: the root folder, smart albums.
    package static let builtInPrefix = "00000000-0000-0000-0000-"

    /// Whether it has no row: the root folder, or a smart album.
    package var isBuiltIn: Bool { uuid.hasPrefix(Self.builtInPrefix) }

    /// The one root folder: it holds what has no other folder, and cannot be renamed or deleted.
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
