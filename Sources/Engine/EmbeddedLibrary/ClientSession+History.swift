internal import LibraryService
internal import PhotoLibrary
internal import PhotoModel

extension ClientSession {
    func history(_ request: HistoryRequest) throws(LibraryError) -> HistoryReply {
        try present {
            try view.access.requireAnyAccess()
            return try HistoryReader(view).history(request)
        }
    }
}
