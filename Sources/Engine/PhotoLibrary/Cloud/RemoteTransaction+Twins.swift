internal import CloudSync
internal import Foundation
internal import GRDB
internal import PhotoModel

/// Twins: assets that are the same photo, imported on several devices.
///
/// One row shows all of them.
extension RemoteTransaction {
    /// Saves the registers of an asset's twins before operations are applied, and marks the twins
    /// for `settleTwins`.
    func noteTwins(of id: CloudID) throws {
        guard !changedTwins.contains(id), let found = try TwinClass(of: id, in: database) else {
            return
        }
        try found.keep()
        changedTwins.formUnion(found.members.keys)
    }

    /// Membership registers of twins in albums that are not in the library, by album and twin.
    private typealias AbsentMemberships = [CloudID: [CloudID: Register]]

    /// Updates the rows of all marked twins.
    func settleTwins() throws {
        var absent: AbsentMemberships = [:]
        while let id = changedTwins.first { try settleTwins(of: id, isLeaving: false, &absent) }
        try keep(absent)
    }

    /// Updates the rows of an asset and its twins.
    ///
    /// - Parameters:
    ///   - id: An asset; nothing happens if it has no twins.
    ///   - isLeaving: Whether the asset leaves its twins, whatever its registers say.
    /// - Throws: The errors of the database and of the volume.
    func settleTwins(of id: CloudID, isLeaving: Bool) throws {
        var absent: AbsentMemberships = [:]
        try settleTwins(of: id, isLeaving: isLeaving, &absent)
        try keep(absent)
    }

    private func settleTwins(
        of id: CloudID,
        isLeaving: Bool,
        _ absent: inout AbsentMemberships
    ) throws {
        changedTwins.remove(id)
        guard let found = try TwinClass(of: id, in: database) else { return }
        changedTwins.subtract(found.members.keys)
        try found.keep()
        try settle(found, without: isLeaving ? id : nil, &absent)
    }

    private func settle(
        _ found: TwinClass,
        without leaving: CloudID?,
        _ absent: inout AbsentMemberships
    ) throws {
        let alive = found.alive.filter { $0.id != leaving }
        let memberships = found.memberships(of: alive.map(\.id))
        let others = found.members.filter { $0.key != alive.first?.id }.compactMap(\.value.row)
        let former = try TwinFiles(of: found.members.values.compactMap(\.row), in: transaction)
        if let shown = alive.first {
            try show(TwinUnion.united(alive), memberships, shown.id, found.members[shown.id])
            if let asset = try transaction.asset(uuid: shown.id.uuid) {
                try adoptFiles(of: others, for: asset)
                try former.pass(to: asset)
            }
        }
        for row in others { try leave(row) }
        for id in found.members.keys { try twins.setRepresentative(nil, of: id.uuid) }
        guard let shown = alive.first else { return }
        for (id, _) in alive { try twins.setRepresentative(shown.id.uuid, of: id.uuid) }
        for (album, register) in memberships.sorted(by: { $0.key < $1.key }) {
            if let record = try transaction.collection(uuid: album.uuid) {
                try merge(member: shown.id, register, of: record, isShown: true)
            } else {
                for (id, _) in alive {
                    absent[album, default: [:]][id] = found.members[id]?.memberships[album]
                }
            }
        }
    }

    /// Adds memberships to the pending operations of the albums, unless they are there already.
    ///
    /// An album that returns reads only these, and not those of the twins.
    private func keep(_ absent: AbsentMemberships) throws {
        for (album, members) in absent.sorted(by: { $0.key < $1.key }) {
            guard try !table.isFinal(album.uuid) else { continue }
            let known = try objects.pending(album.uuid).object.registers
            for (twin, register) in members.sorted(by: { $0.key < $1.key }) {
                let other = known[RegisterKey(.member, .object(twin))]
                guard other.map({ register.supersedes($0) }) ?? true else { continue }
                try pending.add(member: twin, register, of: album, to: album)
            }
        }
    }

