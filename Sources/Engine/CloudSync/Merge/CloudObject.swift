/// The merged state of one object.
package struct CloudObject: Hashable, Sendable {
    /// The creation with the earliest stamp; nil while only registers have been received.
    package var creation: Creation?
    package var created: ChangeStamp?
    package var registers: [RegisterKey: Register] = [:]
    /// The segments that contain a purge of the object, keyed by the trash stamp to which the purge
    /// refers.
    ///
    /// A trash stamp is the stamp of a move to the trash.
    package var purges: [ChangeStamp: Set<LogPlace>] = [:]

    package init() {}

    /// Indicates whether the object is purged, which requires a purge with the object's current
    /// trash stamp.
    ///
    /// A restore changes the stamp, which voids the purge.
    package var isPurged: Bool {
        guard !purges.isEmpty, let trash = registers[RegisterKey(.trash)] else { return false }
        return purges[trash.stamp] != nil
    }

    /// The contents of the originals and of the current edit.
    package var contents: [ContentID] {
        (creation?.originals.map(\.content) ?? [])
            + registers.values.flatMap { $0.value.resources.map(\.content) }
    }

    /// Returns the given contents to which the object does not refer.
    func lacking(_ contents: [ContentID]) -> [ContentID] {
        let own = Set(self.contents)
        return contents.filter { !own.contains($0) }
    }

    /// Merges another state of this object into this one.
    package mutating func merge(_ other: CloudObject) {
        if let creation = other.creation, let created = other.created {
            create(creation, at: created)
        }
        for (key, register) in other.registers { set(key, register) }
        for (stamp, places) in other.purges { purges[stamp, default: []].formUnion(places) }
    }

    /// Records a purge with the given trash stamp, without adding a segment that contains it.
    package mutating func addPurge(of trash: ChangeStamp) {
        if purges[trash] == nil { purges[trash] = [] }
    }

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

/// The place of an operation: a log, and a segment in that log.
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
    /// The last day on which the blob was read back for verification.
    package var verifiedDay: UInt32 = 0
    /// Indicates whether a device has condemned the blob, that is, irrevocably marked it for
    /// deletion.
    package var isCondemned = false
    /// The segments read so far that condemn the blob.
    package var condemned: Set<LogPlace> = []
    package var isGone = false

    package init() {}

    /// Indicates whether references may rely on the blob: its content is known, and it is neither
    /// condemned nor deleted.
    package var isUsable: Bool { content != nil && !isCondemned && !isGone }

    /// Records the content of the blob and the record of its key.
    ///
    /// Only a cloned or damaged device gives two contents the same blob name. Then the greater
    /// content is kept, and of equal contents the greater key, regardless of the order of arrival.
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
