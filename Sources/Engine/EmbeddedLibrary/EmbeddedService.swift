internal import ImagePipeline
internal import LibraryService
internal import PhotoLibrary
internal import PhotoModel
internal import ProgramAccess
internal import WorkerClient

/// The in-process implementation of `LibraryService`, which forwards each call to a part of the
/// engine.
final class EmbeddedService: LibraryService {
    let store: LibraryStore
    /// The library as this client sees it.
    let view: LibraryView
    let fetcher: AssetFetcher
    let resources: ResourceFetcher
    let verifier: Verifier
    let importer: Importer
    let takeouts: TakeoutImporter
    let refresher: Refresher
    let migrator: Migrator
    let workers: WorkerPool
    let committer: ChangeCommitter
    let images: ImageLoader
    let finder: DuplicateFinder
    let renditions: RenditionStore
    let renditionBuilder: RenditionBuilder
    let renditionSweeper: RenditionSweeper
    /// The generator of renditions in the background; nil when disabled.
    let background: BackgroundRenditions?
    /// The client program; nil for the library's owner.
    let program: ClientProgram?
    /// The processor time limit for one fetch with a predicate by a program that its user
    /// permitted.
    private static let programReadLimit = Duration.seconds(5)
    /// Indicates whether closing this service closes the library; false when another client opened
    /// it.
    private let ownsLibrary: Bool

    init(
        store: LibraryStore,
        program: ClientProgram?,
        configuration: EmbeddedLibrary.Configuration
    ) throws(LibraryError) {
        self.store = store
        self.program = program
        ownsLibrary = true
        view = LibraryView(
            store: store,
            access: try Self.access(of: program, to: store),
            readLimit: program == nil ? nil : Self.programReadLimit
        )
        fetcher = AssetFetcher(view)
        resources = ResourceFetcher(view)
        verifier = Verifier(store: store)
        workers = WorkerPool(
            configuration: configuration.workers,
            logger: configuration.loggers.workers
        )
        renditions = RenditionStore(
            path: store.bundle.renditions,
            logger: configuration.loggers.renditions
        )
        let firstRenditions = FirstRenditions(renditions: renditions)
        importer = Importer(
            store: store,
            prober: workers,
            renditions: store.isPlan ? nil : firstRenditions,
            logger: configuration.loggers.imports,
            configuration: ImportConfiguration(files: store.files)
        )
        takeouts = TakeoutImporter(importer: importer, archives: workers)
        refresher = Refresher(store: store, prober: workers)
        migrator = Migrator(store: store, pool: workers, renditions: firstRenditions)
        committer = ChangeCommitter(
            store: store,
            prober: workers,
            renditions: firstRenditions,
            logger: configuration.loggers.changes
        )
        images = ImageLoader(
            store: store,
            resources: resources,
            renditions: renditions,
            workers: workers
        )
        finder = DuplicateFinder(view: view, renditions: renditions, images: images)
        renditionSweeper = RenditionSweeper(store: store, renditions: renditions)
        renditionBuilder = RenditionBuilder(
            store: store,
            renditions: renditions,
            sweeper: renditionSweeper,
            loader: images,
            width: configuration.workers.maximumWorkers
        )
        background =
            configuration.makesRenditionsWhenIdle && store.readOnlyReason == nil
            ? BackgroundRenditions(builder: renditionBuilder, sweeper: renditionSweeper) : nil
        // A permanent delete also removes the renditions. A failed sweep is completed by the next
        // one.
        store.whenAssetsAreRemoved { [weak renditionSweeper] in try? renditionSweeper?.sweep() }
        // Content versions of lost edits are assigned again to other images.
        if store.acceptedVersion != nil { try? renditionSweeper.sweepAll() }
    }

    /// Creates a second client of an open library, with its own view and grant.
    ///
    /// It shares the store, the workers, the renditions and all operations on the library as a
    /// whole.
    init(sharing other: EmbeddedService, grant: ClientGrant) {
        store = other.store
        program = other.program
        ownsLibrary = false
        view = LibraryView(store: store, access: ClientAccess(grant.access, decision: { grant }))
        fetcher = AssetFetcher(view)
        resources = ResourceFetcher(view)
        verifier = other.verifier
        workers = other.workers
        renditions = other.renditions
        importer = other.importer
        takeouts = other.takeouts
        refresher = other.refresher
        migrator = other.migrator
        committer = other.committer
        images = ImageLoader(
            store: store,
            resources: resources,
            renditions: renditions,
            workers: workers
        )
        finder = DuplicateFinder(view: view, renditions: renditions, images: images)
        renditionBuilder = other.renditionBuilder
        renditionSweeper = other.renditionSweeper
        background = other.background
    }

    func close() {
        guard ownsLibrary else { return view.close() }
        background?.stop()
        view.close()
        // Sweeps renditions of assets that other programs deleted permanently, even after a short
        // run.
        if store.hasWritten { try? renditionSweeper.sweep() }
        renditionSweeper.close()
        // A failed close leaves the log on disk for the next reader.
        try? store.close()
    }

