internal import CloudSync
internal import GRDB
internal import PhotoModel

/// The new stamps of values, and the moved album members and collections, in one transaction.
///
/// Only a library that joined a cloud library needs them. They are collected until the end of the
/// transaction and then written as stamps and order keys.
struct CloudNotes {
    /// The device identifier under which changes of this library are published.
    let device: CloudID
    private let table: CloudStampTable
    /// The new stamps of changed assets, by UUID; `collections` has those of albums and folders.
    private var assets: [String: CloudStamps] = [:]
    private var collections: [String: CloudStamps] = [:]
    /// The UUIDs of assets that the transaction removes from the library.
    var departed: Set<String> = []
    /// The members whose position changed, by album; `removed` has the removed members.
    var placed: [Int64: Set<Int64>] = [:]
    var removed: [Int64: Set<Int64>] = [:]
    /// The membership registers of restored albums, by album and asset.
    ///
    /// The registers were kept as pending operations while the albums were deleted.
    var restored: [Int64: [CloudID: Register]] = [:]
    /// The memberships of restored assets, by the asset's UUID.
    ///
    /// They were kept as pending operations while the assets were purged, and `former` has the
    /// operations on the assets themselves.
    var returned: [String: [CloudTransaction]] = [:]
    var former: [String: [CloudTransaction]] = [:]
    /// The row ids of albums and folders whose folder or position changed.
    var moved: Set<Int64> = []
    /// Indicates whether collections were created, deleted or moved, so that the folder tree may
    /// have to be resolved again.
    var changesTree = false

    init(device: CloudID, database: Database) {
        self.device = device
        table = CloudStampTable(database: database)
    }

    mutating func changeAsset(_ uuid: String, _ body: (inout CloudStamps) -> Void) throws {
        guard !departed.contains(uuid) else { return }
        var stamps = try self.asset(uuid)
        body(&stamps)
        assets[uuid] = stamps
    }

    mutating func changeCollection(_ uuid: String, _ body: (inout CloudStamps) -> Void) throws {
        var stamps = try self.collection(uuid)
        body(&stamps)
        collections[uuid] = stamps
    }

    func asset(_ uuid: String) throws -> CloudStamps {
        try assets[uuid] ?? table.stamps(of: .asset, uuid) ?? CloudStamps()
    }

    func collection(_ uuid: String) throws -> CloudStamps {
        try collections[uuid] ?? table.stamps(of: .collection, uuid) ?? CloudStamps()
    }

    /// Discards the noted stamps of an object that leaves the library.
    mutating func forget(_ uuid: String) {
        assets[uuid] = nil
        collections[uuid] = nil
    }

    /// Writes the noted stamps to the database.
    mutating func write() throws {
        for (uuid, stamps) in assets { try table.set(stamps, of: .asset, uuid) }
        for (uuid, stamps) in collections { try table.set(stamps, of: .collection, uuid) }
        assets = [:]
        collections = [:]
    }
}
