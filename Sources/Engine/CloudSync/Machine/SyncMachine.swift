package import PhotoModel

/// The sync of one library, as a deterministic state machine without I/O, clock or randomness.
///
///     commit ──▶ unexported ──publish──▶ pending segment ──PUT confirmed──▶ published
///     LIST, GET ──▶ inbox ──chain fits──▶ applied (state, vector)
///
/// 1. Each step is one transaction: the host makes the new state durable, then carries out the
///    outputs. A crash loses some or all outputs of the last steps, and everything in `session`.
/// 2. A segment's vector covers only what its author had read when all its earlier changes were in
///    this or an earlier segment.
/// 3. A segment or blob is built and noted before its PUT, so that a retry sends the same bytes.
/// 4. A device that is not full (``isFull``) deletes no blob, evicts no file and skips no upload.
///
/// A device whose log was continued by another process, or that was retired, starts a new
/// incarnation: it continues with a new name and a new log.
package struct SyncMachine: Sendable {
    /// The random identifier of this device's current incarnation.
    package internal(set) var device: CloudID
    /// The identifiers of this device's former incarnations.
    package internal(set) var former: [CloudID] = []
    package let name: String
    /// Indicates whether this device created the cloud library and can therefore be its only
    /// member.
    package let isCreator: Bool
    /// The hash function of segments, which the host replaces when it gets the key of another
    /// epoch.
    ///
    /// The journal of inputs does not contain such a change, nor that of a limit: the host makes a
    /// checkpoint before the next step.
    package var hashing: any SegmentHashing
    /// The maximum number of transactions whose uploads the next segment waits for, at least 1.
    ///
    /// With one upload at a time, a segment has at most that many transactions. Otherwise, it may
    /// have more, up to 256 KiB, if no file of the additional ones has to be uploaded.
    package var segmentLimit = 16
    /// The maximum number of concurrent uploads for new references, at least 1.
    package var uploadsAtOnce = 1
    package let weakness: Weakness?

    // MARK: Merged

    package internal(set) var state = LibraryState()
    package internal(set) var clock = HybridClock()
    /// The progress of reading each log, including this device's own.
    package internal(set) var logs: [CloudID: LogProgress] = [:]
    /// The devices that occur in the vectors of the segments read so far.
    package internal(set) var named: Set<CloudID> = []

    // MARK: Publishing

    /// The transactions that no confirmed segment contains, in the order of publishing.
    package internal(set) var unexported = Queue<CloudTransaction>()
    package internal(set) var pending: SealedSegment?
    /// Indicates whether the library has further changes to pass to this machine.
    package internal(set) var isExporting = false
    var uploads = UploadTable()
    /// The vector of the last segment that was built.
    var acknowledged: VersionVector = [:]
    /// Indicates whether this device has read changes that none of its segments acknowledges yet.
    var owesAcknowledgement = false

    // MARK: Members

    /// The place of this incarnation's first segment; nil until the segment is confirmed.
    var joinPlace: LogPlace?
    /// Indicates whether this device is a full member, which may rely on blobs of other devices,
    /// evict files and delete blobs.
    package internal(set) var isFull = false
    /// The retired devices whose logs were read to their ends after the retirement was read.
    package internal(set) var settled: Set<CloudID> = []

    // MARK: Files, snapshots

    /// The contents whose files are on this device.
    package internal(set) var files: Set<ContentID> = []
    /// This device's snapshots that were verified by reading them back, newest last.
    var snapshots: [SnapshotRecord] = []
    /// The number of the last deleted segment of this device's log; 0 if none was deleted.
    var compacted: UInt64 = 0
    /// Indicates whether the store lacks segments that were read from it; nothing is written until
    /// they are back.
    package internal(set) var isReadOnly = false

    var nextRequest = 0
    var pollCount = 0

    /// The state that `SyncInput.start` resets, such as the requests in progress.
    var session = Session()
    /// The results of searches that later steps may use again.
    var findings = Findings()

    struct Upload: Hashable, Sendable {
        var content: ContentID
        /// The record of the blob's key, which the host returned for the upload.
        var key: [UInt8] = []
        var isDone = false
        /// Indicates whether the upload replaces a blob to which published changes refer.
        var replenishes = false
        var isAttached = false
    }

    struct SnapshotRecord: Sendable {
        var id: CloudID
        var vector: VersionVector
    }

    struct Session: Sendable {
        var requests: [Int: Purpose] = [:]
        var poll: Poll?
        /// Indicates whether this device's own log has been listed since the start.
        var isOwnLogChecked = false
        var hasPolled = false
        /// The blobs whose upload failed since the start and has not succeeded since.
        var failed: Set<BlobName> = []
    }

    enum Purpose: Sendable {
        case putSegment(LogPosition)
        case putBlob(BlobName)
        case ignored
        case getBlob(ContentID)
        case checkBlob(ContentID, BlobName)
        case deleteBlob(BlobName)
        case list(poll: Int)
        case listHeads(poll: Int)
        case getSegment(CloudID, LogPosition, poll: Int)
        case listSnapshots(poll: Int)
        case getSnapshot(CloudID, poll: Int)
        case putSnapshot(CloudID, CloudSnapshot)
        case checkSnapshot(CloudID, VersionVector, root: LibraryState)
    }

    /// Creates the machine of a library that joins a cloud library.
    ///
    /// - Parameters:
    ///   - device: A new random name.
    ///   - former: The names under which the library published before its state was lost. Nobody
    ///     continues their logs, so they are retired when the new name joins.
    ///   - name: The name of the computer.
    ///   - isCreator: Whether this device created the cloud library.
    ///   - hashing: The hash function of segments.
    ///   - weakness: The rule that the machine breaks, in simulations.
    package init(
        device: CloudID,
        former: [CloudID] = [],
        name: String,
        isCreator: Bool,
        hashing: any SegmentHashing,
        weakness: Weakness? = nil
    ) {
        self.device = device
        self.former = former
        self.name = name
        self.isCreator = isCreator
        self.hashing = hashing
        self.weakness = weakness
        state.weakness = weakness
    }

    /// Processes an event and returns the actions that the host has to carry out.
    package mutating func step(_ input: SyncInput, _ environment: SyncEnvironment) -> [SyncOutput] {
        dropFindings(before: input)
        var outputs: [SyncOutput] = []
        switch input {
        case .start:
            session = Session()
            if state.joined[device] == nil, unexported.isEmpty, pending == nil {
                commit([.join(name: name)] + former.map { .retire($0) }, environment)
            }
            // A crash may have lost them after they were recorded.
            let relations = state.relations
            if !relations.isEmpty {
                outputs.append(
                    .apply([
                        CloudTransaction(time: clock.last, author: device, operations: relations)
                    ])
                )
            }
        case .commit(let operations, let added):
            files.formUnion(added)
            commit(operations, environment)
        case .export(let transactions, let added, let isComplete):
            files.formUnion(added)
            isExporting = !isComplete
            export(transactions)
        case .adopt(let objects): adopt(objects, environment)
        case .perform(let duty): perform(duty, environment, &outputs)
        case .absent(let contents): files.subtract(contents)
        case .answer(let request, let result):
            // An answer that arrives twice, or after a crash, is nobody's.
            guard let purpose = session.requests.removeValue(forKey: request) else { break }
            receive(result, for: purpose, environment, &outputs)
        }
        return outputs
    }

    private mutating func perform(
        _ duty: Duty,
        _ environment: SyncEnvironment,
        _ outputs: inout [SyncOutput]
    ) {
        switch duty {
        case .publish: publish(environment, &outputs)
        case .pollAll: poll(.all, for: .reading, &outputs)
        case .pollHeads: poll(.heads, for: .reading, &outputs)
        case .pollOtherHeads(let logs): poll(.otherHeads(logs), for: .reading, &outputs)
        case .poll(let device): poll(.one(device), for: .reading, &outputs)
        case .evict(let contents): evict(contents, &outputs)
        case .download(let content): download(content, &outputs)
        case .replenish(let limit): replenish(limit: limit, environment, &outputs)
        case .condemn(let limit): condemn(limit: limit, environment)
        case .collect(let limit): collect(limit: limit, environment, &outputs)
        case .finishPurges(let limit): finishPurges(limit: limit, environment, &outputs)
        case .pairTwins(let limit): pairTwins(limit: limit, environment, &outputs)
        case .snapshot: snapshot(environment, &outputs)
        case .compact: compact(&outputs)
        case .retire(let other):
            guard other != device, !state.retired.contains(other) else { return }
            commit([.retire(other)], environment)
        case .removeAbandoned(let blobs): removeAbandoned(blobs, environment, &outputs)
        }
    }

    private mutating func receive(
        _ result: StoreResult,
        for purpose: Purpose,
        _ environment: SyncEnvironment,
        _ outputs: inout [SyncOutput]
    ) {
        switch purpose {
        case .ignored: break
        case .putSegment(let position):
            // A late answer may be about an earlier segment, which a listing confirmed already.
            if case .done = result, pending?.position == position {
                confirmPending(environment, &outputs)
            }
        case .putBlob(let blob):
            switch result {
            case .done: confirmUpload(blob, key: [], environment)
            case .stored(let key): confirmUpload(blob, key: key, environment)
            case .missing, .damaged: cancelUpload(blob)
            default: session.failed.insert(blob)
            }
        case .getBlob(let content):
            if case .found(.blob(content)) = result, state.isReferenced(content) {
                files.insert(content)
            }
        case .checkBlob(let content, let blob):
            if case .done = result {
                finishEviction(of: content, blob: blob, &outputs)
            }
        case .deleteBlob(let blob):
            if case .done = result { commit([.gone(blob)], environment) }
        case .list(let poll), .listHeads(let poll), .getSegment(_, _, let poll),
            .listSnapshots(let poll), .getSnapshot(_, let poll):
            guard session.poll?.number == poll else { return }
            continuePoll(purpose, result, environment, &outputs)
        case .putSnapshot(let id, let snapshot):
            guard case .done = result else { return }
            send(
                .get(.snapshot(id)),
                for: .checkSnapshot(id, snapshot.vector, root: snapshot.state),
                &outputs
            )
        case .checkSnapshot(let id, let vector, let state):
            if case .found(.snapshot(let found)) = result, found.state == state {
                recordSnapshot(id, vector, &outputs)
            }
        }
    }

    /// Adds a request to the outputs; a later step receives its answer.
    mutating func send(_ request: StoreRequest, for purpose: Purpose, _ outputs: inout [SyncOutput])
    {
        nextRequest += 1
        session.requests[nextRequest] = purpose
        outputs.append(.request(nextRequest, request))
    }

    /// Stamps operations of this device, applies them and queues them for publishing.
    mutating func commit(_ operations: [CloudOperation], _ environment: SyncEnvironment) {
        let time = clock.next(now: environment.now)
        let transaction = CloudTransaction(time: time, author: device, operations: operations)
        state.apply(transaction, at: nil)
        unexported.append(transaction)
    }

    /// Commits operations, and outputs them to be applied to this device's library as well.
    mutating func commitForAll(
        _ operations: [CloudOperation],
        _ environment: SyncEnvironment,
        _ outputs: inout [SyncOutput]
    ) {
        commit(operations, environment)
        if let last = unexported.last { outputs.append(.apply([last])) }
    }

    /// Applies transactions with stamps from the library's journal, and queues them for publishing.
    ///
    /// After a crash the host may give the same ones again; they are then published twice, as the
    /// same operations.
    private mutating func export(_ transactions: [CloudTransaction]) {
        for transaction in transactions {
            clock.observe(transaction.time)
            state.apply(transaction, at: nil)
            unexported.append(transaction)
        }
    }

    /// Applies the objects that the library had before it joined, and queues them for publishing.
    ///
    /// Only values that differ from their defaults get a stamp, that of the change which set them.
    /// An untouched default therefore never supersedes another device's change.
    private mutating func adopt(_ objects: [ExistingObject], _ environment: SyncEnvironment) {
        for object in objects {
            files.formUnion(object.creation.originals.map(\.content))
            var changes: [(HybridTime, CloudOperation)] = [
                (object.created, .create(object.id, object.creation))
            ]
            for (key, value, time) in object.values {
                changes.append((time, .set(object.id, key, rank: 0, value)))
            }
            if weakness == .stampsDefaults {
                let time = clock.next(now: environment.now)
                for (key, value) in object.defaults {
                    changes.append((time, .set(object.id, key, rank: 0, value)))
                }
            }
            for (time, operation) in changes {
                let transaction = CloudTransaction(
                    time: time,
                    author: device,
                    operations: [operation]
                )
                clock.observe(time)
                state.apply(transaction, at: nil)
                unexported.append(transaction)
            }
        }
    }

    /// The last segment that was read in each log.
    package var vector: VersionVector { logs.compactMapValues(\.tip) }
}
