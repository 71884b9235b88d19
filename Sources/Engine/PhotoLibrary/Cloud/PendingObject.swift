internal import CloudSync
internal import PhotoModel

/// An object that is not here, as its operations make it.
struct PendingObject {
    var object = CloudObject()
    /// Memberships of the object in albums that are here.
    var others: [CloudTransaction] = []
    /// Everything, in the order of arrival.
    var transactions: [CloudTransaction] = []

    /// Indicates whether users see the object.
    var isAlive: Bool {
        object.creation != nil && !object.isPurged
            && object.registers[RegisterKey(.existence)]?.value != .flag(false)
    }

    /// Everything by stamps.
    var operations: CloudObjects.Operations {
        var operations = CloudObjects.Operations()
        for transaction in transactions {
            for operation in transaction.operations {
                operations.add(operation, at: transaction.stamp)
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
                object.purges[trash, default: []] = []
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
