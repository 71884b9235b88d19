internal import PhotoModel

/// The merging of objects that represent the same photo (twins).
package enum TwinUnion {
    /// Returns whether the left of two twins was created earlier and therefore represents both.
    package static func precedes(
        _ left: (id: CloudID, object: CloudObject),
        _ right: (id: CloudID, object: CloudObject)
    ) -> Bool {
        guard let first = left.object.created, let second = right.object.created else {
            return left.id < right.id
        }
        return first.time == second.time ? left.id < right.id : first.time < second.time
    }

    /// Merges twins into one object with the creation of the earliest twin.
    ///
    /// Registers merge like those of one object. Originals unite by content: of equal files, that
    /// of the first object stays.
    package static func united(
        _ objects: [(id: CloudID, object: CloudObject)]
    ) -> CloudObject {
        let ordered = objects.sorted(by: precedes)
        guard var result = ordered.first?.object else { return CloudObject() }
        var known = Set(result.originals.map(\.content))
        for (_, object) in ordered.dropFirst() {
            var other = object
            var added: Set<ContentID> = []
            for (key, register) in object.registers where key.group == .original {
                let contents = register.value.resources.map(\.content)
                if !contents.isEmpty, known.isSuperset(of: contents) {
                    other.registers[key] = nil
                }
                added.formUnion(contents)
            }
            known.formUnion(added)
            result.merge(other)
        }
        // Of equal times, the device decides about a creation, but the name about a representative.
        result.creation = ordered.first?.object.creation
        result.created = ordered.first?.object.created
        return result
    }
}

extension CloudObject {
    /// The files of the original set.
    fileprivate var originals: [CloudResource] {
        registers.filter { $0.key.group == .original }.flatMap { $0.value.value.resources }
    }

    /// Returns transactions that recreate the object.
    ///
    /// A purge that became void is left out.
    package func transactions(of id: CloudID) -> [CloudTransaction] {
        var operations: [ChangeStamp: [CloudOperation]] = [:]
        if let creation, let created { operations[created] = [.create(id, creation)] }
        for (key, register) in registers.sorted(by: { $0.key < $1.key }) {
            operations[register.stamp, default: []].append(
                .set(id, key, rank: register.rank, register.value)
            )
        }
        if isPurged, let trash = registers[RegisterKey(.trash)] {
            operations[trash.stamp, default: []].append(
                .purge(id, trash: trash.stamp, date: trash.value)
            )
        }
        return operations.sorted { $0.key < $1.key }.map { stamp, operations in
            CloudTransaction(time: stamp.time, author: stamp.device, operations: operations)
        }
    }
}
