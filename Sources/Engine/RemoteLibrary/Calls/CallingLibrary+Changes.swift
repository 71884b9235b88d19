package import LibraryService
package import PhotoModel

/// Implements the methods of `ChangeService` by calls over a connection.
extension CallingLibrary {
    package func stage(_ request: StageRequest, file: Descriptor) throws(LibraryError)
        -> StageReply
    {
        try send(table.stage, request, files: [file])
    }

    package func releaseTokens(_ request: ReleaseTokensRequest) throws(LibraryError) {
        try send(table.releaseTokens, request)
    }

    package func commit(_ request: CommitRequest) throws(LibraryError) -> CommitReply {
        try send(table.commit, request)
    }

    package func undo(_ request: UndoRequest) throws(LibraryError) -> UndoReply {
        try send(table.undo, request)
    }
}
