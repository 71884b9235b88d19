internal import CloudKeys
internal import CloudSync
internal import EmbeddedLibrary
internal import Foundation
internal import LibraryService
internal import ObjectStorage
internal import PhotoLibrary
internal import PhotoModel
internal import RemoteLibrary
internal import StoreProtocol

/// The steps of a session.
extension SyncHost {
    /// The number of this device's segments after which it writes another snapshot.
    private static let segmentsPerSnapshot: UInt64 = 256
    static let downloadsPerStep = 64
    /// The maximum number of pairs of twins, purges or blobs that one step of a duty handles.
    static let objectsPerStep = 1_000
    private static let downloadsPerPage = 8_192
    /// The time in seconds after which an upload to a folder that wrote nothing since is taken for
    /// interrupted.
    private static let maximumUploadPause = 7.0 * 86_400

    /// Runs a session, which exchanges changes and files with the store.
    ///
    /// - Parameter isShort: Whether only the logs that changed are read, as in the polls between
    ///   complete sessions.
    /// - Returns: What was done and what is left.
    /// - Throws: The first failure, or `cancelled`; what was done until then stays done.
    func session(isShort: Bool = false) async throws(LibraryError) -> Report {
        let heap = TransferHeap()
        defer { withExtendedLifetime(heap) { downloads.end() } }
        try await begin()
        removeUnneededParts()
        try await checkStore()
        try await exportChanges()
        try await poll(isShort: isShort)
        try await followEpoch()
        if !isShort { try await completeKeys() }
        try await publish()
        try await recordTwins()
        if let storage = try engine.optimizedStorage() {
            try await exchangeFiles(storage, isShort: isShort)
        } else {
            try await downloadFiles()
        }
        try await performDuties()
        try await publish()
        if !isShort, store.multipart == nil { await removeOldUploads() }
        // Steps that a cancellation ended early are not done.
        guard !Task.isCancelled else { throw .cancelled }
        try syncJournal()
        try saveSeen()
        report.pending.downloads = try engine.missingFileCounts().waiting
        return currentReport
    }

    // MARK: - The store

    /// Checks, before any write, that the store contains this cloud library's configuration.
    ///
    /// If it is missing, another disk is connected. It never means that the store is new.
    private func checkStore() async throws(LibraryError) {
        let objects = CloudObjectReader(store)
        if let marker, try await !objects.exists(marker.text) {
            throw absence("Its configuration is missing.")
        }
        guard !hasVerifiedMarker else { return }
        try await refreshIdentity()
        let configurations = try await objects.configurations()
        guard !configurations.isEmpty else { throw absence("Its configuration is missing.") }
        guard
            let newest = LibraryConfiguration.newest(of: configurations, members: identity.members)
        else { throw absence("Another cloud library is there.") }
        try remember(newest.key)
        hasVerifiedMarker = true
        if store.multipart != nil { try await abortUploads() }
    }

    /// Stores the object by which the next connection recognizes the store.
    private func remember(_ key: ObjectKey?) throws(LibraryError) {
        marker = key
        let stored = StoredSettings(
            of: try engine.libraryIdentifier(),
            in: configuration.secrets
        )
        guard var settings = try stored.read(), settings.marker != key else { return }
        settings.marker = key
        try stored.write(settings)
    }

    private func absence(_ reason: String) -> LibraryError {
        LibraryError(
            .volumeMissing,
            "The cloud library is not at \(store.place).",
            reason: reason,
            recovery: "Connect the disk or mount the share, or correct the address."
        )
    }

    /// Returns whether a listing of all logs lacks segments seen before, and fails the session in
    /// that case.
    func hasLosses(in names: [ObjectName]) -> Bool {
        guard let error = identity.loss(in: names, devices: machine.state.joined) else {
            return false
        }
        fail(error)
        return true
    }

    private func saveSeen() throws(LibraryError) {
        identity.seen.advance(
            to: SeenState.Found(
                logs: machine.vector.mapValues { [$0] },
                members: identity.members.certificates.mapValues(\.fingerprint),
                epochs: Set(identity.secrets.keyring.all.map(\.id))
            )
        )
        try identity.saveSeen()
    }

    /// Reads the changes that other devices published, and reports those that the store lacks.
    ///
    /// The listing of a log is older than the answers to the requests that follow it. Therefore, a
    /// change counts as missing if two polls do not find it: that of the session before and this
    /// one, or this one and its repetition.
    private func poll(isShort: Bool) async throws(LibraryError) {
        var earlier = gaps
        gaps = []
        try await readLogs(isShort: isShort)
        if !gaps.isSubset(of: earlier) {
            earlier = gaps
            gaps = []
            try await readLogs(isShort: isShort)
        }
        for case .missingSegment(let device, after: _) in gaps.intersection(earlier) {
            noteGap(of: device)
        }
    }

