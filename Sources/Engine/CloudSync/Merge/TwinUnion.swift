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
    /// Registers merge like those of one object, with one difference: of equal ranks, a value that
    /// was changed after its twin was created wins over one that a person had set before the import
    /// of the twin, such as in another program, and both win over one from the file. Otherwise, the
    /// later import of an equal file would undo an edit. Originals unite by content: of equal
    /// files, that of the first object stays.
    package static func united(
        _ objects: [(id: CloudID, object: CloudObject)]
    ) -> CloudObject {
        let ordered = objects.sorted(by: precedes)
        guard var result = ordered.first?.object else { return CloudObject() }
        var origins = Dictionary(
            uniqueKeysWithValues: result.registers.keys.map { ($0, result.origin(of: $0)) }
        )
        var known = Set(result.originals.map(\.content))
        for (_, object) in ordered.dropFirst() {
            var added: Set<ContentID> = []
            for (key, register) in object.registers {
                if key.group == .original {
                    let contents = register.value.resources.map(\.content)
                    if !contents.isEmpty, known.isSuperset(of: contents) { continue }
                    added.formUnion(contents)
                }
                let origin = object.origin(of: key)
                if let current = result.registers[key], let known = origins[key] {
                    let wins =
                        register.rank == current.rank && origin != known
                        ? origin > known : register.supersedes(current)
                    guard wins else { continue }
                }
                result.registers[key] = register
                origins[key] = origin
            }
            known.formUnion(added)
            var other = object
            other.registers = [:]
            result.merge(other)
        }
        // Of equal times, the device decides about a creation, but the name about a representative.
        result.creation = ordered.first?.object.creation
        result.created = ordered.first?.object.created
        return result
    }
}

/// The origin of a register's value; a later case wins over an earlier one.
private enum ValueOrigin: Comparable {
    /// The value is from the file: it has the stamp of the creation.
    case file
    /// A person set the value before the import: it has an earlier stamp.
    case source
    /// The value was set after the creation.
    case change
}

extension CloudObject {
    /// Returns the origin of a register's value.
    ///
    /// An edit counts as a change, since it may have been imported with its original.
    fileprivate func origin(of key: RegisterKey) -> ValueOrigin {
        guard let created, let stamp = registers[key]?.stamp,
            key.group != .content || !isEdited
        else { return .change }
        if stamp == created { return .file }
        return stamp < created ? .source : .change
    }

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
