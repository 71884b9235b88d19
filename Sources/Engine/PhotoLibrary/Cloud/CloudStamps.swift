internal import CloudSync
internal import Foundation
internal import GRDB
internal import PhotoModel

/// The stamps of the last changes of an object's registers, as stored in a row of `cloudStamp`.
///
/// A register without an entry was never changed, so any change of another device wins over it.
struct CloudStamps: Equatable {
    struct Entry: Equatable {
        /// The register's rank; 0 for a register without ranks.
        var rank: UInt64
        var stamp: ChangeStamp
    }

    var created: ChangeStamp?
    var entries: [RegisterKey: Entry] = [:]

    /// Records a change of a register on this device.
    ///
    /// The rank never decreases, since devices that know a higher one would ignore the change.
    mutating func touch(_ key: RegisterKey, rank: UInt64 = 0, at stamp: ChangeStamp) {
        let rank = key.group.isRanked ? max(rank, entries[key]?.rank ?? 0) : 0
        entries[key] = Entry(rank: rank, stamp: stamp)
    }

    /// The entries, sorted by register.
    var sortedEntries: [(key: RegisterKey, entry: Entry)] {
        entries.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    }

    // MARK: - Bytes

    /// The binary encoding; see `encode(created:_:)`.
    var encoded: Data { Data(Self.encode(created: created, sortedEntries)) }

    /// Encodes stamps: the devices, then each stamp with the index of its device.
    ///
    /// - Parameters:
    ///   - created: The stamp of the creation.
    ///   - entries: The entries, sorted by register.
    /// - Returns: The binary encoding.
    static func encode(
        created: ChangeStamp?,
        _ entries: [(key: RegisterKey, entry: Entry)]
    ) -> [UInt8] {
        // Nearly always one.
        var devices: [CloudID] = created.map { [$0.device] } ?? []
        for (_, entry) in entries where !devices.contains(entry.stamp.device) {
            devices.append(entry.stamp.device)
        }
        devices.sort()
        var writer = SegmentWriter()
        writer.append(UInt16(clamping: devices.count))
        for device in devices { writer.append(device) }
        func append(_ stamp: ChangeStamp) {
            writer.append(stamp.time.rawValue)
            writer.append(UInt16(clamping: devices.firstIndex(of: stamp.device) ?? 0))
        }
        writer.append(created == nil ? UInt8(0) : 1)
        if let created { append(created) }
        for (key, entry) in entries {
            writer.append(key.group.rawValue)
            writer.append(key.item)
            if key.group.isRanked { writer.append(entry.rank) }
            append(entry.stamp)
        }
        return writer.bytes
    }

    init() {}

    init(decoding data: Data) throws(CloudFormatError) {
        var reader = SegmentReader(Array(data))
        var devices: [CloudID] = []
        for _ in 0..<(try reader.uint16()) { devices.append(try reader.id()) }
        func stamp() throws(CloudFormatError) -> ChangeStamp {
            let time = HybridTime(rawValue: try reader.uint64())
            let index = Int(try reader.uint16())
            guard index < devices.count else { throw reader.error("a stamp has no device") }
            guard time.rawValue < HybridTime.limit else { throw reader.error("a time is too high") }
            return ChangeStamp(time: time, device: devices[index])
        }
        if try reader.flag() { created = try stamp() }
        while reader.remaining > 0 {
            let group = RegisterGroup(rawValue: try reader.uint16())
            let item = try reader.item()
            let rank = group.isRanked ? try reader.uint64() : 0
            entries[RegisterKey(group, item)] = Entry(rank: rank, stamp: try stamp())
        }
    }
}

/// Access to the rows of `cloudStamp`.
struct CloudStampTable {
    /// The kind of a row, which determines the meaning of its UUID and stamps.
    enum Kind: Int {
        /// A mark that the object was purged permanently, so that later operations on it are
        /// ignored.
        case final = 0
        case asset = 1
        case collection = 2
        /// The identifiers of an asset's twins, which are the same photo imported on other devices.
        case twin = 3
        /// The UUID of the twin that is shown in place of an asset.
        case alias = 4
        /// A membership that moved while all objects are exported; see `MovedMemberships`.
        ///
        /// The row's UUID is `ALBUM/ASSET/TIME`.
        case moved = 5
        /// The stamp of an asset's membership in an album; the row's UUID is `ALBUM/ASSET`.
        case member = 16
    }

    let database: Database

    func stamps(of kind: Kind, _ uuid: String) throws -> CloudStamps? {
        try Data.fetchOne(
            database.cachedStatement(
                sql: "SELECT stamps FROM cloudStamp WHERE kind = ? AND uuid = ?"
            ),
            arguments: [kind.rawValue, uuid]
        ).map { try CloudStamps(decoding: $0) }
    }

