package import FoundationEssentials
internal import ImagePipeline
package import LibraryService
internal import PhotoLibrary
package import PhotoModel
internal import Synchronization
internal import WorkerClient

/// An open library, which all its clients share: the database, the workers, the renditions and the
/// background work.
///
///     open ──session──▶ in use ──last session and opener close──▶ closed
///
/// 1. The engine has no client's rights. Everything that depends on a client is in its
///    `ClientSession`, and reaches the engine only after the session has checked it.
/// 2. Work for one client may serve others: equal images are decoded once.
/// 3. The engine is open as long as its opener or a session holds it, and closes once.
///
/// Thread-safe.
package final class LibraryEngine: Sendable {
    let store: LibraryStore
    let verifier: Verifier
    let refresher: Refresher
    let committer: ChangeCommitter
    let workers: WorkerPool
    let renditions: RenditionStore
    let firstRenditions: FirstRenditions
    /// The images that are being decoded, for any client.
    let imageWork: ImageWork
    let renditionBuilder: RenditionBuilder
    let renditionSweeper: RenditionSweeper
    /// The generator of renditions in the background; nil when disabled.
    let background: BackgroundRenditions?
    /// Chooses the assets for `background` if a host performs the background work.
    let backlog: RenditionBacklog
    let scrubber: Scrubber
    let loggers: LibraryLoggers

    private struct Holders {
        var sessions = 0
        var hasOpener = true
        var isClosed = false

        /// Marks the engine as closed if nothing holds it, and returns whether this call closed it.
        mutating func endIfUnused() -> Bool {
            guard sessions == 0, !hasOpener, !isClosed else { return false }
            isClosed = true
            return true
        }
    }

    private let holders = Mutex(Holders())
    private let unused = Mutex<(@Sendable () -> Void)?>(nil)
    private let currentDownloader = Mutex<(any ContentDownloading)?>(nil)

    private init(store: LibraryStore, configuration: EmbeddedLibrary.Configuration) {
        self.store = store
        loggers = configuration.loggers
        verifier = Verifier(store: store)
        workers = WorkerPool(
            configuration: configuration.workers,
            logger: configuration.loggers.workers
        )
        renditions = RenditionStore(
            path: store.bundle.renditions,
            logger: configuration.loggers.renditions
        )
        firstRenditions = FirstRenditions(renditions: renditions)
        refresher = Refresher(store: store, prober: workers)
        committer = ChangeCommitter(
            store: store,
            prober: workers,
            renditions: firstRenditions,
            logger: configuration.loggers.changes
        )
        let files = ResourceFetcher(store: store)
        imageWork = ImageWork(files: files)
        renditionSweeper = RenditionSweeper(store: store, renditions: renditions)
        renditionBuilder = RenditionBuilder(
            store: store,
            renditions: renditions,
            sweeper: renditionSweeper,
            loader: ImageLoader(
                store: store,
                resources: files,
                renditions: renditions,
                workers: workers,
                work: imageWork
            ),
            width: configuration.workers.maximumWorkers
        )
        background =
            configuration.makesRenditionsWhenIdle && store.readOnlyReason == nil
            ? BackgroundRenditions(
                builder: renditionBuilder,
                sweeper: renditionSweeper,
                permit: Self.permit(store, host: configuration.dutyHost)
            ) : nil
        backlog = RenditionBacklog(store: store, limit: BackgroundRenditions.limit)
        scrubber = Scrubber(store: store)
        if configuration.dutyHost != nil { store.becomeHosted() }
        // A permanent delete also removes the renditions. A failed sweep is completed by the next
        // one.
        store.whenAssetsAreRemoved { [weak renditionSweeper] in try? renditionSweeper?.sweep() }
        // Content versions of lost edits are assigned again to other images.
        if store.acceptedVersion != nil { try? renditionSweeper.sweepAll() }
    }

    /// Opens the library at a path; never creates one.
    ///
    /// The caller holds the engine until `close()`, so the engine remains open even without a
    /// session.
    ///
    /// - Parameters:
    ///   - path: The library's folder.
    ///   - acceptsMissingChanges: Whether to open a database that is older than the last commit for
    ///     writing, and abandon the lost changes.
    ///   - configuration: The environment of the library.
    /// - Returns: The engine, without sessions.
    /// - Throws: The reason why the library cannot be opened.
    package static func open(
        at path: String,
        acceptsMissingChanges: Bool = false,
        configuration: EmbeddedLibrary.Configuration = EmbeddedLibrary.Configuration()
    ) throws(LibraryError) -> LibraryEngine {
        LibraryEngine(
            store: try LibraryStore.open(
                at: EmbeddedLibrary.absolute(path),
                acceptsMissingChanges: acceptsMissingChanges,
                loggers: configuration.loggers
            ),
            configuration: configuration
        )
    }

    /// Opens a plan of the library at a path; see `EmbeddedLibrary.openPlan(of:configuration:)`.
    package static func openPlan(
        of path: String,
        configuration: EmbeddedLibrary.Configuration = EmbeddedLibrary.Configuration()
    ) throws(LibraryError) -> LibraryEngine {
        var configuration = configuration
        configuration.makesRenditionsWhenIdle = false
        return LibraryEngine(
            store: try LibraryStore.openPlan(
                of: EmbeddedLibrary.absolute(path),
                loggers: configuration.loggers
            ),
            configuration: configuration
        )
    }

    // MARK: - Sessions

    /// The number of open sessions.
    package var sessionCount: Int { holders.withLock(\.sessions) }

    /// Opens a session for a client.
    ///
    /// - Parameters:
    ///   - client: The client, which the caller has identified.
    ///   - restriction: The part of the library that the session leaves out.
    /// - Returns: The library as the client sees it. The engine stays open until it is closed.
    /// - Throws: When the engine is closed, or the library cannot be read.
    package func session(
        for client: ClientIdentity = ClientIdentity(),
        restriction: SessionRequest.Restriction = .none
    ) throws(LibraryError) -> any LibraryService {
        let isOpen = holders.withLock { holders in
            guard !holders.isClosed else { return false }
            holders.sessions += 1
            return true
        }
        guard isOpen else { throw isClosedError }
        do throws(LibraryError) {
            return try ClientSession(engine: self, client: client, restriction: restriction)
        } catch {
            endSession()
            throw error
        }
    }

    /// Sets the closure that runs whenever the last session has ended, on the thread that ended it.
    package func whenUnused(_ body: @escaping @Sendable () -> Void) {
        unused.withLock { $0 = body }
    }

    /// Indicates whether later clients may share the engine.
    ///
    /// A library that could not be opened for writing, or whose database was replaced, is opened
    /// anew for the next client, since the reason may no longer exist.
    package var isShareable: Bool {
        guard store.readOnlyReason == nil, store.missingVersion == nil else { return false }
        return (try? store.checkPresence()) != nil
    }

    /// The object that downloads files that are only in the cloud; nil if no host in this process
    /// syncs the library.
    package var downloader: (any ContentDownloading)? {
        get { currentDownloader.withLock(\.self) }
        set { currentDownloader.withLock { $0 = newValue } }
    }

    /// Returns the unique identifier of the library.
    ///
    /// - Throws: The reason why it cannot be read.
    package func libraryUUID() throws(LibraryError) -> String {
        do {
            return try store.libraryUUID()
        } catch {
            throw LibraryError(error, library: store.bundle.root)
        }
    }

    /// Returns the stored reply to a repeated change request; nil if there is none.
    ///
    /// - Parameters:
    ///   - request: The identifier of the request.
    ///   - program: The identifier of the client's program.
    /// - Returns: The JSON of the reply.
    /// - Throws: `invalidRequest` if it is the request of another program, and errors of the
    ///   database.
    package func answer(to request: UUID, of program: String) throws(LibraryError) -> [UInt8]? {
        do {
            return try store.answer(to: request, of: program)
        } catch {
            throw LibraryError(error, library: store.bundle.root)
        }
    }

    /// Releases a session's hold on the engine; the last release closes the engine.
    func endSession() {
        release { $0.sessions -= 1 }
        if sessionCount == 0 { unused.withLock(\.self)?() }
    }

    /// Removes the hold of a session that was released without being closed.
    ///
    /// This does not close the engine, whose files are released with its memory.
    func dropSession() { holders.withLock { $0.sessions -= 1 } }

    /// Releases the opener's hold on the engine; the engine closes once no session holds it either.
    ///
    /// Closing again does nothing.
    package func close() { release { $0.hasOpener = false } }

    private func release(_ body: (inout Holders) -> Void) {
        let isLast = holders.withLock { holders in
            body(&holders)
            return holders.endIfUnused()
        }
        guard isLast else { return }
        background?.stop()
        // Sweeps renditions of assets that other programs deleted permanently, even after a short
        // run.
        if store.hasWritten { try? renditionSweeper.sweep() }
        renditionSweeper.close()
        verifier.close()
        // A failed close leaves the log on disk for the next reader.
        try? store.close()
    }

    /// The error for calls of a closed session.
    var isClosedError: LibraryError {
        LibraryError(
            .internalError,
            "The library at \(store.bundle.root) is closed.",
            recovery: "Open it again.",
            path: store.bundle.root
        )
    }
}
