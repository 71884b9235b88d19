internal import LibraryService

/// An import that is under way: who imports, and where files are staged.
struct ImportSession: Sendable {
    var author: String
    var staging: StagingSession
}
