extension SyncMachine {
    // MARK: - Eviction

    /// Starts the eviction of local files whose contents are in the store.
    ///
    /// The first step is a poll of all logs.
    ///
    /// Contents of unpublished operations are excluded.
    mutating func evict(_ contents: [ContentID], _ outputs: inout [SyncOutput]) {
        let contents = evictable(contents)
        guard !contents.isEmpty else { return }
        if weakness == .evictsWithoutPoll {
            checkBlobs(of: contents, &outputs)
        } else {
            poll(.all, for: .evicting(contents), &outputs)
        }
    }

    /// Requests a check of the blob of each content that is still evictable after the poll.
    ///
    /// A store that was rolled back may lack the blob.
    mutating func checkBlobs(of contents: [ContentID], _ outputs: inout [SyncOutput]) {
        for content in evictable(contents) {
            guard let blob = reliableBlob(of: content) else { continue }
            send(.check(blob), for: .checkBlob(content, blob), &outputs)
        }
    }

    /// Removes the local file of a content if the file is still evictable after the poll and the
    /// check.
    ///
    /// Another device that retires this one writes the retirement and then reads this device's log.
    /// This device wrote its references before it read the logs. So at least one of the two sees
    /// the other's write.
    mutating func finishEviction(
        of content: ContentID,
        blob: BlobName,
        _ outputs: inout [SyncOutput]
    ) {
        guard mayEvict else { return }
        let unpublished = findings.unpublished ?? unpublishedContents
        findings.unpublished = unpublished
        guard evictable([content], except: unpublished) == [content],
            reliableBlob(of: content) == blob
        else { return }
        files.remove(content)
        outputs.append(.removeFile(content))
    }

    /// Indicates whether this device may remove local files whose contents are in the store.
    package var mayEvict: Bool { !isReadOnly && (mayAct || weakness == .evictsBeforeFull) }

    /// Returns the given contents whose files may be removed according to the current state,
    /// without a poll.
    package func evictable(_ contents: [ContentID]) -> [ContentID] {
        guard mayEvict else { return [] }
        return evictable(contents, except: unpublishedContents)
    }

    private func evictable(
        _ contents: [ContentID],
        except unpublished: Set<ContentID>
    ) -> [ContentID] {
        contents.filter { content in
            files.contains(content) && state.isReferenced(content)
                && reliableBlob(of: content) != nil && !unpublished.contains(content)
        }
    }

    /// The contents of unpublished operations, and of uploads that no confirmed segment announces.
    private var unpublishedContents: Set<ContentID> {
        if weakness == .evictsUnpublished { return [] }
        var contents = Set(unexported.flatMap { $0.operations.flatMap(\.contents) })
        for upload in uploads.entries.values { contents.insert(upload.content) }
        return contents
    }

    // MARK: - Download

    mutating func download(_ content: ContentID, _ outputs: inout [SyncOutput]) {
        guard !files.contains(content), state.isReferenced(content),
            let blob = state.readableBlob(of: content)
        else { return }
        send(.get(.blob(blob)), for: .getBlob(content), &outputs)
    }

    // MARK: - Replenishing

    /// Uploads referenced contents that have no usable blob, as new blobs.
    ///
    /// At most `limit` transfers are begun, those of the smallest contents; an upload that is under
    /// way counts as one. Without a local file, the content is first downloaded from a condemned
    /// blob. A condemned blob itself never becomes usable again.
    mutating func replenish(
        limit: Int,
        _ environment: SyncEnvironment,
        _ outputs: inout [SyncOutput]
    ) {
        guard !isReadOnly else { return }
        var waiting = findings.replenishable ?? Queue(replenishableContents())
        findings.replenishable = nil
        var contents: [ContentID] = []
        while contents.count < limit, let content = waiting.popFirst() {
            if mayReplenish(content) { contents.append(content) }
        }
        // They stay in the queue until their uploads are confirmed.
        for content in contents.reversed() { waiting.prepend(content) }
        findings.replenishable = waiting
        for (number, content) in contents.enumerated() {
            if files.contains(content) {
                startUpload(of: content, replenishes: true, number: number, environment, &outputs)
            } else {
                download(content, &outputs)
            }
        }
    }

