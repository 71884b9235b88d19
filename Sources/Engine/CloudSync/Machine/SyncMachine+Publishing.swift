internal import PhotoModel

extension SyncMachine {
    /// The maximum size of the transactions of a segment, in bytes.
    private static let transactionsSize = Segment.maximumSize / 4 * 3
    /// The maximum size in bytes of a segment's transactions if there are more than `segmentLimit`
    /// of them.
    private static let usualSize = 256 << 10

    /// Publishes the next segment: starts the uploads that it needs, builds it, and sends it.
    ///
    /// A call does as much as is possible before the store answers. A pending segment is sent
    /// again. The own log is polled first if it was not listed since the start.
    mutating func publish(_ environment: SyncEnvironment, _ outputs: inout [SyncOutput]) {
        guard !isReadOnly else { return }
        if state.retired.contains(device), weakness != .ignoresOwnRetirement {
            outputs.append(.alarm(.retired))
            startIncarnation(environment, &outputs)
        }
        // A restored image may be older than the own log; its next segment would be a fork.
        if !session.isOwnLogChecked, weakness != .keepsIncarnationAfterRestore {
            poll(.one(device), for: .reading, &outputs)
            return
        }
        if pending == nil {
            guard upload(environment, &outputs) else { return }
            buildSegment()
        }
        guard let pending, !isSending else { return }
        send(
            .put(segmentName(pending), .segment(pending)),
            for: .putSegment(pending.position),
            &outputs
        )
    }

    private var isSending: Bool {
        session.requests.values.contains {
            if case .putSegment = $0 { true } else { false }
        }
    }

    func segmentName(_ sealed: SealedSegment) -> ObjectName {
        var position = sealed.position
        if weakness == .namesSegmentsWithoutHash { position.hash = Segment.origin }
        return .segment(sealed.segment.device, position)
    }

    // MARK: - Uploads before references

    /// Starts the missing uploads of the first unpublished transactions.
    ///
    /// A segment waits for the uploads of all its transactions. If an upload failed, the
    /// transactions that precede it are published without waiting.
    ///
    /// - Returns: Whether at least one transaction, or an acknowledgement, can be published.
    private mutating func upload(_ environment: SyncEnvironment, _ outputs: inout [SyncOutput])
        -> Bool
    {
        guard let first = unexported.first else {
            return owesAcknowledgement || logs[device] == nil
        }
        let missing = missingContents()
        guard let next = missing.first else { return true }
        let hasFailed = uploads.contains(next) { blob, upload in
            !upload.replenishes && session.failed.contains(blob)
        }
        for (number, content) in missing.enumerated() {
            startUpload(of: content, replenishes: false, number: number, environment, &outputs)
        }
        if weakness == .storesBeforeUpload { return true }
        return hasFailed && missingContent(of: first) == nil
    }

    /// Returns the contents to upload next, in the order of the transactions that refer to them.
    ///
    /// The search continues at the first content that was missing in the last step, since those
    /// before it stay stored until a segment is built.
    private mutating func missingContents() -> [ContentID] {
        var missing: [ContentID] = []
        let window = min(uploadsAtOnce > 1 ? segmentLimit : 1, unexported.count)
        var place = findings.uploadStart
        while place.transaction < window {
            let operations = unexported[place.transaction].operations
            while place.operation < operations.count {
                for content in operations[place.operation].contents
                where !missing.contains(content) && !isStored(content) {
                    missing.append(content)
                    if missing.count >= uploadsAtOnce { return missing }
                }
                place.operation += 1
                if missing.isEmpty { findings.uploadStart = place }
            }
            place = Place(transaction: place.transaction + 1)
            if missing.isEmpty { findings.uploadStart = place }
        }
        return missing
    }

    /// Returns the first content that must be uploaded before a transaction is published; nil if
    /// there is none.
    private func missingContent(of transaction: CloudTransaction) -> ContentID? {
        for operation in transaction.operations {
            for content in operation.contents where !isStored(content) { return content }
        }
        return nil
    }