    /// Reads all logs, or those whose heads have changed.
    private func readLogs(isShort: Bool) async throws(LibraryError) {
        guard isShort else { return try await complete(.perform(.pollAll)) }
        // Each poll of the heads reads one log. One that cannot be read leaves room for the others.
        listedLogs = []
        while mayContinue {
            let known = listedLogs
            let duty = known.isEmpty ? Duty.pollHeads : .pollOtherHeads(than: known)
            try await complete(.perform(duty))
            guard listedLogs != known else { return }
        }
    }

    /// Removes the parts of this device's interrupted uploads from the store.
    ///
    /// They would cost money.
    private func abortUploads() async throws(LibraryError) {
        try await CloudObjectReader.request { () throws(ObjectStoreError) in
            _ = try await store.abortUploads(
                below: try ObjectPrefix("blob/\(machine.device.hexadecimal)/"),
                startedBefore: .distantFuture,
                timeout: CloudObjectReader.timeout
            )
        }
    }

    /// Removes what interrupted uploads left in a folder.
    ///
    /// It is not known which computer wrote it, or whether that one still does. Therefore, only
    /// files that are old by the folder's own clock are removed. A failure has no consequence: the
    /// next complete session tries again.
    private func removeOldUploads() async {
        guard !machine.isReadOnly, let tip = machine.vector[machine.device] else { return }
        let timeout = CloudObjectReader.timeout
        do throws(ObjectStoreError) {
            let uploads = try await store.unfinishedUploads(below: .all, timeout: timeout)
            guard !uploads.isEmpty else { return }
            // The same head is written again, for its date.
            let receipt = try await store.put(
                try ObjectKey(ObjectName.head(machine.device).description),
                from: ObjectSource(Array("\(tip.sequence)".utf8)),
                mode: .replace,
                timeout: timeout
            )
            guard let now = receipt.serverDate else { return }
            let limit = now.addingTimeInterval(-Self.maximumUploadPause)
            for upload in uploads where mayContinue {
                guard let started = upload.started, started < limit else { continue }
                try? await store.abort(upload, timeout: timeout)
            }
        } catch {
            // A store that fails here fails in the next session, too, which then says why.
        }
    }

    // MARK: - Changes

    /// Exports changes until none are left or until the state machine has many to publish.
    ///
    /// In memory, unpublished changes take more than the merged state. If some are left, the
    /// machine publishes without acknowledging what was read (`SyncMachine.isExporting`), and
    /// `publish()` continues the export.
    ///
    /// - Returns: Whether anything was exported.
    @discardableResult
    private func exportChanges() async throws(LibraryError) -> Bool {
        let page = configuration.exportPage
        var hasExported = false
        while mayContinue,
            !machine.isExporting || machine.unpublishedOperationCount < page.operations,
            let export = try engine.exportChanges(limit: page.objects, entries: page.entries)
        {
            try await complete(
                .export(
                    export.transactions,
                    adding: export.contents,
                    isComplete: export.isComplete
                )
            )
            // The machine's journal has the changes; a crash before this exports them again.
            try engine.markExported(export)
            hasExported = true
        }
        unexportedChanges = try machine.isExporting ? engine.unexportedChangeCount() : 0
        return hasExported
    }

    /// Publishes changes and files until none are left or repeated attempts change nothing.
    ///
    /// A segment acknowledges what was read, also a purge. Therefore, what a person changed until
    /// then, such as a restore of that photo, is exported first.
    func publish() async throws(LibraryError) {
        try await exportChanges()
        var idle = 0
        while idle < 3, mayContinue {
            let before = publishingProgress
            try await complete(.perform(.publish))
            if machine.isExporting, machine.unexported.isEmpty, machine.pending == nil {
                guard try await exportChanges() else { return }
            } else if machine.backlog.isEmpty {
                return
            }
            idle = before == publishingProgress ? idle + 1 : 0
        }
    }

    /// The values of which at least one changes if publishing makes progress.
    ///
    /// A canceled upload, such as that of a file that is gone, decreases the number of files.
    private var publishingProgress: (SyncMachine.Backlog, LogPosition?, uploaded: Int, files: Int) {
        (machine.backlog, machine.vector[machine.device], report.uploaded, machine.files.count)
    }

    // MARK: - Files

