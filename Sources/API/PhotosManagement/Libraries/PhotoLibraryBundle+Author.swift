internal import LibraryService
internal import PhotoModel

extension PhotoLibraryBundle {
    /// Runs `body` with the library's service, whose changes have an author in the history.
    ///
    /// A name other than the program's needs a session of its own, which closes afterward.
    func withService<Result>(
        author: String?,
        _ body: (any LibraryService) throws -> Result
    ) throws -> Result {
        guard let author else { return try body(service) }
        let session = try edge { () throws(LibraryError) in
            try service.openSession(SessionRequest(author: author))
        }
        defer { session.close() }
        return try body(session)
    }
}
