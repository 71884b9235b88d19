internal import CloudSync
internal import Foundation
internal import GRDB
internal import PhotoModel

/// The membership registers that move between objects while all objects are exported.
///
/// The register of an asset's membership in an album is exported with the object that keeps it: the
/// album, or the asset while that is not in the library. An export of all objects takes several
/// parts, so it would miss a register that moves from an object that it has not reached to one that
/// it has passed. Therefore the registers of this device that move meanwhile are also recorded in
/// rows of `cloudStamp`, and the last part contains them.
final class MovedMemberships {
    private let database: Database
    /// The names under which this device publishes changes; empty unless all objects are exported.
    ///
    /// It is nil until the first register moves, and stays the same in a database transaction.
    private var names: Set<CloudID>?

    init(_ database: Database) { self.database = database }

    private static let kind = CloudStampTable.Kind.moved.rawValue

    /// Records the memberships that a transaction contains.
    func note(_ transaction: CloudTransaction) throws {
        for case .set(let album, let key, _, let value) in transaction.operations
        where key.group == .member {
            guard case .object(let asset) = key.item else { continue }
            try note(Register(stamp: transaction.stamp, value: value), of: asset, in: album)
        }
    }

    /// Records the register of an asset's membership in an album.
    ///
    /// Does nothing unless all objects are exported and the register is of this device.
    func note(_ register: Register, of asset: CloudID, in album: CloudID) throws {
        guard try namesOfDevice().contains(register.stamp.device) else { return }
        let transaction = CloudTransaction(member: asset, register, of: album)
        let name = CloudStampTable.memberName(album: album.uuid, asset: asset.uuid)
        try database.cachedStatement(
            sql: "INSERT OR IGNORE INTO cloudStamp (kind, uuid, stamps) VALUES (?, ?, ?)"
        ).execute(arguments: [
            Self.kind, "\(name)/\(register.stamp.time.rawValue)", Data(transaction.encoded),
        ])
    }

    private func namesOfDevice() throws -> Set<CloudID> {
        if let names { return names }
        // The first part is read before its mark is set, so an export that is due counts as well.
        let membership = try CloudExporter.isWhole(in: database) ? CloudMembership(database) : nil
        let devices = membership?.devices ?? []
        names = devices
        return devices
    }

    /// The operations that set the recorded registers.
    func operations() throws -> CloudObjects.Operations {
        let rows = try Data.fetchCursor(
            database,
            sql: "SELECT stamps FROM cloudStamp WHERE kind = ? ORDER BY uuid",
            arguments: [Self.kind]
        )
        var operations = CloudObjects.Operations()
        while let data = try rows.next() {
            let transaction = try CloudTransaction(decoding: Array(data))
            for operation in transaction.operations {
                operations.add(operation, at: transaction.stamp)
            }
        }
        return operations
    }

    /// Removes all records at the end of an export.
    func removeAll() throws {
        try database.execute(
            sql: "DELETE FROM cloudStamp WHERE kind = ?",
            arguments: [Self.kind]
        )
    }
}
