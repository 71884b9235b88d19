/// The merged state of one object.
package struct CloudObject: Hashable, Sendable {
    /// The earliest creation, or nil while only registers have arrived.
    package var creation: Creation?
    package var created: ChangeStamp?
    package var registers: [RegisterKey: Register] = [:]
    /// The trash stamps that purges named, with the places of those purges.
    package var purges: [ChangeStamp: Set<LogPlace>] = [:]

    package init() {}

    /// Whether a purge names the current trash stamp; a restore has another stamp and voids it.
    package var isPurged: Bool {
        guard !purges.isEmpty, let trash = registers[RegisterKey(.trash)] else { return false }
        return purges[trash.stamp] != nil
    }

    /// The contents of the originals and of the current edit.
    package var contents: [ContentID] {
        (creation?.originals.map(\.content) ?? [])
            + registers.values.flatMap { $0.value.resources.map(\.content) }
    }

    /// Adds what another state of this object has.
    package mutating func merge(_ other: CloudObject) {
        if let creation = other.creation, let created = other.created {
            create(creation, at: created)
        }
        for (key, register) in other.registers { set(key, register) }
        for (stamp, places) in other.purges { purges[stamp, default: []].formUnion(places) }
    }

    /// Notes a purge that names a trash stamp.
    package mutating func addPurge(of trash: ChangeStamp) { purges[trash, default: []] = [] }

    package mutating func forgetPurges() { purges = [:] }

    package mutating func create(_ creation: Creation, at stamp: ChangeStamp) {
        if let created, created <= stamp { return }
        self.creation = creation
        created = stamp
    }

    package mutating func set(_ key: RegisterKey, _ register: Register) {
        if let current = registers[key], !register.supersedes(current) { return }
        registers[key] = register
    }
}

/// The segment in which an operation stands.
package struct LogPlace: Hashable, Comparable, Sendable {
    package var device: CloudID
    package var position: LogPosition

    package init(device: CloudID, position: LogPosition) {
        self.device = device
        self.position = position
    }

    package static func < (left: LogPlace, right: LogPlace) -> Bool {
        left.device == right.device ? left.position < right.position : left.device < right.device
    }
}

/// The state of a blob in the store.
package struct CloudBlob: Hashable, Sendable {
    package var content: ContentID?
    package var key: [UInt8] = []
    /// The last day on which the blob was read back.
    package var verifiedDay: UInt32 = 0
    /// Whether some device condemned it, which is never taken back.
    package var isCondemned = false
    /// The segments with condemnations that were read.
    package var condemned: Set<LogPlace> = []
    package var isGone = false

    package init() {}

    /// Whether the blob may be relied on.
    package var isUsable: Bool { content != nil && !isCondemned && !isGone }

    /// Notes what the blob contains, and the key that reads it.
    ///
    /// Only a clone or a damaged device names one blob twice. Then the greater content counts, and
    /// of equal contents the greater key, whatever the order in which they arrive.
    mutating func store(_ content: ContentID, key: [UInt8]) {
        if let known = self.content {
            if content < known { return }
            if content == known, !self.key.lexicographicallyPrecedes(key) { return }
        }
        self.content = content
        self.key = key
    }

    mutating func merge(_ other: CloudBlob) {
        if let content = other.content { store(content, key: other.key) }
        verifiedDay = max(verifiedDay, other.verifiedDay)
        isCondemned = isCondemned || other.isCondemned
        condemned.formUnion(other.condemned)
        isGone = isGone || other.isGone
    }
}
