internal import LibraryService
internal import PhotoModel

extension EmbeddedService {
    func commit(_ request: CommitRequest, files: [Descriptor]) throws(LibraryError) -> CommitReply {
        throw LibraryError(.internalError, "The library cannot do this yet.")
    }
}
