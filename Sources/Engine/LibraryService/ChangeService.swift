package import PhotoModel

/// The part of `LibraryService` with the calls by which a client changes the library.
package protocol ChangeService: Sendable {
    /// Copies and hashes a file, so that a commit of this session can use it.
    ///
    /// Several calls may run concurrently. The file is read now and not at the commit.
    ///
    /// - Throws: `accessDenied` or `accessRestricted` for a client that may change nothing, and the
    ///   problem with the file or the library's volume.
    func stage(_ request: StageRequest, file: Descriptor) throws(LibraryError) -> StageReply

    /// Removes staged files that no commit will use.
    ///
    /// Unknown tokens are ignored.
    func releaseTokens(_ request: ReleaseTokensRequest) throws(LibraryError)

    /// Commits changes in one transaction.
    ///
    /// The changes are durable when the call returns, and none of them is applied when it throws.
    /// In both cases, the tokens that the changes name are no longer valid.
    ///
    /// - Throws: `tokenUnknown` if a file is not staged, and the reason why nothing was changed.
    func commit(_ request: CommitRequest) throws(LibraryError) -> CommitReply

    /// Undoes the most recent change that has not been undone, and records the undo as a new
    /// change.
    func undo(_ request: UndoRequest) throws(LibraryError) -> UndoReply
}