    /// Writes the merged registers of twins to the row of the asset that represents the twins.
    ///
    /// `memberships` are the merged memberships, which the caller writes afterward.
    private func show(
        _ union: CloudObject,
        _ memberships: [CloudID: Register],
        _ id: CloudID,
        _ member: TwinClass.Member?
    ) throws {
        guard let creation = union.creation else { return }
        if let member, let row = member.row {
            if Self.holds(member.rowStamps, in: union),
                Self.holds(member.rowMemberships, in: memberships),
                row.modificationDate <= CloudColumns.modification(in: union) ?? .distantFuture
            {
                try merge(union.transactions(of: id), into: row)
                return
            }
            // A twin left, and values of it are in the row.
            try leave(row)
        }
        try insertAsset(union, creation, id)
    }

    /// Returns whether the merged registers include all changes that a row contains.
    private static func holds(_ stamps: CloudStamps, in union: CloudObject) -> Bool {
        stamps.entries.allSatisfy { key, entry in
            guard let register = union.registers[key] else { return false }
            return (register.rank, register.stamp) >= (entry.rank, entry.stamp)
        }
    }

    /// Returns whether the merged memberships include all those that a row has.
    private static func holds(
        _ registers: [CloudID: Register],
        in memberships: [CloudID: Register]
    ) -> Bool {
        registers.allSatisfy { album, register in
            guard let merged = memberships[album] else { return false }
            return !register.supersedes(merged)
        }
    }

    /// Removes an asset's row and stamps; its registers remain as pending operations.
    private func leave(_ row: AssetRecord) throws {
        try removeRows(of: row)
        try transaction.forgetStamps(of: row)
    }

    // MARK: - Files

    /// Links local files of an asset's twins to the asset's resources with equal content but no
    /// local file.
    ///
    /// A file that is missing or has another size is not linked, so the asset's file is downloaded.
    /// Nothing else is checked: it would take long to read the files, and meanwhile nobody else
    /// could write. After the twins are united, no row names the file of the absorbed one, so it
    /// could not be checked later either.
    private func adoptFiles(of twins: [AssetRecord], for asset: AssetRecord) throws {
        let missing = try Row.fetchAll(
            database.cachedStatement(
                sql: "SELECT id, path, sha256 FROM resource WHERE assetId = ? AND presence = 1"
            ),
            arguments: [asset.id]
        )
        for row in missing {
            let (id, path, content): (Int64, String, Data) = (row[0], row[1], row[2])
            for twin in twins {
                guard let source = try file(of: twin, content),
                    let status = FileStatus(path: files.bundle.absolutePath(of: source.path)),
                    status.isRegularFile, status.size == source.size
                else { continue }
                try link(source.path, to: path)
                try database.cachedStatement(sql: "UPDATE resource SET presence = 0 WHERE id = ?")
                    .execute(arguments: [id])
                // The source file remains known as imported.
                try database.cachedStatement(
                    sql: "UPDATE importedFile SET resourceId = ? WHERE resourceId = ?"
                ).execute(arguments: [id, source.id])
                break
            }
        }
    }

    private func file(
        of asset: AssetRecord,
        _ content: Data
    ) throws -> (id: Int64, path: String, size: Int64)? {
        try Row.fetchOne(
            database.cachedStatement(
                sql: """
                    SELECT id, path, size FROM resource
                    WHERE assetId = ? AND sha256 = ? AND presence = 0 LIMIT 1
                    """
            ),
            arguments: [asset.id, content]
        ).map { (id: $0[0], path: $0[1], size: $0[2]) }
    }

    /// Creates a second path to a library file for rows of the transaction, and removes that path
    /// if the transaction fails.
    private func link(_ path: String, to name: String) throws {
        let target = files.bundle.absolutePath(of: name)
        do throws(SystemError) { try files.make(path, to: name) } catch {
            throw error.libraryError("A file of a photo cannot be kept under the name of its twin.")
        }
        transaction.onFailure { [unowned transaction] in
            if !transaction.isCommitUncertain { unlink(target) }
        }
    }
}
