internal import CloudKeys
internal import CloudSync
internal import EmbeddedLibrary
internal import Foundation
internal import LibraryService
internal import Logging
internal import ObjectStorage
internal import PhotoLibrary
internal import PhotoModel
internal import RemoteLibrary

/// A library's connection to its cloud library, which carries out the outputs of the state machine.
///
///     library ──export──▶ machine ──requests──▶ store
///     library ◀──import── machine ◀──answers──┘
///
/// 1. An input is durable before its outputs are carried out (`MachineJournal`).
/// 2. At most sixteen requests are under way, or 32 with downloads, some of which only wait for
///    their place in the library. Answers may arrive in any order.
/// 3. A session ends with nothing under way. The first failure of a request ends it early, and the
///    next session continues.
actor SyncHost {
    /// The services and callbacks that a host uses.
    struct Configuration: Sendable {
        var secrets: any SecretStore
        var opener: StoreOpener
        var logger: Logger
        /// Returns whether the session may continue, unless its task is canceled.
        ///
        /// It may while the daemon is not stopping and holds the lock.
        var mayContinue: @Sendable () -> Bool = { true }
        /// Returns the contents that were requested recently, which must not be removed.
        var requested: @Sendable () -> Set<ContentID> = { [] }
        /// The space that removals of originals free, also those of earlier hosts.
        var removalYield = RemovalYield()
        /// Receives the progress of the session.
        var report: @Sendable (Report) -> Void = { _ in }
        /// The amounts of changes that are exported at a time.
        var exportPage = ExportPage()
        /// The maximum size in bytes of an input in the journal; nil for the usual one.
        var maximumInputSize: Int?
    }

    /// The amounts of changes that are exported at a time, which bound the memory of an export.
    struct ExportPage: Sendable {
        /// The number of objects of a part of an export of all objects.
        var objects = 2_000
        /// The number of journal entries of a part of another export.
        var entries = 20_000
        /// The number of unpublished operations from which on they are published before further
        /// parts are exported.
        ///
        /// It is about 10,000 photos.
        var operations = 100_000
    }

    /// The completed and remaining work of a session.
    struct Report: Sendable {
        var uploaded = 0
        var downloaded = 0
        /// The number of originals that were removed to free space.
        var removed = 0
        var versions = 0
        var pending = CloudStatus.Work()
        var alarms: [String] = []
    }

    static let requestsAtOnce = 16
    /// The maximum number of requests under way with which another download begins.
    ///
    /// During a commit, which places some files, as many others arrive.
    static let downloadsAtOnce = 32
    static let transfersAtOnce = 4

    let engine: LibraryEngine
    let configuration: Configuration
    let store: any ObjectStore
    /// Indicates whether objects may be deleted in the store.
    ///
    /// They may not if the probe found that the store is suitable only for backups.
    let canDelete: Bool
    var uploads: StagedUploads
    let downloads = DownloadFolder()
    var identity: CloudIdentity
    var machine: SyncMachine
    private var journal: MachineJournal
    private var generator = SystemRandomNumberGenerator()
    var report = Report()
    /// The number of changes that the state machine has not received yet.
    var unexportedChanges = 0

    // MARK: Requests

    private var waiting = Queue<(number: Int, work: RequestWork)>()
    private var runningCount = 0
    /// The tasks of the requests that are under way.
    private var requestTasks = RequestTasks()
    private var answers = Queue<(number: Int, result: StoreResult)>()
    private var waiter: CheckedContinuation<Void, Never>?
    /// The first failure of a request in this session.
    private var failure: LibraryError?
    /// The changes of other devices that are not applied to the library yet.
    ///
    /// While segments arrive, those of several segments are applied together. They are applied
    /// before a checkpoint: until then, the journal would return them after a crash.
    private var unapplied: [CloudTransaction] = []
    private var unappliedOperations = 0
    private var hasStarted = false
    /// Indicates whether the state machine has processed inputs that may not be durable, or whose
    /// outputs may be lost.
    private var isAhead = false
    /// The keys with which the state machine currently hashes and checks segments.
    private var machineKeys: EpochKeyring
    /// The devices whose logs were listed one by one since the beginning of the last poll.
    var listedLogs: Set<CloudID> = []
    /// The missing segments that the machine reported since the beginning of the last poll.
    var gaps: Set<SyncAlarm> = []
    /// The configuration by which the store is recognized; nil until a session has found it.
    var marker: ObjectKey?
    /// Indicates whether a session has found that a member signed the configuration.
    var hasVerifiedMarker = false
    /// Indicates whether this session has already reread the keys because of an unknown signer or
    /// epoch.
    private var hasRefreshed = false
    private var refreshing: Task<Void, Never>?
    /// The earliest time at which applied changes cause the assets to be grouped into moments
    /// again.
    private var nextGrouping = ContinuousClock.now

    // MARK: Optimized storage

    /// The contents that this session has asked the machine to remove.
    var removals: Set<ContentID> = []
    /// The contents of `removals` whose removal the machine has confirmed.
    var confirmedRemovals: [ContentID] = []
    /// The contents that cannot be removed in this session.
    var unremovable: Set<ContentID> = []
    /// The contents whose files this session found damaged and does not read again.
    var damaged: Set<ContentID> = []
    /// Indicates whether this host has already called `noteArrivals(except:)`.
    ///
    /// The call concerns files that the machine lists as missing although the library has them.
    var hasNotedArrivals = false

    // MARK: Downloads on demand

    /// The number of users of the store besides sessions, such as downloads on demand.
    var users = 0
    private var isEnding = false
    private(set) var isClosed = false

    /// Creates the host of a library that is part of a cloud library.
    ///
    /// - Throws: The reason why the keys, the settings or the state cannot be read.
    init(_ engine: LibraryEngine, _ configuration: Configuration) throws(LibraryError) {
        self.engine = engine
        self.configuration = configuration
        let (identity, settings) = try CloudIdentity.stored(of: engine, in: configuration.secrets)
        self.identity = identity
        machineKeys = identity.secrets.keyring
        uploads = StagedUploads(
            folder: engine.cloudStateFolder + "/uploads",
            keyring: identity.secrets.keyring
        )
        journal = MachineJournal(
            folder: engine.cloudStateFolder,
            keyring: identity.secrets.keyring
        )
        if let size = configuration.maximumInputSize { journal.maximumInputSize = size }
        let sealer = identity.sealer
        var transactions: [CloudTransaction] = []
        var needsCheckpoint = true
        do throws(LibraryError) {
            guard let loaded = try journal.load(hashing: sealer) else { throw Self.lostState }
            (machine, transactions) = (loaded.machine, loaded.transactions)
            needsCheckpoint = loaded.needsCheckpoint
        } catch  where error.code == .corrupt {
            configuration.logger.warning(
                "The state of the sync is damaged; the library continues as a new device.",
                metadata: ["cloud.reason": "\(error.reason ?? error.message)"]
            )
            machine = try Self.replacement(identity, engine, name: settings.name)
        }
        // A replay must have the same limits, so they are in the checkpoint.
        if machine.uploadsAtOnce != Self.transfersAtOnce { needsCheckpoint = true }
        machine.uploadsAtOnce = Self.transfersAtOnce
        marker = settings.marker
        store = try configuration.opener.open(settings.store, settings.marker)
        canDelete = !settings.isBackupOnly
        let names = machine.state.joined
        try engine.importChanges(transactions) { names[$0] }
        if needsCheckpoint { try journal.checkpoint(machine) }
    }

    private static let lostState = LibraryError(
        .corrupt,
        "The state of the sync is missing.",
        reason: "The library was restored from a backup, or its folder was changed.",
        recovery: "This computer continues as a new device of the cloud library."
    )

    /// Creates a state machine with a new device identifier, after the former machine's state was
    /// lost.
    ///
    /// It retires the former identifier when it joins. `adoptIncarnation` then creates the
    /// certificate, since the identifier differs from that of the stored keys.
    private static func replacement(
        _ identity: CloudIdentity,
        _ engine: LibraryEngine,
        name: String
    ) throws(LibraryError) -> SyncMachine {
        var generator = SystemRandomNumberGenerator()
        try engine.restartCloudExport()
        return SyncMachine(
            device: CloudID(using: &generator),
            former: [identity.secrets.device],
            name: name,
            isCreator: false,
            hashing: identity.sealer
        )
    }

    /// Closes the store, after downloads on demand have ended.
    func close() async {
        isEnding = true
        await closeIfUnused()
    }

    func closeIfUnused() async {
        guard isEnding, users == 0, !isClosed else { return }
        isClosed = true
        await store.close()
    }

    // MARK: - Steps

    /// Indicates whether the session may continue.
    ///
    /// It may while its task is not canceled, and the daemon is not stopping and holds the lock.
    var mayContinue: Bool { !Task.isCancelled && configuration.mayContinue() }

    /// Performs a step of the machine and begins to carry out its outputs.
    func perform(_ input: SyncInput) async throws(LibraryError) {
        if machineKeys != identity.secrets.keyring { try adoptKeys() }
        do throws(LibraryError) {
            let environment = makeEnvironment()
            let isAppended = try journal.append(
                JournaledInput(input, environment),
                of: machine,
                isDurable: !input.mayBeLost
            )
            var outputs = machine.step(input, environment)
            if !isAppended {
                outputs = try applyAndCheckpoint(outputs)
            } else if !outputs.isEmpty {
                try journal.sync()
            }
            try await carryOut(outputs)
        } catch {
            end(with: error)
            throw error
        }
    }

    /// Performs several steps of the machine with one sync of the disk, or with none if they have
    /// no outputs.
    ///
    /// The inputs must concern downloads, deletions of blobs or failed requests, which the next
    /// session repeats if they are lost.
    func perform(together inputs: [SyncInput]) async throws(LibraryError) {
        guard inputs.count > 1 else {
            for input in inputs { try await perform(input) }
            return
        }
        if machineKeys != identity.secrets.keyring { try adoptKeys() }
        do throws(LibraryError) {
            var outputs: [SyncOutput] = []
            var areAppended = true
            for input in inputs {
                let environment = makeEnvironment()
                if areAppended {
                    // Nothing follows an input that is too large, since a replay would omit it.
                    let record = JournaledInput(input, environment)
                    areAppended = try journal.append(record, of: machine, isDurable: false)
                }
                outputs += machine.step(input, environment)
            }
            if !areAppended {
                outputs = try applyAndCheckpoint(outputs)
            } else if !outputs.isEmpty {
                try journal.sync()
            }
            try await carryOut(outputs)
        } catch {
            end(with: error)
            throw error
        }
    }

    /// Makes all inputs durable, also those of the last steps without outputs.
    func syncJournal() throws(LibraryError) {
        do throws(LibraryError) {
            try journal.sync()
        } catch {
            end(with: error)
            throw error
        }
    }

    /// Makes the state durable after a step whose input is not in the journal.
    ///
    /// A checkpoint does not return changes for the library after a crash, so they are applied
    /// before it. After a crash between the two, the input arrives again, and the library ignores
    /// what it has applied.
    ///
    /// - Parameter outputs: The outputs of the step.
    /// - Returns: The outputs that are left to be carried out.
    /// - Throws: The errors of the library and of the volume.
    private func applyAndCheckpoint(
        _ outputs: [SyncOutput]
    ) throws(LibraryError) -> [SyncOutput] {
        collectChanges(outputs)
        try checkpoint()
        return outputs.filter { if case .apply = $0 { false } else { true } }
    }

    private func collectChanges(_ outputs: [SyncOutput]) {
        for case .apply(let transactions) in outputs {
            unapplied += transactions
            unappliedOperations += transactions.reduce(0) { $0 + $1.operations.count }
        }
    }

    /// Ends the session after an error of a step, whose outputs may be lost.
    private func end(with error: LibraryError) {
        isAhead = true
        fail(error)
    }

    func makeEnvironment() -> SyncEnvironment {
        let now = UInt64(max(0, Date().timeIntervalSince1970 * 1_000))
        return SyncEnvironment(now: now, fresh: CloudID(using: &generator))
    }

    private func carryOut(_ outputs: [SyncOutput]) async throws(LibraryError) {
        // They are applied in the next session if the new identifier cannot be adopted in this one.
        collectChanges(outputs)
        try await adoptIncarnation()
        for output in outputs {
            switch output {
            case .apply: break
            case .alarm(let alarm): note(alarm)
            // The library itself removes the files of photos that are purged for ever.
            case .removeFile(let content):
                if removals.contains(content) { confirmedRemovals.append(content) }
            case .request(let number, let request):
                if case .listLog(let device, after: _) = request { listedLogs.insert(device) }
                waiting.append((number, work(for: request)))
            }
        }
        startRequests()
        if unappliedOperations >= LibraryStore.operationsPerImport
            || (runningCount == 0 && waiting.isEmpty)
        {
            try applyChanges()
        }
        configuration.report(currentReport)
    }

    /// Applies the changes of `unapplied` to the library, and groups the assets into moments if
    /// enough time has passed.
    ///
    /// Grouping takes longer the larger the library is, so it is limited to about a tenth of the
    /// time.
    private func applyChanges() throws(LibraryError) {
        guard !unapplied.isEmpty else { return }
        let names = machine.state.joined
        try engine.importChanges(unapplied, defersMoments: true) { names[$0] }
        report.versions += unapplied.count
        unapplied = []
        unappliedOperations = 0
        let start = ContinuousClock.now
        guard start >= nextGrouping else { return }
        try engine.groupMoments()
        let end = ContinuousClock.now
        nextGrouping = end.advanced(by: max(.seconds(10), start.duration(to: end) * 9))
    }

    /// Performs a step, and then processes answers until no request is in progress or waiting.
    func complete(_ input: SyncInput) async throws(LibraryError) {
        try await perform(input)
        try await settle()
    }

    /// Performs a step for each answer that arrives, until no request is in progress or waiting.
    func settle() async throws(LibraryError) {
        try await processAnswers(leaving: 0)
        try applyChanges()
        try engine.groupMoments()
        if let failure { throw failure }
        try checkpointIfDue()
    }

    /// Indicates whether a request of this session has failed.
    var hasFailed: Bool { failure != nil }

    /// Performs a step for each answer that arrives, until at most `count` requests are in progress
    /// or waiting.
    func processAnswers(leaving count: Int) async throws(LibraryError) {
        while runningCount + waiting.count + answers.count > count {
            guard !answers.isEmpty else {
                await waitForAnswer()
                continue
            }
            // A slice would share the queue's memory, so the removal would copy the queue.
            let first = Array(
                answers.prefix {
                    $0.result.isBlob || $0.result.isFailure || machine.deletesBlob($0.number)
                }
            )
            if !first.isEmpty {
                answers.removeFirst(first.count)
                try await perform(together: first.map { .answer(request: $0, $1) })
                report.downloaded += first.count { $0.result.isBlob }
                continue
            }
            guard let (number, result) = answers.popFirst() else { continue }
            try await perform(.answer(request: number, result))
            if case .stored = result {
                report.uploaded += 1
                uploads.removeFinished(machine.openUploads)
            }
        }
    }

    /// Waits for the answer to a request.
    ///
    /// A cancellation of the task cancels the requests that are under way.
    private func waitForAnswer() async {
        let tasks = requestTasks
        await withTaskCancellationHandler {
            await withCheckedContinuation { waiter = $0 }
        } onCancel: {
            tasks.cancel()
        }
    }

    /// Replaces the journal by a checkpoint if the journal is long.
    func checkpointIfDue() throws(LibraryError) {
        if journal.isLong { try checkpoint() }
    }

    /// Begins a session, and discards the failures of the previous one.
    func begin() async throws(LibraryError) {
        (failure, hasRefreshed, report) = (nil, false, Report())
        (unremovable, damaged) = ([], [])
        requestTasks = RequestTasks()
        if isAhead {
            // The checkpoint has the inputs that are not durable, and `.start` repeats requests.
            try checkpoint()
            (waiting, answers) = (Queue(), Queue())
            (isAhead, hasStarted) = (false, false)
        }
        if !hasStarted { try await complete(.start) }
        hasStarted = true
    }

    // MARK: - Incarnations

    /// Adopts the machine's new device identifier: stores a certificate for it and records it in
    /// the library.
    ///
    /// The machine has a new identifier if a copy of the library continued its log, or if its state
    /// was lost.
    private func adoptIncarnation() async throws(LibraryError) {
        guard machine.device != identity.secrets.device else { return }
        let former = identity.secrets.device
        let certificate: DeviceCertificate
        let sealed: [UInt8]
        do throws(CloudKeyError) {
            let known = identity.members.certificates[former]
            certificate = try DeviceCertificate(
                library: identity.secrets.keyring.library,
                device: machine.device,
                name: known?.name ?? machine.name,
                keys: identity.secrets.keys,
                admission: .epoch(identity.secrets.keyring.current)
            )
            sealed = try certificate.sealed(with: identity.secrets.keyring.current)
            try identity.members.admit(certificate, keys: identity.secrets.keyring)
        } catch {
            throw LibraryError(error)
        }
        try await CloudObjectReader(store)
            .put(sealed, as: DeviceCertificate.objectName(machine.device))
        try engine.continueCloud(as: machine.device)
        identity.secrets.device = machine.device
        try identity.save()
        configuration.logger.notice(
            "The library continues as a new device of its cloud library.",
            metadata: [
                "cloud.device": "\(machine.device.hexadecimal)",
                "cloud.former": "\(former.hexadecimal)",
            ]
        )
    }

    /// Switches to the current epoch of the merged state.
    func followEpoch() async throws(LibraryError) {
        let former = identity.secrets.keyring.current.id
        if !identity.secrets.keyring.follow(machine.state.epoch) {
            try await refreshIdentity()
            guard identity.secrets.keyring.follow(machine.state.epoch) else {
                throw LibraryError(
                    .networkError,
                    "The keys of the cloud library's present epoch are not readable here.",
                    reason: "This device may have been removed.",
                    recovery: "Use photos cloud leave, and join it again."
                )
            }
        }
        guard identity.secrets.keyring.current.id != former else { return }
        // Before the keys are durable: a replay must hash with those of its time.
        try adoptKeys()
        try identity.save()
    }

    /// Passes newly read keys to the state machine and to its journal.
    ///
    /// Keys are not an input that the journal records, so a checkpoint replaces the journal.
    private func adoptKeys() throws(LibraryError) {
        machineKeys = identity.secrets.keyring
        machine.hashing = identity.sealer
        journal.keyring = identity.secrets.keyring
        uploads.keyring = identity.secrets.keyring
        try checkpoint()
    }

    private func checkpoint() throws(LibraryError) {
        try applyChanges()
        try journal.checkpoint(machine)
    }

    // MARK: - Requests

    private func startRequests() {
        while let next = waiting.first,
            runningCount < (next.work.isDownload ? Self.downloadsAtOnce : Self.requestsAtOnce),
            let (number, work) = waiting.popFirst()
        {
            guard failure == nil, mayContinue else {
                answers.append((number, .failed))
                continue
            }
            runningCount += 1
            requestTasks.run {
                let result = await work.run(self)
                await self.deliver(number, result)
            }
        }
        wake()
    }

    private func deliver(_ number: Int, _ result: StoreResult) {
        runningCount -= 1
        answers.append((number, result))
        startRequests()
    }

    private func wake() {
        guard !answers.isEmpty else { return }
        waiter?.resume()
        waiter = nil
    }

    /// Records the failure of a request unless a failure is already recorded.
    ///
    /// A recorded failure ends the session.
    func fail(_ error: LibraryError) { failure = failure ?? error }

    /// Reads new keys and certificates from the store, at most once in a session.
    func refreshOnce() async {
        if let refreshing { return await refreshing.value }
        guard !hasRefreshed else { return }
        hasRefreshed = true
        let task = Task {
            do throws(LibraryError) {
                try await refreshIdentity()
            } catch {
                fail(error)
            }
        }
        refreshing = task
        await withTaskCancellationHandler {
            await task.value
        } onCancel: {
            task.cancel()
        }
        refreshing = nil
    }

    /// Reads the keys and certificates that are in the store but not yet known to this device.
    ///
    /// - Throws: `accessDenied` if this device was removed.
    func refreshIdentity() async throws(LibraryError) {
        var fresh = identity
        let problems = try await fresh.refresh(from: CloudObjectReader(store))
        // What the host itself changed meanwhile stays.
        fresh.secrets.device = identity.secrets.device
        identity = fresh
        note(problems)
        try identity.checkMembership()
    }

    private func work(for request: StoreRequest) -> RequestWork {
        var source: RequestWork.Source?
        let blob: BlobName? =
            switch request {
            case .get(.blob(let blob)), .check(let blob): blob
            default: nil
            }
        if let blob, let state = machine.state.blobs[blob], let content = state.content,
            let record = try? BlobRecord(decoding: state.key, of: blob)
        {
            source = RequestWork.Source(content: content, record: record)
        }
        return RequestWork(
            request: request,
            store: store,
            identity: identity,
            source: source,
            transfer: transfer
        )
    }

    /// The transfers of a session, which use its download folder.
    var transfer: BlobTransfer { transfer(downloads) }

    /// Returns an object for transfers that download into a folder.
    func transfer(_ downloads: DownloadFolder) -> BlobTransfer {
        BlobTransfer(engine: engine, store: store, uploads: uploads, downloads: downloads)
    }

    // MARK: - Reports

    var currentReport: Report {
        var report = report
        report.pending.changes = machine.backlog.transactions + unexportedChanges
        report.pending.uploads = machine.backlog.uploads
        return report
    }

    func note(_ problems: [String]) {
        for problem in problems where !report.alarms.contains(problem) {
            report.alarms.append(problem)
            configuration.logger.warning(
                "An object of the cloud library is not accepted.",
                metadata: ["cloud.reason": "\(configuration.logger.detail(problem))"]
            )
        }
    }
}

extension SyncInput {
    /// Indicates whether a session repeats the input if a crash loses it before any output was
    /// carried out.
    fileprivate var mayBeLost: Bool {
        guard case .perform(let duty) = self else { return false }
        return switch duty {
        case .publish, .download, .replenish, .condemn, .collect, .finishPurges, .pairTwins: true
        default: false
        }
    }
}

extension StoreResult {
    fileprivate var isBlob: Bool { if case .found(.blob) = self { true } else { false } }
    fileprivate var isFailure: Bool { if case .failed = self { true } else { false } }
}