    /// Downloads the missing files, those of the newest photos first.
    ///
    /// Each file is tried once per session.
    private func downloadFiles() async throws(LibraryError) {
        var tried: Set<ContentID> = []
        while mayContinue {
            // Both lists cost as much as the library is large, so a page has many files.
            let waiting = try engine.missingContents(limit: tried.count + Self.downloadsPerPage)
            if tried.isEmpty, waiting.count < Self.downloadsPerPage {
                try await noteArrivals(except: Set(waiting))
            }
            let copied = try await copyFiles(waiting, &tried)
            var page = waiting.filter { machine.isDownloadable($0) && !tried.contains($0) }[...]
            guard !page.isEmpty || copied > 0 else { return }
            while !page.isEmpty, mayContinue, !hasFailed {
                let next = page.prefix(Self.downloadsPerStep)
                page = page.dropFirst(next.count)
                tried.formUnion(next)
                try await perform(together: next.map { .perform(.download($0)) })
                // The next ones begin before these have arrived.
                try await processAnswers(leaving: Self.downloadsPerStep)
            }
            try await settle()
        }
    }

    /// Removes the parts of interrupted downloads that nobody will continue.
    ///
    /// They are old, their files have arrived or have another blob, or no photo needs them any
    /// more. With optimized storage, a removed original counts as needed for an hour after a
    /// request. The store is not needed for this: a photo that was deleted permanently leaves no
    /// part behind when the store cannot be reached.
    private func removeUnneededParts() {
        let state = machine.state
        let isOptimized = (try? engine.optimizedStorage()) != nil
        let requested = configuration.requested()
        engine.downloadParts.clear { blob in
            guard let content = state.blobs[blob]?.content,
                state.readableBlob(of: content) == blob
            else { return false }
            let includesRemoved = !isOptimized || requested.contains(content)
            return (try? engine.isMissing(content, includingRemoved: includesRemoved)) ?? true
        }
    }

    /// Copies missing files from other photos of the library that have the same content.
    ///
    /// They need not be downloaded then.
    ///
    /// - Returns: The number of copies.
    func copyFiles(
        _ waiting: [ContentID],
        _ tried: inout Set<ContentID>
    ) async throws(LibraryError) -> Int {
        var copied = 0
        var absent: [ContentID] = []
        for content in waiting where machine.files.contains(content) && !tried.contains(content) {
            if try await transfer.copy(content) {
                tried.insert(content)
                copied += 1
            } else {
                absent.append(content)
            }
        }
        if !absent.isEmpty { try await perform(.absent(absent)) }
        return copied
    }

    // MARK: - Duties

    /// Records and publishes which photos were imported on several devices.
    ///
    /// This precedes the exchange of files. Otherwise, a twin from another device would have a file
    /// of its own that is not here, and it would be downloaded although the original was removed
    /// to free space.
    func recordTwins() async throws(LibraryError) {
        // What was not exported may be an edit. Two photos that are both edited are no twins.
        guard !machine.isExporting else { return }
        let before = machine.backlog.transactions
        try await repeatWhileUseful(.pairTwins(limit: Self.objectsPerStep))
        if machine.backlog.transactions > before { try await publish() }
    }

    /// Carries out the duties of the state machine at the end of a session.
    ///
    /// Completed purges are recorded, files without a blob are uploaded, and objects that are no
    /// longer needed are removed.
    private func performDuties() async throws(LibraryError) {
        // What was not exported may refer to what would be removed.
        guard !machine.isExporting else { return }
        let duties: [Duty] = [
            .finishPurges(limit: Self.objectsPerStep), .condemn(limit: Self.objectsPerStep),
            .replenish(limit: Self.transfersAtOnce),
        ]
        for duty in duties { try await repeatWhileUseful(duty) }
        if canDelete {
            try await repeatWhileUseful(.collect(limit: Self.objectsPerStep))
            try await removeCondemnedUnnamedBlobs()
        }
        _ = try await removeFormerKeys()
        let own = machine.vector[machine.device]?.sequence ?? 0
        if own >= machine.newestSnapshotSequence + Self.segmentsPerSnapshot, canDelete {
            try await publish()
            try await complete(.perform(.snapshot))
            try await complete(.perform(.compact))
        }
    }

    /// Repeats a duty while each run makes progress and the session may continue.
    ///
    /// A run makes progress if it adds transactions to publish or shrinks the state machine's set
    /// of local files.
    private func repeatWhileUseful(_ duty: Duty) async throws(LibraryError) {
        while mayContinue {
            let before = (machine.backlog.transactions, machine.files.count)
            try await complete(.perform(duty))
            guard machine.backlog.transactions > before.0 || machine.files.count < before.1 else {
                return
            }
        }
    }
}
