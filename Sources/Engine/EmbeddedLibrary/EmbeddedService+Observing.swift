internal import LibraryService
internal import PhotoLibrary
internal import PhotoModel

extension EmbeddedService {
    func subscribe() throws(LibraryError) -> Descriptor {
        try ChangeSubscription.open(view)
    }

    func pin() throws(LibraryError) -> PinReply {
        try mapped { try view.pin() }
    }

    func unpin(_ request: UnpinRequest) throws(LibraryError) {
        view.unpin(request.pin)
    }

    func touched(_ request: TouchedRequest) throws(LibraryError) -> TouchedReply {
        try mapped { try ChangedObjects(view).touched(request) }
    }

    func advance(_ request: AdvanceRequest) throws(LibraryError) -> AdvanceReply {
        try mapped { try ResultAdvancer(view).advance(request) }
    }

    func objectChanges(_ request: ObjectChangesRequest) throws(LibraryError) -> ObjectChangesReply {
        try mapped { try ChangedObjects(view).changes(request) }
    }
}