    /// Returns whether a reference to a content may be published.
    ///
    /// A full device may rely on any usable blob, since every device waits for its acknowledgement
    /// before it deletes a blob. Other devices rely only on their own upload, which the same
    /// segment announces.
    private func isStored(_ content: ContentID) -> Bool {
        if isFull, reliableBlob(of: content) != nil { return true }
        // Without a file there is nothing to upload: the reference was here before.
        if !files.contains(content) { return true }
        return uploads.contains(content) { _, upload in
            !upload.replenishes && (upload.isDone || weakness == .storesBeforeUpload)
        }
    }

    /// Returns a blob that has the given content and that references may rely on; nil if there is
    /// none.
    func reliableBlob(of content: ContentID) -> BlobName? {
        if weakness == .reliesOnCondemned {
            return state.blobsOfContent[content]?.filter { state.blobs[$0]?.isGone == false }.min()
        }
        return state.usableBlob(of: content)
    }

    /// Starts the upload of a content as a new blob, or repeats an unfinished upload.
    ///
    /// `number` distinguishes the uploads of one step, so that each blob has its own name.
    mutating func startUpload(
        of content: ContentID,
        replenishes: Bool,
        number: Int = 0,
        _ environment: SyncEnvironment,
        _ outputs: inout [SyncOutput]
    ) {
        guard files.contains(content) else { return }
        let known = uploads.blob(of: content) { _, upload in
            upload.replenishes == replenishes && !upload.isDone
        }
        let name: BlobName
        if let blob = known {
            name = blob
            let isUnderWay = session.requests.values.contains {
                if case .putBlob(blob) = $0 { true } else { false }
            }
            if isUnderWay { return }
        } else {
            name =
                weakness == .reusesBlobNames
                ? BlobName(device: CloudID(0, 0), id: content.first)
                : BlobName(device: device, id: environment.fresh(number))
            uploads[name] = Upload(content: content, replenishes: replenishes)
        }
        send(.put(.blob(name), .blob(content)), for: .putBlob(name), &outputs)
    }

    mutating func confirmUpload(
        _ blob: BlobName,
        key: [UInt8],
        _ environment: SyncEnvironment
    ) {
        guard let upload = uploads[blob], !upload.isDone else { return }
        uploads[blob]?.isDone = true
        uploads[blob]?.key = key
        session.failed.remove(blob)
        if upload.replenishes {
            uploads[blob]?.isAttached = true
            // It becomes part of the state when its segment is confirmed: a new incarnation drops
            // it.
            unexported.append(
                CloudTransaction(
                    time: clock.next(now: environment.now),
                    author: device,
                    operations: [.stored(upload.content, blob: blob, key: key)]
                )
            )
        }
    }

    /// Cancels the upload of a file that is damaged or no longer in the library.
    ///
    /// An edit was replaced, or a photo was purged, after the change was exported. The change and
    /// those after it are published without the file.
    mutating func cancelUpload(_ blob: BlobName) {
        guard let upload = uploads[blob], !upload.isDone else { return }
        uploads[blob] = nil
        session.failed.remove(blob)
        files.remove(upload.content)
    }

    // MARK: - Segments

    /// Builds the next segment from the transactions whose contents are stored.
    private mutating func buildSegment() {
        // The transactions are divided, and leave the queue afterwards.
        findings.uploadStart = Place()
        var transactions: [CloudTransaction] = []
        var size = 0
        // With one upload at a time, as in simulations, segments are small.
        while transactions.count < unexported.count,
            uploadsAtOnce > 1 || transactions.count < segmentLimit
        {
            let length = divideTransaction(at: transactions.count)
            var transaction = unexported[transactions.count]
            let maximum =
                transactions.count < segmentLimit ? Self.transactionsSize : Self.usualSize
            guard missingContent(of: transaction) == nil,
                transactions.isEmpty || size + length <= maximum
            else { break }
            size += length
            transaction.operations = announcements(for: transaction) + transaction.operations
            transactions.append(transaction)
        }
        if weakness == .splitsTransactions, let first = unexported.first,
            first.operations.count > 1, !transactions.isEmpty
        {
            let half = CloudTransaction(
                time: first.time,
                author: first.author,
                operations: [first.operations[0]]
            )
            unexported[0].operations.removeFirst()
            unexported.prepend(half)
            transactions = [half]
        }
        // Only a segment with all changes before the reading acknowledges it: a reader concludes
        // from the vector that no earlier reference is still to come.
        let isAll = transactions.count == unexported.count && !isExporting
        if isAll || weakness == .acknowledgesBeforeExport {
            acknowledged = vector
            owesAcknowledgement = false
        }
        let tip = logs[device]?.tip
        var hashed = Segment(
            device: device,
            sequence: (tip?.sequence ?? 0) + 1,
            previous: tip?.hash ?? Segment.origin,
            vector: acknowledged,
            transactions: transactions
        )
        hashed.vector[device] = nil
        pending = SealedSegment(segment: hashed, hash: hashing.hash(of: hashed))
    }

