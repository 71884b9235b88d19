internal import CloudSync
internal import PhotoModel

/// What transactions say about an asset of which the library knows nothing yet.
///
/// Merges operations like `CloudObject`, in an array instead of a dictionary, since an asset
/// usually has fewer than ten registers.
struct ArrivingAsset {
    let id: CloudID
    let uuid: String
    private(set) var creation: Creation?
    private(set) var created: ChangeStamp?
    /// The registers in the order of their encoding.
    private(set) var registers: [(key: RegisterKey, value: Register)] = []

    init(_ id: CloudID) {
        self.id = id
        uuid = id.uuid
    }

    mutating func create(_ creation: Creation, at stamp: ChangeStamp) {
        if let created, created <= stamp { return }
        self.creation = creation
        created = stamp
    }

    mutating func set(_ key: RegisterKey, _ new: Register) {
        if registers.isEmpty { registers.reserveCapacity(8) }
        var isWord = false
        if case .word = key.item { isWord = true }
        // Most transactions have this order. Words can be equal without having equal bytes.
        if !isWord, registers.last.map({ $0.key < key }) ?? true {
            registers.append((key: key, value: new))
        } else if let place = registers.firstIndex(where: { $0.key == key }) {
            if new.supersedes(registers[place].value) { registers[place].value = new }
        } else {
            let place = registers.firstIndex { key < $0.key } ?? registers.endIndex
            registers.insert((key: key, value: new), at: place)
        }
    }

    /// The stamps, encoded as in `cloudStamp`.
    var encodedStamps: [UInt8] {
        var entries: [(key: RegisterKey, entry: CloudStamps.Entry)] = []
        entries.reserveCapacity(registers.count)
        for (key, register) in registers
        where key.group != .member && key != RegisterKey(.modification) {
            let entry = CloudStamps.Entry(rank: register.rank, stamp: register.stamp)
            entries.append((key: key, entry: entry))
        }
        return CloudStamps.encode(created: created, entries)
    }

    /// The files: the originals in the order of the creation, then those of the current edit.
    var files: [(file: CloudResource, isEdit: Bool)] {
        var originals: [CloudResource] = []
        var edit: [CloudResource] = []
        for (key, register) in registers {
            switch key.group {
            case .original: originals += register.value.resources
            case .content where key.item == .whole: edit = register.value.resources
            default: break
            }
        }
        if originals.count > 1, let creation {
            originals = Self.sorted(originals, as: creation)
        }
        return originals.map { (file: $0, isEdit: false) } + edit.map { (file: $0, isEdit: true) }
    }

    /// Sorts the files of an asset's original set: those of its creation in their order, then
    /// others.
    static func sorted(_ originals: [CloudResource], as creation: Creation) -> [CloudResource] {
        let order = Dictionary(
            creation.originals.enumerated().map { ($1.id, $0) },
            uniquingKeysWith: { first, _ in first }
        )
        return originals.sorted {
            (order[$0.id] ?? .max, $0.id) < (order[$1.id] ?? .max, $1.id)
        }
    }
}
