internal import LibraryService
internal import PhotoLibrary
internal import PhotoModel

extension EmbeddedService {
    func commit(_ request: CommitRequest, files: [Descriptor]) throws(LibraryError) -> CommitReply {
        try committer.commit(request, files: files)
    }
}
