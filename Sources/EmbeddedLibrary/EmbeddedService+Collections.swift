internal import LibraryService
internal import PhotoModel

extension EmbeddedService {
    func fetchCollections(_ request: CollectionFetchRequest) throws(LibraryError)
        -> CollectionFetchReply
    {
        throw LibraryError(.internalError, "The library cannot do this yet.")
    }

    func loadCollections(_ request: CollectionLoadRequest) throws(LibraryError)
        -> CollectionLoadReply
    {
        throw LibraryError(.internalError, "The library cannot do this yet.")
    }
}
