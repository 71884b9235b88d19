package import PhotoModel

extension LibraryState {
    /// Returns transactions that recreate the objects of the state, sorted by author and then by
    /// time.
    ///
    /// There is one transaction for each recorded stamp, and one for twins and final purges, whose
    /// stamps are not recorded.
    ///
    /// They serve a library that did not read the logs.
    ///
    /// They are idempotent, so the library may have applied any of them already. Twins and final
    /// purges, whose author is not recorded, get the author `author`.
    package func transactions(at time: HybridTime, author: CloudID) -> [CloudTransaction] {
        var operations: [ChangeStamp: [CloudOperation]] = [:]
        for id in objects.keys.sorted() {
            for transaction in objects[id]?.transactions(of: id) ?? [] {
                operations[transaction.stamp, default: []] += transaction.operations
            }
        }
        let relations = relations
        if !relations.isEmpty {
            operations[ChangeStamp(time: time, device: author), default: []] += relations
        }
        return operations.sorted {
            ($0.key.device, $0.key.time) < ($1.key.device, $1.key.time)
        }.map { stamp, operations in
            CloudTransaction(time: stamp.time, author: stamp.device, operations: operations)
        }
    }

    /// The operations that record twins and final purges.
    var relations: [CloudOperation] {
        pairs.sorted().map { .same($0.first, $0.second) } + finals.sorted().map { .final($0) }
    }
}
