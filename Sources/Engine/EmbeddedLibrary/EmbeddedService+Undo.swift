internal import LibraryService
internal import PhotoLibrary
internal import PhotoModel

extension EmbeddedService {
    func undo(_ request: UndoRequest) throws(LibraryError) -> UndoReply {
        try requireOwner()
        let state = view.access.state
        let refusal = state.access.includesHidden ? nil : state.hiddenRefusal ?? state.refusal
        return try mapped { try store.undo(request, refusingHidden: refusal) }
    }

    func historyHorizon(_ request: HistoryHorizonRequest) throws(LibraryError)
        -> HistoryHorizonReply
    {
        if request.days != nil { try view.access.requireEverything() }
        return try mapped { try store.historyHorizon(request) }
    }
}
