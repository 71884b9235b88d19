internal import PhotoModel

extension SyncMachine {
    /// The maximum number of this device's snapshots that are kept in the store.
    private static let kept = 3

    /// Requests an upload of a state snapshot if this device has no unpublished changes.
    mutating func snapshot(_ environment: SyncEnvironment, _ outputs: inout [SyncOutput]) {
        // The state contains unexported changes at once, which the vector would not cover.
        guard mayAct, !isReadOnly, !isExporting, unexported.isEmpty, pending == nil,
            logs[device]?.tip != nil
        else {
            return
        }
        var state = state
        if weakness == .forgetsUnknown { state.forgetUnknown() }
        let snapshot = CloudSnapshot(state: state, logs: logs, named: named, time: clock.last)
        let id = environment.fresh
        send(.put(.snapshot(id), .snapshot(snapshot)), for: .putSnapshot(id, snapshot), &outputs)
    }

    /// Records a snapshot that was verified by reading it back, and deletes the oldest snapshots
    /// beyond `kept`.
    mutating func recordSnapshot(
        _ id: CloudID,
        _ vector: VersionVector,
        _ outputs: inout [SyncOutput]
    ) {
        snapshots.append(SnapshotRecord(id: id, vector: vector))
        while snapshots.count > Self.kept, !isReadOnly {
            let old = snapshots.removeFirst()
            send(.delete(.snapshot(old.id)), for: .ignored, &outputs)
        }
    }

    /// Deletes this device's segments that all members have acknowledged and that its last two
    /// snapshots contain.
    ///
    /// The last segment stays, so that a listing shows how far the log goes.
    mutating func compact(_ outputs: inout [SyncOutput]) {
        guard mayAct, !isReadOnly, let progress = logs[device], let tip = progress.tip else {
            return
        }
        var end = tip.sequence - 1
        if weakness != .compactsWithoutSnapshots {
            guard snapshots.count >= 2 else { return }
            for record in snapshots.suffix(2) {
                end = min(end, record.vector[device]?.sequence ?? 0)
            }
        }
        if weakness != .compactsWithoutAcknowledgements {
            for member in members where member != device {
                guard let theirs = logs[member]?.vector[device] else { return }
                if let known = progress.hashes[theirs.sequence], known != theirs.hash { return }
                end = min(end, theirs.sequence)
            }
        }
        guard end > compacted else { return }
        let covered = progress.hashes.filter { $0.key > compacted && $0.key <= end }
        for (sequence, hash) in covered.sorted(by: { $0.key < $1.key }) {
            let position = LogPosition(sequence: sequence, hash: hash)
            send(.delete(.segment(device, position)), for: .ignored, &outputs)
        }
        compacted = end
    }
}
