internal import LibraryService
internal import PhotoLibrary
internal import PhotoModel

extension EmbeddedService {
    func history(_ request: HistoryRequest) throws(LibraryError) -> HistoryReply {
        try mapped { try HistoryReader(view).history(request) }
    }
}
