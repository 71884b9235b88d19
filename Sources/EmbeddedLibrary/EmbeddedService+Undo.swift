internal import LibraryService
internal import PhotoLibrary
internal import PhotoModel

extension EmbeddedService {
    func undo(_ request: UndoRequest) throws(LibraryError) -> UndoReply {
        try view.access.requireEverything()
        return try mapped { try store.undo(request) }
    }

    func historyHorizon(_ request: HistoryHorizonRequest) throws(LibraryError)
        -> HistoryHorizonReply
    {
        if request.days != nil { try view.access.requireEverything() }
        return try mapped { try store.historyHorizon(request) }
    }
}
