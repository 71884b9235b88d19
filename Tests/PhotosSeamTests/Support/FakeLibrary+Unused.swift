import LibraryService
import PhotoModel

/// What the fake does not do.
extension FakeLibrary {
    private static let unused = LibraryError(.internalError, "The fake does not change.")

    func findContent(_ request: FindContentRequest) throws(LibraryError) -> FindContentReply {
        throw Self.unused
    }

    func identify(_ request: IdentifyRequest, file: Descriptor) throws(LibraryError)
        -> IdentifyReply
    {
        throw Self.unused
    }

    func fetchCollections(_ request: CollectionFetchRequest) throws(LibraryError)
        -> CollectionFetchReply
    {
        throw Self.unused
    }

    func loadCollections(_ request: CollectionLoadRequest) throws(LibraryError)
        -> CollectionLoadReply
    {
        throw Self.unused
    }

    func commit(_ request: CommitRequest, files: [Descriptor]) throws(LibraryError) -> CommitReply {
        throw Self.unused
    }

    func undo(_ request: UndoRequest) throws(LibraryError) -> UndoReply {
        throw Self.unused
    }

    func history(_ request: HistoryRequest) throws(LibraryError) -> HistoryReply {
        throw Self.unused
    }

    func historyHorizon(_ request: HistoryHorizonRequest) throws(LibraryError)
        -> HistoryHorizonReply
    {
        throw Self.unused
    }

    func subscribe() throws(LibraryError) -> Descriptor {
        throw Self.unused
    }

    func pin() throws(LibraryError) -> PinReply {
        throw Self.unused
    }

    func unpin(_ request: UnpinRequest) throws(LibraryError) {
        throw Self.unused
    }

    func touched(_ request: TouchedRequest) throws(LibraryError) -> TouchedReply {
        throw Self.unused
    }

    func advance(_ request: AdvanceRequest) throws(LibraryError) -> AdvanceReply {
        throw Self.unused
    }

    func objectChanges(_ request: ObjectChangesRequest) throws(LibraryError) -> ObjectChangesReply {
        throw Self.unused
    }
}
