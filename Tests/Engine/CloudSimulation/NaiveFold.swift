import CloudSync
import PhotoModel

/// The library that the changes of people amount to, computed the slow and obvious way.
struct NaiveFold {
    private struct Cell: Hashable {
        var object: CloudID
        var key: RegisterKey
    }

    private var values: [Cell: RegisterValue] = [:]
    private var stamps: [Cell: ChangeStamp] = [:]
    private var created: Set<CloudID> = []
    private var purges: [CloudID: Set<ChangeStamp>] = [:]
    private let finals: Set<CloudID>

    /// Sorts the changes and applies one after the other.
    init(
        published: Set<SimulatedWorld.Intent>,
        intents: Set<SimulatedWorld.Intent>,
        finals: Set<CloudID>
    ) {
        self.finals = finals
        let ordered = published.intersection(intents).sorted { left, right in
            if left.time != right.time { return left.time < right.time }
            if left.author != right.author { return left.author < right.author }
            guard case .set(_, _, _, let first) = left.operation,
                case .set(_, _, _, let second) = right.operation
            else { return false }
            // Only clones make two changes with one stamp.
            return Register(stamp: stamp, value: first).encodedValue
                .lexicographicallyPrecedes(Register(stamp: stamp, value: second).encodedValue)
        }
        for intent in ordered {
            switch intent.operation {
            case .create(let id, _): created.insert(id)
            case .set(let id, let key, _, let value):
                values[Cell(object: id, key: key)] = value
                stamps[Cell(object: id, key: key)] = ChangeStamp(
                    time: intent.time,
                    device: intent.author
                )
            case .purge(let id, let trash, _): purges[id, default: []].insert(trash)
            default: break
            }
        }
    }

    private var stamp: ChangeStamp { ChangeStamp(time: .zero, device: CloudID(0, 0)) }

    /// Describes the first difference from a merged state, or returns nil.
    func difference(from state: LibraryState) -> String? {
        for id in created.sorted() {
            let trash = stamps[Cell(object: id, key: RegisterKey(.trash))]
            let isPurged = trash.map { purges[id]?.contains($0) ?? false } ?? false
            let isAlive = !finals.contains(id) && !isPurged
            if state.isAlive(id) != isAlive {
                return "Asset \(id.high) is \(isAlive ? "missing" : "there") against the fold."
            }
        }
        for (cell, value) in values where !finals.contains(cell.object) {
            let found = state.objects[cell.object]?.registers[cell.key]?.value
            if found != value {
                return "\(cell.key) of \(cell.object.high) is \(String(describing: found)) and not "
                    + "\(value) as in the fold."
            }
        }
        for (id, object) in state.objects where !created.contains(id) && object.creation != nil {
            return "Asset \(id.high) exists only in the merged state."
        }
        return nil
    }
}
