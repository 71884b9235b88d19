internal import LibraryService
internal import PhotoLibrary
internal import PhotoModel

extension EmbeddedService {
    func fetchCollections(_ request: CollectionFetchRequest) throws(LibraryError)
        -> CollectionFetchReply
    {
        try present { try CollectionFetcher(view).fetch(request) }
    }

    func loadCollections(_ request: CollectionLoadRequest) throws(LibraryError)
        -> CollectionLoadReply
    {
        try mapped { try CollectionFetcher(view).load(request) }
    }
}
