internal import CloudSync
internal import PhotoModel

/// An object that is not in the library and whose state is defined by its pending operations.
struct PendingObject {
    var object = CloudObject()
    /// Operations on other objects, such as memberships of the object in existing albums.
    var others: [CloudTransaction] = []
    /// All operations, in the order of arrival.
    var transactions: [CloudTransaction] = []

    /// Indicates whether the object exists: it was created, and neither purged nor deleted.
    var isAlive: Bool {
        object.creation != nil && !object.isPurged
            && object.registers[RegisterKey(.existence)]?.value != .flag(false)
    }

    /// All operations, grouped by stamp, and apart from them the latest modification date.
    ///
    /// The stamp of the date may be that of a deletion by another device, although the date is that
    /// of a change on this device.
    var operations: CloudObjects.Operations {
        var operations = CloudObjects.Operations()
        var latest: UInt64?
        for transaction in transactions {
            for operation in transaction.operations {
                if case .set(_, let key, let rank, _) = operation, key.group == .modification {
                    if latest.map({ $0 < rank }) ?? true {
                        (operations.modification, latest) = (operation, rank)
                    }
                } else {
                    operations.add(operation, at: transaction.stamp)
                }
            }
        }
        return operations
    }

    /// Returns the operations on the object itself, in the order of arrival, without purges, which
    /// its return voids.
    func registerTransactions(of id: CloudID) -> [CloudTransaction] {
        transactions.compactMap { transaction in
            var own = transaction
            own.operations.removeAll { operation in
                if case .purge = operation { true } else { operation.object != id }
            }
            return own.operations.isEmpty ? nil : own
        }
    }

    /// Returns the stamps of those registers whose values an asset without files has.
    func stamps(heldBy asset: AssetRecord) throws -> [RegisterKey: CloudStamps.Entry] {
        var stamps: [RegisterKey: CloudStamps.Entry] = [:]
        for (key, register) in object.registers where key.group != .modification {
            let value = try CloudObjects.value(of: key, in: asset, [])
            guard value == register.value else { continue }
            stamps[key] = CloudStamps.Entry(rank: register.rank, stamp: register.stamp)
        }
        return stamps
    }

    /// Returns whether an operation set a register to the value that an asset without files has.
    ///
    /// The asset then states nothing new, and a later value of another device is kept.
    func hasSet(_ key: RegisterKey, as asset: AssetRecord) throws -> Bool {
        guard object.registers[key] != nil else { return false }
        let value = try CloudObjects.value(of: key, in: asset, [])
        return transactions.contains { transaction in
            transaction.operations.contains { operation in
                guard case .set(_, key, _, let known) = operation else { return false }
                return known == value
            }
        }
    }

    mutating func add(_ transaction: CloudTransaction, to id: CloudID) {
        transactions.append(transaction)
        let stamp = transaction.stamp
        for operation in transaction.operations {
            switch operation {
            case .create(id, let creation): object.create(creation, at: stamp)
            case .set(id, let key, let rank, let value):
                object.set(
                    key,
                    Register(rank: key.group.isRanked ? rank : 0, stamp: stamp, value: value)
                )
            case .purge(id, let trash, let date):
                object.set(RegisterKey(.trash), Register(stamp: trash, value: date))
                object.addPurge(of: trash)
            default:
                others.append(
                    CloudTransaction(
                        time: stamp.time,
                        author: stamp.device,
                        operations: [operation]
                    )
                )
            }
        }
    }
}
