package import PhotoModel

extension LibraryState {
    /// The transactions that make the objects of the state, for a library that did not read the
    /// logs: one for each stamp, those of each author together.
    ///
    /// They are idempotent, so a library may know any of them already. Of those that name no device
    /// of their own, such as twins, `author` is the author.
    package func transactions(at time: HybridTime, author: CloudID) -> [CloudTransaction] {
        var operations: [ChangeStamp: [CloudOperation]] = [:]
        for (id, object) in objects.sorted(by: { $0.key < $1.key }) {
            for transaction in object.transactions(of: id) {
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

    /// The twins and the final purges, which devices record on behalf of others.
    var relations: [CloudOperation] {
        pairs.sorted().map { .same($0.first, $0.second) } + finals.sorted().map { .final($0) }
    }
}
