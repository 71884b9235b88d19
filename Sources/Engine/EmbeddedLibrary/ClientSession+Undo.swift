internal import LibraryService
internal import PhotoLibrary
internal import PhotoModel

extension ClientSession {
    func undo(_ request: UndoRequest) throws(LibraryError) -> UndoReply {
        try call {
            try requireOwner()
            let state = view.access.state
            let refusal = state.access.includesHidden ? nil : state.hiddenRefusal ?? state.refusal
            return try store.undo(
                request,
                author: client.author,
                requester: client.requester,
                refusingHidden: refusal
            )
        }
    }

    func historyHorizon(_ request: HistoryHorizonRequest) throws(LibraryError)
        -> HistoryHorizonReply
    {
        try call {
            try view.access.requireAnyAccess()
            if request.days != nil { try view.access.requireEverything() }
            return try store.historyHorizon(request)
        }
    }
}
