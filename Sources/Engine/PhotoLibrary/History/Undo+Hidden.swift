internal import GRDB
internal import PhotoModel

/// Checks whether an undo affects hidden assets.
extension Undo {
    /// Returns whether the undo affects a hidden asset.
    ///
    /// That includes assets that are hidden, assets that were hidden before or after the versions,
    /// and members of albums that the versions changed. A permanently deleted asset counts as
    /// hidden unless the versions show otherwise.
    func concernsHidden() throws -> Bool {
        var known: [Int64: Bool] = [:]
        for change in all where change.kind == .asset {
            let values = [change.old["isHidden"], change.new["isHidden"]].compactMap(\.self)
            if values.contains(.integer(1)) { return true }
            if !values.isEmpty { known[change.id] = false }
        }
        for asset in Set(try all.flatMap(assets)) {
            let isHidden = try Bool.fetchOne(
                transaction.database,
                sql: "SELECT isHidden FROM asset WHERE id = ?",
                arguments: [asset]
            )
            if isHidden ?? known[asset] ?? true { return true }
        }
        return false
    }

    /// Returns the row ids of the assets that a change concerns.
    private func assets(_ change: NetChange) throws -> [Int64] {
        switch change.kind {
        case .asset: return [change.id]
        case .album:
            let members = change.isRenumbered ? try transaction.memberIDs(of: change.id) : []
            return members + change.places.keys
        case .resource:
            return [change.old["assetId"], change.new["assetId"]].compactMap { value in
                if case .integer(let id)? = value { id } else { nil }
            }
        case .folder, .moment, .momentList: return []
        }
    }
}
