package import PhotoModel

/// The seam: the only way from the public modules down to the engine.
///
/// Requests and replies are Sendable, Codable values; descriptors travel beside them; closures never
/// cross. Today there is one implementation, in process (`EmbeddedLibrary`); a socket to a daemon can
/// be another. Who asks is a property of the connection, so no request names its client.
///
/// Every call is synchronous, may be made from any thread, and throws `LibraryError`. No call runs
/// client code.
package protocol LibraryService: Sendable {
    /// Which library this is and where it stands.
    func status() throws(LibraryError) -> LibraryStatus

    /// Closes the library's files once the calls under way have ended.
    ///
    /// Later calls fail. Closing again does nothing.
    func close()

    /// Row ids of the assets that a request asks for.
    ///
    /// Stepping them is all that it does; equal requests at an unchanged version are answered from
    /// memory.
    func fetch(_ request: AssetFetchRequest) throws(LibraryError) -> AssetFetchReply

    /// Records of assets by row id, from one read transaction.
    func loadAssets(_ request: AssetLoadRequest) throws(LibraryError) -> AssetLoadReply

    /// Counts by media type.
    func countAssets(_ request: AssetCountRequest) throws(LibraryError) -> AssetCountReply

    /// The days on which assets were captured.
    func captureDays(_ request: CaptureDaysRequest) throws(LibraryError) -> CaptureDaysReply

    /// What a search can be narrowed by.
    func searchFacets(_ request: SearchFacetsRequest) throws(LibraryError) -> SearchFacetsReply

    /// The files of an asset.
    func listResources(_ request: ResourceListRequest) throws(LibraryError) -> ResourceListReply

    /// Opens a file of an asset for reading.
    func openResource(_ request: ResourceOpenRequest) throws(LibraryError) -> (
        ResourceOpenReply, Descriptor
    )

    /// Which assets have files with certain bytes.
    ///
    /// Sidecars do not count: two photos may have equal ones.
    func findContent(_ request: FindContentRequest) throws(LibraryError) -> FindContentReply

    /// By which bytes assets are known.
    func assetDigests(_ request: AssetDigestsRequest) throws(LibraryError) -> AssetDigestsReply

    /// The SHA-256 of a client's files, read from their beginnings to their ends.
    func fileDigests(of files: [Descriptor]) throws(LibraryError) -> FileDigestsReply

    /// Opens an import session.
    func beginImport(_ request: ImportSessionRequest) throws(LibraryError) -> ImportSessionReply

    /// Which files are known by name, size, times and inode.
    func knownFiles(_ request: KnownFilesRequest) throws(LibraryError) -> KnownFilesReply

    /// Imports a batch of files: copies, hashes, probes, commits; durable when it returns.
    ///
    /// Several calls of one session may run at once. A file's own failure is its outcome; the call
    /// throws only when nothing of the batch could be committed (a full disk, a busy library).
    func importFiles(_ request: ImportFilesRequest, files: [Descriptor]) throws(LibraryError)
        -> ImportFilesReply

    /// Ends an import session.
    func endImport(_ request: ImportEndRequest) throws(LibraryError)

    /// Checks a slice of the library.
    func verify(_ request: VerifyRequest) throws(LibraryError) -> VerifyReply

    /// How many assets were read by an earlier reader.
    func readerStatus() throws(LibraryError) -> ReaderStatusReply

    /// Reads the originals of assets again with the present reader, and updates what nobody set; durable
    /// when it returns.
    ///
    /// An asset's own failure is its outcome; the call throws only when nothing was changed.
    func refresh(_ request: RefreshRequest) throws(LibraryError) -> RefreshReply

    /// Row ids of the albums and folders that a request asks for.
    func fetchCollections(_ request: CollectionFetchRequest) throws(LibraryError)
        -> CollectionFetchReply

    /// Records of albums and folders by row id, from one read transaction.
    func loadCollections(_ request: CollectionLoadRequest) throws(LibraryError)
        -> CollectionLoadReply

    /// What kind of file something is, by its bytes.
    func identify(_ request: IdentifyRequest, file: Descriptor) throws(LibraryError)
        -> IdentifyReply

    /// Makes changes: one transaction, durable when it returns; nothing of it stays when it throws.
    func commit(_ request: CommitRequest, files: [Descriptor]) throws(LibraryError) -> CommitReply

    /// Takes the last change back that was not taken back yet, as a change of its own.
    func undo(_ request: UndoRequest) throws(LibraryError) -> UndoReply

    /// What happened after a version.
    ///
    /// - Throws: `historyExpired` when the journal was pruned since.
    func history(_ request: HistoryRequest) throws(LibraryError) -> HistoryReply

    /// How long history is kept.
    func historyHorizon(_ request: HistoryHorizonRequest) throws(LibraryError)
        -> HistoryHorizonReply

    /// A descriptor that becomes readable after commits of any process.
    ///
    /// The client reads what is there away, then asks for the status. It may stay silent where the
    /// file system tells nothing, so clients ask now and then besides.
    func subscribe() throws(LibraryError) -> Descriptor

    /// Holds the present state, so that several questions get answers that agree.
    func pin() throws(LibraryError) -> PinReply

    /// Lets go of a state.
    ///
    /// Unknown numbers are harmless.
    func unpin(_ request: UnpinRequest) throws(LibraryError)

    /// Which objects changed between two versions.
    ///
    /// - Throws: `historyExpired` when the journal was pruned since.
    func touched(_ request: TouchedRequest) throws(LibraryError) -> TouchedReply

    /// How the answer to a fetch became another: costs what changed, not what exists.
    func advance(_ request: AdvanceRequest) throws(LibraryError) -> AdvanceReply

    /// What became of objects since they were loaded.
    func objectChanges(_ request: ObjectChangesRequest) throws(LibraryError) -> ObjectChangesReply

    /// A picture of an asset; nil when one was to be at hand and none is.
    ///
    /// Takes as long as decoding does; `cancelImages` ends it with `cancelled`.
    func image(_ request: ImageRequest) throws(LibraryError) -> (ImageReply, ImagePixels)?

    /// Which photos show the same picture.
    func duplicates(_ request: DuplicatesRequest) throws(LibraryError) -> DuplicatesReply

    /// Stops requests for pictures.
    func cancelImages(_ request: ImageCancelRequest) throws(LibraryError)

    /// The file of an asset's picture.
    func imageData(_ request: ImageDataRequest) throws(LibraryError) -> (
        ImageDataReply, Descriptor
    )

    /// The file of an asset's movie.
    ///
    /// - Throws: `notSupportedForAsset` when it has none.
    func movieData(_ request: MovieDataRequest) throws(LibraryError) -> (
        MovieDataReply, Descriptor
    )

    /// What an editor did to an asset, as it was saved with the edit.
    func adjustments(_ request: AdjustmentsRequest) throws(LibraryError) -> AdjustmentsReply

    /// What small pictures there are.
    func renditionStatus() throws(LibraryError) -> RenditionStatusReply

    /// Makes small pictures that are missing, of a slice of the library.
    ///
    /// A picture that can't be made is no error; `cancelImages` ends it with `cancelled`.
    func buildRenditions(_ request: RenditionBuildRequest) throws(LibraryError)
        -> RenditionBuildReply

    /// Removes all small pictures: they are made again as they are asked for.
    func dropRenditions() throws(LibraryError)
}

/// Which library, and where it stands.
package struct LibraryStatus: Codable, Hashable, Sendable {
    /// The bundle's folder.
    package var path: String
    /// Of the last committed transaction; 0 in an empty library.
    package var version: Int64
    /// The stamp of that transaction; nil in an empty library.
    package var stamp: HistoryStamp?
    /// Whether it can only be read, and why not written.
    package var readOnlyReason: String?
    /// Set when the database is older than the last commit that was noted; nil otherwise.
    package var missingChanges: LibraryError?
    /// What tells this library from all others; the same after a move or a restore.
    package var libraryUUID: String
    /// Grows whenever what this client is permitted to see changes.
    package var epoch: Int64
    package init(
        path: String,
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