    /// Divides an unexported transaction if it is too large for a segment, since no device accepts
    /// an oversized segment.
    ///
    /// - Returns: The maximum size of the transaction that is then at the index, in bytes.
    private mutating func divideTransaction(at index: Int) -> Int {
        let size = unexported[index].maximumSize
        guard size > Self.transactionsSize else { return size }
        let parts = unexported[index].divided(limit: Self.transactionsSize)
        unexported.replace(at: index, with: parts)
        return unexported[index].maximumSize
    }

    /// Returns the `stored` operations that announce the uploads of a transaction and are published
    /// with it.
    private mutating func announcements(for transaction: CloudTransaction) -> [CloudOperation] {
        var operations: [CloudOperation] = []
        for content in Set(transaction.operations.flatMap(\.contents)).sorted() {
            let done = uploads.blob(of: content) { _, upload in
                !upload.replenishes && !upload.isAttached
                    && (upload.isDone || weakness == .storesBeforeUpload)
            }
            guard let blob = done, let upload = uploads[blob] else { continue }
            uploads[blob]?.isAttached = true
            operations.append(.stored(content, blob: blob, key: upload.key))
        }
        return operations
    }

    /// Adds the pending segment to this device's log once it is known to be in the store.
    mutating func confirmPending(_ environment: SyncEnvironment, _ outputs: inout [SyncOutput]) {
        guard let sealed = pending else { return }
        pending = nil
        let place = LogPlace(device: device, position: sealed.position)
        for transaction in sealed.segment.transactions {
            state.confirm(transaction, at: place)
            for case .stored(_, let blob, _) in transaction.operations { uploads[blob] = nil }
        }
        unexported.removeFirst(sealed.segment.transactions.count)
        logs[device, default: LogProgress()].append(sealed)
        if joinPlace == nil { joinPlace = place }
        send(.put(.head(device), .head(sealed.segment.sequence)), for: .ignored, &outputs)
    }

    // MARK: - Incarnations

    /// Starts a new incarnation of this device, with a new identifier and a new log; it is not a
    /// full member yet.
    ///
    /// Operations that are not confirmed are published again. They keep their author and time, so
    /// they are the same operations even if the old segment arrives, too. Announcements of uploads
    /// are dropped and the files are uploaded again, since nothing protects the blobs of a retired
    /// device.
    mutating func startIncarnation(_ environment: SyncEnvironment, _ outputs: inout [SyncOutput]) {
        let old = device
        former.append(old)
        device = environment.fresh
        outputs.append(.alarm(.newIncarnation(old)))
        pending = nil
        uploads = UploadTable()
        findings = Findings()
        for index in unexported.indices {
            unexported[index].operations.removeAll {
                if case .stored = $0 { true } else { false }
            }
        }
        joinPlace = nil
        isFull = false
        snapshots = []
        compacted = 0
        acknowledged = [:]
        session = Session()
        session.isOwnLogChecked = true
        let time = clock.next(now: environment.now)
        let join = CloudTransaction(
            time: time,
            author: device,
            operations: [.join(name: name), .retire(old)]
        )
        state.apply(join, at: nil)
        unexported.prepend(join)
    }
}
