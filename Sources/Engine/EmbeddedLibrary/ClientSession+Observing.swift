internal import LibraryService
internal import PhotoLibrary
internal import PhotoModel

extension ClientSession {
    func subscribe() throws(LibraryError) -> Descriptor {
        try call { try ChangeSubscription.open(view) }
    }

    func pin() throws(LibraryError) -> PinReply {
        try call { try view.pin() }
    }

    func unpin(_ request: UnpinRequest) throws(LibraryError) {
        try call { view.unpin(request.pin) }
    }

    func touched(_ request: TouchedRequest) throws(LibraryError) -> TouchedReply {
        try call { try ChangedObjects(view).touched(request) }
    }

    func advance(_ request: AdvanceRequest) throws(LibraryError) -> AdvanceReply {
        try call { try ResultAdvancer(view).advance(request) }
    }

    func advanceHeld(_ request: HeldAdvanceRequest) throws(LibraryError) -> HeldAdvanceReply {
        .unknown
    }

    func objectChanges(_ request: ObjectChangesRequest) throws(LibraryError) -> ObjectChangesReply {
        try call { try ChangedObjects(view).changes(request) }
    }
}
