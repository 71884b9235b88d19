internal import LibraryService
internal import PhotoModel

extension EmbeddedService {
    func subscribe() throws(LibraryError) -> Descriptor {
        throw LibraryError(.internalError, "The library cannot do this yet.")
    }

    func pin() throws(LibraryError) -> PinReply {
        throw LibraryError(.internalError, "The library cannot do this yet.")
    }

    func unpin(_ request: UnpinRequest) throws(LibraryError) {
        throw LibraryError(.internalError, "The library cannot do this yet.")
    }

    func touched(_ request: TouchedRequest) throws(LibraryError) -> TouchedReply {
        throw LibraryError(.internalError, "The library cannot do this yet.")
    }

    func advance(_ request: AdvanceRequest) throws(LibraryError) -> AdvanceReply {
        throw LibraryError(.internalError, "The library cannot do this yet.")
    }

    func objectChanges(_ request: ObjectChangesRequest) throws(LibraryError) -> ObjectChangesReply {
        throw LibraryError(.internalError, "The library cannot do this yet.")
    }
}
