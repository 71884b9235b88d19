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
        guard evictable([content]) == [content], reliableBlob(of: content) == blob else { return }
        files.remove(content)
        outputs.append(.removeFile(content))
    }

    /// Whether this device may remove local files whose contents are in the store.
    package var mayEvict: Bool { !isReadOnly && (mayAct || weakness == .evictsBeforeFull) }

    /// Returns the given contents whose files may be removed according to the current state,
    /// without a poll.
    package func evictable(_ contents: [ContentID]) -> [ContentID] {
        guard mayEvict else { return [] }
        let unpublished = weakness == .evictsUnpublished ? [] : unpublishedContents
        return contents.filter { content in
            files.contains(content) && state.isReferenced(content)
                && reliableBlob(of: content) != nil && !unpublished.contains(content)
        }
    }

    /// The contents of unpublished operations, and of uploads that no confirmed segment announces.
    private var unpublishedContents: Set<ContentID> {
        var contents = Set(unexported.flatMap { $0.operations.flatMap(\.contents) })
        for upload in uploads.values { contents.insert(upload.content) }
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

    /// Uploads one referenced content that has no usable blob, as a new blob.
    ///
    /// Without a local file, the content is first downloaded from a condemned blob. A condemned
    /// blob itself never becomes usable again.
    mutating func replenish(_ environment: SyncEnvironment, _ outputs: inout [SyncOutput]) {
        guard !isReadOnly else { return }
        // The next segment announces the upload of a new reference.
        let new = Set(unexported.flatMap { $0.operations.flatMap(\.contents) })
        for content in state.referrers.keys.sorted()
        where state.isReferenced(content) && reliableBlob(of: content) == nil {
            let isUnderWay = uploads.values.contains { $0.content == content && $0.isDone }
            if isUnderWay || new.contains(content) { continue }
            if files.contains(content) {
                startUpload(of: content, replenishes: true, environment, &outputs)
                return
            }
            // Nobody may have uploaded it, such as an edit that was replaced before its upload.
            guard state.readableBlob(of: content) != nil else { continue }
            download(content, &outputs)
            return
        }
    }

    // MARK: - Condemning and collecting

    /// Condemns one blob, that is, marks it for deletion, if its content is unreferenced or in
    /// another usable blob.
    mutating func condemn(_ environment: SyncEnvironment) {
        guard !isReadOnly else { return }
        for name in state.blobs.keys.sorted() {
            guard let blob = state.blobs[name], blob.isUsable, let content = blob.content,
                mayCondemn(name, of: content)
            else { continue }
            commit([.condemn(name)], environment)
            return
        }
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

    /// Deletes one condemned blob that is no longer needed.
    ///
    /// All members have acknowledged the condemnation, and the content is not referenced or another
    /// usable blob has it.
    mutating func collect(_ environment: SyncEnvironment, _ outputs: inout [SyncOutput]) {
        guard !isReadOnly, mayAct || weakness == .deletesBeforeFull else { return }
        for name in state.blobs.keys.sorted() {
            guard let blob = state.blobs[name], blob.isCondemned, !blob.isGone,
                let content = blob.content, !isDeleting(name)
            else { continue }
            let isAcknowledged = blob.condemned.contains { self.isAcknowledged($0, environment) }
            guard isAcknowledged || weakness == .deletesWithoutAcknowledgements else { continue }
            let isReplaced = state.usableBlob(of: content, except: name) != nil
            guard !state.isReferenced(content) || isReplaced || weakness == .deletesNeeded else {
                continue
            }
            send(.delete(.blob(name)), for: .deleteBlob(name), &outputs)
            return
        }
    }

    private func isDeleting(_ name: BlobName) -> Bool {
        session.requests.values.contains {
            if case .deleteBlob(name) = $0 { true } else { false }
        }
    }
}
