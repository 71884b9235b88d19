/// The derivation of the folder tree from `parent` registers, which concurrent moves can make
/// cyclic.
package enum CollectionParents {
    /// Returns the parent of each collection that is not in the root.
    ///
    /// In each cycle, the move with the highest stamp is ignored, so that the moved folder appears
    /// in the root. The result depends on the registers only, so all devices agree, and a later
    /// move ends the cycle. A collection whose folder was deleted appears in the root as well.
    package static func parents(
        of view: MergedLibrary,
        stamps: (CloudID) -> [RegisterKey: Register]?
    ) -> [CloudID: CloudID] {
        let key = RegisterKey(.parent)
        var parents: [CloudID: CloudID] = [:]
        for (id, object) in view.objects where object.creation.kind != .asset {
            guard case .parent(.some(let parent), _) = object.values[key],
                view.objects[parent]?.creation.kind == .folder
            else { continue }
            parents[id] = parent
        }
        // Each collection has one edge, so cycles are disjoint.
        var finished: Set<CloudID> = []
        for start in parents.keys.sorted() {
            var path: [CloudID] = []
            var onPath: Set<CloudID> = []
            var next: CloudID? = start
            while let id = next, !finished.contains(id), onPath.insert(id).inserted {
                path.append(id)
                next = parents[id]
            }
            if let id = next, onPath.contains(id), let first = path.firstIndex(of: id) {
                let latest = path[first...].max { left, right in
                    precedes(left, right, key: key, stamps: stamps)
                }
                if let latest { parents[latest] = nil }
            }
            finished.formUnion(path)
        }
        return parents
    }

    private static func precedes(
        _ left: CloudID,
        _ right: CloudID,
        key: RegisterKey,
        stamps: (CloudID) -> [RegisterKey: Register]?
    ) -> Bool {
        guard let first = stamps(left)?[key]?.stamp, let second = stamps(right)?[key]?.stamp else {
            return left < right
        }
        return first == second ? left < right : first < second
    }
}
