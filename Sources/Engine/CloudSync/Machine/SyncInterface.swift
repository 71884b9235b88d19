package import PhotoModel

/// An object's contents, decrypted and decoded by the sync host.
package enum CloudObjectBody: Sendable {
    case segment(SealedSegment)
    case head(UInt64)
    /// The bytes of a blob; the host moves them between the store and a file.
    case blob(ContentID)
    case snapshot(CloudSnapshot)
}

/// A request to the object store.
package enum StoreRequest: Sendable {
    case put(ObjectName, CloudObjectBody)
    case get(ObjectName)
    /// Reads a part of a blob, chosen at random; `done` if it is intact.
    case check(BlobName)
    case delete(ObjectName)
    /// Lists all logs.
    case listLogs
    /// Lists one log after a sequence number.
    case listLog(CloudID, after: UInt64)
    case listHeads
    case listSnapshots
}

/// The answer to a request.
package enum StoreResult: Sendable {
    case done
    /// A blob is in the store: the record of its key, which belongs to the announcement.
    case stored(key: [UInt8])
    case found(CloudObjectBody)
    /// The bytes were not those that the name and the signature promise.
    case damaged
    case missing
    case listed([ObjectName])
    case heads([CloudID: UInt64])
    /// No answer, or an error of the store: the request may have taken effect, may do so later, or
    /// never.
    case failed
}

/// Work that the host asks for when it is due.
package enum Duty: Hashable, Sendable {
    case publish
    case pollAll
    case pollHeads
    case poll(CloudID)
    /// Removes the files of contents that the store has.
    case evict([ContentID])
    case download(ContentID)
    /// Uploads a needed content that has no usable blob, from a file or from a condemned blob.
    case replenish
    case condemn
    case collect
    case finishPurges
    case pairTwins
    case snapshot
    case compact
    case retire(CloudID)
}

/// An event that the state machine reacts to.
package enum SyncInput: Sendable {
    /// Operations that the user of this library made; `adding` are files that came with them.
    case commit([CloudOperation], adding: [ContentID])
    /// Transactions of the library's journal, stamped at their commits; `adding` are the contents
    /// whose files are here. While more of them follow at once, nothing read is acknowledged.
    case export([CloudTransaction], adding: [ContentID], isComplete: Bool = true)
    /// Objects that the library had before it joined the cloud library.
    case adopt([ExistingObject])
    case perform(Duty)
    /// Contents whose files are not here any more, such as that of an edit that was reverted here
    /// while another device made the same one.
    case absent([ContentID])
    case answer(request: Int, StoreResult)
    /// The process started, perhaps after a crash or with restored files.
    case start
}

/// An object of a library that joins a cloud library.
package struct ExistingObject: Sendable {
    package var id: CloudID
    package var creation: Creation
    /// The values that differ from their defaults, with the times of the changes that set them.
    package var values: [(key: RegisterKey, value: RegisterValue, time: HybridTime)]
    /// The registers that have their defaults.
    package var defaults: [(key: RegisterKey, value: RegisterValue)]
    package var created: HybridTime

    package init(
        id: CloudID,
        creation: Creation,
        values: [(key: RegisterKey, value: RegisterValue, time: HybridTime)],
        defaults: [(key: RegisterKey, value: RegisterValue)],
        created: HybridTime
    ) {
        self.id = id
        self.creation = creation
        self.values = values
        self.defaults = defaults
        self.created = created
    }
}

/// The facts that the state machine cannot know itself.
package struct SyncEnvironment: Sendable {
    /// Milliseconds since 1970 by this machine's clock.
    package var now: UInt64
    /// A new random name, in each step another one.
    ///
    /// A step may use the names that follow it as well.
    package var fresh: CloudID

    package init(now: UInt64, fresh: CloudID) {
        self.now = now
        self.fresh = fresh
    }

    /// The fresh name, or one of those that follow it.
    func fresh(_ number: Int) -> CloudID {
        CloudID(fresh.high, fresh.low &+ UInt64(number))
    }
}

/// Something that the host does after the step's state is durable.
package enum SyncOutput: Sendable {
    case request(Int, StoreRequest)
    /// Transactions of other devices, each to be applied whole; also twins and final purges that
    /// this device recorded. The library may have applied any of them already.
    case apply([CloudTransaction])
    case removeFile(ContentID)
    case alarm(SyncAlarm)
}

/// A condition that a person has to know about.
package enum SyncAlarm: Hashable, Sendable {
    /// A segment of a device is not what it should be; its log waits.
    case damagedSegment(CloudID)
    /// The store lacks what was there before; nothing is written until it is back.
    case rolledBack
    /// This device's log was continued by somebody else, so it continues under a new name.
    case newIncarnation(CloudID)
    case retired
}

/// The merged state of a library at a vector.
package struct CloudSnapshot: Sendable {
    package var state: LibraryState
    package var logs: [CloudID: LogProgress]
    package var named: Set<CloudID>
    /// The highest time that the maker had given out or seen.
    package var time: HybridTime

    /// The last segments that the state contains.
    package var vector: VersionVector { logs.compactMapValues(\.tip) }
}

/// How far a log was read.
package struct LogProgress: Hashable, Sendable {
    /// The highest segment that was applied.
    package var tip: LogPosition?
    /// The vector of that segment: what its author had read.
    package var vector: VersionVector = [:]
    /// The hashes of the applied segments by number; of a fork, those of the branch read first.
    package var hashes: [UInt64: CloudID] = [:]
    /// The hashes of all applied segments.
    package var applied: Set<CloudID> = []
    /// The first number that two segments share.
    package var forkedAt: UInt64?
    /// The local time of the last reading, in milliseconds.
    package var readAt: UInt64 = 0

    /// The segments that a weakened protocol passed over.
    var skipped: Set<UInt64> = []

    package init() {}

    mutating func append(_ sealed: SealedSegment) {
        // A snapshot may have contained it already.
        guard !applied.contains(sealed.hash) else { return }
        let sequence = sealed.segment.sequence
        if hashes[sequence] != nil {
            forkedAt = min(forkedAt ?? sequence, sequence)
        } else {
            hashes[sequence] = sealed.hash
        }
        applied.insert(sealed.hash)
        if tip.map({ sequence > $0.sequence }) ?? true {
            tip = sealed.position
            vector = sealed.segment.vector
        }
    }

    mutating func merge(_ other: LogProgress) {
        for (sequence, hash) in other.hashes {
            if let known = hashes[sequence], known != hash {
                forkedAt = min(forkedAt ?? sequence, sequence)
            } else {
                hashes[sequence] = hash
            }
        }
        applied.formUnion(other.applied)
        if let theirs = other.forkedAt { forkedAt = min(forkedAt ?? theirs, theirs) }
        if let theirs = other.tip, tip.map({ theirs.sequence > $0.sequence }) ?? true {
            tip = theirs
            vector = other.vector
        }
    }
}
