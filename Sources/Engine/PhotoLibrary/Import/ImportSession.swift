internal import FoundationEssentials
internal import LibraryService

/// An import in progress, with its author and its staging session.
struct ImportSession: Sendable {
    var author: String
    var staging: StagingSession
    /// The batch identifier that the import's versions share in the journal, so that one undo
    /// reverts the whole import.
    let batch = UUID().uuidString
}
