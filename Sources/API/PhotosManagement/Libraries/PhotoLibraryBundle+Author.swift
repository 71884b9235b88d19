internal import LibraryService
internal import PhotoModel

extension PhotoLibraryBundle {
    /// Runs `body` with a library service whose changes are recorded under an author's name.
    ///
    /// If `author` is nil, changes have the program's name. Otherwise the call opens a session with
    /// that name, and closes it afterward.
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
