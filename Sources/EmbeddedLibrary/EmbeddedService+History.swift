internal import LibraryService
internal import PhotoModel

extension EmbeddedService {
    func history(_ request: HistoryRequest) throws(LibraryError) -> HistoryReply {
        throw LibraryError(.internalError, "The library cannot do this yet.")
    }
}
