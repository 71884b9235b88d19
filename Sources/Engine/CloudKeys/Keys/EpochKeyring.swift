package import CloudSync

/// The keys of all epochs that a device knows, one of which encrypts new objects.
package struct EpochKeyring: Sendable, Equatable {
    package let library: CloudID
    private var keys: [CloudID: EpochKey]
    /// The key that encrypts new objects.
    package private(set) var current: EpochKey

    package init(_ key: EpochKey) {
        library = key.library
        keys = [key.id: key]
        current = key
    }

    /// Creates a keyring from an encoded list of epoch identifiers and secrets.
    ///
    /// Returns nil if the list is malformed or lacks the current key.
    init?(library: CloudID, current: CloudID, list: [UInt8]) {
        guard let keys = Self.keys(of: library, in: list),
            let key = keys.first(where: { $0.id == current })
        else { return nil }
        self.init(key)
        for key in keys where (try? insert(key)) == nil { return nil }
    }

    /// Returns the encoded identifiers and secrets of keys, concatenated.
    static func list(_ keys: [EpochKey]) -> [UInt8] {
        keys.flatMap { $0.id.bytes + $0.bytes }
    }

    /// Decodes a list of key identifiers and secrets; returns nil if the last entry is incomplete.
    static func keys(of library: CloudID, in list: [UInt8]) -> [EpochKey]? {
        let size = 16 + EpochKey.size
        guard list.count % size == 0 else { return nil }
        var keys: [EpochKey] = []
        for start in stride(from: 0, to: list.count, by: size) {
            let secret = Array(list[start + 16..<start + size])
            guard let id = CloudID(bytes: list[start..<start + 16]),
                let key = EpochKey(library: library, id: id, bytes: secret)
            else { return nil }
            keys.append(key)
        }
        return keys
    }

    /// Returns the key of an epoch; nil if this device has not received it.
    package subscript(epoch: CloudID) -> EpochKey? { keys[epoch] }

    /// All keys, sorted by the identifiers of their epochs.
    package var all: [EpochKey] { keys.values.sorted { $0.id < $1.id } }

    /// Adds a key.
    ///
    /// - Throws: ``CloudKeyError``: `otherLibrary`, or `damaged` if another key has its name.
    package mutating func insert(_ key: EpochKey) throws(CloudKeyError) {
        let name = "keys of epoch \(key.id.hexadecimal)"
        guard key.library == library else { throw .otherLibrary(name) }
        guard keys[key.id].map({ $0 == key }) ?? true else {
            throw .damaged(name, "The epoch has another key already.")
        }
        keys[key.id] = key
    }

    /// Adds a key and makes it the current one, which encrypts new objects.
    mutating func begin(_ key: EpochKey) throws(CloudKeyError) {
        try insert(key)
        current = key
    }

    /// Switches to the epoch that a register of the merged state names, if the epoch's key is
    /// known.
    ///
    /// Two devices may begin epochs at the same time. The merged register contains the one with the
    /// later timestamp, so all devices choose the same epoch. Objects of both epochs remain
    /// readable.
    ///
    /// - Returns: Whether the key is known. False means that it must be fetched before the next
    ///   object is written.
    package mutating func follow(_ register: Register?) -> Bool {
        guard case .bytes(let bytes)? = register?.value, let id = CloudID(bytes: bytes) else {
            return true
        }
        guard let key = keys[id] else { return false }
        current = key
        return true
    }
}
