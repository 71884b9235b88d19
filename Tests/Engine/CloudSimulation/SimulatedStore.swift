package import CloudSync
import PhotoModel

/// An object store in memory with the promises P1 to P4 of the protocol, and none beyond them.
package struct SimulatedStore: Sendable {
    private(set) var objects: [ObjectName: CloudObjectBody] = [:]
    private(set) var logs: [CloudID: Set<LogPosition>] = [:]
    private(set) var snapshots: Set<CloudID> = []
    private(set) var heads: [CloudID: UInt64] = [:]
    /// The number of blobs of each content.
    private(set) var blobs: [ContentID: Set<ObjectName>] = [:]
    /// The number of changes, by which the end of a run recognizes that nothing happens any more.
    private(set) var changes = 0

    package init() {}

    mutating func put(_ name: ObjectName, _ body: CloudObjectBody) {
        switch (name, body) {
        case (.head(let device), .head(let sequence)): heads[device] = sequence
        case (.segment(let device, let position), _): logs[device, default: []].insert(position)
        case (.snapshot(let id), _): snapshots.insert(id)
        case (.blob, .blob(let content)): blobs[content, default: []].insert(name)
        default: break
        }
        if objects.updateValue(body, forKey: name) == nil { changes += 1 }
    }

    mutating func delete(_ name: ObjectName) {
        guard let body = objects.removeValue(forKey: name) else { return }
        changes += 1
        switch (name, body) {
        case (.segment(let device, let position), _): logs[device]?.remove(position)
        case (.snapshot(let id), _): snapshots.remove(id)
        case (.blob, .blob(let content)): blobs[content]?.remove(name)
        default: break
        }
    }

    /// Answers a request that only reads.
    func answer(_ request: StoreRequest) -> StoreResult {
        switch request {
        case .get(let name): objects[name].map { .found($0) } ?? .missing
        case .check(let blob): objects[.blob(blob)] == nil ? .missing : .done
        case .listLogs: .listed(logs.keys.sorted().flatMap { names(of: $0, after: 0) })
        case .listLog(let device, let after): .listed(names(of: device, after: after))
        case .listHeads: .heads(heads)
        case .listSnapshots: .listed(snapshots.sorted().map { .snapshot($0) })
        case .put, .delete: .failed
        }
    }

    private func names(of device: CloudID, after: UInt64) -> [ObjectName] {
        (logs[device] ?? []).filter { $0.sequence > after }
            .sorted { ($0.sequence, $0.hash) < ($1.sequence, $1.hash) }
            .map { .segment(device, $0) }
    }
}

/// A cheap hash of segments, which tells apart what the simulation can make.
package struct SimulatedHashing: SegmentHashing {
    package init() {}

    package func hash(of segment: Segment) -> CloudID {
        var value: UInt64 = 0xCBF2_9CE4_8422_2325
        func add(_ word: UInt64) {
            value = (value ^ word) &* 0x0000_0100_0000_01B3
            value ^= value >> 29
        }
        add(segment.device.low)
        add(segment.sequence)
        add(segment.previous.low)
        // The order of a dictionary is none; a sum does not depend on it.
        var sum: UInt64 = 0
        for (device, position) in segment.vector {
            sum &+= (device.low &* 31 &+ position.sequence) &* 0x9E37_79B9_7F4A_7C15
            sum &+= position.hash.low
        }
        add(sum)
        for transaction in segment.transactions {
            add(transaction.time.rawValue)
            add(transaction.author.low)
            for operation in transaction.operations {
                switch operation {
                case .create(let id, _): add(id.low)
                case .set(let id, let key, _, let value):
                    add(id.low)
                    add(UInt64(key.group.rawValue))
                    switch value {
                    case .flag(let flag): add(flag ? 1 : 2)
                    case .number(let number): add(UInt64(bitPattern: number))
                    case .pair(let first, let second):
                        add(UInt64(bitPattern: first))
                        add(UInt64(bitPattern: second))
                    case .parent(let parent, _): add(parent?.low ?? 3)
                    case .member(let order): add(UInt64(order?.first ?? 201))
                    case .resources(let resources), .version(_, let resources):
                        for resource in resources { add(resource.id.low) }
                    case .none, .text, .bytes: add(4)
                    }
                    switch key.item {
                    case .object(let id): add(id.low)
                    case .word(let word): add(UInt64(word.utf8.last ?? 0))
                    case .whole: break
                    }
                case .stored(_, let blob, _): add(blob.id.low)
                case .condemn(let blob): add(blob.id.low &+ 1)
                case .gone(let blob): add(blob.id.low &+ 2)
                case .purge(let id, _, _): add(id.low &+ 3)
                case .final(let id): add(id.low &+ 4)
                case .retire(let id): add(id.low &+ 5)
                case .same(let first, let second): add(first.low &* 7 &+ second.low)
                case .join: add(6)
                default: add(7)
                }
            }
        }
        return CloudID(segment.sequence, value | 1)
    }
}
