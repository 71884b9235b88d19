internal import ImagePipeline
internal import LibraryService
internal import PhotoLibrary
internal import PhotoModel
internal import ProgramAccess
internal import Synchronization

/// A client's session with a library that is open in this process.
///
/// It forwards each call to a part of the engine.
///
///     open ──close──▶ closing (calls in progress end) ──▶ closed
///
/// 1. Everything that belongs to the client ends with the session: its pins, its staged files, its
///    imports and migrations with theirs, and its requests in progress.
/// 2. Numbers of pins, files, imports and migrations are valid in their own session only.
/// 3. A session opened from another one has at most its rights.
///
/// Thread-safe.
final class ClientSession: LibraryService {
    let engine: LibraryEngine
    /// The library as this client sees it.
    let view: LibraryView
    let fetcher: AssetFetcher
    let resources: ResourceFetcher
    let images: ImageLoader
    let finder: DuplicateFinder
    let importer: Importer
    let takeouts: TakeoutImporter
    let migrator: Migrator
    /// The files that the client has staged for its next changes.
    let tokens = FileTokens()
    let client: ClientIdentity
    private let restriction: SessionRequest.Restriction
    let calls = CallRegistry()
    private let gate = CallGate()
    private let hasEnded = Atomic(false)

    /// The maximum processor time of a fetch with a predicate for a client that is not the
    /// library's owner.
    private static let programReadLimit = Duration.seconds(5)

    /// Creates a session that is already included in the engine's session count.
    ///
    /// - Throws: The reason why the client's access cannot be determined; the caller then ends the
    ///   session.
    init(
        engine: LibraryEngine,
        client: ClientIdentity,
        restriction: SessionRequest.Restriction
    ) throws(LibraryError) {
        let store = engine.store
        let access = try Self.access(of: client.program, to: store, restriction)
        self.engine = engine
        self.client = client
        self.restriction = restriction
        view = LibraryView(
            store: store,
            access: access,
            readLimit: client.program == nil ? nil : Self.programReadLimit
        )
        fetcher = AssetFetcher(view)
        resources = ResourceFetcher(view)
        images = ImageLoader(
            store: store,
            resources: resources,
            renditions: engine.renditions,
            workers: engine.workers,
            work: engine.imageWork
        )
        finder = DuplicateFinder(view: view, renditions: engine.renditions, images: images)
        importer = Importer(
            store: store,
            prober: engine.workers,
            renditions: store.isPlan ? nil : engine.firstRenditions,
            logger: engine.loggers.imports,
            configuration: ImportConfiguration(files: store.files)
        )
        takeouts = TakeoutImporter(importer: importer, archives: engine.workers)
        migrator = Migrator(
            store: store,
            pool: engine.workers,
            renditions: engine.firstRenditions
        )
    }

    deinit {
        tokens.releaseAll()
        if !hasEnded.load(ordering: .acquiring) { engine.dropSession() }
    }

    var store: LibraryStore { engine.store }
    /// The client program; nil for the library's owner.
    var program: ClientProgram? { client.program }

    // MARK: - The session

    func close() {
        guard gate.close({ calls.cancelAll() }) else { return }
        importer.endAll()
        migrator.endAll()
        tokens.releaseAll()
        view.close()
        hasEnded.store(true, ordering: .releasing)
        engine.endSession()
    }

    func openSession(_ request: SessionRequest) throws(LibraryError) -> any LibraryService {
        try call {
            var client = client
            if let author = request.author {
                if let program { throw program.refusalOfNaming }
                client.author = author
            }
            return try engine.session(
                for: client,
                restriction: restriction == .none ? request.restriction : restriction
            )
        }
    }

    func limitFetches(_ request: FetchLimitRequest) throws(LibraryError) {
        try call {
            let limit = request.seconds.map(Duration.init(ofRequest:))
            guard program != nil else { return view.limitReads(to: limit) }
            view.limitReads(to: min(limit ?? Self.programReadLimit, Self.programReadLimit))
        }
    }

    func status() throws(LibraryError) -> LibraryStatus {
        try present {
            let present = try store.presentVersion()
            let access = view.access.state
            // A program without permission learns neither the library's identity nor when it
            // changes; see also `ClientAccess.State.snapshot(at:)` and `ChangeSubscription`.
            let isSeen = !access.access.isNone
            return LibraryStatus(
                path: store.bundle.root,
                version: access.snapshot(at: present.version).version,
                stamp: isSeen ? present.stamp : nil,
                readOnlyReason: store.readOnlyReason,
                missingChanges: store.missingChanges,
                libraryUUID: isSeen ? try store.libraryUUID() : "",
                epoch: access.epoch
            )
        }
    }

    // MARK: - Calls

    /// Runs a call of the client, and converts its errors.
    ///
    /// A call must not run another one.
    ///
    /// - Throws: The errors of `body`; `internalError` after the session was closed.
    func call<Result>(_ body: () throws -> Result) throws(LibraryError) -> Result {
        guard gate.enter() else { throw engine.isClosedError }
        defer { gate.leave() }
        do {
            return try body()
        } catch {
            throw LibraryError(error, library: store.bundle.root)
        }
    }

    /// Runs a call of the client if the library is still at the path where it was opened.
    ///
    /// An open database remains readable after its folder was moved away. Objects that were already
    /// fetched stay valid, but new requests fail.
    ///
    /// - Throws: `libraryMissing` or `volumeMissing`, and the errors of `call`.
    func present<Result>(_ body: () throws -> Result) throws(LibraryError) -> Result {
        try call {
            try store.checkPresence()
            return try body()
        }
    }

    /// Runs a call that requires access to the entire library.
    ///
    /// - Throws: `accessDenied` or `accessRestricted`, and the errors of `call`.
    func whole<Result>(_ body: () throws -> Result) throws(LibraryError) -> Result {
        try call {
            try view.access.requireEverything()
            return try body()
        }
    }

    /// Throws unless the client has the owner's access.
    ///
    /// An owner's session that excludes hidden assets also qualifies.
    func requireOwner() throws(LibraryError) {
        guard program != nil else { return try view.access.requireAllAssets() }
        try view.access.requireEverything()
    }

    /// Sets an object's identifier to nil if the object exists only in an import plan.
    ///
    /// A plan is a dry run whose changes are discarded.
    func hidePlanned(_ identifier: inout String?) throws {
        guard store.isPlan, let found = identifier else { return }
        identifier = try store.withoutPlanned(found)
    }
}
