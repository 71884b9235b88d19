package import PhotoModel

/// The contents of an object in the store, decrypted and decoded by the sync host.
package enum CloudObjectBody: Sendable {
    case segment(SealedSegment)
    case head(UInt64)
    /// A blob with the content of a file; the host copies the bytes between the store and the file.
    case blob(ContentID)
    case snapshot(CloudSnapshot)
}

/// A request to the object store.
package enum StoreRequest: Sendable {
    case put(ObjectName, CloudObjectBody)
    case get(ObjectName)
    /// Reads a random part of a blob; the result is `done` if that part is intact.
    case check(BlobName)
    case delete(ObjectName)
    /// Lists the segments of all logs.
    case listLogs
    /// Lists the segments of one device's log after a sequence number.
    case listLog(CloudID, after: UInt64)
    case listHeads
    case listSnapshots
}

/// The answer to a request.
package enum StoreResult: Sendable {
    case done
    /// A blob was uploaded; `key` is the record of its encryption key, which the operation `stored`
    /// publishes to the other devices.
    case stored(key: [UInt8])
    case found(CloudObjectBody)
    /// The object does not match its name or signature, or the file to upload does not match its
    /// SHA-256.
    case damaged
    /// The store lacks the object, or the library lacks the file to upload.
    case missing
    case listed([ObjectName])
    case heads([CloudID: UInt64])
    /// The request received no answer or a store error, and may have taken effect or may still do
    /// so.
    case failed
}

/// A task that the host starts when it is due.
///
/// A duty with a limit concerns the objects with the smallest names.
package enum Duty: Hashable, Sendable {
    case publish
    case pollAll
    /// Reads one log whose head has changed, that of the device with the smallest identifier.
    case pollHeads
    /// Reads one log as ``pollHeads`` does, but none of the given ones.
    case pollOtherHeads(than: Set<CloudID>)
    case poll(CloudID)
    /// Removes the local files of contents that are in the store.
    case evict([ContentID])
    case download(ContentID)
    /// Uploads referenced contents that have no usable blob, as new blobs.
    ///
    /// If there is no local file, the content is first downloaded from a condemned blob, that is,
    /// one marked for deletion. At most `limit` transfers are begun.
    case replenish(limit: Int)
    /// Condemns blobs that are not needed, at most `limit`.
    case condemn(limit: Int)
    /// Deletes condemned blobs, at most `limit`.
    case collect(limit: Int)
    /// Makes purges final, at most `limit`.
    case finishPurges(limit: Int)
    /// Records pairs of twins, at most `limit`.
    case pairTwins(limit: Int)
    case snapshot
    case compact
    case retire(CloudID)
    /// Condemns the abandoned ones among the given blobs (see ``SyncMachine/isAbandoned(_:_:)``).
    ///
    /// Those whose condemnation all members have acknowledged are deleted.
    case removeAbandoned(Set<BlobName>)
}

/// An event that the state machine reacts to.
package enum SyncInput: Sendable {
    /// Operations made by this library's user, with the contents of added files in `adding`.
    case commit([CloudOperation], adding: [ContentID])
    /// Transactions from the library's journal, stamped at the time of their commits.
    ///
    /// `adding` are the contents whose files are on this device. Unless `isComplete`, more
    /// transactions follow, and until then no segment acknowledges what was read.
    case export([CloudTransaction], adding: [ContentID], isComplete: Bool = true)
    /// Objects that were in the library before it joined the cloud library.
    case adopt([ExistingObject])
    case perform(Duty)
    /// Contents whose files are no longer on this device.
    ///
    /// An example is an edit that was reverted here while another device made an edit with equal
    /// content.
    case absent([ContentID])
    case answer(request: Int, StoreResult)
    /// The process started, perhaps after a crash or with restored files.
    case start
}

/// An object of a library that joins a cloud library.
package struct ExistingObject: Sendable {
    package var id: CloudID
    package var creation: Creation
    /// The values that differ from their defaults, with the times at which they were set.
    package var values: [(key: RegisterKey, value: RegisterValue, time: HybridTime)]
    /// The registers that still have their default values, and these values.
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

/// The time and the random name that the host provides for each step of the state machine.
package struct SyncEnvironment: Sendable {
    /// The milliseconds since 1970 according to this device's clock.
    package var now: UInt64
    /// A random identifier that is new in each step.
    ///
    /// A step may also use the names that follow this one (see `fresh(_:)`).
    package var fresh: CloudID

    package init(now: UInt64, fresh: CloudID) {
        self.now = now
        self.fresh = fresh
    }

    /// Returns the identifier that follows `fresh` at distance `number`; 0 returns `fresh` itself.
    func fresh(_ number: Int) -> CloudID {
        CloudID(fresh.high, fresh.low &+ UInt64(number))
    }
}

/// An action that the host carries out after the new state has been made durable.
package enum SyncOutput: Sendable {
    case request(Int, StoreRequest)
    /// Transactions that the library applies, each as a whole.
    ///
    /// They are the transactions of other devices, and those of this device that record twins
    /// (duplicates) or final purges. The library may have applied some of them before.
    case apply([CloudTransaction])
    case removeFile(ContentID)
    case alarm(SyncAlarm)
}

/// A condition that a person has to know about.
package enum SyncAlarm: Hashable, Sendable {
    /// A segment of a device is damaged, so that device's log is not read further until the segment
    /// is intact.
    case damagedSegment(CloudID)
    /// A segment of a device that follows number `after` was not found, and no snapshot has what it
    /// contained, so that device's log is not read further.
    ///
    /// The next poll may find it, for example if a segment and a snapshot were removed during the
    /// poll because newer snapshots contain them.
    case missingSegment(CloudID, after: UInt64)
    /// The store lacks segments that it had before; nothing is written until they are back.
    case rolledBack
    /// This device continues with a new log and a new identifier; the value is the former
    /// identifier.
    ///
    /// The device was retired, or another process wrote to its log.
    case newIncarnation(CloudID)
    case retired
}

/// The merged state of a library, with the progress of reading each log.
package struct CloudSnapshot: Sendable {
    package var state: LibraryState
    package var logs: [CloudID: LogProgress]
    package var named: Set<CloudID>
    /// The highest time that the snapshot's author had issued or observed.
    package var time: HybridTime

    /// For each log, the last segment that the state contains.
    package var vector: VersionVector { logs.compactMapValues(\.tip) }
}

/// The progress of reading a log.
package struct LogProgress: Hashable, Sendable {
    /// The highest segment that was applied.
    package var tip: LogPosition?
    /// The vector of the segment `tip`: what its author had read.
    package var vector: VersionVector = [:]
    /// The hashes of the applied segments by number; after a fork, only those of the first branch
    /// read.
    package var hashes: [UInt64: CloudID] = [:]
    /// The hashes of all applied segments.
    package var applied: Set<CloudID> = []
    /// The lowest sequence number shared by two segments of the log; nil if the log has no fork.
    package var forkedAt: UInt64?
    /// The time when this device last read something new of the log, in milliseconds since 1970 by
    /// its own clock.
    ///
    /// If the log first appeared in a snapshot, it is 0 until something new is read, from the log
    /// or in a later snapshot. Members are shown with it, and no decision depends on it, except
    /// under a weakness.
    package var readAt: UInt64 = 0

    /// The numbers of skipped segments, which exist only in simulations with weakened protocols.
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
