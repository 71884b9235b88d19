internal import CloudSync
internal import PhotoModel

/// The assets that a list of transactions creates and to which it does nothing but set registers.
struct CloudArrivals {
    /// The number of registers from which on an asset is not inserted together with others.
    private static let registerLimit = 256

    private(set) var assets: [ArrivingAsset] = []
    private var places: [CloudID: Int] = [:]
    /// The object of the last operation, which is usually that of the next one as well.
    private var last: (id: CloudID, place: Int)?
    /// The objects to which something else happens, or which are no assets.
    private var others: Set<CloudID> = []
    /// The object that named each file last.
    private var owners: [CloudID: CloudID] = [:]

    /// Returns how many assets transactions create.
    static func count(in transactions: [CloudTransaction]) -> Int {
        var count = 0
        for transaction in transactions {
            for case .create(_, let creation) in transaction.operations
            where creation.kind == .asset {
                count += 1
            }
        }
        return count
    }

    init(_ transactions: [CloudTransaction]) {
        for transaction in transactions {
            let stamp = transaction.stamp
            for operation in transaction.operations { add(operation, at: stamp) }
        }
        let others = others
        assets.removeAll { $0.creation?.kind != .asset || others.contains($0.id) }
        (places, last, owners) = ([:], nil, [:])
    }

    private mutating func add(_ operation: CloudOperation, at stamp: ChangeStamp) {
        switch operation {
        case .create(let id, let creation):
            let place = place(of: id)
            assets[place].create(creation, at: stamp)
        case .set(let id, let key, let rank, let value):
            guard Self.isOfAssets(key.group) else {
                others.insert(id)
                return
            }
            noteFiles(of: key, value, of: id)
            let place = place(of: id)
            guard assets[place].registers.count < Self.registerLimit else {
                others.insert(id)
                return
            }
            let rank = key.group.isRanked ? rank : 0
            assets[place].set(key, Register(rank: rank, stamp: stamp, value: value))
        case .purge(let id, _, _), .final(let id): others.insert(id)
        case .same(let first, let second): others.formUnion([first, second])
        default: break
        }
    }

    /// Returns whether assets can have registers of a group.
    private static func isOfAssets(_ group: RegisterGroup) -> Bool {
        switch group {
        case .member, .parent, .existence: false
        default: true
        }
    }

    /// Records the files that a register of an object names.
    private mutating func noteFiles(of key: RegisterKey, _ value: RegisterValue, of id: CloudID) {
        guard key.group == .original || key.group == .content else { return }
        if case .object(let file) = key.item { noteFile(file, of: id) }
        for file in value.resources { noteFile(file.id, of: id) }
    }

    /// Records that an object names a file.
    ///
    /// A file that passes from one asset to another belongs to the asset that had it last, so the
    /// operations of both are applied in their order.
    private mutating func noteFile(_ file: CloudID, of id: CloudID) {
        guard let owner = owners.updateValue(id, forKey: file), owner != id else { return }
        others.formUnion([owner, id])
    }

    private mutating func place(of id: CloudID) -> Int {
        if let last, last.id == id { return last.place }
        let place = places[id] ?? assets.count
        if place == assets.count {
            places[id] = place
            assets.append(ArrivingAsset(id))
        }
        last = (id, place)
        return place
    }

    /// Removes the assets with given UUIDs.
    mutating func remove(_ uuids: Set<String>) {
        guard !uuids.isEmpty else { return }
        assets.removeAll { uuids.contains($0.uuid) }
    }

    /// Returns transactions without the operations on the assets.
    func removed(from transactions: [CloudTransaction]) -> [CloudTransaction] {
        let ids = Set(assets.map(\.id))
        var last: (id: CloudID, isOurs: Bool)?
        func isOurs(_ operation: CloudOperation) -> Bool {
            guard let id = operation.object else { return false }
            if let last, last.id == id { return last.isOurs }
            let isOurs = ids.contains(id)
            last = (id, isOurs)
            return isOurs
        }
        return transactions.compactMap { transaction -> CloudTransaction? in
            if transaction.operations.allSatisfy(isOurs) { return nil }
            var rest = transaction
            rest.operations.removeAll(where: isOurs)
            return rest
        }
    }
}
