internal import LibraryService
internal import PhotoLibrary
internal import PhotoModel

extension ClientSession {
    func history(_ request: HistoryRequest) throws(LibraryError) -> HistoryReply {
        try present {
            let state = view.access.state
            if state.access == .none, let refusal = state.refusal { throw refusal }
            return try HistoryReader(view).history(request)
        }
    }
}
