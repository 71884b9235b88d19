internal import PhotoModel

extension SyncMachine {
    /// The logs that a poll reads.
    enum PollScope: Hashable, Sendable {
        case all
        case heads
        /// The heads, except for those of the given logs.
        case otherHeads(Set<CloudID>)
        case one(CloudID)
    }

    /// The purpose of a poll.
    enum PollGoal: Hashable, Sendable {
        case reading
        case evicting([ContentID])
    }

    /// A poll in progress, which lists segments and reads those that are not applied.
    struct Poll: Sendable {
        var number: Int
        var scope: PollScope
        var goal: PollGoal
        /// The retired devices whose retirement was known and published before the listing.
        var retired: Set<CloudID>
        /// For each log, the last segment that was read before the listing.
        ///
        /// A listing without it shows that the store was rolled back.
        var tips: VersionVector
        /// The segments of each log that were listed but not yet applied, except for logs with a
        /// damaged segment.
        var missing: [CloudID: Set<LogPosition>] = [:]
        var inbox: [CloudID: SealedSegment] = [:]
        var awaited = 0
        var needsSnapshot = false
        var triedSnapshots = false
        var hasFailed = false
        /// Indicates whether a segment is damaged.
        ///
        /// The poll continues, since the logs of other devices do not wait for it. It is not
        /// complete in the end.
        var isDamaged = false
    }

    /// Returns, for each log, the last segment that was read before a listing of all logs.
    ///
    /// Returns nil if no poll in progress waits for that listing.
    package func tips(ofListing request: Int) -> VersionVector? {
        guard case .list(let number) = session.requests[request], let poll = session.poll,
            poll.number == number, poll.scope == .all
        else { return nil }
        return poll.tips
    }

    /// Starts a poll unless one is in progress.
    mutating func poll(_ scope: PollScope, for goal: PollGoal, _ outputs: inout [SyncOutput]) {
        guard session.poll == nil else { return }
        pollCount += 1
        session.poll = Poll(
            number: pollCount,
            scope: scope,
            goal: goal,
            retired: state.publishedRetirements,
            tips: vector
        )
        switch scope {
        case .all: send(.listLogs, for: .list(poll: pollCount), &outputs)
        case .heads, .otherHeads: send(.listHeads, for: .listHeads(poll: pollCount), &outputs)
        case .one(let device):
            let after = device == self.device ? 0 : logs[device]?.tip?.sequence ?? 0
            send(.listLog(device, after: after), for: .list(poll: pollCount), &outputs)
        }
    }

    mutating func continuePoll(
        _ purpose: Purpose,
        _ result: StoreResult,
        _ environment: SyncEnvironment,
        _ outputs: inout [SyncOutput]
    ) {
        switch (purpose, result) {
        case (.listHeads, .heads(let heads)):
            var excluded: Set<CloudID> = [device]
            if case .otherHeads(let logs)? = session.poll?.scope { excluded.formUnion(logs) }
            let changed = heads.filter { device, sequence in
                !excluded.contains(device) && sequence > logs[device]?.tip?.sequence ?? 0
            }
            session.poll = nil
            if let next = changed.keys.min() { poll(.one(next), for: .reading, &outputs) }
            return
        case (.list, .listed(let names)):
            readListing(names, environment, &outputs)
        case (.getSegment(let device, let position, _), .found(.segment(let sealed)))
        where isGenuine(sealed, from: device, at: position):
            session.poll?.awaited -= 1
            session.poll?.inbox[sealed.hash] = sealed
            // A segment that waits for another one changes nothing for the others that wait.
            if weakness != nil || follows(sealed) { applyInbox(environment, &outputs) }
        case (.getSegment(let device, let position, _), .missing):
            session.poll?.awaited -= 1
            if weakness == .missingIsUpToDate {
                session.poll?.missing[device]?.remove(position)
                logs[device, default: LogProgress()].skip(position)
            } else {
                // The owner deleted it after a snapshot: a 404 is never "up to date".
                session.poll?.needsSnapshot = true
            }
        case (.getSegment(let device, let position, _), .found),
            (.getSegment(let device, let position, _), .damaged):
            session.poll?.awaited -= 1
            outputs.append(.alarm(.damagedSegment(device)))
            if weakness == .skipsDamage {
                session.poll?.missing[device]?.remove(position)
                logs[device, default: LogProgress()].skip(position)
            } else if weakness == nil {
                session.poll?.missing[device] = nil
                session.poll?.isDamaged = true
            } else {
                // The recorded schedules of weakened protocols depend on it.
                session.poll?.hasFailed = true
            }
        case (.listSnapshots, .listed(let names)):
            session.poll?.awaited -= 1
            for case .snapshot(let id) in names {
                session.poll?.awaited += 1
                let number = session.poll?.number ?? 0
                send(.get(.snapshot(id)), for: .getSnapshot(id, poll: number), &outputs)
            }
        case (.getSnapshot, .found(.snapshot(let snapshot))):
            session.poll?.awaited -= 1
            merge(snapshot, environment, &outputs)
            applyInbox(environment, &outputs)
        case (.getSnapshot, _):
            session.poll?.awaited -= 1
        default:
            session.poll?.awaited -= 1
            session.poll?.hasFailed = true
        }
        finishPoll(environment, &outputs)
    }

