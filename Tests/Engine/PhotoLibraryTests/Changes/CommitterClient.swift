import LibraryService
import PhotoModel

@testable import PhotoLibrary

/// A client of a committer, which stages the files of its changes as a session does.
struct CommitterClient: ChangeService {
    let committer: ChangeCommitter
    let tokens = FileTokens()

    func stage(_ request: StageRequest, file: Descriptor) throws(LibraryError) -> StageReply {
        let staged = try committer.stage(request, file: file)
        return StageReply(token: tokens.add(staged), size: staged.file.size)
    }

    func releaseTokens(_ request: ReleaseTokensRequest) throws(LibraryError) {
        tokens.release(request.tokens)
    }

    func commit(_ request: CommitRequest) throws(LibraryError) -> CommitReply {
        let files = try tokens.take(request.changes)
        return try committer.commit(request, files: files, author: "tests")
    }

    func undo(_ request: UndoRequest) throws(LibraryError) -> UndoReply {
        throw LibraryError(.invalidRequest, "A committer undoes nothing.")
    }
}
