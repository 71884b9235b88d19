internal import ImagePipeline
internal import LibraryService
internal import PhotoLibrary
internal import PhotoModel

extension EmbeddedService {
    func readerStatus() throws(LibraryError) -> ReaderStatusReply {
        try view.access.requireEverything()
        return try refresher.status()
    }

    func refresh(_ request: RefreshRequest) throws(LibraryError) -> RefreshReply {
        try view.access.requireEverything()
        background?.recordActivity()
        return try refresher.refresh(request)
    }
}
