package import PhotoModel

/// The interface between the public modules and the engine.
///
/// All access to the engine goes through this protocol. Requests and replies are Sendable, Codable
/// values; file descriptors are passed alongside; closures are never passed. The current
/// implementation is in process (`EmbeddedLibrary`); a socket to a daemon can be another. The
/// client's identity is a property of the connection, so no request names its client.
///
/// Every call is synchronous, may be made from any thread, and throws `LibraryError`. No call runs
/// client code.
package protocol LibraryService: AuthorizationService, ChangeService {
    /// Returns the identity and the current state of the library.
    func status() throws(LibraryError) -> LibraryStatus

    /// Cancels the session's image requests, waits for its running calls, and ends the session.
    ///
    /// Its pins, file tokens, imports and migrations end, too. The library's files are closed with
    /// its last session. Later calls fail. Closing again does nothing.
    func close()

    /// Opens another session of the same library, with at most the rights of this one.
    ///
    /// - Returns: The session; closing it leaves this one open.
    /// - Throws: `accessDenied` when a program names an author.
    func openSession(_ request: SessionRequest) throws(LibraryError) -> any LibraryService

    /// Limits the processor time of each later fetch with a predicate.
    ///
    /// The limit cannot exceed that of the client's program.
    func limitFetches(_ request: FetchLimitRequest) throws(LibraryError)

    /// Returns the row ids of the assets that match a request.
    ///
    /// The call only steps the query. Equal requests at an unchanged version are served from
    /// memory.
    func fetch(_ request: AssetFetchRequest) throws(LibraryError) -> AssetFetchReply

    /// Loads the records of assets by row id, from one read transaction.
    func loadAssets(_ request: AssetLoadRequest) throws(LibraryError) -> AssetLoadReply

    /// Counts assets by media type.
    func countAssets(_ request: AssetCountRequest) throws(LibraryError) -> AssetCountReply

    /// Returns the days on which assets were captured.
    func captureDays(_ request: CaptureDaysRequest) throws(LibraryError) -> CaptureDaysReply

    /// Returns the facets by which a search can be narrowed.
    func searchFacets(_ request: SearchFacetsRequest) throws(LibraryError) -> SearchFacetsReply

    /// Lists the files of an asset.
    func listResources(_ request: ResourceListRequest) throws(LibraryError) -> ResourceListReply

    /// Opens a file of an asset for reading.
    func openResource(_ request: ResourceOpenRequest) throws(LibraryError) -> (
        ResourceOpenReply, Descriptor
    )

    /// Returns the locations of assets' files: on this computer, or only in the cloud.
    func cloudStates(_ request: CloudStatesRequest) throws(LibraryError) -> CloudStatesReply

    /// Downloads files that are only in the cloud, and waits until the download is complete.
    ///
    /// Files that are on this computer already take no time. The progress of the call counts the
    /// verified bytes of all other files. `cancel`, or the cancellation of the call's context, ends
    /// it with `cancelled`.
    ///
    /// - Throws: `networkAccessRequired` if nobody can download them now, `networkError` if the
    ///   connection to the cloud library breaks, and what the request for an unknown file throws.
    func downloadResources(_ request: DownloadRequest) throws(LibraryError)

    /// Reads the metadata that an asset's original and sidecars contain but for which the library
    /// has no fields.
    ///
    /// - Throws: `workerUnavailable`. A file that cannot be read is part of the reply.
    func keptMetadata(_ request: KeptMetadataRequest) throws(LibraryError) -> KeptMetadataReply

    /// Finds the assets that have a file with given content.
    ///
    /// Sidecars are ignored, since two photos may have equal ones.
    func findContent(_ request: FindContentRequest) throws(LibraryError) -> FindContentReply

    /// Returns the SHA-256 digests of assets' originals.
    func assetDigests(_ request: AssetDigestsRequest) throws(LibraryError) -> AssetDigestsReply

    /// Computes the SHA-256 digests of a client's regular files by reading them completely.
    ///
    /// - Throws: `accessDenied` unless the client may see everything.
    func fileDigests(of files: [Descriptor]) throws(LibraryError) -> FileDigestsReply

    /// Opens an import session.
    func beginImport(_ request: ImportSessionRequest) throws(LibraryError) -> ImportSessionReply

    /// Finds previously imported files by name, size, times and inode, without reading their
    /// content.
    func knownFiles(_ request: KnownFilesRequest) throws(LibraryError) -> KnownFilesReply

    /// Imports a batch of files: copies, hashes, probes and commits them.
    ///
    /// The batch is durable when the call returns. Several calls of one session may run
    /// concurrently. The failure of a single file is its outcome; the call throws only when nothing
    /// of the batch could be committed (a full disk, a busy library).
    func importFiles(_ request: ImportFilesRequest, files: [Descriptor]) throws(LibraryError)
        -> ImportFilesReply

    /// Reads the file names and the JSON files of a Google Takeout export, for an import session.
    ///
    /// Takes as long as reading them does. The descriptors are those of the
    /// sources.
    func openTakeout(_ request: TakeoutOpenRequest, files: [Descriptor]) throws(LibraryError)
        -> TakeoutOpenReply

    /// Imports the next group of files of an opened export.
    ///
    /// The group is durable when the call returns. The failure of a single file is its outcome; the
    /// call throws only when nothing of the group was committed, and can then be repeated.
    func stepTakeout(_ request: TakeoutStepRequest) throws(LibraryError) -> TakeoutStepReply

    /// Ends an import session.
    func endImport(_ request: ImportEndRequest) throws(LibraryError)

    /// Opens a library of another program for migration, and plans the migration.
    ///
    /// - Throws: `invalidResource` when it is no such library or damaged, `busy` when its program
    ///   is writing to it.
    func beginMigration(_ request: MigrationBeginRequest, files: [Descriptor])
        throws(LibraryError) -> MigrationBeginReply

    /// Migrates the next group of items, which are durable when the call returns.
    ///
    /// The failure of a single item is its outcome; the call throws only when nothing of the group
    /// was committed.
    func continueMigration(_ request: MigrationStepRequest) throws(LibraryError)
        -> MigrationStepReply

    /// Ends a migration.
    func endMigration(_ request: MigrationEndRequest) throws(LibraryError)

    /// Checks a slice of the library.
    func verify(_ request: VerifyRequest) throws(LibraryError) -> VerifyReply

    /// Returns the number of assets with metadata from an earlier version of the metadata reader.
    func readerStatus() throws(LibraryError) -> ReaderStatusReply

    /// Reads the metadata of assets' originals again, and updates values that no person or program
    /// set.
    ///
    /// The changes are durable when the call returns. The failure of a single asset is its outcome;
    /// the call throws only when nothing was changed.
    func refresh(_ request: RefreshRequest) throws(LibraryError) -> RefreshReply

    /// Returns the row ids of the albums and folders that match a request.
    func fetchCollections(_ request: CollectionFetchRequest) throws(LibraryError)
        -> CollectionFetchReply

    /// Loads the records of albums and folders by row id, from one read transaction.
    func loadCollections(_ request: CollectionLoadRequest) throws(LibraryError)
        -> CollectionLoadReply

    /// Identifies the kind of a file from its content.
    func identify(_ request: IdentifyRequest, file: Descriptor) throws(LibraryError)
        -> IdentifyReply

    /// Returns the transactions after a version.
    ///
    /// - Throws: `historyExpired` when the journal no longer reaches back to the version.
    func history(_ request: HistoryRequest) throws(LibraryError) -> HistoryReply

    /// Returns, and optionally sets, the retention period of the history.
    func historyHorizon(_ request: HistoryHorizonRequest) throws(LibraryError)
        -> HistoryHorizonReply

    /// Returns a descriptor that becomes readable after any process commits a change.
    ///
    /// The client drains it and then requests the status. The descriptor may stay silent on file
    /// systems without notifications, so clients poll in addition.
    func subscribe() throws(LibraryError) -> Descriptor

    /// Pins a snapshot of the current state, so that several requests return consistent results.
    func pin() throws(LibraryError) -> PinReply

    /// Releases a pinned snapshot.
    ///
    /// Unknown numbers are ignored.
    func unpin(_ request: UnpinRequest) throws(LibraryError)

    /// Returns the objects that changed between two versions.
    ///
    /// - Throws: `historyExpired` when the journal no longer reaches back to the first version.
    func touched(_ request: TouchedRequest) throws(LibraryError) -> TouchedReply

    /// Returns the changes that update a client's fetch result to the current state or to a pinned
    /// snapshot.
    ///
    /// The cost is usually proportional to the number of changes.
    func advance(_ request: AdvanceRequest) throws(LibraryError) -> AdvanceReply

    /// Returns the changes of a fetch result that the request identifies by its digest and that
    /// this session retains.
    ///
    /// Only sessions at the other end of a connection retain results; all others reply `unknown`.
    func advanceHeld(_ request: HeldAdvanceRequest) throws(LibraryError) -> HeldAdvanceReply

    /// Returns the changes of objects since they were loaded.
    func objectChanges(_ request: ObjectChangesRequest) throws(LibraryError) -> ObjectChangesReply

    /// Returns an image of an asset; nil when the request accepts only a readily available image
    /// and there is none.
    ///
    /// Takes as long as decoding does; `cancel` ends it with `cancelled`.
    func image(_ request: ImageRequest) throws(LibraryError) -> (ImageReply, ImagePixels)?

    /// Returns the renditions from which the images of several assets can be made without decoding
    /// files.
    ///
    /// Nothing is decoded, so no image waits for another. The failure of a single image is its
    /// answer. A client in the same process has no use for it.
    func readyImages(_ request: ReadyImagesRequest) throws(LibraryError) -> ReadyImagesReply

    /// Returns the stored JPEG of an asset's smallest rendition; nil when there is none that can be
    /// shown as it is.
    func thumbnail(_ request: ThumbnailRequest) throws(LibraryError) -> ThumbnailReply?

    /// Finds photos that show the same picture; `cancel` ends the call with `cancelled`.
    func duplicates(_ request: DuplicatesRequest) throws(LibraryError) -> DuplicatesReply

    /// Cancels the calls with the given tickets, whether or not the calls have arrived yet.
    ///
    /// The session retains the last 1,024 canceled tickets.
    func cancel(_ request: CancelRequest) throws(LibraryError)

    /// Opens the file behind an asset's image.
    func imageData(_ request: ImageDataRequest) throws(LibraryError) -> (
        ImageDataReply, Descriptor
    )

    /// Opens the file behind an asset's movie.
    ///
    /// - Throws: `notSupportedForAsset` when the asset has none.
    func movieData(_ request: MovieDataRequest) throws(LibraryError) -> (
        MovieDataReply, Descriptor
    )

    /// Returns the adjustments that were saved with an asset's edit.
    func adjustments(_ request: AdjustmentsRequest) throws(LibraryError) -> AdjustmentsReply

    /// Returns the state of the stored renditions.
    func renditionStatus() throws(LibraryError) -> RenditionStatusReply

    /// Generates missing renditions for a slice of the library.
    ///
    /// A rendition that cannot be generated is not an error; `cancel` ends the call with
    /// `cancelled`.
    func buildRenditions(_ request: RenditionBuildRequest) throws(LibraryError)
        -> RenditionBuildReply

    /// Deletes all renditions, which are generated again on demand.
    func dropRenditions() throws(LibraryError)
}

