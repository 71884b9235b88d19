package import DaemonCore
import CLinuxShim
import Foundation
import Glibc
import LibraryService
import PeerIdentity
package import PhotoModel
import ProgramAccess
import RemoteLibrary
import Synchronization

/// An engine whose calls are observed and held by tests.
package final class FakeEngine: SessionOpener {
    private struct State {
        var openSessions = 0
        var openedSessions = 0
        /// The names of calls that are held now.
        var held: [String] = []
        /// The number of calls that were performed, by name.
        var performed: [String: Int] = [:]
        var isReleased = false
        var isFirstCommitHeld = false
        var holdsPins = false
        var commitFailure: LibraryError?
        var subscriptions: [ObjectIdentifier: [Descriptor]] = [:]
    }

    package let journal: ChangeJournal
    package let isOwner: Bool
    private let fullAccess: Atomic<Bool>
    private let refusal: LibraryError?
    private let reach: @Sendable (KillPoint) -> Void
    private let monitor = Monitor(State())

    package init(
        journal: ChangeJournal,
        isOwner: Bool = true,
        hasFullAccess: Bool = true,
        refusal: LibraryError? = nil,
        reach: @escaping @Sendable (KillPoint) -> Void = { _ in }
    ) {
        self.journal = journal
        self.isOwner = isOwner
        fullAccess = Atomic(hasFullAccess)
        self.refusal = refusal
        self.reach = reach
    }

    /// Indicates whether clients may read everything at present.
    package var hasFullAccess: Bool {
        get { fullAccess.load(ordering: .relaxed) }
        set { fullAccess.store(newValue, ordering: .relaxed) }
    }

    package func open(_ client: ClientDescription) throws(LibraryError) -> OpenedSession {
        if let refusal { throw refusal }
        monitor.update { state in
            state.openSessions += 1
            state.openedSessions += 1
        }
        return OpenedSession(
            service: FakeSession(self, client.identity.program.identifier),
            library: client.hello.library ?? "default",
            answers: journal,
            isOwner: isOwner,
            hasFullAccess: self.hasFullAccess
        )
    }

    // MARK: - Observing

    package var openSessions: Int { monitor.withLock(\.openSessions) }
    package var openedSessions: Int { monitor.withLock(\.openedSessions) }

    /// Returns how often a call was performed.
    package func performedCount(_ name: String) -> Int {
        monitor.withLock { $0.performed[name] ?? 0 }
    }

    /// Waits until a number of calls are held, or until a number of sessions are open.
    package func waitUntil(held: Int? = nil, openSessions: Int? = nil) -> Bool {
        monitor.wait(before: .now + .seconds(20)) { state -> Bool? in
            if let held, state.held.count != held { return nil }
            if let openSessions, state.openSessions != openSessions { return nil }
            return true
        } != nil
    }

    /// Ends all calls that are held, and holds no more.
    package func release() { monitor.update { $0.isReleased = true } }

    /// Holds the next commit after it was made.
    package func holdNextCommit() { monitor.update { $0.isFirstCommitHeld = true } }

    /// Holds the calls of `pin` from now on.
    package func holdPins() { monitor.update { $0.holdsPins = true } }

    /// Makes the next commit fail.
    package func failNextCommit(_ error: LibraryError) {
        monitor.update { $0.commitFailure = error }
    }

    // MARK: - For sessions

    fileprivate func perform(_ name: String) {
        monitor.update { $0.performed[name, default: 0] += 1 }
    }

    fileprivate func didClose(_ session: FakeSession) {
        monitor.update { state in
            state.openSessions -= 1
            state.subscriptions[ObjectIdentifier(session)] = nil
        }
    }

    fileprivate func holdPin() throws(LibraryError) {
        if monitor.withLock(\.holdsPins) { try hold("pin") }
    }

    /// Holds a call until it is canceled or released.
    fileprivate func hold(_ name: String) throws(LibraryError) {
        monitor.update { $0.held.append(name) }
        defer {
            monitor.update { state in
                if let index = state.held.firstIndex(of: name) { state.held.remove(at: index) }
            }
        }
        let cancellation = CallContext.current?.cancellation ?? CallCancellation()
        let isReleased = cancellation.withHandler({ self.monitor.update { _ in } }) {
            self.monitor.wait { state -> Bool? in
                if cancellation.isCancelled { return false }
                return state.isReleased ? true : nil
            }
        }
        if isReleased != true { throw .cancelled }
    }

    fileprivate func commit(
        _ request: CommitRequest,
        _ program: String
    ) throws(LibraryError) -> CommitReply {
        let failure = monitor.withLock { state in
            defer { state.commitFailure = nil }
            return state.commitFailure
        }
        if let failure { throw failure }
        let version: Int64
        do {
            version = try journal.append(
                request.changes.operations.map(\.request),
                request: CallContext.current?.change,
                program: program,
                reply: { try JSONEncoder().encode(CommitReply(version: $0)) },
                reach: reach
            )
        } catch {
            throw LibraryError(.internalError, "\(error)")
        }
        let subscriptions = monitor.withLock(\.subscriptions)
        for subscription in subscriptions.values.joined() {
            var byte: UInt8 = 1
            _ = cphotos_send_many(subscription.number, &byte, 1, nil, 0)
        }
        let isHeld = monitor.withLock { state in
            defer { state.isFirstCommitHeld = false }
            return state.isFirstCommitHeld
        }
        // A change that was made is not canceled.
        if isHeld { try? hold("commit") }
        reach(.beforeReply)
        return CommitReply(version: version)
    }

    fileprivate func subscribe(_ session: FakeSession) throws(LibraryError) -> Descriptor {
        var (first, second): (Int32, Int32) = (-1, -1)
        guard cphotos_socket_pair(&first, &second) == 0 else {
            throw LibraryError(.internalError, "socketpair")
        }
        let source = Descriptor(owning: first)
        monitor.update { $0.subscriptions[ObjectIdentifier(session), default: []].append(source) }
        return Descriptor(owning: second)
    }
}

