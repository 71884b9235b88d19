internal import LibraryService
internal import PhotoModel

extension EmbeddedService {
    func undo(_ request: UndoRequest) throws(LibraryError) -> UndoReply {
        throw LibraryError(.internalError, "The library cannot do this yet.")
    }
}
