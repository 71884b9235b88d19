package import LibraryService
package import PhotoLibrary
package import PhotoModel

/// A client of a committer, which stages the files of its changes as a session does.
package struct CommitterClient: ChangeService {
    private let committer: ChangeCommitter
    private let tokens = FileTokens()

    package init(committer: ChangeCommitter) { self.committer = committer }

    package func stage(_ request: StageRequest, file: Descriptor) throws(LibraryError) -> StageReply
    {
        let staged = try committer.stage(request, file: file)
        return StageReply(token: tokens.add(staged), size: staged.file.size)
    }

    package func releaseTokens(_ request: ReleaseTokensRequest) throws(LibraryError) {
        tokens.release(request.tokens)
    }

    package func commit(_ request: CommitRequest) throws(LibraryError) -> CommitReply {
        let files = try tokens.take(request.changes)
        return try committer.commit(request, files: files, author: "tests")
    }

    package func undo(_ request: UndoRequest) throws(LibraryError) -> UndoReply {
        throw LibraryError(.invalidRequest, "A committer undoes nothing.")
    }
}
