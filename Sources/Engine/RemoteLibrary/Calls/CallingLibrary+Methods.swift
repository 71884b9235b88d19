package import LibraryService
package import PhotoModel

/// Implements the methods of `LibraryService` by calls over a connection.
extension CallingLibrary {
    package func status() throws(LibraryError) -> LibraryStatus {
        try send(table.status)
    }

    package func authorizationStatus(_ request: AuthorizationStatusRequest) throws(LibraryError)
        -> AuthorizationStatusReply
    {
        try send(table.authorizationStatus, request)
    }

    package func requestAuthorization(_ request: AuthorizationRequest) throws(LibraryError)
        -> AuthorizationReply
    {
        try send(table.requestAuthorization, request)
    }

    package func limitedSelection() throws(LibraryError) -> LimitedSelectionReply {
        try send(table.limitedSelection)
    }

    package func changeSelection() throws(LibraryError) -> SelectionChangeReply {
        try send(table.changeSelection)
    }

    package func limitFetches(_ request: FetchLimitRequest) throws(LibraryError) {
        try send(table.limitFetches, request)
    }

    package func fetch(_ request: AssetFetchRequest) throws(LibraryError) -> AssetFetchReply {
        try send(table.fetch, request)
    }

    package func loadAssets(_ request: AssetLoadRequest) throws(LibraryError) -> AssetLoadReply {
        try send(table.loadAssets, request)
    }

    package func countAssets(_ request: AssetCountRequest) throws(LibraryError) -> AssetCountReply {
        try send(table.countAssets, request)
    }

    package func captureDays(_ request: CaptureDaysRequest) throws(LibraryError) -> CaptureDaysReply
    {
        try send(table.captureDays, request)
    }

    package func searchFacets(_ request: SearchFacetsRequest) throws(LibraryError)
        -> SearchFacetsReply
    {
        try send(table.searchFacets, request)
    }

    package func listResources(_ request: ResourceListRequest) throws(LibraryError)
        -> ResourceListReply
    {
        try send(table.listResources, request)
    }

    package func openResource(_ request: ResourceOpenRequest) throws(LibraryError) -> (
        ResourceOpenReply, Descriptor
    ) {
        try open(table.openResource, request)
    }

    package func cloudStates(_ request: CloudStatesRequest) throws(LibraryError) -> CloudStatesReply
    {
        try send(table.cloudStates, request)
    }

    package func downloadResources(_ request: DownloadRequest) throws(LibraryError) {
        try send(table.downloadResources, request)
    }

    package func keptMetadata(_ request: KeptMetadataRequest) throws(LibraryError)
        -> KeptMetadataReply
    {
        try send(table.keptMetadata, request)
    }

    package func findContent(_ request: FindContentRequest) throws(LibraryError) -> FindContentReply
    {
        try send(table.findContent, request)
    }

    package func assetDigests(_ request: AssetDigestsRequest) throws(LibraryError)
        -> AssetDigestsReply
    {
        try send(table.assetDigests, request)
    }

    package func fileDigests(of files: [Descriptor]) throws(LibraryError) -> FileDigestsReply {
        try send(table.fileDigests, files: files)
    }

    package func beginImport(_ request: ImportSessionRequest) throws(LibraryError)
        -> ImportSessionReply
    {
        try send(table.beginImport, request)
    }

    package func knownFiles(_ request: KnownFilesRequest) throws(LibraryError) -> KnownFilesReply {
        try send(table.knownFiles, request)
    }

    package func importFiles(_ request: ImportFilesRequest, files: [Descriptor])
        throws(LibraryError) -> ImportFilesReply
    {
        try send(table.importFiles, request, files: files)
    }

    package func openTakeout(_ request: TakeoutOpenRequest, files: [Descriptor])
        throws(LibraryError) -> TakeoutOpenReply
    {
        try send(table.openTakeout, request, files: files)
    }

    package func stepTakeout(_ request: TakeoutStepRequest) throws(LibraryError) -> TakeoutStepReply
    {
        try send(table.stepTakeout, request)
    }

    package func endImport(_ request: ImportEndRequest) throws(LibraryError) {
        try send(table.endImport, request)
    }