    func set(_ stamps: CloudStamps, of kind: Kind, _ uuid: String) throws {
        try database.cachedStatement(
            sql: """
                INSERT INTO cloudStamp (kind, uuid, stamps) VALUES (?, ?, ?)
                ON CONFLICT DO UPDATE SET stamps = excluded.stamps
                """
        ).execute(
            values: [
                kind.rawValue.databaseValue, uuid.databaseValue, stamps.encoded.databaseValue,
            ],
            in: database
        )
    }

    func remove(_ kind: Kind, _ uuid: String) throws {
        try database.cachedStatement(sql: "DELETE FROM cloudStamp WHERE kind = ? AND uuid = ?")
            .execute(arguments: [kind.rawValue, uuid])
    }

    static func memberName(album: String, asset: String) -> String { album + "/" + asset }

    /// Returns the stamps of all memberships in an album, by asset, including memberships that
    /// ended.
    func members(ofAlbum album: String) throws -> [String: CloudStamps.Entry] {
        let rows = try Row.fetchCursor(
            database.cachedStatement(
                sql: """
                    SELECT uuid, stamps FROM cloudStamp
                    WHERE kind = \(Kind.member.rawValue) AND uuid > ?1 || '/' AND uuid < ?1 || '0'
                    """
            ),
            arguments: [album]
        )
        var members: [String: CloudStamps.Entry] = [:]
        while let row = try rows.next() {
            let (name, data): (String, Data) = (row[0], row[1])
            let entry = try CloudStamps(decoding: data).entries[RegisterKey(.member)]
            members[String(name.suffix(36))] = entry
        }
        return members
    }

    func member(album: String, asset: String) throws -> CloudStamps.Entry? {
        try stamps(of: .member, Self.memberName(album: album, asset: asset))?
            .entries[RegisterKey(.member)]
    }

    func setMember(_ entry: CloudStamps.Entry, album: String, asset: String) throws {
        var stamps = CloudStamps()
        stamps.entries[RegisterKey(.member)] = entry
        try set(stamps, of: .member, Self.memberName(album: album, asset: asset))
    }

    func removeMember(album: String, asset: String) throws {
        try remove(.member, Self.memberName(album: album, asset: asset))
    }

    func removeMembers(ofAlbum album: String) throws {
        try database.execute(
            sql: """
                DELETE FROM cloudStamp
                WHERE kind = \(Kind.member.rawValue) AND uuid > ?1 || '/' AND uuid < ?1 || '0'
                """,
            arguments: [album]
        )
    }

    func isFinal(_ uuid: String) throws -> Bool {
        try Bool.fetchOne(
            database.cachedStatement(
                sql: "SELECT 1 FROM cloudStamp WHERE kind = \(Kind.final.rawValue) AND uuid = ?"
            ),
            arguments: [uuid]
        ) ?? false
    }

    func setFinal(_ uuid: String) throws { try set(CloudStamps(), of: .final, uuid) }
}

/// Access to the rows of `cloudPending`.
///
/// They contain operations on objects that are not in the library, those of each twin, and the
/// folder of a collection that is shown in the root folder instead.
struct CloudPendingTable {
    let database: Database
    let moved: MovedMemberships

    init(database: Database) {
        self.database = database
        moved = MovedMemberships(database)
    }

    func add(_ transaction: CloudTransaction, to uuid: String) throws {
        try moved.note(transaction)
        try database.cachedStatement(sql: "INSERT INTO cloudPending (uuid, op) VALUES (?, ?)")
            .execute(arguments: [uuid, Data(transaction.encoded)])
    }

    /// Adds the register of an asset's membership in an album to the pending operations of the
    /// asset, or of another object.
    ///
    /// The asset is not in the library or has twins (the same photo from other devices), or the
    /// album is not in the library and keeps the register.
    func add(
        member: CloudID,
        _ register: Register,
        of album: CloudID,
        to keeper: CloudID? = nil
    ) throws {
        try add(
            CloudTransaction(member: member, register, of: album),
            to: (keeper ?? member).uuid
        )
    }

    func transactions(of uuid: String) throws -> [CloudTransaction] {
        try Data.fetchAll(
            database.cachedStatement(
                sql: "SELECT op FROM cloudPending WHERE uuid = ? ORDER BY rowid"
            ),
            arguments: [uuid]
        ).map { try CloudTransaction(decoding: Array($0)) }
    }

    func remove(_ uuid: String) throws {
        try database.cachedStatement(sql: "DELETE FROM cloudPending WHERE uuid = ?")
            .execute(arguments: [uuid])
    }
}

extension CloudTransaction {
    /// Creates a transaction that sets the register of an asset's membership in an album.
    init(member: CloudID, _ register: Register, of album: CloudID) {
        let key = RegisterKey(.member, .object(member))
        self.init(
            time: register.stamp.time,
            author: register.stamp.device,
            operations: [.set(album, key, rank: 0, register.value)]
        )
    }
}