/// A session of the fake engine.
///
/// `fetch` returns as many ids as its limit, `findContent` returns what it was asked for,
/// `fileDigests` the first byte of each file. Staged files are known
/// to their session and not read. `duplicates`, `image` and `loadAssets` with an id are
/// held until they are canceled or released.
private final class FakeSession: CallingLibrary {
    private let engine: FakeEngine
    private let program: String
    private let pins = Atomic<Int64>(0)
    private let tokens = Mutex<Set<FileToken>>([])

    init(_ engine: FakeEngine, _ program: String) {
        self.engine = engine
        self.program = program
    }

    func close() { engine.didClose(self) }

    func openSession(_ request: SessionRequest) throws(LibraryError) -> any LibraryService {
        throw LibraryError(.invalidRequest, "The fake engine has one session per connection.")
    }

    func perform<Request, Reply>(
        _ call: Call<Request, Reply>,
        _ request: Request,
        descriptors: [Descriptor]
    ) throws(LibraryError) -> (reply: Reply, descriptors: [Descriptor]) {
        throw LibraryError(.invalidRequest, "The fake engine has no “\(call.name)”.")
    }

    func status() throws(LibraryError) -> LibraryStatus {
        LibraryStatus(path: "", version: engine.journal.version, readOnlyReason: nil)
    }

    func fetch(_ request: AssetFetchRequest) throws(LibraryError) -> AssetFetchReply {
        engine.perform("fetch")
        return AssetFetchReply(
            snapshot: LibrarySnapshot(version: engine.journal.version),
            ids: RowIDBuffer((0..<Int64(request.limit)).map { $0 &* 7 })
        )
    }

    func findContent(_ request: FindContentRequest) throws(LibraryError) -> FindContentReply {
        engine.perform("findContent")
        return FindContentReply(
            matches: request.digests.map { [ContentMatch(localIdentifier: $0, isTrashed: false)] }
        )
    }

    func fileDigests(of files: [Descriptor]) throws(LibraryError) -> FileDigestsReply {
        engine.perform("fileDigests")
        return FileDigestsReply(
            digests: files.map { file in
                var byte: UInt8 = 0
                return pread(file.number, &byte, 1, 0) == 1 ? "\(byte)" : "none"
            }
        )
    }

    func duplicates(_ request: DuplicatesRequest) throws(LibraryError) -> DuplicatesReply {
        engine.perform("duplicates")
        for step in 1...3 {
            CallContext.current?.progress?(CallProgress(completed: Int64(step), total: 3))
        }
        try engine.hold("duplicates")
        return DuplicatesReply(remaining: 0, groups: [])
    }

    func loadAssets(_ request: AssetLoadRequest) throws(LibraryError) -> AssetLoadReply {
        engine.perform("loadAssets")
        if !request.ids.isEmpty { try engine.hold("loadAssets") }
        return AssetLoadReply(version: engine.journal.version, assets: [])
    }

    func image(_ request: ImageRequest) throws(LibraryError) -> (ImageReply, ImagePixels)? {
        engine.perform("image")
        try engine.hold("image")
        return nil
    }

    func cancel(_ request: CancelRequest) throws(LibraryError) {
        engine.perform("cancel")
    }

    func pin() throws(LibraryError) -> PinReply {
        try engine.holdPin()
        return PinReply(
            pin: pins.add(1, ordering: .relaxed).newValue,
            snapshot: LibrarySnapshot(version: engine.journal.version)
        )
    }

    func unpin(_ request: UnpinRequest) throws(LibraryError) {}

    func stage(_ request: StageRequest, file: Descriptor) throws(LibraryError) -> StageReply {
        engine.perform("stage")
        let token = FileToken(.random(in: 1...Int64.max))
        tokens.withLock { _ = $0.insert(token) }
        return StageReply(token: token, size: 1)
    }

    func releaseTokens(_ request: ReleaseTokensRequest) throws(LibraryError) {
        engine.perform("releaseTokens")
        tokens.withLock { $0.subtract(request.tokens) }
    }

    func commit(_ request: CommitRequest) throws(LibraryError) -> CommitReply {
        engine.perform("commit")
        for resource in request.changes.resources {
            let isKnown = tokens.withLock { $0.remove(resource.file) != nil }
            guard isKnown else { throw .unknownToken(of: resource) }
        }
        return try engine.commit(request, program)
    }

    func subscribe() throws(LibraryError) -> Descriptor { try engine.subscribe(self) }
}
