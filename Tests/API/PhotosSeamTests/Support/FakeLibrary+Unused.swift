import LibraryService
import PhotoModel

/// The functions that the fake does not support.
extension FakeLibrary {
    private static let unused = LibraryError(.internalError, "The fake does not change.")

    func cloudStates(_ request: CloudStatesRequest) throws(LibraryError) -> CloudStatesReply {
        throw Self.unused
    }

    func downloadResources(_ request: DownloadRequest) throws(LibraryError) { throw Self.unused }

    func findContent(_ request: FindContentRequest) throws(LibraryError) -> FindContentReply {
        throw Self.unused
    }

    func duplicates(_ request: DuplicatesRequest) throws(LibraryError) -> DuplicatesReply {
        throw Self.unused
    }

    func identify(_ request: IdentifyRequest, file: Descriptor) throws(LibraryError)
        -> IdentifyReply
    {
        throw Self.unused
    }

    func assetDigests(_ request: AssetDigestsRequest) throws(LibraryError) -> AssetDigestsReply {
        throw Self.unused
    }

    func undo(_ request: UndoRequest) throws(LibraryError) -> UndoReply {
        throw Self.unused
    }

    func readerStatus() throws(LibraryError) -> ReaderStatusReply {
        throw Self.unused
    }

    func refresh(_ request: RefreshRequest) throws(LibraryError) -> RefreshReply {
        throw Self.unused
    }

    func historyHorizon(_ request: HistoryHorizonRequest) throws(LibraryError)
        -> HistoryHorizonReply
    {
        throw Self.unused
    }

    func limitedSelection() throws(LibraryError) -> LimitedSelectionReply {
        throw Self.unused
    }

    func changeSelection() throws(LibraryError) -> SelectionChangeReply {
        throw Self.unused
    }

    func authorizationStatus(_ request: AuthorizationStatusRequest) throws(LibraryError)
        -> AuthorizationStatusReply
    {
        throw Self.unused
    }

    func requestAuthorization(_ request: AuthorizationRequest) throws(LibraryError)
        -> AuthorizationReply
    {
        throw Self.unused
    }
}
