extension SyncMachine {
    /// The devices whose acknowledgment is required.
    ///
    /// They are this device and all devices that have a log or occur in a version vector read so
    /// far, except those whose retirement is settled.
    ///
    /// A retirement is settled once this device has read the retirement, then listed the log of the
    /// retired device, and read all listed segments. Clocks never end a membership.
    package var members: Set<CloudID> {
        var members =
            weakness == .namesNoMembers
            ? Set(state.joined.keys) : Set(logs.keys).union(named)
        members.insert(device)
        members.subtract(weakness == .retiresWithoutList ? state.retired : settled)
        return members
    }

    /// Returns the members other than this device.
    ///
    /// Only the weakness `dormancyByClock` excludes inactive members.
    private func others(_ environment: SyncEnvironment) -> Set<CloudID> {
        var others = members
        others.remove(device)
        if weakness == .dormancyByClock {
            let limit: UInt64 = 30 * 86_400_000
            others = others.filter { other in
                let readAt = logs[other]?.readAt ?? 0
                return environment.now < readAt || environment.now - readAt < limit
            }
        }
        return others
    }

    /// Indicates whether this device is a full member (``isFull``) and not retired.
    ///
    /// All other devices then wait for its acknowledgment.
    var mayAct: Bool {
        isFull && (weakness == .ignoresOwnRetirement || !state.retired.contains(device))
    }

    /// Returns whether a version vector includes a place in a log.
    ///
    /// Places at or after a fork are never included, since a number names two segments there.
    func covers(_ vector: VersionVector, _ place: LogPlace) -> Bool {
        guard let position = vector[place.device], position.sequence >= place.position.sequence,
            let progress = logs[place.device]
        else { return false }
        if let fork = progress.forkedAt, place.position.sequence >= fork { return false }
        if let known = progress.hashes[position.sequence], known != position.hash { return false }
        return true
    }

    /// Returns whether every member has acknowledged a place in a log, and this device has read
    /// every segment that the other members acknowledged.
    func isAcknowledged(_ place: LogPlace, _ environment: SyncEnvironment) -> Bool {
        let own = logs[place.device]?.tip?.sequence ?? 0
        guard own >= place.position.sequence else { return false }
        return others(environment).allSatisfy { member in
            // A device acknowledges its own operations by writing them.
            guard let progress = logs[member], progress.tip != nil else { return false }
            let isOwn = member == place.device && progress.forkedAt == nil
            guard isOwn || covers(progress.vector, place) else { return false }
            return weakness == .deletesWithoutReading || weakness == .namesNoMembers
                || hasRead(progress.vector)
        }
    }

    /// Returns whether this device has read all segments in a version vector.
    private func hasRead(_ theirs: VersionVector) -> Bool {
        theirs.allSatisfy { device, position in
            logs[device]?.applied.contains(position.hash) ?? false
        }
    }

    /// Makes this device a full member if every other member has acknowledged this device's join,
    /// and this device has read every segment that those members acknowledged.
    mutating func updateFullness(_ environment: SyncEnvironment) {
        guard !isFull, session.hasPolled, let joinPlace else { return }
        if weakness == .joinsWithoutHandshake {
            isFull = true
            return
        }
        var others = others(environment)
        if weakness == .joinsWithoutReading { others.formIntersection(state.joined.keys) }
        // Nobody else is known to a device that has not read any log. A device that lost its state
        // has read that of its former name, and may be the only member.
        guard isCreator || !former.isEmpty || !settled.isEmpty || !others.isEmpty else { return }
        isFull = others.allSatisfy { member in
            guard let progress = logs[member] else { return false }
            return covers(progress.vector, joinPlace)
                && (weakness == .joinsWithoutReading || weakness == .namesNoMembers
                    || hasRead(progress.vector))
        }
    }

    // MARK: - Purges

    /// Makes those purges final that are still in effect and that all members have acknowledged.
    ///
    /// At most `limit` purges become final, those of the smallest objects, in one transaction.
    ///
    /// When a member read the purge, it had the trash stamp that the purge names, or a later one
    /// that this device has read as well. So the object was purged on every member, and none can
    /// have restored it since.
    mutating func finishPurges(
        limit: Int,
        _ environment: SyncEnvironment,
        _ outputs: inout [SyncOutput]
    ) {
        guard !isReadOnly else { return }
        let finals = state.purged.filter { mayFinish($0, environment) }.smallest(limit)
        guard !finals.isEmpty else { return }
        commitForAll(finals.map { .final($0) }, environment, &outputs)
        if let last = unexported.last { dropFinals(of: last, &outputs) }
    }

    private func mayFinish(_ id: CloudID, _ environment: SyncEnvironment) -> Bool {
        guard let object = state.objects[id], object.isPurged,
            let trash = object.registers[RegisterKey(.trash)],
            let places = object.purges[trash.stamp]
        else { return false }
        return weakness == .finalWithoutAcknowledgements
            || places.contains { isAcknowledged($0, environment) }
    }

    /// Removes all unreferenced local files if a transaction contains a final purge.
    mutating func dropFinals(of transaction: CloudTransaction, _ outputs: inout [SyncOutput]) {
        let hasFinal = transaction.operations.contains {
            switch $0 {
            case .final: true
            case .purge: weakness == .absoluteTombstones
            default: false
            }
        }
        guard hasFinal else { return }
        // Almost all files are referenced, so only the others are sorted.
        for content in files.filter({ !state.isReferenced($0) }).sorted() {
            files.remove(content)
            outputs.append(.removeFile(content))
        }
    }

    /// Records pairs of twins that are not recorded yet, at most `limit`.
    mutating func pairTwins(
        limit: Int,
        _ environment: SyncEnvironment,
        _ outputs: inout [SyncOutput]
    ) {
        let pairs = state.missingPairs(limit: limit)
        guard !pairs.isEmpty else { return }
        commitForAll(pairs.map { .same($0.first, $0.second) }, environment, &outputs)
    }
}
