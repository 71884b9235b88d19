internal import LibraryService
internal import PhotoLibrary
internal import PhotoModel

extension EmbeddedService {
    func history(_ request: HistoryRequest) throws(LibraryError) -> HistoryReply {
        let state = view.access.state
        if state.access == .none, let refusal = state.refusal { throw refusal }
        return try present { try HistoryReader(view).history(request) }
    }
}