    /// Returns all contents to replenish, in ascending order.
    private func replenishableContents() -> [ContentID] {
        // The next segment announces the upload of a new reference.
        let announced = Set(unexported.flatMap { $0.operations.flatMap(\.contents) })
        return state.referrers.keys.filter {
            reliableBlob(of: $0) == nil && !announced.contains($0) && mayReplenish($0)
        }.sorted()
    }

    /// Returns whether a content can be uploaded as another blob, and was not yet.
    private func mayReplenish(_ content: ContentID) -> Bool {
        if uploads.contains(content, where: { _, upload in upload.isDone }) { return false }
        // Nobody may have uploaded it, such as an edit that was replaced before its upload.
        return files.contains(content) || state.readableBlob(of: content) != nil
    }

    // MARK: - Condemning and collecting

    /// Condemns blobs, that is, marks them for deletion, if their contents are unreferenced or in
    /// other usable blobs.
    ///
    /// At most `limit` blobs are condemned, those with the smallest names, in one transaction. The
    /// usable blob of a referenced content that has the smallest name is never among them.
    /// Therefore a blob may be condemned regardless of those that are condemned with it.
    mutating func condemn(limit: Int, _ environment: SyncEnvironment) {
        guard !isReadOnly else { return }
        var names: [BlobName] = []
        for (name, blob) in state.blobs where blob.isUsable {
            guard let content = blob.content, mayCondemn(name, of: content) else { continue }
            names.append(name)
        }
        guard !names.isEmpty, limit > 0 else { return }
        commit(names.smallest(limit).map { .condemn($0) }, environment)
    }

    private func mayCondemn(_ name: BlobName, of content: ContentID) -> Bool {
        switch weakness {
        case .condemnsReferenced: true
        case .condemnsBeforeFinal where !state.isNeeded(content): true
        default:
            !state.isReferenced(content)
                || state.usableBlob(of: content).map { $0 < name } ?? false
        }
    }

    /// Deletes condemned blobs that are no longer needed.
    ///
    /// All members have acknowledged the condemnation, and the content is not referenced or another
    /// usable blob has it. At most `limit` requests are sent, for the blobs with the smallest names
    /// among those without a request. If a request is lost, such as in a crash, the blob stays
    /// condemned and is deleted later.
    mutating func collect(
        limit: Int,
        _ environment: SyncEnvironment,
        _ outputs: inout [SyncOutput]
    ) {
        guard !isReadOnly, mayAct || weakness == .deletesBeforeFull else { return }
        let deleting = requestedDeletions
        var names: [BlobName] = []
        for (name, blob) in state.blobs where blob.isCondemned && !blob.isGone {
            guard let content = blob.content, !deleting.contains(name) else { continue }
            let isNeeded =
                state.isReferenced(content)
                && state.usableBlob(of: content, except: name) == nil
            guard !isNeeded || weakness == .deletesNeeded else { continue }
            let isAcknowledged = blob.condemned.contains { self.isAcknowledged($0, environment) }
            guard isAcknowledged || weakness == .deletesWithoutAcknowledgements else { continue }
            names.append(name)
        }
        for name in names.smallest(limit) {
            send(.delete(.blob(name)), for: .deleteBlob(name), &outputs)
        }
    }

    /// The blobs whose deletion was requested and is not answered yet.
    var requestedDeletions: Set<BlobName> {
        var names: Set<BlobName> = []
        for case .deleteBlob(let name) in session.requests.values { names.insert(name) }
        return names
    }
}

extension Sequence where Element: Comparable {
    /// Returns the smallest elements in ascending order, at most `limit`.
    func smallest(_ limit: Int) -> [Element] { Array(sorted().prefix(Swift.max(0, limit))) }
}