/// The identity and the current state of a library.
package struct LibraryStatus: Codable, Hashable, Sendable {
    /// The bundle's folder; nil for a client that does not own the library.
    package var path: String?
    /// The version of the last committed transaction; 0 in an empty library.
    package var version: Int64
    /// The stamp of the last committed transaction; nil in an empty library.
    ///
    /// A restored library assigns the same version numbers again, but with other stamps.
    package var stamp: HistoryStamp?
    /// The reason why the library is read-only; nil when it is writable.
    package var readOnlyReason: String?
    /// The error that describes lost changes if the database is older than the last recorded
    /// commit; otherwise nil.
    package var missingChanges: LibraryError?
    /// The unique identifier of the library, which survives a move or a restore.
    package var libraryUUID: String
    /// A number that increases whenever this client's access changes.
    package var epoch: Int64
    package init(
        path: String?,
        version: Int64,
        stamp: HistoryStamp? = nil,
        readOnlyReason: String?,
        missingChanges: LibraryError? = nil,
        libraryUUID: String = "",
        epoch: Int64 = 0
    ) {
        self.path = path
        self.version = version
        self.stamp = stamp
        self.readOnlyReason = readOnlyReason
        self.missingChanges = missingChanges
        self.libraryUUID = libraryUUID
        self.epoch = epoch
    }
}