    /// Returns whether a segment matches the device, the number and the hash in its name.
    private func isGenuine(_ sealed: SealedSegment, from device: CloudID, at position: LogPosition)
        -> Bool
    {
        let isNamed = sealed.hash == position.hash || weakness == .namesSegmentsWithoutHash
        return isNamed && sealed.segment.device == device
            && sealed.segment.sequence == position.sequence
            && hashing.isHash(sealed.hash, of: sealed.segment)
            && sealed.segment.transactions.allSatisfy { $0.time.rawValue < HybridTime.limit }
    }

    // MARK: - Listings

    private mutating func readListing(
        _ names: [ObjectName],
        _ environment: SyncEnvironment,
        _ outputs: inout [SyncOutput]
    ) {
        guard let poll = session.poll else { return }
        var listed: [CloudID: [LogPosition]] = [:]
        for case .segment(let device, let position) in names {
            listed[device, default: []].append(position)
        }
        let isRolledBack: Bool
        switch poll.scope {
        case .all: isRolledBack = logs.contains { lacks(listed[$0.key], device: $0.key) }
        case .one(device): isRolledBack = lacks(listed[device], device: device)
        default: isRolledBack = false
        }
        if isRolledBack, weakness != .ignoresRollback {
            // Merging now would accept a state that the store no longer has.
            if !isReadOnly { outputs.append(.alarm(.rolledBack)) }
            isReadOnly = true
            session.poll?.hasFailed = true
            return
        }
        if poll.scope == .all { isReadOnly = false }
        if let own = listed[device] { readOwn(own, environment, &outputs) }
        guard session.poll?.number == poll.number else { return }
        if poll.scope == .all || poll.scope == .one(device) { session.isOwnLogChecked = true }
        for device in listed.keys.sorted() where device != self.device {
            request(listed[device] ?? [], of: device, &outputs)
        }
    }

    /// Returns whether a listing of a log lacks the last segment that this device has read of that
    /// log.
    ///
    /// The store has then lost it, because owners never delete the last segment of their log.
    private func lacks(_ positions: [LogPosition]?, device: CloudID) -> Bool {
        guard let tip = session.poll?.tips[device], weakness != .namesSegmentsWithoutHash else {
            return false
        }
        guard let positions else { return true }
        return !positions.contains { $0.sequence > tip.sequence || $0 == tip }
    }

    /// Compares the listing of this device's own log with the segments that this device wrote.
    ///
    /// If the pending segment is listed, it is confirmed. If foreign segments are listed, a new
    /// incarnation starts.
    private mutating func readOwn(
        _ positions: [LogPosition],
        _ environment: SyncEnvironment,
        _ outputs: inout [SyncOutput]
    ) {
        let known = logs[device]?.applied ?? []
        if weakness == .namesSegmentsWithoutHash {
            if let pending, positions.contains(where: { $0.sequence == pending.segment.sequence }) {
                confirmPending(environment, &outputs)
            }
            return
        }
        if let pending, positions.contains(pending.position) {
            confirmPending(environment, &outputs)
        }
        let own = logs[device]?.applied ?? known
        let foreign = positions.filter { position in
            !own.contains(position.hash) && position.sequence > compacted
        }
        // Somebody else wrote this log: a clone, or this device before its image was restored.
        guard !foreign.isEmpty, weakness != .keepsIncarnationAfterRestore else { return }
        startIncarnation(environment, &outputs)
    }

    /// Requests the listed segments of a log that are not applied yet.
    private mutating func request(
        _ positions: [LogPosition],
        of device: CloudID,
        _ outputs: inout [SyncOutput]
    ) {
        guard let number = session.poll?.number else { return }
        let progress = logs[device] ?? LogProgress()
        let isHashless = weakness == .namesSegmentsWithoutHash
        let missing = positions.filter {
            isHashless
                ? progress.hashes[$0.sequence] == nil : !progress.applied.contains($0.hash)
        }
        guard !missing.isEmpty else { return }
        if let first = missing.map(\.sequence).min(), first > (progress.tip?.sequence ?? 0) + 1 {
            if weakness == .skipsGaps {
                logs[device, default: LogProgress()]
                    .skip(LogPosition(sequence: first - 1, hash: Segment.origin))
            } else {
                session.poll?.needsSnapshot = true
            }
        }
        session.poll?.missing[device] = Set(missing)
        for position in missing.sorted() {
            session.poll?.awaited += 1
            send(
                .get(.segment(device, position)),
                for: .getSegment(device, position, poll: number),
                &outputs
            )
        }
    }

    // MARK: - Applying

    /// Applies the received segments whose previous segment is applied, until no more can be
    /// applied.
    private mutating func applyInbox(
        _ environment: SyncEnvironment,
        _ outputs: inout [SyncOutput]
    ) {
        guard var poll = session.poll else { return }
        var changed = true
        while changed {
            changed = false
            let ordered = poll.inbox.values.sorted {
                $0.segment.sequence == $1.segment.sequence
                    ? $0.hash < $1.hash : $0.segment.sequence < $1.segment.sequence
            }
            for sealed in ordered where follows(sealed) {
                poll.inbox[sealed.hash] = nil
                changed = true
                apply(sealed, environment, &outputs)
            }
        }
        session.poll?.inbox = poll.inbox
    }

