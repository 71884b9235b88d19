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