    func status() throws(LibraryError) -> LibraryStatus {
        try present {
            let present = try store.presentVersion()
            let access = view.access.state
            // A program without permission learns neither the library's identity nor when it
            // changes.
            let isSeen = !access.access.isNone
            return LibraryStatus(
                path: store.bundle.root,
                version: present.version,
                stamp: isSeen ? present.stamp : nil,
                readOnlyReason: store.readOnlyReason,
                missingChanges: store.missingChanges,
                libraryUUID: isSeen ? try store.libraryUUID() : "",
                epoch: access.epoch
            )
        }
    }

    // MARK: - Fetching

    func fetch(_ request: AssetFetchRequest) throws(LibraryError) -> AssetFetchReply {
        try present { try fetcher.fetch(request) }
    }

    func loadAssets(_ request: AssetLoadRequest) throws(LibraryError) -> AssetLoadReply {
        try mapped { try fetcher.load(request) }
    }

    func countAssets(_ request: AssetCountRequest) throws(LibraryError) -> AssetCountReply {
        try mapped { try fetcher.count(request) }
    }

    func captureDays(_ request: CaptureDaysRequest) throws(LibraryError) -> CaptureDaysReply {
        try present { try fetcher.days(request) }
    }

    func searchFacets(_ request: SearchFacetsRequest) throws(LibraryError) -> SearchFacetsReply {
        // Hidden assets are never counted, so a view without them is permitted.
        try requireOwner()
        return try present { try fetcher.facets(request) }
    }

    // MARK: - Resources

    func listResources(_ request: ResourceListRequest) throws(LibraryError) -> ResourceListReply {
        try present { try resources.list(request) }
    }

    func openResource(
        _ request: ResourceOpenRequest
    ) throws(LibraryError) -> (ResourceOpenReply, Descriptor) {
        try present { try resources.open(request) }
    }

    func keptMetadata(_ request: KeptMetadataRequest) throws(LibraryError) -> KeptMetadataReply {
        try present {
            try KeptMetadataFetcher(resources: resources, prober: workers).fetch(request)
        }
    }

    func findContent(_ request: FindContentRequest) throws(LibraryError) -> FindContentReply {
        try present { try resources.find(request) }
    }

    func assetDigests(_ request: AssetDigestsRequest) throws(LibraryError) -> AssetDigestsReply {
        try present { try resources.digests(request) }
    }

    func fileDigests(of files: [Descriptor]) throws(LibraryError) -> FileDigestsReply {
        FileDigestsReply(
            digests: try files.map { file throws(LibraryError) in
                try FileDigester().digest(of: file).hexadecimal
            }
        )
    }

    // MARK: - Importing

    func beginImport(_ request: ImportSessionRequest) throws(LibraryError) -> ImportSessionReply {
        try view.access.requireEverything()
        return try importer.beginImport(request)
    }

    func knownFiles(_ request: KnownFilesRequest) throws(LibraryError) -> KnownFilesReply {
        try view.access.requireEverything()
        var reply = try importer.knownFiles(request)
        for index in reply.outcomes.indices {
            guard var outcome = reply.outcomes[index] else { continue }
            try hidePlanned(&outcome.localIdentifier)
            reply.outcomes[index] = outcome
        }
        return reply
    }

    func importFiles(
        _ request: ImportFilesRequest,
        files: [Descriptor]
    ) throws(LibraryError) -> ImportFilesReply {
        try view.access.requireEverything()
        background?.recordActivity()
        var reply = try importer.importFiles(request, files: files)
        for index in reply.outcomes.indices {
            try hidePlanned(&reply.outcomes[index].localIdentifier)
        }
        background?.add(
            reply.outcomes.filter { $0.kind == .imported }.compactMap { outcome in
                outcome.localIdentifier.flatMap { LocalIdentifier($0)?.uuid }
            }
        )
        return reply
    }

    func endImport(_ request: ImportEndRequest) throws(LibraryError) {
        try importer.endImport(request)
    }

    // MARK: - Checking

    func verify(_ request: VerifyRequest) throws(LibraryError) -> VerifyReply {
        try view.access.requireEverything()
        return try mapped { try verifier.verify(request) }
    }

    /// Removes the identifier of an object that only a plan has.
    func hidePlanned(_ identifier: inout String?) throws(LibraryError) {
        guard store.isPlan, let found = identifier else { return }
        identifier = try mapped { try store.withoutPlanned(found) }
    }

    /// Throws unless the client has the owner's access; a view that excludes hidden assets also
    /// qualifies.
    func requireOwner() throws(LibraryError) {
        guard program != nil else { return try view.access.requireAllAssets() }
        try view.access.requireEverything()
    }

    /// Runs `body` if the library is still at the path where it was opened.
    ///
    /// An open database remains readable after its folder was moved away. Objects that were already
    /// fetched stay valid, but new requests fail.
    ///
    /// - Throws: `libraryMissing` or `volumeMissing`, and the errors of `body`.
    func present<Result>(_ body: () throws -> Result) throws(LibraryError) -> Result {
        try mapped {
            try store.checkPresence()
            return try body()
        }
    }

    func mapped<Result>(_ body: () throws -> Result) throws(LibraryError) -> Result {
        do {
            return try body()
        } catch {
            throw LibraryError(error, library: store.bundle.root)
        }
    }
}