    private func follows(_ sealed: SealedSegment) -> Bool {
        let segment = sealed.segment
        if segment.sequence == 1 { return segment.previous == Segment.origin }
        let progress = logs[segment.device]
        if progress?.isSkipped(segment.sequence - 1) == true { return true }
        return progress?.applied.contains(segment.previous) ?? false
    }

    private mutating func apply(
        _ sealed: SealedSegment,
        _ environment: SyncEnvironment,
        _ outputs: inout [SyncOutput]
    ) {
        let segment = sealed.segment
        guard logs[segment.device]?.applied.contains(sealed.hash) != true else { return }
        let place = LogPlace(device: segment.device, position: sealed.position)
        for transaction in segment.transactions {
            state.apply(transaction, at: place)
            if weakness != .ignoresSeenTimes { clock.observe(transaction.time) }
            dropFinals(of: transaction, &outputs)
        }
        logs[segment.device, default: LogProgress()].append(sealed)
        logs[segment.device]?.readAt = environment.now
        named.formUnion(segment.vector.keys)
        if !segment.transactions.isEmpty {
            owesAcknowledgement = true
            outputs.append(.apply(segment.transactions))
        }
    }

    /// Merges a snapshot into the state.
    ///
    /// The merge is a join, so a snapshot that is not needed does no harm.
    private mutating func merge(
        _ snapshot: CloudSnapshot,
        _ environment: SyncEnvironment,
        _ outputs: inout [SyncOutput]
    ) {
        let theirs = snapshot.logs[device]?.applied ?? []
        if let pending, theirs.contains(pending.hash) { confirmPending(environment, &outputs) }
        let isForeign = !theirs.isSubset(of: logs[device]?.applied ?? [])
        state.merge(snapshot.state)
        for (device, progress) in snapshot.logs {
            let known = logs[device]?.tip
            logs[device, default: LogProgress()].merge(progress)
            // A snapshot also has the logs of silent devices. Only an advance of a log that was
            // read before shows that its device has written since.
            let isAdvance = known != nil && logs[device]?.tip != known
            if isAdvance || weakness == .dormancyByClock { logs[device]?.readAt = environment.now }
        }
        named.formUnion(snapshot.named)
        if weakness != .ignoresSeenTimes { clock.observe(snapshot.time) }
        owesAcknowledgement = true
        outputs.append(
            .apply(snapshot.state.transactions(at: snapshot.time, author: device))
        )
        // The own log may be ahead of a restored image.
        if isForeign, weakness != .keepsIncarnationAfterRestore,
            weakness != .namesSegmentsWithoutHash
        {
            startIncarnation(environment, &outputs)
        }
    }

    // MARK: - The end

    private mutating func finishPoll(
        _ environment: SyncEnvironment,
        _ outputs: inout [SyncOutput]
    ) {
        guard var poll = session.poll, poll.awaited <= 0 || poll.hasFailed else { return }
        for (device, positions) in poll.missing {
            let applied = logs[device]?.applied ?? []
            poll.missing[device] = positions.filter { position in
                weakness == .namesSegmentsWithoutHash
                    ? logs[device]?.hashes[position.sequence] == nil
                    : !applied.contains(position.hash)
            }
        }
        let isComplete = poll.missing.values.allSatisfy(\.isEmpty)
        // A gap may also hide in the other branch of a fork, so whatever does not fit asks for one.
        let mayAsk = weakness != .skipsGaps && weakness != .missingIsUpToDate
        if !isComplete, poll.needsSnapshot || mayAsk, !poll.triedSnapshots, !poll.hasFailed {
            poll.triedSnapshots = true
            poll.awaited = 1
            session.poll = poll
            send(.listSnapshots, for: .listSnapshots(poll: poll.number), &outputs)
            return
        }
        session.poll = nil
        if !isComplete, poll.triedSnapshots, !poll.hasFailed, weakness == nil {
            for (device, positions) in poll.missing.sorted(by: { $0.key < $1.key })
            where !positions.isEmpty {
                let last = logs[device]?.tip?.sequence ?? 0
                outputs.append(.alarm(.missingSegment(device, after: last)))
            }
        }
        guard isComplete, !poll.hasFailed, !poll.isDamaged else { return }
        if poll.scope == .all {
            session.hasPolled = true
            settled.formUnion(poll.retired)
        }
        updateFullness(environment)
        if case .evicting(let contents) = poll.goal { checkBlobs(of: contents, &outputs) }
    }
}

extension LogProgress {
    /// Skips a segment, which happens only with weakened protocols in simulations.
    mutating func skip(_ position: LogPosition) {
        skipped.insert(position.sequence)
        if tip.map({ position.sequence > $0.sequence }) ?? true { tip = position }
    }

    func isSkipped(_ sequence: UInt64) -> Bool {
        skipped.contains(sequence)
    }
}
