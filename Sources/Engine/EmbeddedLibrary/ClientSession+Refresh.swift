internal import ImagePipeline
internal import LibraryService
internal import PhotoLibrary
internal import PhotoModel

extension ClientSession {
    func readerStatus() throws(LibraryError) -> ReaderStatusReply {
        try whole { try engine.refresher.status() }
    }

    func refresh(_ request: RefreshRequest) throws(LibraryError) -> RefreshReply {
        try whole {
            engine.background?.recordActivity()
            return try engine.refresher.refresh(request)
        }
    }
}
