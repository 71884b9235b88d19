/// The removal of blobs whose upload no device has announced with the operation `stored`.
///
///     unnamed ──condemned──▶ acknowledged by all members ──deleted──▶ gone
///
/// 1. Only blobs of devices whose retirement is settled are abandoned. The blobs of other devices
///    may be uploads in progress, perhaps those of a clone.
/// 2. A retired device, or a late request, may still publish a segment that names such a blob.
///    Therefore the blob is condemned first: no device relies on a condemned blob, whenever it
///    reads that segment, and the next incarnation uploads the content again.
extension SyncMachine {
    /// Returns whether a blob is abandoned: its upload is not announced, and the log of its device
    /// has ended.
    ///
    /// The log has ended if the retirement of the device is settled and all members have
    /// acknowledged the log's last segment.
    ///
    /// The result is false on a device that may not delete blobs, and remains true after the blob
    /// has been condemned by `Duty.removeAbandoned`.
    package func isAbandoned(_ blob: BlobName, _ environment: SyncEnvironment) -> Bool {
        guard mayAct, !isReadOnly, state.blobs[blob]?.content == nil, uploads[blob] == nil else {
            return false
        }
        return weakness == .removesUnfinished || hasEnded(blob.device, environment)
    }

    /// Returns whether the retirement of a device is settled, and all members have acknowledged the
    /// end of its log.
    ///
    /// A device without a segment has nothing to acknowledge.
    private func hasEnded(_ device: CloudID, _ environment: SyncEnvironment) -> Bool {
        guard settled.contains(device) else { return false }
        guard let tip = logs[device]?.tip else { return true }
        return isAcknowledged(LogPlace(device: device, position: tip), environment)
    }

    /// The condemned blobs that are not deleted yet and whose upload is not announced, in ascending
    /// order.
    package var condemnedUnnamedBlobs: [BlobName] {
        var names: [BlobName] = []
        for (name, blob) in state.blobs
        where blob.isCondemned && !blob.isGone && blob.content == nil {
            names.append(name)
        }
        return names.sorted()
    }

    /// Condemns the abandoned ones among the given blobs.
    ///
    /// Those whose condemnation all members have acknowledged are deleted. The condemnations are
    /// one transaction.
    mutating func removeAbandoned(
        _ blobs: Set<BlobName>,
        _ environment: SyncEnvironment,
        _ outputs: inout [SyncOutput]
    ) {
        let names = blobs.filter { isAbandoned($0, environment) }.sorted()
        if weakness == .removesUncondemned {
            for name in names { send(.delete(.blob(name)), for: .ignored, &outputs) }
            return
        }
        let new = names.filter { state.blobs[$0]?.isCondemned != true }
        if !new.isEmpty { commit(new.map { .condemn($0) }, environment) }
        let deleting = requestedDeletions
        for name in names where !deleting.contains(name) {
            let places = state.blobs[name]?.condemned ?? []
            guard places.contains(where: { isAcknowledged($0, environment) }) else { continue }
            send(.delete(.blob(name)), for: .deleteBlob(name), &outputs)
        }
    }
}
