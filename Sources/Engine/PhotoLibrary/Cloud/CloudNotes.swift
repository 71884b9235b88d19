internal import CloudSync
internal import GRDB
internal import PhotoModel

/// The changes that a transaction makes in a library that joined a cloud library, collected until
/// its end and then written as stamps and order keys.
struct CloudNotes {
    /// The device under whose name this library is published.
    let device: CloudID
    private let table: CloudStampTable
    /// The stamps of changed assets, and of changed albums and folders, by UUID.
    private var assets: [String: CloudStamps] = [:]
    private var collections: [String: CloudStamps] = [:]
    /// The assets that leave the library with this transaction.
    var departed: Set<String> = []
    /// The members whose position changed, and the removed ones, by album.
    var placed: [Int64: Set<Int64>] = [:]
    var removed: [Int64: Set<Int64>] = [:]
    /// The members that albums had, or got from other devices, while they were not here.
    var restored: [Int64: [CloudID: Register]] = [:]
    /// The albums and folders whose folder or position changed.
    var moved: Set<Int64> = []
    /// Indicates whether a folder, or the existence of an album or folder, changed.
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

    /// Forgets an object that is no longer here.
    mutating func forget(_ uuid: String) {
        assets[uuid] = nil
        collections[uuid] = nil
    }

    /// Writes the stamps.
    mutating func write() throws {
        for (uuid, stamps) in assets { try table.set(stamps, of: .asset, uuid) }
        for (uuid, stamps) in collections { try table.set(stamps, of: .collection, uuid) }
        assets = [:]
        collections = [:]
    }
}
