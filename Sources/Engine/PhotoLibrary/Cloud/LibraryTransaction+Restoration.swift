internal import CloudSync
internal import Foundation
internal import GRDB
internal import PhotoModel

/// Merges the members of restored albums with changes that other devices made while the albums were
/// deleted.
extension LibraryTransaction {
    /// Merges the pending membership registers of restored albums into the albums.
    ///
    /// The rows that the person restored get new keys and stamps. Of the other members,
    ///
    /// 1. photos that are not in the library, and twins, keep their registers;
    /// 2. photos that another device added meanwhile become the last members;
    /// 3. photos that were removed remain so.
    func flushRestoredMembers() throws {
        guard case .some(let notes?) = cloudNotes, !notes.restored.isEmpty else { return }
        try note { notes, _ in
            for (id, members) in notes.restored {
                guard let album = try collection(id: id) else { continue }
                try restore(members, of: album)
            }
            notes.restored = [:]
        }
    }

    private func restore(_ members: [CloudID: Register], of album: CollectionRecord) throws {
        let table = CloudStampTable(database: database)
        let pending = CloudPendingTable(database: database)
        let twins = CloudTwinTable(database: database)
        let album = (id: album.id, uuid: album.uuid, name: try CloudID.of(album.uuid))
        var shown: [String: Register] = [:]
        for (member, register) in members where try !table.isFinal(member.uuid) {
            let hasTwins = try twins.contains(member.uuid)
            let uuid = hasTwins ? try twins.representative(of: member.uuid) : nil
            let asset = uuid ?? member.uuid
            let isHere = try finder().asset(uuid: asset) != nil
            if hasTwins || !isHere { try pending.add(member: member, register, of: album.name) }
            guard isHere, shown[asset].map({ register.supersedes($0) }) ?? true else { continue }
            shown[asset] = register
        }
        let order = SparsePositions(membersOf: album.id, in: database)
        let added = shown.sorted { left, right in
            left.value.stamp == right.value.stamp
                ? left.value.encodedValue.lexicographicallyPrecedes(right.value.encodedValue)
                : left.value.stamp < right.value.stamp
        }
        for (asset, register) in added {
            guard let id = try finder().asset(uuid: asset)?.id,
                try order.position(of: id) == nil
            else { continue }
            if register.value == .member(order: nil) {
                let entry = CloudStamps.Entry(rank: 0, stamp: register.stamp)
                try table.setMember(entry, album: album.uuid, asset: asset)
            } else {
                try appendMembers([id], to: album.id)
            }
        }
    }
}
