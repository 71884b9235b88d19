internal import LibraryService
internal import PhotoLibrary
internal import PhotoModel

extension ClientSession {
    func fetchCollections(_ request: CollectionFetchRequest) throws(LibraryError)
        -> CollectionFetchReply
    {
        try present { try CollectionFetcher(view).fetch(request) }
    }

    func loadCollections(_ request: CollectionLoadRequest) throws(LibraryError)
        -> CollectionLoadReply
    {
        try call { try CollectionFetcher(view).load(request) }
    }
}
