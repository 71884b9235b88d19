internal import FoundationEssentials
internal import LibraryService

/// An import that is under way: who imports, and where files are staged.
struct ImportSession: Sendable {
    var author: String
    var staging: StagingSession
    /// What its versions share in the journal, so that one undo takes the whole import back.
    let batch = UUID().uuidString
}