    package func beginMigration(_ request: MigrationBeginRequest, files: [Descriptor])
        throws(LibraryError) -> MigrationBeginReply
    {
        try send(table.beginMigration, request, files: files)
    }

    package func continueMigration(_ request: MigrationStepRequest) throws(LibraryError)
        -> MigrationStepReply
    {
        try send(table.continueMigration, request)
    }

    package func endMigration(_ request: MigrationEndRequest) throws(LibraryError) {
        try send(table.endMigration, request)
    }

    package func verify(_ request: VerifyRequest) throws(LibraryError) -> VerifyReply {
        try send(table.verify, request)
    }

    package func readerStatus() throws(LibraryError) -> ReaderStatusReply {
        try send(table.readerStatus)
    }

    package func refresh(_ request: RefreshRequest) throws(LibraryError) -> RefreshReply {
        try send(table.refresh, request)
    }

    package func fetchCollections(_ request: CollectionFetchRequest) throws(LibraryError)
        -> CollectionFetchReply
    {
        try send(table.fetchCollections, request)
    }

    package func loadCollections(_ request: CollectionLoadRequest) throws(LibraryError)
        -> CollectionLoadReply
    {
        try send(table.loadCollections, request)
    }

    package func identify(_ request: IdentifyRequest, file: Descriptor) throws(LibraryError)
        -> IdentifyReply
    {
        try send(table.identify, request, files: [file])
    }

    package func history(_ request: HistoryRequest) throws(LibraryError) -> HistoryReply {
        try send(table.history, request)
    }

    package func historyHorizon(_ request: HistoryHorizonRequest) throws(LibraryError)
        -> HistoryHorizonReply
    {
        try send(table.historyHorizon, request)
    }

    package func subscribe() throws(LibraryError) -> Descriptor {
        try open(table.subscribe, NoValue()).1
    }

    package func pin() throws(LibraryError) -> PinReply {
        try send(table.pin)
    }

    package func unpin(_ request: UnpinRequest) throws(LibraryError) {
        try send(table.unpin, request)
    }

    package func touched(_ request: TouchedRequest) throws(LibraryError) -> TouchedReply {
        try send(table.touched, request)
    }

    package func advance(_ request: AdvanceRequest) throws(LibraryError) -> AdvanceReply {
        try send(table.advance, request)
    }

    package func advanceHeld(_ request: HeldAdvanceRequest) throws(LibraryError)
        -> HeldAdvanceReply
    {
        try send(table.advanceHeld, request)
    }

    package func objectChanges(_ request: ObjectChangesRequest) throws(LibraryError)
        -> ObjectChangesReply
    {
        try send(table.objectChanges, request)
    }

    package func image(_ request: ImageRequest) throws(LibraryError) -> (ImageReply, ImagePixels)? {
        try load(table.image, request)
    }

    package func readyImages(_ request: ReadyImagesRequest) throws(LibraryError) -> ReadyImagesReply
    {
        try send(table.readyImages, request)
    }

    package func thumbnail(_ request: ThumbnailRequest) throws(LibraryError) -> ThumbnailReply? {
        try send(table.thumbnail, request)
    }

    package func duplicates(_ request: DuplicatesRequest) throws(LibraryError) -> DuplicatesReply {
        try send(table.duplicates, request)
    }

    package func cancel(_ request: CancelRequest) throws(LibraryError) {
        try send(table.cancel, request)
    }

    package func imageData(_ request: ImageDataRequest) throws(LibraryError) -> (
        ImageDataReply, Descriptor
    ) {
        try open(table.imageData, request)
    }

    package func movieData(_ request: MovieDataRequest) throws(LibraryError) -> (
        MovieDataReply, Descriptor
    ) {
        try open(table.movieData, request)
    }

    package func adjustments(_ request: AdjustmentsRequest) throws(LibraryError) -> AdjustmentsReply
    {
        try send(table.adjustments, request)
    }

    package func renditionStatus() throws(LibraryError) -> RenditionStatusReply {
        try send(table.renditionStatus)
    }

    package func buildRenditions(_ request: RenditionBuildRequest) throws(LibraryError)
        -> RenditionBuildReply
    {
        try send(table.buildRenditions, request)
    }

    package func dropRenditions() throws(LibraryError) {
        try send(table.dropRenditions)
    }
}
