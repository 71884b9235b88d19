/// The merged state of a cloud library: the result of all operations that a device has read or
/// made.
///
/// 1. The state is a join of its operations: it depends neither on the order in which they arrive,
///    nor on whether they arrive twice or in a snapshot.
/// 2. A blob stays condemned, a device stays retired, and an object stays final.
/// 3. A final object keeps its UUID only; operations on it are dropped.
package struct LibraryState: Hashable, Sendable {
    package private(set) var objects = ObjectTable()
    package private(set) var finals: Set<CloudID> = []
    /// The objects that refer, or once referred, to each content.
    package private(set) var referrers: [ContentID: CompactSet<CloudID>] = [:]
    /// The contents to which an object once referred and no longer refers, until a final purge.
    private(set) var formerContents: [CloudID: Set<ContentID>] = [:]
    package private(set) var blobs: [BlobName: CloudBlob] = [:]
    package private(set) var blobsOfContent: [ContentID: CompactSet<BlobName>] = [:]
    /// The objects that have a purge, valid or void, but no final purge.
    package private(set) var purged: Set<CloudID> = []
    package internal(set) var pairs: Set<TwinPair> = []
    /// The names of the devices whose join operation has been read.
    package internal(set) var joined: [CloudID: String] = [:]
    package internal(set) var retired: Set<CloudID> = []
    /// The retired devices whose retirement is in a published segment.
    package internal(set) var publishedRetirements: Set<CloudID> = []
    package internal(set) var epoch: Register?
    package internal(set) var unknown: Set<UnknownOperation> = []

    package init() {}

    /// The protocol rule that the simulation disables; nil for none.
    var weakness: Weakness?

    // MARK: - Operations

    /// Applies the operations of a transaction.
    ///
    /// `place` is the segment that contains the transaction; nil if it is not published.
    mutating func apply(_ transaction: CloudTransaction, at place: LogPlace?) {
        for operation in transaction.operations {
            apply(operation, stamp: transaction.stamp, at: place)
        }
        objects.close()
    }

    /// Applies a transaction of this device again when a segment that contains it is confirmed.
    ///
    /// Its creations and values have been applied already, and would change nothing.
    mutating func confirm(_ transaction: CloudTransaction, at place: LogPlace) {
        for operation in transaction.operations {
            switch operation {
            case .create, .set: if weakness == nil { continue }
            default: break
            }
            apply(operation, stamp: transaction.stamp, at: place)
        }
        objects.close()
    }

    private mutating func apply(
        _ operation: CloudOperation,
        stamp: ChangeStamp,
        at place: LogPlace?
    ) {
        switch operation {
        case .create(let id, let creation):
            guard !finals.contains(id) else { return }
            create(id, creation, at: stamp)
        case .set(let id, let key, let rank, let value):
            guard !finals.contains(id) else { return }
            let rank = key.group.isRanked ? rank : 0
            var value = value
            if weakness == .mergesColumns, case .pair(let left, let right) = value,
                case .pair(let first, let second) = objects[id]?.registers[key]?.value
            {
                value = .pair(max(left, first), max(right, second))
            }
            set(id, key, Register(rank: rank, stamp: stamp, value: value))
        case .same(let first, let second):
            pairs.insert(TwinPair(first, second))
        case .stored(let content, let blob, let key):
            change(blob) { $0.store(content, key: key) }
            if weakness == .reusesBlobNames {
                change(blob) { ($0.isCondemned, $0.isGone, $0.condemned) = (false, false, []) }
            }
        case .verified(let blob, let day):
            blobs[blob, default: CloudBlob()].verifiedDay =
                max(blobs[blob]?.verifiedDay ?? 0, day)
        case .condemn(let blob):
            blobs[blob, default: CloudBlob()].isCondemned = true
            if let place { blobs[blob]?.condemned.insert(place) }
        case .gone(let blob):
            blobs[blob, default: CloudBlob()].isGone = true
        case .purge(let id, let trash, let date):
            guard !finals.contains(id) else { return }
            if weakness == .absoluteTombstones {
                finish(id)
                return
            }
            // A device that knew the purge and not the trash would acknowledge the purge, and its
            // user could restore the object afterwards.
            if weakness != .purgesWithoutTrash {
                set(id, RegisterKey(.trash), Register(stamp: trash, value: date))
            }
            objects.change(id) {
                $0.purges[trash, default: []].formUnion(place.map { [$0] } ?? [])
            }
            purged.insert(id)
        case .final(let id): finish(id)
        case .join(let name): joined[stamp.device] = name
        case .retire(let device):
            retired.insert(device)
            if place != nil { publishedRetirements.insert(device) }
        case .epoch(let id):
            let register = Register(stamp: stamp, value: .bytes(SegmentWriter.bytes(of: id)))
            if epoch.map({ register.supersedes($0) }) ?? true { epoch = register }
        case .unknown(let kind, let bytes):
            unknown.insert(UnknownOperation(kind: kind, bytes: bytes, stamp: stamp))
        }
    }

    /// Makes an object final by removing everything except its UUID.
    private mutating func finish(_ id: CloudID) {
        guard finals.insert(id).inserted else { return }
        if let object = objects[id] {
            for content in formerContents[id, default: []].union(object.contents) {
                referrers.remove(id, at: content)
            }
        }
        objects.remove(id)
        formerContents[id] = nil
        purged.remove(id)
    }

    private mutating func create(_ id: CloudID, _ creation: Creation, at stamp: ChangeStamp) {
        let mentioned = creation.originals.map(\.content)
        var former: [ContentID] = []
        objects.change(id) { object in
            let replaced = object.creation?.originals.map(\.content)
            object.create(creation, at: stamp)
            if let replaced { former = object.lacking(replaced + mentioned) }
        }
        refer(id, to: mentioned, former: former)
    }

    private mutating func set(_ id: CloudID, _ key: RegisterKey, _ register: Register) {
        let mentioned = register.value.resources.map(\.content)
        var former: [ContentID] = []
        objects.change(id) { object in
            let replaced = object.registers[key]?.value.resources.map(\.content) ?? []
            object.set(key, register)
            if !replaced.isEmpty || !mentioned.isEmpty {
                former = object.lacking(replaced + mentioned)
            }
        }
        refer(id, to: mentioned, former: former)
    }

    /// Updates `referrers` and `formerContents` after a change of an object.
    ///
    /// `mentioned` are the contents in the change. `former` are the contents to which the object
    /// does not refer after the change; it refers to all other mentioned ones.
    private mutating func refer(
        _ id: CloudID,
        to mentioned: [ContentID],
        former: some Collection<ContentID>
    ) {
        for content in mentioned { referrers.insert(id, at: content) }
        guard !former.isEmpty || formerContents[id] != nil else { return }
        var contents = formerContents[id, default: []]
        contents.subtract(mentioned)
        contents.formUnion(former)
        formerContents[id] = contents.isEmpty ? nil : contents
    }

    /// Changes a blob, and updates the index of blobs by content.
    private mutating func change(_ name: BlobName, _ change: (inout CloudBlob) -> Void) {
        let old = blobs[name]?.content
        change(&blobs[name, default: CloudBlob()])
        let new = blobs[name]?.content
        guard old != new else { return }
        if let old { blobsOfContent.remove(name, at: old) }
        if let new { blobsOfContent.insert(name, at: new) }
    }

    // MARK: - Snapshots

    /// Makes room for objects.
    mutating func reserveCapacity(_ count: Int) {
        objects.reserveCapacity(count)
        referrers.reserveCapacity(count)
    }

    /// Adds an object that was read from its canonical encoding.
    mutating func restore(
        _ id: CloudID,
        _ object: CloudObject,
        encoding: [UInt8],
        former: Set<ContentID>
    ) {
        objects.add(id, object, encoding: encoding)
        refer(id, to: object.contents + former, former: former)
        if !object.purges.isEmpty { purged.insert(id) }
    }

    /// Sets the final objects and the blobs that were read from an encoding.
    mutating func restore(finals: Set<CloudID>, blobs: [BlobName: CloudBlob]) {
        self.finals = finals
        self.blobs = blobs
        for (name, blob) in blobs {
            if let content = blob.content { blobsOfContent.insert(name, at: content) }
        }
    }

    /// Merges another state into this one, which then includes the operations of both.
    mutating func merge(_ other: LibraryState) {
        for id in other.finals { finish(id) }
        for (id, object) in other.objects where !finals.contains(id) {
            var former = other.formerContents[id, default: []]
            let mentioned = object.contents + former
            if objects.contains(id) {
                objects.change(id) { own in
                    let replaced = own.contents
                    own.merge(object)
                    former = Set(own.lacking(replaced + mentioned))
                }
            } else {
                objects.add(id, from: other.objects)
            }
            refer(id, to: mentioned, former: former)
            if !object.purges.isEmpty { purged.insert(id) }
        }
        objects.close()
        for (name, blob) in other.blobs {
            change(name) { $0.merge(blob) }
        }
        pairs.formUnion(other.pairs)
        joined.merge(other.joined) { min($0, $1) }
        retired.formUnion(other.retired)
        publishedRetirements.formUnion(other.publishedRetirements)
        unknown.formUnion(other.unknown)
        if let theirs = other.epoch, epoch.map({ theirs.supersedes($0) }) ?? true {
            epoch = theirs
        }
    }

    /// Removes the operations of unknown kinds, which happens only with a weakened protocol in
    /// simulations.
    mutating func forgetUnknown() {
        unknown = []
    }

    // MARK: - Questions

    /// Returns whether an object refers or once referred to a content.
    ///
    /// Purged objects count until their purge is final.
    package func isReferenced(_ content: ContentID) -> Bool {
        referrers[content] != nil
    }

    /// Returns whether an object that is not purged currently refers to a content.
    package func isNeeded(_ content: ContentID) -> Bool {
        referrers[content]?.contains { id in
            guard let object = objects[id] else { return false }
            return object.creation != nil && !object.isPurged && object.contents.contains(content)
        } ?? false
    }

    /// Returns the usable blob with the smallest name for a content; nil if there is none.
    package func usableBlob(of content: ContentID, except other: BlobName? = nil) -> BlobName? {
        guard let names = blobsOfContent[content] else { return nil }
        var smallest: BlobName?
        for name in names where name != other {
            guard blobs[name]?.isUsable == true else { continue }
            smallest = min(smallest ?? name, name)
        }
        return smallest
    }

    /// Returns the blob from which a content can be downloaded; nil if there is none.
    ///
    /// A condemned blob remains readable until it is deleted.
    package func readableBlob(of content: ContentID) -> BlobName? {
        usableBlob(of: content)
            ?? blobsOfContent[content]?.filter { blobs[$0]?.isGone == false }.min()
    }
}

/// An operation of a kind that only later versions of the software know.
package struct UnknownOperation: Hashable, Comparable, Sendable {
    package var kind: UInt8
    package var bytes: [UInt8]
    package var stamp: ChangeStamp

    package static func < (left: UnknownOperation, right: UnknownOperation) -> Bool {
        if left.stamp != right.stamp { return left.stamp < right.stamp }
        if left.kind != right.kind { return left.kind < right.kind }
        return left.bytes.lexicographicallyPrecedes(right.bytes)
    }
}

extension SegmentWriter {
    static func bytes(of id: CloudID) -> [UInt8] {
        var writer = SegmentWriter()
        writer.append(id)
        return writer.bytes
    }
}
